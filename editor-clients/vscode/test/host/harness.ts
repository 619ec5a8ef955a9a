// What the tests in the extension host share: a workspace made anew for each test, a
// way to wait, and answers in the place of a human's.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { XcshApi } from '../../api';

export const APPLY = 'Reviewed: the change is right';

export type Test = (t: Context) => Promise<void>;

/** Waits until `get` gives something; a test that waits in vain says for what. */
export async function until<T>(what: string, get: () => T | Thenable<T>, seconds = 15): Promise<NonNullable<T>> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const got = await get();
    if (got) {
      return got;
    }
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export class Context {
  constructor(readonly api: XcshApi, readonly root: string) {}

  file(name: string): vscode.Uri {
    return vscode.Uri.file(path.join(this.root, name));
  }

  async disk(name: string): Promise<string> {
    return fs.readFile(path.join(this.root, name), 'utf8');
  }

  async open(name: string): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(this.file(name));
    const text = await this.disk(name);
    await until(`${name} as it is on disk`, () => document.getText() === text); // VS Code may have kept the last test's
    return vscode.window.showTextDocument(document, { preview: false });
  }

  /** Proposes as another extension would. */
  async propose(pat: string, out: string): Promise<{ id: string; revision: number; label: string }> {
    const { details } = await this.api.execute('xcsh.ast_edit', { ops: [{ pat, out }] });
    assert.ok(details?.pending, `nothing matches ${pat}`);
    return details.pending;
  }

  async pending(): Promise<string[]> {
    return (await this.api.execute('xcsh.pending.list', {})).actions.map((a) => a.id);
  }

  /** The code actions at a text of a document, as the menu gets them. */
  async actions(editor: vscode.TextEditor, at: string): Promise<vscode.CodeAction[]> {
    const offset = editor.document.getText().indexOf(at);
    assert.ok(offset >= 0, `${at} is not there`);
    const where = editor.document.positionAt(offset);
    return vscode.commands.executeCommand('vscode.executeCodeActionProvider', editor.document.uri, new vscode.Range(where, where));
  }

  /** Runs the code action whose title begins so, and answers its question. */
  async choose(editor: vscode.TextEditor, at: string, title: string, answer: () => Promise<void>): Promise<unknown> {
    const action = await until(`the action ${title}`, async () => (await this.actions(editor, at)).find((a) => a.title.startsWith(title)));
    assert.ok(action.command, 'the action has no command');
    assert.equal(action.edit, undefined, 'the action brings an edit of its own');
    const outcome = vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
    await answer();
    return outcome;
  }

  /** A workspace with three files, no documents open and nothing pending. */
  async reset(): Promise<void> {
    for (const document of vscode.workspace.textDocuments.filter((d) => d.isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const id of await this.pending()) {
      await this.api.execute('xcsh.resolve', { action: 'discard', id, reason: 'reset' });
    }
    await fs.writeFile(path.join(this.root, 'a.ts'), 'wrap(1, "😀"); wrap(2, x);\nplain();\n');
    await fs.writeFile(path.join(this.root, 'b.ts'), 'wrap(3, y);\r\n');
    await fs.writeFile(path.join(this.root, 'c.ts'), 'other();\n');
  }
}

/** The last box that the extension has opened, and the human who uses it. */
export class Box {
  private static last: vscode.QuickPick<vscode.QuickPickItem> | undefined;

  /** Puts itself between the extension and VS Code; call it once. */
  static watch(): void {
    const create = vscode.window.createQuickPick.bind(vscode.window);
    (vscode.window as { createQuickPick: unknown }).createQuickPick = () => (Box.last = create());
  }

  static async next(): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
    const box = await until('a box', () => Box.last);
    Box.last = undefined;
    // The workbench has to have shown it before keys can reach it.
    await new Promise((done) => setTimeout(done, 300));
    return box;
  }

  static async enter(): Promise<void> {
    await Box.next();
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  }

  static async escape(): Promise<void> {
    await Box.next();
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  }
}
