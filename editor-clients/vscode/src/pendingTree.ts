// The view Pending Edits: the stack, newest first; the files of each edit; their
// changes. Tick boxes on the edit that can be applied.
import * as vscode from 'vscode';
import type { Hunk, PendingAction, PendingFile } from '../api';
import type { Pending } from './pending';
import type { Ticks } from './ticks';
import { countOf, firstLine, messageOf } from './words';

export interface FileNode { kind: 'file'; action: PendingAction; file: PendingFile }
export interface HunkNode { kind: 'hunk'; action: PendingAction; file: PendingFile; hunk: Hunk }
export interface ActionNode { kind: 'action'; action: PendingAction }
export type Node = ActionNode | FileNode | HunkNode;

/** Edits of more files than this begin folded: a long list hides the next edit. */
const UNFOLDED_FILES = 20;

export class PendingTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly pending: Pending, private readonly ticks: Ticks) {
    this.view = vscode.window.createTreeView('xcsh.pending', { treeDataProvider: this, manageCheckboxStateManually: true, showCollapseAll: true });
    this.subscriptions = [
      this.view,
      pending.onChange(() => this.refresh()),
      ticks.onChange(() => this.refresh()),
      this.view.onDidChangeCheckboxState(({ items }) => {
        this.tick(items).catch((error: unknown) => {
          this.refresh(); // the boxes as they are
          void vscode.window.showErrorMessage(messageOf(error));
        });
      }),
    ];
  }

  async getChildren(node?: Node): Promise<Node[]> {
    switch (node?.kind) {
      case undefined:
        return this.pending.actions.map((action) => ({ kind: 'action', action }));
      case 'action':
        return node.action.files.map((file) => ({ kind: 'file', action: node.action, file }));
      case 'file': {
        const { hunks } = await this.pending.preview(node.action);
        return hunks.filter((h) => h.uri === node.file.uri).map((hunk) => ({ ...node, kind: 'hunk', hunk }));
      }
      case 'hunk':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'action':
        return actionItem(node.action, node.action === this.pending.top, this.ticks.note(node.action));
      case 'file':
        return this.fileItem(node);
      case 'hunk':
        return this.hunkItem(node);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((s) => s.dispose());
    this.changed.dispose();
  }

  private refresh(): void {
    const count = this.pending.actions.length;
    // TypeScript's declaration knows no way to say that there is no badge.
    (this.view as { badge: vscode.ViewBadge | undefined }).badge = count ? { value: count, tooltip: countOf(count, 'pending edit') } : undefined;
    this.changed.fire();
  }

  private fileItem(node: FileNode): vscode.TreeItem {
    const { action, file } = node;
    const uri = vscode.Uri.parse(file.uri, true);
    const left = this.ticks.left(action.id, file.uri);
    const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${action.id} ${file.uri}`;
    const counted = left ? `${file.replacements - left} of ${file.replacements}` : String(file.replacements);
    item.description = `${counted} · ${vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'))}`;
    item.contextValue = 'file';
    item.command = { command: 'xcsh.openDiff', title: 'Show Pending Change', arguments: [node] };
    this.addBox(item, action, left === 0);
    return item;
  }

  private hunkItem(node: HunkNode): vscode.TreeItem {
    const { action, hunk } = node;
    const item = new vscode.TreeItem(`${firstLine(hunk.before)} → ${firstLine(hunk.after) || '(nothing)'}`);
    item.id = `${action.id} ${hunk.uri} ${hunk.index}`;
    item.description = `line ${hunk.range.start.line + 1}`;
    item.tooltip = new vscode.MarkdownString().appendCodeblock(diffOf(hunk), 'diff');
    item.contextValue = 'hunk';
    item.command = { command: 'xcsh.openDiff', title: 'Show Pending Change', arguments: [node] };
    this.addBox(item, action, this.ticks.isTicked(action.id, hunk));
    return item;
  }

  private addBox(item: vscode.TreeItem, action: PendingAction, ticked: boolean): void {
    if (action.sourceToolName !== 'ast_edit' && action.sourceToolName !== 'revert') {
      return; // a tool's own action is one whole
    }
    item.checkboxState = {
      state: ticked ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
      tooltip: ticked ? 'Is applied with the edit' : 'Is left out',
    };
  }

  private async tick(items: ReadonlyArray<[Node, vscode.TreeItemCheckboxState]>): Promise<void> {
    for (const [node, state] of items) {
      const ticked = state === vscode.TreeItemCheckboxState.Checked;
      if (node.kind === 'hunk') {
        this.ticks.set(node.action, [node.hunk], ticked);
      } else if (node.kind === 'file') {
        const { hunks } = await this.pending.preview(node.action);
        this.ticks.set(node.action, hunks.filter((h) => h.uri === node.file.uri), ticked);
      }
    }
  }
}

function actionItem(action: PendingAction, isTop: boolean, note: string | undefined): vscode.TreeItem {
  const unfolded = isTop && action.files.length <= UNFOLDED_FILES;
  const state = action.files.length === 0 ? vscode.TreeItemCollapsibleState.None : unfolded ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
  const item = new vscode.TreeItem(action.label, state);
  item.id = action.id;
  const marks = [note, action.lost ? 'lost' : action.stale ? 'out of date' : undefined, by(action)];
  item.description = marks.filter(Boolean).join(' · ');
  item.tooltip = [action.label, `proposed ${by(action)} at ${new Date(action.createdAt).toLocaleTimeString()}`, action.lost, isTop ? undefined : 'Decided after those above it.'].filter(Boolean).join('\n');
  item.iconPath = new vscode.ThemeIcon(action.lost || action.stale ? 'warning' : action.proposedBy.kind === 'human' ? 'person' : 'robot');
  item.contextValue = action.lost ? (isTop ? 'lost' : 'lower') : isTop ? 'top' : 'lower';
  return item;
}

function by(action: PendingAction): string {
  const who = action.proposedBy.kind === 'human' ? 'by you' : `by ${action.proposedBy.kind} ${action.proposedBy.name}`;
  return action.proposerGone ? `${who}, who is gone` : who;
}

function diffOf(hunk: Hunk): string {
  const marked = (text: string, mark: string): string => text === '' ? '' : text.split('\n').map((line) => `${mark}${line}\n`).join('');
  return marked(hunk.before, '-') + marked(hunk.after, '+');
}
