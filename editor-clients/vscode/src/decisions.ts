// The view Decisions: what was applied and discarded, by whom and why; and its revert.
import * as vscode from 'vscode';
import type { Decision } from '../api';
import type { Caller } from './call';
import type { Pending } from './pending';
import { countOf, messageOf } from './words';

type Node = Decision | 'more';

/** How many decisions a page has. */
const PAGE = 50;

export class Decisions implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private shown = PAGE;
  private seen = '';

  constructor(private readonly caller: Caller, private readonly pending: Pending, private readonly showDiff: () => Promise<void>) {
    this.subscriptions = [
      vscode.window.registerTreeDataProvider('xcsh.decisions', this),
      pending.onChange(() => this.stackChanged()),
    ];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) {
      return [];
    }
    const { decisions } = await this.caller.run('xcsh.decisions.list', { limit: this.shown + 1 });
    return decisions.length > this.shown ? [...decisions.slice(0, this.shown), 'more'] : decisions;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node === 'more') {
      const item = new vscode.TreeItem('Show more…');
      item.command = { command: 'xcsh.refreshDecisions', title: 'Show more', arguments: ['more'] };
      return item;
    }
    const item = new vscode.TreeItem(`${node.isError ? 'Failed' : node.action === 'apply' ? 'Applied' : 'Discarded'}: ${node.label}`);
    item.id = node.id;
    item.description = node.reason;
    item.tooltip = tooltip(node);
    item.iconPath = new vscode.ThemeIcon(node.isError ? 'error' : node.action === 'apply' ? 'check' : 'discard');
    item.contextValue = node.action === 'apply' && node.undo && !node.isError ? 'revertable' : 'decided';
    return item;
  }

  refresh(more = false): void {
    this.shown = more ? this.shown + PAGE : this.shown;
    this.changed.fire();
  }

  /** Proposes what undoes a decision; a human decides on that like on any edit. */
  async revert(decision: Decision | undefined): Promise<void> {
    if (!decision) {
      return;
    }
    try {
      await this.caller.run('xcsh.decisions.revert', { id: decision.id });
      await vscode.commands.executeCommand('xcsh.pending.focus');
      await this.showDiff();
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  dispose(): void {
    this.subscriptions.forEach((s) => s.dispose());
    this.changed.dispose();
  }

  /** Something that is no longer pending has been decided. */
  private stackChanged(): void {
    const ids = this.pending.actions.map((a) => a.id).join(' ');
    if (ids !== this.seen) {
      this.seen = ids;
      this.changed.fire();
    }
  }
}

function tooltip(d: Decision): string {
  return [
    d.label,
    `${d.reason} (${d.reasonFrom})`,
    `decided by ${d.decidedBy.name}, proposed by ${d.proposedBy.name}`,
    new Date(d.time).toLocaleString(),
    countOf(d.files.length, 'file'),
    ...(d.declined?.length ? ['A part was left out.'] : []),
    ...(d.reverts ? ['Undoes an earlier decision.'] : []),
  ].join('\n');
}
