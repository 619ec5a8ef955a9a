// The types of a custom tool and of what it is given. They are in one module, and
// every name under which published tools import it is one of it.

declare module "@f5-sales-demo/xcsh" {
  import type { Static, TSchema, TUnsafe } from "@sinclair/typebox";

  export interface TextContent { type: "text"; text: string }
  export interface ImageContent { type: "image"; data: string; mimeType: string }

  /** What execute returns, and what a staged action's apply and reject do. */
  export interface AgentToolResult<TDetails = any> {
    content: (TextContent | ImageContent)[];
    /** For agents and for your own tool: keep it deterministic and of one shape. */
    details?: TDetails;
    isError?: boolean;
    isWarning?: boolean;
  }
  export type AgentToolUpdateCallback<TDetails = any> = (partial: AgentToolResult<TDetails>) => void;

  /** The arguments: of a typebox schema its static type, of plain JSON Schema any. */
  export type ParamsOf<T> = T extends TSchema ? Static<T> : any;

  export interface CustomTool<TParams extends object = any, TDetails = any> {
    /** Unique among all tools. */
    name: string;
    /** For people; the name where it is missing. */
    label?: string;
    /** For the model. */
    description: string;
    /** A JSON Schema, as the builders of pi.typebox make it. */
    parameters: TParams;
    execute(
      toolCallId: string,
      params: ParamsOf<TParams>,
      onUpdate: AgentToolUpdateCallback<TDetails> | undefined,
      ctx: CustomToolContext,
      signal?: AbortSignal,
    ): Promise<AgentToolResult<TDetails>>;
    /** Not offered unless asked for. */
    hidden?: boolean;
    /** It stages pending actions. */
    deferrable?: boolean;
    /** "exclusive": alone among the calls of its caller. */
    concurrency?: "shared" | "exclusive";
    /** `signal` is never aborted, and the result is waited for. */
    nonAbortable?: boolean;
    /** Arguments that break the schema are passed as they are. */
    lenientArgValidation?: boolean;
    strict?: boolean;
    loadMode?: string;
    approval?: unknown;
    mcpServerName?: string;
    mcpToolName?: string;
    mergeCallAndResult?: boolean;
    inline?: boolean;
    onSession?(event: CustomToolSessionEvent, ctx: CustomToolContext): void | Promise<void>;
    renderCall?(args: ParamsOf<TParams>, options: RenderOptions & Theme, theme: Theme): Component | string | null | undefined;
    renderResult?(
      result: { content: (TextContent | ImageContent)[]; details: TDetails; isError?: boolean },
      options: RenderOptions,
      theme: Theme,
      args?: ParamsOf<TParams>,
    ): Component | string | null | undefined;
  }

  type Made = CustomTool | CustomTool[] | null | undefined;
  /** What a module exports. null opts out: no tool, and a load error that says so. */
  export type CustomToolFactory = (pi: CustomToolAPI) => Made | Promise<Made>;

  export interface CustomToolAPI {
    /** The workspace folder that the tool lies in, else the first one. */
    cwd: string;
    /** Runs a command without a shell. A status other than 0 is no error. */
    exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
    /** Read it when you use it: it changes as editors come and go. */
    ui: CustomToolUIContext;
    /** A human's editor is there, so that pi.ui is answered. */
    hasUI: boolean;
    logger: Logger;
    typebox: typeof import("@sinclair/typebox");
    pi: typeof import("@f5-sales-demo/xcsh");
    /** Stages a change that a human applies or discards. It returns at once. */
    pushPendingAction(action: CustomToolPendingAction): void;
  }

  export interface ExecOptions {
    cwd?: string;
    /** Milliseconds; none or 0 for no limit. */
    timeout?: number;
    signal?: AbortSignal;
  }
  export interface ExecResult {
    stdout: string;
    stderr: string;
    code: number;
    /** It was ended by `signal` or `timeout`: look at this before `code`. */
    killed: boolean;
  }

  export interface DialogOptions { signal?: AbortSignal; timeout?: number; onTimeout?: () => void; initialIndex?: number; helpText?: string }
  export interface CustomToolUIContext {
    /** undefined: dismissed, or nobody can be asked. So for input and editor. */
    select(title: string, options: string[], dialogOptions?: DialogOptions): Promise<string | undefined>;
    confirm(title: string, message: string, dialogOptions?: DialogOptions): Promise<boolean>;
    input(title: string, placeholder?: string, dialogOptions?: DialogOptions): Promise<string | undefined>;
    editor(title: string, prefill?: string, options?: { signal?: AbortSignal }): Promise<string | undefined>;
    notify(message: string, type?: "info" | "warning" | "error"): void;
    /** undefined removes the key. */
    setStatus(key: string, text: string | undefined): void;
    setEditorText(text: string): void;
    getEditorText(): string;
    custom<T>(factory: (...args: any[]) => unknown, ...rest: unknown[]): Promise<T | undefined>;
    readonly theme: Theme;
  }

