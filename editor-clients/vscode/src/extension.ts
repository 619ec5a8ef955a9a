// The wiring: what there is, and who knows whom. Each part is in a file of its own.
import * as vscode from 'vscode';
import type { Decision, XcshApi } from '../api';
import { registerAgentTools } from './agentTools';
import { Editing } from './applyEdit';
import { Caller } from './call';
import { callTool } from './callTool';
import { Server, type Part } from './client';
import { Decisions } from './decisions';
import { Decorations } from './decorations';
import { Diffs } from './diff';
import { Form } from './form';
import { History } from './history';
import { selectedText } from './looking';
import { middleware, type Humans } from './middleware';
import { Pending } from './pending';
import { PendingTree, type FileNode, type HunkNode, type Node } from './pendingTree';
import { Questions } from './questions';
import { Queue } from './queue';
import { ReasonBox } from './reasonBox';
import { Replacer } from './replace';
import { Resolver } from './resolve';
import { StatusBar } from './statusBar';
import { Ticks } from './ticks';

export async function activate(context: vscode.ExtensionContext): Promise<XcshApi> {
  const log = vscode.window.createOutputChannel('xcsh', { log: true });
  const parts: Part[] = [];
  const server = new Server(context, log, { middleware: middleware(() => humans) }, parts);
  const caller = new Caller(server);
  const queue = new Queue();
  const reasons = new ReasonBox(context.globalState);
  const editing = new Editing();
  const pending = new Pending(caller);
  const ticks = new Ticks(pending);
  const statusBar = new StatusBar(pending);
  const diffs = new Diffs(caller, pending);
  const decisions = new Decisions(caller, pending, () => diffs.open());
  const resolver = new Resolver(caller, new Form(caller, queue, reasons), pending, ticks, editing);
  const replacer = new Replacer(caller, queue, new History(context.globalState), () => diffs.open());
  const humans: Humans = { caller, resolver, replacer };

  parts.push(editing, pending, statusBar, new Questions(queue, reasons));
  context.subscriptions.push(
    log, server, pending, ticks, statusBar, diffs, decisions,
    new PendingTree(pending, ticks),
    new Decorations(pending, ticks),
    server.onState((state) => {
      pending.serverChanged(state);
      statusBar.serverChanged(state);
      if (state === 'running') {
        decisions.refresh();
      }
    }),
    // Tools that were held back may run now: the server asks for its settings again.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.settingsChanged()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration('xcsh.server')) {
        void server.restart();
      } else if (e.affectsConfiguration('xcsh')) {
        void server.settingsChanged();
      }
    }),
    ...registerAgentTools(caller),
    ...commands({ caller, server, log, diffs, decisions, resolver, replacer }),
  );
  void server.restart();
  return { version: 1, execute: (command, argument) => caller.run(command, argument) };
}

function commands(of: { caller: Caller; server: Server; log: vscode.LogOutputChannel; diffs: Diffs; decisions: Decisions; resolver: Resolver; replacer: Replacer }): vscode.Disposable[] {
  const table: Record<string, (...args: never[]) => unknown> = {
    'xcsh.structuralReplace': () => of.replacer.ask({ pattern: selectedText() }),
    'xcsh.applyPending': (shown?: Node | vscode.Uri) => of.resolver.decideOn('apply', shown),
    'xcsh.discardPending': (shown?: Node | vscode.Uri) => of.resolver.decideOn('discard', shown),
    'xcsh.openDiff': (node?: FileNode | HunkNode) => of.diffs.open(node),
    'xcsh.revertDecision': (decision?: Decision) => of.decisions.revert(decision),
    'xcsh.refreshDecisions': (more?: unknown) => of.decisions.refresh(more === 'more'),
    'xcsh.callTool': () => callTool(of.caller),
    'xcsh.restart': () => of.server.restart(),
    'xcsh.showLog': () => of.log.show(),
  };
  return Object.entries(table).map(([name, run]) => vscode.commands.registerCommand(name, run));
}
