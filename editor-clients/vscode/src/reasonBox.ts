// The box that asks why: what is typed comes first, then the reasons given lately,
// then the ready-made ones. Enter takes the first, Escape none.
import * as vscode from 'vscode';

export interface Given {
  value: string;
  /** Taken from the list rather than typed. */
  chosen: boolean;
}

export interface Question {
  title: string;
  prompt: string;
  choices: string[];
  /** What recent reasons are kept under: those for a discard are no good for an apply. */
  kind: string;
}

/** How many recent reasons are offered: more would push the ready-made ones out of sight. */
const RECENT = 5;

interface Item extends vscode.QuickPickItem {
  given?: Given;
}

export class ReasonBox {
  constructor(private readonly memory: vscode.Memento) {}

  /** Undefined where the question was dismissed. */
  async ask(question: Question, token?: vscode.CancellationToken): Promise<Given | undefined> {
    const recent = this.memory.get<string[]>(key(question.kind), []);
    const given = await show(question, recent, token);
    if (given) {
      await this.memory.update(key(question.kind), [given.value, ...recent.filter((r) => r !== given.value)].slice(0, RECENT));
    }
    return given;
  }
}

function key(kind: string): string {
  return `xcsh.reasons.${kind}`;
}

function show(question: Question, recent: string[], token?: vscode.CancellationToken): Promise<Given | undefined> {
  const box = vscode.window.createQuickPick<Item>();
  box.title = question.title;
  box.placeholder = question.prompt;
  box.ignoreFocusOut = true; // the human may want to look at the code again
  const ready = listed(question.choices, recent);
  box.items = ready;
  box.onDidChangeValue((value) => {
    const typed = value.trim();
    box.items = typed === '' ? ready : [{ label: typed, description: 'as typed', alwaysShow: true, given: { value: typed, chosen: false } }, ...ready];
    box.activeItems = box.items.slice(0, 1);
  });
  return new Promise((done) => {
    const dismissed = token?.onCancellationRequested(() => box.hide());
    box.onDidAccept(() => {
      const given = box.activeItems[0]?.given;
      if (given) {
        done(given);
        box.hide();
      }
    });
    box.onDidHide(() => {
      dismissed?.dispose();
      box.dispose();
      done(undefined); // has no effect after an answer
    });
    box.show();
  });
}

function listed(choices: string[], recent: string[]): Item[] {
  const items = (reasons: string[]): Item[] => reasons.map((value) => ({ label: value, given: { value, chosen: true } }));
  const lately = items(recent);
  const others = items(choices.filter((c) => !recent.includes(c)));
  const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [...(lately.length ? [heading('recent')] : []), ...lately, ...(others.length ? [heading('ready-made')] : []), ...others];
}
