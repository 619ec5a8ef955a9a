// What other extensions can use of xcsh: the commands, with the types of their
// argument and result. Each is called with one object:
//
//   const list: PendingList = await vscode.commands.executeCommand('xcsh.pending.list', {});
//
// or through the API of the extension, which starts it where it has not started yet
// and is typed:
//
//   const xcsh = await vscode.extensions.getExtension<XcshApi>('xcsh-lsp.xcsh')!.activate();
//   const result = await xcsh.execute('xcsh.ast_edit', { ops: [{ pat: 'a($X)', out: 'b($X)' }], agent: { name: 'mine' } });
//
// A call that fails rejects with an Error whose message is for the user, and whose
// `data` is an ErrorData. An agent's call carries `agent`, and its own reason.

/** Ranges are LSP's: lines and UTF-16 units from 0. */
export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }

export interface Actor { kind: 'human' | 'agent' | 'tool'; name: string }
export interface AgentMark { name: string; model?: string }
export interface PendingRef { id: string; label: string; revision: number }

export interface ToolResult<Details = unknown> {
  content: ({ type: 'text'; text: string } | { type: string; [field: string]: unknown })[];
  details?: Details;
  isError?: boolean;
  isWarning?: boolean;
  display?: string;
}

export interface EditRequest {
  ops: { pat: string; out: string }[];
  lang?: string;
  path?: string;
  paths?: string[];
  glob?: string;
  sel?: string;
  limit?: number;
}

export interface EditDetails {
  totalReplacements: number;
  filesTouched: number;
  filesSearched: number;
  applied: boolean;
  limitReached: boolean;
  files: string[];
  parseErrors?: string[];
  warnings?: string[];
  pending?: PendingRef;
}

export interface PendingFile { uri: string; replacements: number }

export interface PendingAction {
  id: string;
  revision: number;
  label: string;
  sourceToolName: string;
  proposedBy: Actor;
  proposerGone?: boolean;
  createdAt: string;
  stale: boolean;
  /** Why it can only be discarded any more. */
  lost?: string;
  files: PendingFile[];
}

/** `actions`: the newest, which is decided first, comes first. */
export interface PendingList { version: number; actions: PendingAction[] }

/** `index` counts from 0 within its file. */
export interface Hunk { uri: string; index: number; range: Range; before: string; after: string }

export interface PendingPreview {
  id: string;
  revision: number;
  label: string;
  edit: unknown;
  hunks: Hunk[];
  documents?: { uri: string; previewUri: string; languageId: string; before: string; after: string }[];
}

/** What an apply takes of an edit; a file without `hunks` is taken whole. */
export interface Only { uri: string; hunks?: number[] }

export interface ResolveArgument {
  action: 'apply' | 'discard';
  reason?: string;
  extra?: { only?: Only[]; [field: string]: unknown };
  id?: string;
  revision?: number;
}

export interface ResolveDetails {
  action: 'apply' | 'discard';
  reason: string;
  label: string;
  sourceToolName: string;
  sourceResultDetails?: EditDetails & { unsaved?: string[]; declined?: unknown[] };
}

/** What comes where a human dismissed a question. */
export interface Cancelled { cancelled: true }

export interface Decision {
  id: string;
  session: string;
  pendingId: string;
  time: string;
  action: 'apply' | 'discard';
  label: string;
  sourceToolName: string;
  reason: string;
  reasonFrom: 'typed' | 'chosen' | 'argument';
  proposedBy: Actor;
  decidedBy: Actor;
  files: { uri: string; before: string; after: string; verified: boolean }[];
  /** Names what a revert needs, where that was kept. */
  undo?: string;
  reverts?: string;
  isError?: boolean;
  declined?: unknown[];
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  source: unknown;
  hidden: boolean;
  deferrable: boolean;
}
export interface ToolList { tools: Tool[]; errors: { path: string; error: string; source: unknown }[] }

export interface ErrorData {
  kind: 'ToolError' | 'stale' | 'notTop' | 'forbidden';
  files?: string[];
  id?: string;
  revision?: number;
}

/** The commands: each with its argument and its result. */
export interface Commands {
  /** `stage: false` counts only, and leaves nothing pending. */
  'xcsh.ast_edit': [EditRequest & { stage?: boolean }, ToolResult<EditDetails>];
  'xcsh.replace': [{ pat?: string; out?: string; lang?: string; scope?: string }, ToolResult<EditDetails> | Cancelled];
  'xcsh.resolve': [ResolveArgument, ToolResult<ResolveDetails> | Cancelled];
  'xcsh.pending.list': [object, PendingList];
  'xcsh.pending.preview': [{ id?: string; uri?: string }, PendingPreview];
  'xcsh.pending.await': [{ id: string; timeoutMs?: number }, { decided: false } | { decided: true; action: 'apply' | 'discard'; reason: string; result: ToolResult }];
  'xcsh.tools.list': [{ includeHidden?: boolean }, ToolList];
  'xcsh.tools.call': [{ name: string; params: object; toolCallId?: string }, ToolResult];
  'xcsh.tools.reload': [object, ToolList];
  'xcsh.decisions.list': [{ limit?: number; before?: string; pendingId?: string }, { decisions: Decision[] }];
  'xcsh.decisions.revert': [{ id: string }, ToolResult<EditDetails>];
}

export interface XcshApi {
  readonly version: 1;
  /** Runs a command on the server; waits for a server that is starting. */
  execute<Name extends keyof Commands>(command: Name, argument: Commands[Name][0] & { agent?: AgentMark }): Promise<Commands[Name][1]>;
}
