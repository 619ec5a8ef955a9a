// What the server gets as its settings: those of the section xcsh that are its own,
// with what only the editor knows.
import * as vscode from 'vscode';

/** Keys of the section that are the extension's own. */
const OURS = ['server', 'preview.decorations'];

export function serverSettings(): Record<string, unknown> {
  const section = JSON.parse(JSON.stringify(vscode.workspace.getConfiguration('xcsh'))) as Record<string, unknown>;
  for (const key of OURS) {
    remove(section, key.split('.'));
  }
  if (!vscode.workspace.isTrusted) {
    section['trusted'] = false;
  }
  const customTools = (section['customTools'] ?? {}) as Record<string, unknown>;
  // VS Code's own program can run tools where there is no Node.js on PATH.
  section['customTools'] = { ...customTools, editorRuntime: process.execPath };
  return section;
}

function remove(from: Record<string, unknown>, keys: string[]): void {
  const [key, ...rest] = keys as [string, ...string[]];
  const below = from[key];
  if (rest.length === 0) {
    delete from[key];
  } else if (typeof below === 'object' && below !== null) {
    remove(below as Record<string, unknown>, rest);
  }
}
