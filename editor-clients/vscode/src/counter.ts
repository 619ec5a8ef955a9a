// Counts what a rule would change while it is typed: a dry run of which nothing stays
// pending. A later count cancels the earlier one.
import * as vscode from 'vscode';
import type { Caller } from './call';
import { countOf, messageOf } from './words';
import type { EditDetails, EditRequest } from '../api';

/** Typing faster than this does not start a count. */
const PAUSE_MS = 200;

export interface Count {
  text: string;
  /** The rule cannot be run, or changes nothing. */
  wrong: boolean;
}

export class Counter implements vscode.Disposable {
  private current: vscode.CancellationTokenSource | undefined;

  constructor(private readonly caller: Caller) {}

  /** Undefined where a later count has taken its place. */
  async count(request: EditRequest): Promise<Count | undefined> {
    this.current?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.current = source;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    if (source.token.isCancellationRequested) {
      return undefined;
    }
    try {
      const { details, content } = await this.caller.run('xcsh.ast_edit', { ...request, stage: false }, source.token);
      return source.token.isCancellationRequested ? undefined : describe(details, content);
    } catch (error) {
      return source.token.isCancellationRequested ? undefined : { text: messageOf(error), wrong: true };
    }
  }

  dispose(): void {
    this.current?.cancel();
  }
}

function describe(details: EditDetails | undefined, content: { type: string; text?: unknown }[]): Count {
  if (!details || details.totalReplacements === 0) {
    const problem = details?.parseErrors?.[0] ?? details?.warnings?.[0];
    return { text: problem ?? String(content[0]?.text ?? 'Nothing matches.'), wrong: true };
  }
  const found = `${countOf(details.totalReplacements, 'match').replace(/matchs$/, 'matches')} in ${countOf(details.filesTouched, 'file')}`;
  const warning = details.warnings?.[0];
  return { text: warning ? `${found}. ${warning}` : details.limitReached ? `${found}, and more` : found, wrong: false };
}
