// The language-model tools, and commands that another extension calls.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Test } from './harness';

async function invoke(name: string, input: object): Promise<unknown> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value);
}

export const agentTests: Record<string, Test> = {
  'an agent proposes, looks and discards; the log knows it': async (t) => {
    const proposed = (await invoke('xcsh_ast_edit', { ops: [{ pat: 'wrap($A, $B)', out: 'unwrap($B, $A)' }] })) as { details: { pending: { id: string; revision: number } } };
    const { id, revision } = proposed.details.pending;
    const list = (await invoke('xcsh_pending', {})) as { actions: { id: string; proposedBy: { kind: string } }[] };
    assert.deepEqual([list.actions[0]?.id, list.actions[0]?.proposedBy.kind], [id, 'agent']);
    assert.deepEqual(await invoke('xcsh_pending', { id }), { decided: false });
    await invoke('xcsh_resolve', { action: 'discard', reason: 'only a trial', id, revision });
    const decided = (await invoke('xcsh_pending', { id })) as { decided: boolean; reason: string };
    assert.deepEqual([decided.decided, decided.reason], [true, 'only a trial']);
    const [decision] = (await t.api.execute('xcsh.decisions.list', { limit: 1 })).decisions;
    assert.deepEqual([decision?.decidedBy.kind, decision?.reasonFrom], ['agent', 'argument']);
  },

  'a human\'s reason reaches the agent': async (t) => {
    const proposed = (await invoke('xcsh_ast_edit', { ops: [{ pat: 'other()', out: 'another()' }] })) as { details: { pending: { id: string; revision: number } } };
    const { id, revision } = proposed.details.pending;
    await t.api.execute('xcsh.resolve', { action: 'discard', reason: 'another() is gone', id, revision });
    const decided = (await invoke('xcsh_pending', { id })) as { action: string; reason: string };
    assert.deepEqual([decided.action, decided.reason], ['discard', 'another() is gone']);
  },

  'a command that fails says why to its caller': async (t) => {
    await assert.rejects(async () => t.api.execute('xcsh.pending.preview', { id: 'nothing' }), /Pending action nothing is no longer pending\./);
    await assert.rejects(async () => vscode.commands.executeCommand('xcsh.resolve', { action: 'apply', id: 'nothing', revision: 1, reason: 'r' }), /no longer pending|Nothing/);
  },
};
