// Where a structural replace looks.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { activeFile } from './looking';

export interface Scope { paths?: string[]; glob?: string }

interface Item extends vscode.QuickPickItem { scope: Scope | 'glob' }

/** Undefined where the question was dismissed. */
export async function askScope(title: string): Promise<Scope | undefined> {
  const chosen = await vscode.window.showQuickPick(choices(), { title: `${title} (3/3): where`, ignoreFocusOut: true });
  if (chosen?.scope !== 'glob') {
    return chosen?.scope;
  }
  const glob = await vscode.window.showInputBox({ title: `${title} (3/3): glob`, prompt: 'for example src/**/*.ts', ignoreFocusOut: true });
  return glob ? { glob } : undefined;
}

function choices(): Item[] {
  const items: Item[] = [{ label: 'Workspace', scope: {} }];
  const file = activeFile();
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) {
    items.push(...folders.map((f) => ({ label: `Folder ${f.name}`, scope: { paths: [f.uri.fsPath] } })));
  }
  if (file) {
    const folder = path.dirname(file.fsPath);
    items.push({ label: 'This folder', description: vscode.workspace.asRelativePath(folder), scope: { paths: [folder] } });
    items.push({ label: 'This file', description: vscode.workspace.asRelativePath(file), scope: { paths: [file.fsPath] } });
  }
  return [...items, { label: 'Glob…', scope: 'glob' }];
}
