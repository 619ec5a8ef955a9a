// From a proposal to a decision: applied, discarded, dismissed, in part, stale, two.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { APPLY, Box, until, type Context, type Test } from './harness';

const NEW_A = 'unwrap("😀", 1); unwrap(x, 2);\nplain();\n';

async function lastDecision(t: Context) {
  const [decision] = (await t.api.execute('xcsh.decisions.list', { limit: 1 })).decisions;
  assert.ok(decision, 'no decision is kept');
  return decision;
}

export const decideTests: Record<string, Test> = {
  'applied by the code action; the clean document is saved; undo takes it back': async (t) => {
    const editor = await t.open('a.ts');
    const { id } = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await t.choose(editor, 'wrap(1', 'Apply ', () => Box.enter());
    assert.equal(editor.document.getText(), NEW_A);
    assert.equal(await t.disk('b.ts'), 'unwrap(y, 3);\r\n');
    await until('the document is saved', () => !editor.document.isDirty);
    assert.equal(await t.disk('a.ts'), NEW_A);
    const decision = await lastDecision(t);
    assert.deepEqual([decision.pendingId, decision.action, decision.reason, decision.reasonFrom, decision.decidedBy.kind], [id, 'apply', APPLY, 'chosen', 'human']);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    await until('undo', () => editor.document.getText().startsWith('wrap(1'));
  },

  'a typed reason is logged as typed': async (t) => {
    const editor = await t.open('a.ts');
    await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await t.choose(editor, 'wrap(1', 'Discard ', async () => {
      const box = await Box.next();
      box.value = 'two arguments were right';
      await until('the typed reason is first', () => box.activeItems[0]?.label === 'two arguments were right');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    });
    const decision = await lastDecision(t);
    assert.deepEqual([decision.action, decision.reason, decision.reasonFrom], ['discard', 'two arguments were right', 'typed']);
    assert.ok(editor.document.getText().startsWith('wrap(1'));
    assert.equal(await t.disk('b.ts'), 'wrap(3, y);\r\n');
  },

  'Escape changes nothing': async (t) => {
    const editor = await t.open('a.ts');
    const { id } = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    const before = await lastDecision(t);
    assert.deepEqual(await t.choose(editor, 'wrap(1', 'Apply ', () => Box.escape()), { cancelled: true });
    assert.deepEqual(await t.pending(), [id]);
    assert.ok(editor.document.getText().startsWith('wrap(1'));
    assert.equal((await lastDecision(t)).id, before.id);
  },

  'a document with unsaved changes is edited and not saved': async (t) => {
    const editor = await t.open('a.ts');
    await editor.edit((e) => e.insert(new vscode.Position(1, 0), 'wrap(9, z);\n'));
    await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await t.choose(editor, 'wrap(9', 'Apply ', () => Box.enter());
    assert.ok(editor.document.getText().includes('unwrap(z, 9);'), 'the unsaved line is not edited');
    assert.ok(editor.document.isDirty);
    assert.ok((await t.disk('a.ts')).startsWith('wrap(1'), 'what the user had not saved is saved');
  },

  'a part: what is named is applied, the rest declined': async (t) => {
    const { id, revision } = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    const { hunks } = await t.api.execute('xcsh.pending.preview', { id });
    assert.equal(hunks.length, 3);
    await t.api.execute('xcsh.resolve', { action: 'apply', id, revision, reason: 'a part', extra: { only: [{ uri: t.file('a.ts').toString(), hunks: [1] }] } });
    assert.ok((await t.disk('a.ts')).startsWith('wrap(1, "😀"); unwrap(x, 2);'));
    assert.equal(await t.disk('b.ts'), 'wrap(3, y);\r\n');
    assert.ok((await lastDecision(t)).declined?.length, 'the log does not name what was declined');
  },

  'stale: another revision than the present one is refused': async (t) => {
    const editor = await t.open('a.ts');
    const { id, revision } = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await editor.edit((e) => e.insert(new vscode.Position(0, 0), 'wrap(0, q);\n'));
    await until('a new revision', async () => (await t.api.execute('xcsh.pending.list', {})).actions[0]?.revision !== revision);
    await assert.rejects(t.api.execute('xcsh.resolve', { action: 'apply', id, revision, reason: 'r' }), (error: Error & { data?: { kind: string } }) =>
      error.message === 'Preview is out of date: a.ts. It has been refreshed; review it and resolve again.' && error.data?.kind === 'stale');
    assert.deepEqual(await t.pending(), [id]);
    assert.ok((await t.disk('b.ts')).startsWith('wrap'), 'something was written');
  },

  'two pending: the lower one has to wait': async (t) => {
    const lower = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    const upper = await t.propose('other()', 'another()');
    assert.deepEqual(await t.pending(), [upper.id, lower.id]);
    await assert.rejects(t.api.execute('xcsh.resolve', { action: 'apply', id: lower.id, revision: lower.revision, reason: 'r' }), /is not the most recent one/);
    await t.api.execute('xcsh.resolve', { action: 'apply', id: upper.id, revision: upper.revision, reason: 'r' });
    assert.equal(await t.disk('c.ts'), 'another();\n');
    assert.deepEqual(await t.pending(), [lower.id]);
  },

  'the diff: the live document, and the text after in its language; it follows the edit': async (t) => {
    const editor = await t.open('a.ts');
    await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await until('the editor is told', async () => (await t.pending()).length === 1);
    await vscode.commands.executeCommand('xcsh.openDiff');
    const after = await until('the preview document', () => vscode.workspace.textDocuments.find((d) => d.uri.scheme === 'xcsh-preview'));
    assert.equal(after.languageId, 'typescript');
    await until('the text after', () => after.getText() === NEW_A).catch((e: Error) => assert.fail(`${e.message}: ${after.uri} has ${JSON.stringify(after.getText())}`));
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff && input.original.toString() === editor.document.uri.toString());
    const change = new vscode.WorkspaceEdit();
    change.insert(editor.document.uri, new vscode.Position(1, 0), 'wrap(7, z);\n');
    await vscode.workspace.applyEdit(change);
    await until('the diff follows', () => after.getText().includes('unwrap(z, 7);'));
  },

  'a decision is reverted': async (t) => {
    const { id, revision } = await t.propose('wrap($A, $B)', 'unwrap($B, $A)');
    await t.api.execute('xcsh.resolve', { action: 'apply', id, revision, reason: 'r' });
    assert.equal(await t.disk('a.ts'), NEW_A);
    await vscode.commands.executeCommand('xcsh.revertDecision', await lastDecision(t));
    const [action] = (await t.api.execute('xcsh.pending.list', {})).actions;
    assert.ok(action, 'nothing is pending');
    assert.match(action.label, /^Revert: /);
    await t.api.execute('xcsh.resolve', { action: 'apply', id: action.id, revision: action.revision, reason: 'back' });
    await until('the old text', async () => (await t.disk('a.ts')).startsWith('wrap(1'));
  },
};
