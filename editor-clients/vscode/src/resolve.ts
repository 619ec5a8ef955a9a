// Apply and discard by a human, from wherever: code action, lens, tree, diff, palette.
import * as vscode from 'vscode';
import type { Cancelled, ResolveArgument, ResolveDetails, ToolResult } from '../api';
import type { Editing } from './applyEdit';
import { CommandError, type Caller } from './call';
import { pendingIdOf } from './diff';
import type { Form } from './form';
import type { Pending } from './pending';
import type { Node } from './pendingTree';
import type { Ticks } from './ticks';
import { countOf, messageOf } from './words';

type Outcome = ToolResult<ResolveDetails> | Cancelled;

export class Resolver {
  constructor(
    private readonly caller: Caller,
    private readonly form: Form,
    private readonly pending: Pending,
    private readonly ticks: Ticks,
    private readonly editing: Editing,
  ) {}

  /** Asks for the reason and decides. The server tells the human how it went. */
  async decide(argument: ResolveArgument): Promise<Outcome> {
    const wasEmpty = this.pending.actions.length === 0;
    try {
      const { asked, note } = await this.narrow(argument);
      const answers = await this.form.fill('xcsh.resolve', [asked], note);
      if (!answers) {
        return { cancelled: true };
      }
      const result = (await this.caller.send('xcsh.resolve', [asked], answers.length ? answers : undefined)) as Outcome;
      void this.offerToSave();
      return result;
    } catch (error) {
      if (!(error instanceof CommandError) || wasEmpty) {
        void vscode.window.showErrorMessage(messageOf(error)); // else the server has said it
      }
      return failed(error);
    }
  }

  /** Decides on what a view or the palette means: the edit shown, else the newest. */
  async decideOn(action: 'apply' | 'discard', shown?: Node | vscode.Uri): Promise<Outcome> {
    const id = shown instanceof vscode.Uri ? pendingIdOf(shown) : shown?.action.id;
    const meant = id === undefined ? this.pending.top : this.pending.find(id);
    const guard = meant ? { id: meant.id, revision: meant.revision } : id === undefined ? {} : { id };
    return this.decide({ action, ...guard });
  }

  /** What is unticked is left out, wherever the apply comes from. */
  private async narrow(argument: ResolveArgument): Promise<{ asked: ResolveArgument; note: string | undefined }> {
    const action = argument.id === undefined ? this.pending.top : this.pending.find(argument.id);
    if (argument.action !== 'apply' || argument.extra || !action) {
      return { asked: argument, note: undefined };
    }
    const only = await this.ticks.only(action);
    if (!only) {
      return { asked: argument, note: undefined };
    }
    return { asked: { ...argument, id: action.id, extra: { only } }, note: this.ticks.note(action) };
  }

  private async offerToSave(): Promise<void> {
    const unsaved = this.editing.takeUnsaved();
    if (unsaved.length === 0) {
      return;
    }
    const save = 'Save';
    if ((await vscode.window.showInformationMessage(`${countOf(unsaved.length, 'changed file')} had unsaved changes before: not saved yet.`, save)) === save) {
      for (const document of unsaved) {
        await document.save();
      }
    }
  }
}

function failed(error: unknown): ToolResult<ResolveDetails> {
  return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
}
