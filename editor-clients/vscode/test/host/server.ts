// The life of the server: restarted, crashed, and nothing there twice.
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { until, type Context, type Test } from './harness';

/** The processes of our server that this extension host has started. */
function servers(): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes('xcsh-lsp')).map((line) => Number.parseInt(line, 10));
}

async function worksOnce(t: Context): Promise<void> {
  const editor = await t.open('a.ts');
  await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
  const actions = await until('code actions', async () => {
    const found = (await t.actions(editor, 'wrap(1')).filter((a) => a.title.startsWith('Apply '));
    return found.length > 0 ? found : undefined;
  });
  assert.equal(actions.length, 1, 'an action is offered twice');
  const diagnostics = vscode.languages.getDiagnostics(editor.document.uri).filter((d) => d.source === 'xcsh');
  assert.equal(diagnostics.length, 2, 'a change is marked twice');
  assert.equal(servers().length, 1, 'a server too many');
}

export const serverTests: Record<string, Test> = {
  'restarted three times, nothing is there twice': async (t) => {
    for (let i = 0; i < 3; i++) {
      await vscode.commands.executeCommand('xcsh.restart');
    }
    assert.deepEqual(await t.pending(), []);
    await worksOnce(t);
  },

  'killed with an edit pending: it starts again, nothing is applied, the view is empty': async (t) => {
    await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    const [pid] = servers();
    assert.ok(pid, 'no server runs');
    process.kill(pid, 'SIGKILL');
    await until('another server', () => servers().length === 1 && servers()[0] !== pid);
    await until('it answers', async () => t.pending().then((ids) => ids.length === 0, () => false));
    assert.ok((await t.disk('a.ts')).startsWith('wrap(1'));
    await worksOnce(t);
  },
};
