// The change side by side: the document as it is, which can still be edited, and as
// it would be. The right side has no revision in its address, so that an open diff
// follows its edit.
import * as vscode from 'vscode';
import type { PendingAction } from '../api';
import type { Caller } from './call';
import type { Pending } from './pending';
import type { FileNode, HunkNode } from './pendingTree';
import { messageOf } from './words';

const SCHEME = 'xcsh-preview';

export class Diffs implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly caller: Caller, private readonly pending: Pending) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      pending.onChange(() => this.refresh()),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    if (query.has('revision')) { // the text after that revision and no other
      const { text } = (await this.caller.request('workspace/textDocumentContent', { uri: uri.toString() })) as { text: string };
      return text;
    }
    const id = query.get('id') ?? '';
    try {
      const preview = await this.caller.run('xcsh.pending.preview', { id, uri: fileOf(uri).toString() });
      return preview.documents?.[0]?.after ?? '';
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Opens the diff of a file, at a change. Without a file: of the first one of the newest edit. */
  async open(node?: FileNode | HunkNode): Promise<void> {
    if (!node) {
      await this.pending.refresh();
    }
    const action = node?.action ?? this.pending.top;
    const file = node?.file ?? action?.files[0];
    if (!action || !file) {
      void vscode.window.showInformationMessage('No edit that changes files is pending.');
      return;
    }
    const live = vscode.Uri.parse(file.uri, true);
    const preview = previewUri(live, action);
    const selection = node && 'hunk' in node ? { selection: rangeOf(node.hunk.range) } : {};
    await vscode.commands.executeCommand('vscode.diff', live, preview, `${vscode.workspace.asRelativePath(live)}: ${action.label}`, { preview: true, ...selection });
    await this.colour(live, preview);
  }

  dispose(): void {
    this.subscriptions.forEach((s) => s.dispose());
    this.changed.dispose();
  }

  /** Gives the right side the language of the left, which the user may have chosen. */
  private async colour(live: vscode.Uri, preview: vscode.Uri): Promise<void> {
    const [left, right] = await Promise.all([vscode.workspace.openTextDocument(live), vscode.workspace.openTextDocument(preview)]);
    if (left.languageId !== right.languageId) {
      await vscode.languages.setTextDocumentLanguage(right, left.languageId);
    }
  }

  private refresh(): void {
    void this.closeDecided();
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME) {
        this.changed.fire(uri);
      }
    }
  }

  /** There is nothing to compare with any more where an edit has been decided. */
  private async closeDecided(): Promise<void> {
    const decided = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => {
      const id = input instanceof vscode.TabInputTextDiff ? pendingIdOf(input.modified) : undefined;
      return id !== undefined && !this.pending.find(id);
    });
    if (decided.length > 0) {
      await vscode.window.tabGroups.close(decided);
    }
  }
}

function previewUri(live: vscode.Uri, action: PendingAction): vscode.Uri {
  return live.with({ scheme: SCHEME, query: new URLSearchParams({ id: action.id }).toString() });
}

function fileOf(preview: vscode.Uri): vscode.Uri {
  return preview.with({ scheme: 'file', query: '' });
}

/** The id of the edit that a preview document shows. */
export function pendingIdOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === SCHEME ? (new URLSearchParams(uri.query).get('id') ?? undefined) : undefined;
}

function rangeOf(range: { start: { line: number; character: number }; end: { line: number; character: number } }): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}
