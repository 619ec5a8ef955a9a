// Fills in the form of a command: `command/resolve`, the convention that gopls and
// vscode-go share. What a command lacks is asked for before it is sent.
import * as vscode from 'vscode';
import type { Caller } from './call';
import { kindOf } from './questions';
import type { Queue } from './queue';
import type { ReasonBox } from './reasonBox';

interface Field {
  id: string;
  description: string;
  type: { kind: string };
  required?: boolean;
  error?: string;
  /** Ready-made answers: xcsh's addition to the convention. */
  choices?: string[];
}

export interface Answer {
  id: string;
  value: unknown;
  chosen?: boolean;
}

export class Form {
  constructor(private readonly caller: Caller, private readonly queue: Queue, private readonly reasons: ReasonBox) {}

  /** The answers, none where nothing is asked; undefined where a question was dismissed. */
  async fill(command: string, args: unknown[], note?: string): Promise<Answer[] | undefined> {
    let answers: Answer[] = [];
    for (;;) {
      const asked = (await this.caller.request('command/resolve', { command, arguments: args, ...(answers.length ? { formAnswers: answers } : {}) })) as { formFields?: Field[] };
      if (!asked.formFields?.length) {
        return answers;
      }
      const given = await this.askAll(asked.formFields, note);
      if (!given) {
        return undefined;
      }
      answers = given;
    }
  }

  private async askAll(fields: Field[], note?: string): Promise<Answer[] | undefined> {
    const answers: Answer[] = [];
    for (const field of fields) {
      const answer = await this.queue.run(() => this.ask(field, note));
      if (!answer) {
        return undefined;
      }
      answers.push(answer);
    }
    return answers;
  }

  private async ask(field: Field, note?: string): Promise<Answer | undefined> {
    const [title = '', prompt = ''] = split(field.description);
    const text = [field.error, note, prompt].filter(Boolean).join(' · ');
    if (field.choices) {
      const given = await this.reasons.ask({ title, prompt: text, choices: field.choices, kind: kindOf(title) });
      return given && { id: field.id, ...given };
    }
    const value = await vscode.window.showInputBox({ title, prompt: text, ignoreFocusOut: true });
    return value === undefined ? undefined : { id: field.id, value };
  }
}

/** `Apply "label": Why?` as title and prompt; a label may have a colon itself. */
function split(description: string): string[] {
  const at = description.lastIndexOf('": ');
  return at < 0 ? [description] : [description.slice(0, at + 1), description.slice(at + 3)];
}
