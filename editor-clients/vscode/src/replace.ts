// "xcsh: Structural Replace…": pattern, replacement, scope, preview. Escape on the
// way proposes nothing.
import * as vscode from 'vscode';
import type { Cancelled, EditDetails, EditRequest, ToolResult } from '../api';
import type { Caller } from './call';
import { Counter } from './counter';
import type { History, Rule } from './history';
import type { Queue } from './queue';
import { askScope, type Scope } from './scope';
import { messageOf } from './words';

export interface Draft { pattern: string | undefined }

const TITLE = 'Structural Replace';

export class Replacer {
  constructor(
    private readonly caller: Caller,
    private readonly queue: Queue,
    private readonly history: History,
    private readonly show: () => Promise<void>,
  ) {}

  async ask(draft: Draft): Promise<ToolResult<EditDetails> | Cancelled> {
    const request = await this.queue.run(() => this.questions(draft));
    return request ? this.propose(request) : { cancelled: true };
  }

  private async questions(draft: Draft): Promise<EditRequest | undefined> {
    const counter = new Counter(this.caller);
    try {
      const rule = await askPattern(draft, this.history.list(), counter);
      const out = rule && (await askReplacement(rule, counter));
      if (rule === undefined || out === undefined) {
        return undefined;
      }
      const scope: Scope | undefined = await askScope(TITLE);
      return scope && { ops: [{ pat: rule.pat, out }], ...scope };
    } finally {
      counter.dispose();
    }
  }

  private async propose(request: EditRequest): Promise<ToolResult<EditDetails>> {
    try {
      const result = await this.caller.run('xcsh.ast_edit', request);
      const op = request.ops[0];
      if (op) {
        await this.history.add(op);
      }
      if (result.details?.pending) {
        await vscode.commands.executeCommand('xcsh.pending.focus');
        await this.show();
      } else {
        void vscode.window.showInformationMessage(String(result.content[0]?.['text' as never] ?? 'Nothing matches.'));
      }
      return result;
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
  }
}

interface RuleItem extends vscode.QuickPickItem { rule: Rule }

/** Asks for the pattern; one of the recent rules brings its replacement too. */
function askPattern(draft: Draft, recent: Rule[], counter: Counter): Promise<Rule | undefined> {
  const box = vscode.window.createQuickPick<RuleItem>();
  box.title = `${TITLE} (1/3): pattern`;
  box.placeholder = 'Code with $NAME for one node and $$$NAME for any number of them';
  box.ignoreFocusOut = true;
  const older: RuleItem[] = recent.map((rule) => ({ label: rule.pat, description: `→ ${rule.out || '(nothing)'}`, rule }));
  const show = (detail: string): void => {
    const pat = box.value;
    box.items = pat.trim() === '' ? older : [{ label: pat, detail, alwaysShow: true, rule: { pat, out: pat } }, ...older];
    box.activeItems = box.items.slice(0, 1);
  };
  const changed = async (): Promise<void> => {
    show('counting…');
    const counted = box.value.trim() === '' ? undefined : await counter.count({ ops: [{ pat: box.value, out: '' }] });
    if (counted) {
      show(counted.wrong ? `$(warning) ${counted.text}` : counted.text);
    }
  };
  box.onDidChangeValue(() => void changed());
  box.value = draft.pattern ?? '';
  void changed();
  return new Promise((done) => {
    box.onDidAccept(() => {
      const item = box.activeItems[0];
      if (item) {
        done(item.rule);
        box.hide();
      }
    });
    box.onDidHide(() => {
      box.dispose();
      done(undefined);
    });
    box.show();
  });
}

function askReplacement(rule: Rule, counter: Counter): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = `${TITLE} (2/3): replacement`;
  box.prompt = `for ${rule.pat}; empty deletes what matches`;
  box.value = rule.out;
  box.valueSelection = [0, rule.out.length];
  box.ignoreFocusOut = true;
  const changed = async (): Promise<void> => {
    const counted = await counter.count({ ops: [{ pat: rule.pat, out: box.value }] });
    if (counted) {
      box.validationMessage = { message: counted.text, severity: counted.wrong ? vscode.InputBoxValidationSeverity.Warning : vscode.InputBoxValidationSeverity.Info };
    }
  };
  box.onDidChangeValue(() => void changed());
  void changed();
  return new Promise((done) => {
    box.onDidAccept(() => {
      done(box.value);
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      done(undefined);
    });
    box.show();
  });
}
