// What needs no server: where it is looked for, and what stays unticked.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Hunk } from '../../api';
import { findServer, type Places } from '../../src/serverPath';
import { carry } from '../../src/ticks';
import type { Test } from './harness';

async function program(...parts: string[]): Promise<string> {
  const file = path.join(...parts);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, '', { mode: 0o755 });
  return file;
}

function hunk(index: number, before: string): Hunk {
  const at = { line: index, character: 0 };
  return { uri: 'file:///a', index, range: { start: at, end: at }, before, after: before.toUpperCase() };
}

export const unitTests: Record<string, Test> = {
  'the server: setting, extension, PATH, none': async () => {
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'xcsh-'));
    const places: Places = { setting: '', extensionPath: path.join(dir, 'ext'), platform: 'linux', arch: 'x64', pathVariable: ['relative', path.join(dir, 'ws', 'bin'), path.join(dir, 'bin')].join(path.delimiter), workspaceFolders: [path.join(dir, 'ws')] };
    assert.ok('missing' in findServer(places));
    await program(dir, 'ws', 'bin', 'xcsh-lsp'); // comes with the code: is not taken
    assert.ok('missing' in findServer(places));
    const onPath = await program(dir, 'bin', 'xcsh-lsp');
    assert.deepEqual(findServer(places), { command: onPath, from: 'PATH' });
    const bundled = await program(dir, 'ext', 'server', 'linux-x64', 'xcsh-lsp');
    assert.deepEqual(findServer(places), { command: bundled, from: 'extension' });
    assert.ok('missing' in findServer({ ...places, setting: path.join(dir, 'gone') }), 'a wrong setting falls back');
    assert.deepEqual(findServer({ ...places, setting: onPath }), { command: onPath, from: 'setting' });
    await fs.rm(dir, { recursive: true });
  },

  'what is unticked stays so in a later preview': async () => {
    const unticked = new Map([['file:///a', [hunk(1, 'b'), hunk(3, 'd')]]]);
    const fresh = [hunk(0, 'new'), hunk(1, 'a'), hunk(2, 'b'), hunk(3, 'c')];
    assert.deepEqual(carry(unticked, fresh).get('file:///a')?.map((h) => h.index), [2]);
    const equal = new Map([['file:///a', [hunk(1, 'same')]]]);
    assert.deepEqual(carry(equal, [hunk(0, 'same'), hunk(1, 'same')]).get('file:///a')?.map((h) => h.index), [1]);
  },
};