  export interface Logger {
    error(message: string, context?: Record<string, unknown>): void;
    warn(message: string, context?: Record<string, unknown>): void;
    debug(message: string, context?: Record<string, unknown>): void;
    info(message: string, context?: Record<string, unknown>): void;
  }

  export interface CustomToolPendingAction<TDetails = any> {
    /** Short, as "Source: summary". */
    label: string;
    /** Runs once, later: look at the world again. Throw where it has changed. */
    apply(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<TDetails>>;
    /** Only where something has to be cleaned up. */
    reject?(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<TDetails> | undefined>;
    details?: unknown;
    sourceToolName?: string;
  }

  export interface CustomToolContext {
    sessionManager: ReadonlySessionManager;
    modelRegistry: any;
    model: any;
    isIdle(): boolean;
    hasQueuedMessages(): boolean;
    /** Cancels the command that called the tool, and returns at once. */
    abort(): void;
    ui: CustomToolUIContext;
    hasUI: boolean;
    toolNames: string[];
    settings?: any;
  }

  /** A kept result of a tool: what a tool rebuilds its state from. */
  export interface SessionEntry {
    type: string;
    id: string;
    parentId: string | null;
    timestamp: string;
    message: { role: string; toolName: string; toolCallId: string; content: (TextContent | ImageContent)[]; details: any; isError: boolean };
  }
  export interface ReadonlySessionManager {
    getCwd(): string;
    getSessionDir(): string;
    getSessionId(): string;
    getSessionFile(): string | undefined;
    getSessionName(): string | undefined;
    getArtifactsDir(): string | null;
    getLeafId(): string | null;
    getLeafEntry(): SessionEntry | undefined;
    getEntry(id: string): SessionEntry | undefined;
    getLabel(id: string): string | undefined;
    getBranch(fromId?: string): SessionEntry[];
    getEntries(): SessionEntry[];
    getHeader(): any;
    getTree(): any[];
    getUsageStatistics(): any;
  }

  export type CustomToolSessionEvent =
    | { reason: "start" | "tree" | "shutdown"; previousSessionFile: undefined }
    | { reason: "switch" | "branch"; previousSessionFile: string | undefined }
    | { reason: "auto_compaction_start"; trigger: "threshold" | "overflow" | "idle"; action: "context-full" | "handoff" }
    | { reason: "auto_compaction_end"; action: "context-full" | "handoff"; result?: any; aborted: boolean; willRetry: boolean; errorMessage?: string }
    | { reason: "auto_retry_start"; attempt: number; maxAttempts: number; delayMs: number; errorMessage: string }
    | { reason: "auto_retry_end"; success: boolean; attempt: number; finalError?: string }
    | { reason: "ttsr_triggered"; rules: any[] }
    | { reason: "todo_reminder"; todos: any[]; attempt: number; maxAttempts: number };

  export interface RenderOptions { expanded: boolean; isPartial: boolean; spinnerFrame?: number }
  export type RenderResultOptions = RenderOptions;

  /** Styling functions; here they return the text as it is. */
  export interface Theme {
    fg(color: string, text: string): string;
    bg(color: string, text: string): string;
    bold(text: string): string;
    italic(text: string): string;
    underline(text: string): string;
    inverse(text: string): string;
    strikethrough(text: string): string;
    dim(text: string): string;
  }
  export const theme: Theme;

  export interface Component {
    render(width: number): string[];
    invalidate(): void;
    handleInput?(data: string): void;
    dispose?(): void;
  }
  export class Text implements Component {
    constructor(text?: string, paddingX?: number, paddingY?: number);
    setText(text: string): void;
    render(width: number): string[];
    invalidate(): void;
  }
  export class Markdown extends Text {}
  export class Spacer implements Component {
    constructor(lines?: number);
    setLines(lines: number): void;
    render(width: number): string[];
    invalidate(): void;
  }
  export class Container implements Component {
    children: Component[];
    addChild(child: Component): void;
    removeChild(child: Component): void;
    clear(): void;
    render(width: number): string[];
    invalidate(): void;
  }
  export class Box extends Container {
    constructor(paddingX?: number, paddingY?: number);
  }
  export interface SelectItem { value: string; label?: string; description?: string }
  export class SelectList implements Component {
    constructor(items?: SelectItem[], maxVisible?: number);
    getSelectedItem(): SelectItem | undefined;
    handleInput(data: string): void;
    render(width: number): string[];
    invalidate(): void;
  }
  export function matchesKey(data: string, key: string): boolean;
  export function replaceTabs(text: string, by?: string): string;
  export function truncateToWidth(text: string, width: number, ellipsis?: string): string;
  export function visibleWidth(text: string): number;

  /** The schema of one of some strings, in a form that every model's provider takes. */
  export function StringEnum<const T extends readonly string[]>(values: T, options?: { description?: string; default?: T[number] }): TUnsafe<T[number]>;
  export { Type } from "@sinclair/typebox";
  export type { Static, TSchema } from "@sinclair/typebox";
  export const logger: Logger;
  export function getAgentDir(): string;
  export const VERSION: string;
}
