// Colours the code that the newest edit would change, in the editors that show it;
// what has been unticked is only outlined.
import * as vscode from 'vscode';
import type { Pending } from './pending';
import type { Ticks } from './ticks';

export class Decorations implements vscode.Disposable {
  private readonly taken = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    overviewRulerColor: new vscode.ThemeColor('minimapGutter.modifiedBackground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  private readonly left = vscode.window.createTextEditorDecorationType({
    border: '1px dashed',
    borderColor: new vscode.ThemeColor('editorWidget.border'),
  });
  private readonly subscriptions: vscode.Disposable[];
  private turn = 0;

  constructor(private readonly pending: Pending, private readonly ticks: Ticks) {
    const show = (): void => void this.show();
    this.subscriptions = [
      this.taken,
      this.left,
      pending.onChange(show),
      ticks.onChange(show),
      vscode.window.onDidChangeVisibleTextEditors(show),
      vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration('xcsh.preview.decorations') && show()),
    ];
  }

  dispose(): void {
    this.subscriptions.forEach((s) => s.dispose());
  }

  private async show(): Promise<void> {
    const turn = ++this.turn;
    const action = vscode.workspace.getConfiguration('xcsh').get('preview.decorations', true) ? this.pending.top : undefined;
    const visible = vscode.window.visibleTextEditors.filter((e) => e.document.uri.scheme === 'file');
    const named = new Set(action?.files.map((f) => vscode.Uri.parse(f.uri, true).toString()));
    // Only for an edit that is seen: a preview is fetched whole.
    const needed = action && visible.some((e) => named.has(e.document.uri.toString()));
    const hunks = needed ? await this.pending.preview(action).then((p) => p.hunks, () => []) : [];
    if (turn !== this.turn) {
      return; // a later call has newer ones
    }
    for (const editor of visible) {
      const here = hunks.filter((h) => vscode.Uri.parse(h.uri, true).toString() === editor.document.uri.toString());
      const ranges = (ticked: boolean): vscode.Range[] => here.filter((h) => action !== undefined && this.ticks.isTicked(action.id, h) === ticked)
        .map(({ range: { start, end } }) => new vscode.Range(start.line, start.character, end.line, end.character));
      editor.setDecorations(this.taken, ranges(true));
      editor.setDecorations(this.left, ranges(false));
    }
  }
}
