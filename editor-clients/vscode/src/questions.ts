// Answers what the server asks the human: xcsh/input and xcsh/quickPick.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Part } from './client';
import type { Queue } from './queue';
import type { Given, ReasonBox } from './reasonBox';

interface InputParams {
  title: string;
  prompt: string;
  value?: string;
  placeHolder?: string;
  password?: boolean;
  choices?: string[];
}

interface QuickPickParams {
  title: string;
  items: { label: string; description?: string }[];
  canPickMany?: boolean;
}

export class Questions implements Part {
  constructor(private readonly queue: Queue, private readonly reasons: ReasonBox) {}

  attach(client: LanguageClient): void {
    client.onRequest('xcsh/input', (params: InputParams, token) => this.queue.run(() => this.input(params, token)));
    client.onRequest('xcsh/quickPick', (params: QuickPickParams, token) => this.queue.run(() => quickPick(params, token)));
  }

  private async input(params: InputParams, token: vscode.CancellationToken): Promise<Partial<Given> | null> {
    if (params.choices) {
      return (await this.reasons.ask({ title: params.title, prompt: params.prompt, choices: params.choices, kind: kindOf(params.title) }, token)) ?? null;
    }
    const value = await vscode.window.showInputBox({ ignoreFocusOut: true, ...params }, token);
    return value === undefined ? null : { value };
  }
}

/** Which reasons a question is about, by its title: `Apply "…"` or `Discard "…"`. */
export function kindOf(title: string): string {
  return title.startsWith('Discard') ? 'discard' : 'apply';
}

async function quickPick(params: QuickPickParams, token: vscode.CancellationToken): Promise<{ items: number[] } | null> {
  const items = params.items.map((item, index) => ({ ...item, index }));
  const options = { title: params.title, ignoreFocusOut: true };
  if (params.canPickMany) {
    const picked = await vscode.window.showQuickPick(items, { ...options, canPickMany: true }, token);
    return picked ? { items: picked.map((p) => p.index) } : null;
  }
  const picked = await vscode.window.showQuickPick(items, options, token);
  return picked ? { items: [picked.index] } : null;
}
