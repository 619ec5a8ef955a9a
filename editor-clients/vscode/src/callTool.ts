// "xcsh: Call Tool…": a human calls a custom tool, and sees its result.
import * as vscode from 'vscode';
import type { Tool } from '../api';
import type { Caller } from './call';
import { messageOf } from './words';

export async function callTool(caller: Caller): Promise<void> {
  try {
    const { tools, errors } = await caller.run('xcsh.tools.list', {});
    const custom = tools.filter((t) => (t.source as { provider?: string } | undefined)?.provider !== 'builtin');
    if (custom.length === 0) {
      const failed = errors.map((e) => `${e.path}: ${e.error}`).join('\n');
      void vscode.window.showInformationMessage(failed ? `No custom tool is loaded. ${failed}` : 'No custom tool is loaded.');
      return;
    }
    const chosen = await vscode.window.showQuickPick(custom.map((tool) => ({ label: tool.name, detail: tool.description, tool })), { title: 'Call Tool' });
    const params = chosen && (await askParams(chosen.tool));
    if (chosen && params) {
      await show(caller, chosen.tool, params);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(messageOf(error));
  }
}

async function show(caller: Caller, tool: Tool, params: object): Promise<void> {
  const result = await caller.run('xcsh.tools.call', { name: tool.name, params });
  const text = result.display ?? result.content.map((block) => ('text' in block ? String(block['text']) : '')).join('\n');
  void (result.isError ? vscode.window.showErrorMessage(text) : vscode.window.showInformationMessage(text));
}

/** One JSON object; nothing is asked of a tool that takes nothing. */
async function askParams(tool: Tool): Promise<object | undefined> {
  const { properties = {} } = tool.parameters as { properties?: Record<string, { description?: string }> };
  const names = Object.keys(properties);
  if (names.length === 0) {
    return {};
  }
  const value = JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])));
  const given = await vscode.window.showInputBox({
    title: tool.name, prompt: names.map((n) => `${n}: ${properties[n]?.description ?? ''}`).join(' · '), value, ignoreFocusOut: true,
    validateInput: (text) => (parsed(text) ? undefined : 'This must be a JSON object.'),
  });
  return given === undefined ? undefined : parsed(given);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
