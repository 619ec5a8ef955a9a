// What is pending, as the server told last, and the previews, which are fetched when
// something shows them.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { PendingAction, PendingList, PendingPreview } from '../api';
import type { Caller } from './call';
import type { Part, ServerState } from './client';

export class Pending implements Part, vscode.Disposable {
  private list: PendingList = { version: 0, actions: [] };
  private previews = new Map<string, Promise<PendingPreview>>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onChange = this.changed.event;

  constructor(private readonly caller: Caller) {}

  attach(client: LanguageClient): void {
    this.list = { version: 0, actions: [] }; // another server counts anew
    client.onNotification('xcsh/pendingChanged', (list: PendingList) => this.set(list));
  }

  /** A server that ends takes its stack with it; says what was lost. */
  serverChanged(state: ServerState): void {
    if (state === 'running' || this.list.actions.length === 0) {
      return;
    }
    const lost = this.list.actions.map((a) => `"${a.label}"`).join(', ');
    this.set({ version: 0, actions: [] });
    void vscode.window.showWarningMessage(`The xcsh server has ended. No longer pending, and not applied: ${lost}.`);
  }

  /** The newest first. */
  get actions(): readonly PendingAction[] {
    return this.list.actions;
  }

  get top(): PendingAction | undefined {
    return this.list.actions[0];
  }

  find(id: string): PendingAction | undefined {
    return this.list.actions.find((a) => a.id === id);
  }

  /** The preview of the present revision; fails where that is out of date by now. */
  preview(action: PendingAction): Promise<PendingPreview> {
    const key = keyOf(action);
    let preview = this.previews.get(key);
    if (!preview) {
      preview = this.caller.run('xcsh.pending.preview', { id: action.id });
      preview.catch(() => this.previews.delete(key)); // asked again next time
      this.previews.set(key, preview);
    }
    return preview;
  }

  /** Asks the server, whose notification of what was just proposed may be on its way. */
  async refresh(): Promise<void> {
    this.set(await this.caller.run('xcsh.pending.list', {}));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private set(list: PendingList): void {
    if (list.version !== 0 && list.version < this.list.version) {
      return; // overtaken
    }
    this.list = list;
    const live = new Set(list.actions.map(keyOf));
    this.previews = new Map([...this.previews].filter(([key]) => live.has(key)));
    void vscode.commands.executeCommand('setContext', 'xcsh.pendingCount', list.actions.length);
    this.changed.fire();
  }
}

function keyOf(action: PendingAction): string {
  return `${action.id}@${action.revision}`;
}
