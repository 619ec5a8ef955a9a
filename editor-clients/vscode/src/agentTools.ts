// Language-model tools: what an agent in this editor can do. Every call is marked as
// an agent's. VS Code registers only tools that a manifest names, so all custom tools
// share one, which lists them and calls them.
import * as vscode from 'vscode';
import type { AgentMark, EditRequest, ResolveArgument } from '../api';
import type { Caller } from './call';
import { messageOf } from './words';

const AGENT: AgentMark = { name: 'VS Code chat' };

/** Registers the tools where the editor has the API. */
export function registerAgentTools(caller: Caller): vscode.Disposable[] {
  if (typeof vscode.lm?.registerTool !== 'function') {
    return [];
  }
  return [
    vscode.lm.registerTool('xcsh_ast_edit', new AgentTool<EditRequest>(
      (input) => `Proposing ${input.ops.map((op) => `${op.pat} → ${op.out}`).join(', ')}`,
      (input, token) => caller.run('xcsh.ast_edit', { ...input, agent: AGENT }, token))),
    vscode.lm.registerTool('xcsh_pending', new AgentTool<{ id?: string }>(
      () => 'Looking at pending edits',
      ({ id }, token) => id === undefined ? caller.run('xcsh.pending.list', { agent: AGENT }, token) : caller.run('xcsh.pending.await', { id, timeoutMs: 0, agent: AGENT }, token))),
    vscode.lm.registerTool('xcsh_resolve', new AgentTool<Required<Pick<ResolveArgument, 'action' | 'reason' | 'id' | 'revision'>> & ResolveArgument>(
      ({ action }) => action === 'apply' ? 'Applying a pending edit' : 'Discarding a pending edit',
      (input, token) => caller.run('xcsh.resolve', { ...input, agent: AGENT }, token),
      ({ action, reason }) => action === 'apply' ? { title: 'Apply the pending edit?', message: reason } : undefined)),
    vscode.lm.registerTool('xcsh_custom_tool', new AgentTool<{ name?: string; params?: object }>(
      ({ name }) => name === undefined ? 'Listing custom tools' : `Calling ${name}`,
      (input, token) => callCustomTool(caller, input, token),
      ({ name, params }) => name === undefined ? undefined : { title: `Call ${name}?`, message: JSON.stringify(params ?? {}) })),
  ];
}

async function callCustomTool(caller: Caller, { name, params }: { name?: string; params?: object }, token: vscode.CancellationToken): Promise<unknown> {
  if (name === undefined) {
    const { tools, errors } = await caller.run('xcsh.tools.list', { agent: AGENT }, token);
    return { tools: tools.filter((t) => (t.source as { provider?: string } | undefined)?.provider !== 'builtin'), errors };
  }
  return caller.run('xcsh.tools.call', { name, params: params ?? {}, agent: AGENT }, token);
}

class AgentTool<Input extends object> implements vscode.LanguageModelTool<Input> {
  constructor(
    private readonly says: (input: Input) => string,
    private readonly run: (input: Input, token: vscode.CancellationToken) => Promise<unknown>,
    private readonly confirms: (input: Input) => vscode.LanguageModelToolConfirmationMessages | undefined = () => undefined,
  ) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): vscode.PreparedToolInvocation {
    const confirmationMessages = this.confirms(input);
    return { invocationMessage: this.says(input), ...(confirmationMessages ? { confirmationMessages } : {}) };
  }

  async invoke({ input }: vscode.LanguageModelToolInvocationOptions<Input>, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    try {
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(await this.run(input, token)))]);
    } catch (error) {
      throw new Error(messageOf(error)); // the model reads it
    }
  }
}
