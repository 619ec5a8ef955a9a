// What the human has unticked of the pending edits. A hunk stays unticked when the
// preview is made anew and has it still, wherever it has moved to.
import * as vscode from 'vscode';
import type { Hunk, Only, PendingAction } from '../api';
import type { Pending } from './pending';

interface Unticked {
  revision: number;
  /** By URI: the hunks left out. */
  hunks: Map<string, Hunk[]>;
}

export class Ticks implements vscode.Disposable {
  private readonly unticked = new Map<string, Unticked>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  readonly onChange = this.changed.event;

  constructor(private readonly pending: Pending) {
    this.subscription = pending.onChange(() => void this.follow());
  }

  isTicked(id: string, hunk: Hunk): boolean {
    return !this.unticked.get(id)?.hunks.get(hunk.uri)?.some((h) => h.index === hunk.index);
  }

  /** How many hunks of a file are left out. */
  left(id: string, uri: string): number {
    return this.unticked.get(id)?.hunks.get(uri)?.length ?? 0;
  }

  set(action: PendingAction, hunks: Hunk[], ticked: boolean): void {
    const of = this.unticked.get(action.id) ?? { revision: action.revision, hunks: new Map<string, Hunk[]>() };
    for (const hunk of hunks) {
      const others = (of.hunks.get(hunk.uri) ?? []).filter((h) => h.index !== hunk.index);
      of.hunks.set(hunk.uri, ticked ? others : [...others, hunk]);
    }
    this.unticked.set(action.id, of);
    this.changed.fire();
  }

  /** What an apply takes, where that is not everything; fails where it is nothing. */
  async only(action: PendingAction): Promise<Only[] | undefined> {
    if (action.files.every((f) => this.left(action.id, f.uri) === 0)) {
      return undefined;
    }
    const { hunks } = await this.pending.preview(action);
    await this.follow();
    const only: Only[] = [];
    for (const { uri } of action.files) {
      const all = hunks.filter((h) => h.uri === uri);
      const taken = all.filter((h) => this.isTicked(action.id, h));
      if (taken.length > 0) {
        only.push(taken.length === all.length ? { uri } : { uri, hunks: taken.map((h) => h.index) });
      }
    }
    if (only.length === 0) {
      throw new Error('Nothing is ticked: tick a file or a change in the view Pending Edits, or discard the edit.');
    }
    return only;
  }

  /** `2 of 3 changes`, where some are left out. */
  note(action: PendingAction): string | undefined {
    const all = action.files.reduce((sum, f) => sum + f.replacements, 0);
    const left = action.files.reduce((sum, f) => sum + this.left(action.id, f.uri), 0);
    return left > 0 ? `${all - left} of ${all} changes` : undefined;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async follow(): Promise<void> {
    for (const [id, of] of this.unticked) {
      const action = this.pending.find(id);
      if (!action) {
        this.unticked.delete(id);
      } else if (action.revision !== of.revision) {
        const fresh = await this.pending.preview(action).catch(() => undefined);
        if (fresh && of.revision !== fresh.revision) {
          of.hunks = carry(of.hunks, fresh.hunks);
          of.revision = fresh.revision;
          this.changed.fire();
        }
      }
    }
  }
}

/** Finds the hunks left out among those of a later preview: by file and text, equal ones in their order. */
export function carry(unticked: Map<string, Hunk[]>, fresh: Hunk[]): Map<string, Hunk[]> {
  const out = new Map<string, Hunk[]>();
  for (const [uri, hunks] of unticked) {
    const candidates = fresh.filter((h) => h.uri === uri);
    const found: Hunk[] = [];
    for (const hunk of [...hunks].sort((a, b) => a.index - b.index)) {
      const same = candidates.filter((c) => c.before === hunk.before && c.after === hunk.after && !found.includes(c));
      const nearest = same.sort((a, b) => Math.abs(a.index - hunk.index) - Math.abs(b.index - hunk.index))[0];
      if (nearest) {
        found.push(nearest);
      }
    }
    out.set(uri, found);
  }
  return out;
}
