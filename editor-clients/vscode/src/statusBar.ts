// The status bar: how many edits are pending, and what custom tools show.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Part, ServerState } from './client';
import type { Pending } from './pending';
import { countOf } from './words';

export class StatusBar implements Part, vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('xcsh.pending', vscode.StatusBarAlignment.Left, 10);
  private readonly tools = vscode.window.createStatusBarItem('xcsh.tools', vscode.StatusBarAlignment.Left, 9);
  private readonly texts = new Map<string, string>();
  private readonly subscription: vscode.Disposable;
  private state: ServerState = 'starting';

  constructor(private readonly pending: Pending) {
    this.item.name = 'xcsh: pending edits';
    this.tools.name = 'xcsh: custom tools';
    this.subscription = pending.onChange(() => this.show());
  }

  attach(client: LanguageClient): void {
    this.texts.clear();
    client.onNotification('xcsh/status', ({ key, text }: { key: string; text: string | null }) => {
      if (text === null) {
        this.texts.delete(key);
      } else {
        this.texts.set(key, text);
      }
      this.show();
    });
  }

  serverChanged(state: ServerState): void {
    this.state = state;
    this.show();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
    this.tools.dispose();
  }

  private show(): void {
    const count = this.pending.actions.length;
    const down = this.state === 'stopped' || this.state === 'missing';
    this.item.text = down ? '$(warning) xcsh' : `$(replace-all) ${countOf(count, 'pending edit')}`;
    this.item.tooltip = down ? 'The xcsh server does not run. Click to start it.' : this.pending.top?.label ?? '';
    this.item.command = down ? 'xcsh.restart' : 'xcsh.pending.focus';
    this.item.accessibilityInformation = { label: down ? 'xcsh server stopped' : countOf(count, 'pending edit'), role: 'button' };
    this.item[down || count > 0 ? 'show' : 'hide']();
    const texts = [...this.texts].sort(([a], [b]) => a.localeCompare(b)).map(([, text]) => text);
    this.tools.text = texts.join(' · ');
    this.tools[texts.length ? 'show' : 'hide']();
  }
}
