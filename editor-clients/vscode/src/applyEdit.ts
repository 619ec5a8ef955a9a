// Answers workspace/applyEdit. The language client would do so too, but it neither
// says why it refuses nor saves: documents without unsaved changes are saved after
// the edit, where the server asks for it. VS Code's own isRefactoring would also save
// what the user had not wanted to save yet.
import * as vscode from 'vscode';
import { ApplyWorkspaceEditRequest, LanguageClient, TextDocumentEdit, type ApplyWorkspaceEditParams, type ApplyWorkspaceEditResult } from 'vscode-languageclient/node';
import type { Part } from './client';

type Params = ApplyWorkspaceEditParams & { metadata?: { isRefactoring?: boolean } };

/** Remembers which documents were edited last, for the question whether to save them. */
export class Editing implements Part {
  private touched = new Set<string>();

  attach(client: LanguageClient): void {
    client.onRequest(ApplyWorkspaceEditRequest.type, (params: Params) => this.apply(client, params));
  }

  /** The documents that the edits since the last call have left unsaved. */
  takeUnsaved(): vscode.TextDocument[] {
    const touched = this.touched;
    this.touched = new Set();
    return vscode.workspace.textDocuments.filter((d) => d.isDirty && touched.has(d.uri.toString()));
  }

  private async apply(client: LanguageClient, params: Params): Promise<ApplyWorkspaceEditResult> {
    const edit = await client.protocol2CodeConverter.asWorkspaceEdit(params.edit);
    const changed = changedMeanwhile(client, params);
    if (changed) {
      return { applied: false, failureReason: `${vscode.workspace.asRelativePath(changed.uri)} has been changed meanwhile.` };
    }
    const uris = edit.entries().map(([uri]) => uri);
    const unsaved = new Set(vscode.workspace.textDocuments.filter((d) => d.isDirty).map((d) => d.uri.toString()));
    if (!(await vscode.workspace.applyEdit(edit))) {
      return { applied: false, failureReason: 'VS Code did not make the edit.' };
    }
    uris.forEach((uri) => this.touched.add(uri.toString()));
    if (params.metadata?.isRefactoring) {
      void save(uris.filter((uri) => !unsaved.has(uri.toString())));
    }
    return { applied: true };
  }
}

function changedMeanwhile(client: LanguageClient, params: Params): vscode.TextDocument | undefined {
  for (const change of params.edit.documentChanges ?? []) {
    if (!TextDocumentEdit.is(change) || typeof change.textDocument.version !== 'number') {
      continue;
    }
    const uri = client.protocol2CodeConverter.asUri(change.textDocument.uri).toString();
    const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
    if (open && open.version !== change.textDocument.version) {
      return open;
    }
  }
  return undefined;
}

async function save(uris: vscode.Uri[]): Promise<void> {
  for (const uri of uris) {
    const document = await vscode.workspace.openTextDocument(uri);
    await document.save(); // one that cannot be saved stays unsaved, which the result says
  }
}
