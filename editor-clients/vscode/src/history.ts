// The structural edits asked for lately, newest first.
import type { Memento } from 'vscode';

export interface Rule { pat: string; out: string }

const KEY = 'xcsh.rules';
/** More than these are not looked through. */
const KEPT = 20;

export class History {
  constructor(private readonly memory: Memento) {}

  list(): Rule[] {
    return this.memory.get<Rule[]>(KEY, []);
  }

  async add(rule: Rule): Promise<void> {
    const others = this.list().filter((r) => r.pat !== rule.pat || r.out !== rule.out);
    await this.memory.update(KEY, [rule, ...others].slice(0, KEPT));
  }
}
