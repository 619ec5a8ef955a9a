// What a tool may and may not do with what it is given.
import { Type } from "@sinclair/typebox";
import { StringEnum } from "@mariozechner/pi-ai";
import type { AgentToolResult, CustomTool, CustomToolAPI, CustomToolFactory, CustomToolSessionEvent } from "@oh-my-pi/pi-coding-agent";

const parameters = Type.Object({
  path: Type.String(),
  limit: Type.Optional(Type.Integer()),
  show: StringEnum(["all", "some"]),
});

interface Details { lines: number }

export const typed = (pi: CustomToolAPI): CustomTool<typeof parameters, Details> => ({
  name: "typed",
  label: "Typed",
  description: "",
  parameters,
  async execute(id, params, onUpdate, ctx, signal) {
    const text: string = params.path + id;
    const limit: number | undefined = params.limit;
    const show: "all" | "some" = params.show;
    // @ts-expect-error limit may be missing
    params.limit.toFixed();
    // @ts-expect-error there is no such parameter
    params.paths;
    // @ts-expect-error and no such choice
    if (params.show === "none") throw new Error();
    onUpdate?.({ content: [{ type: "text", text }] });
    // @ts-expect-error it may be missing
    onUpdate({ content: [] });
    // @ts-expect-error no one has said that a human is there
    const answer: string = await ctx.ui.select("Which?", ["a"]);
    const run = await pi.exec("git", ["status"], { cwd: pi.cwd, signal });
    const last = ctx.sessionManager.getBranch().at(-1)?.message.details;
    return { content: [{ type: "text", text: `${limit}${show}${answer}${last}` }], details: { lines: run.code } };
  },
  renderResult: (result) => `${result.details.lines} lines`,
});

export const wrong = (): CustomTool<typeof parameters, Details> => ({
  name: "wrong",
  label: "Wrong",
  description: "",
  parameters,
  // @ts-expect-error details has lines
  execute: async () => ({ content: [], details: { rows: 1 } }),
});

// A factory that names no schema takes its arguments as they come, as published
// tools do; plain JSON Schema too.
export const untyped: CustomToolFactory = async (pi) => [
  {
    name: "a", label: "", description: "", parameters: { type: "object" },
    execute: async (_id, params) => ({ content: [{ type: "text", text: params.anything }] }),
    renderCall: (args, theme) => new pi.pi.Text(theme.bold(args.a)),
  },
  {
    name: "b", description: "", parameters: pi.typebox.Type.Object({}), deferrable: true, loadMode: "essential",
    renderCall: (_args, options, theme) => (options.isPartial ? null : theme.bold("b")),
    async execute() {
      pi.pushPendingAction({ label: "b", apply: async (reason) => ({ content: [{ type: "text", text: reason }] }) });
      // @ts-expect-error apply is missing
      pi.pushPendingAction({ label: "b" });
      return { content: [] };
    },
  },
];
export const none: CustomToolFactory = () => null;
// @ts-expect-error a tool has a name
export const nameless: CustomToolFactory = () => ({ description: "", parameters: {}, execute: async () => ({ content: [] }) });

export function previous(event: CustomToolSessionEvent): string | undefined {
  if (event.reason === "auto_retry_start") return event.errorMessage;
  // @ts-expect-error only some events have it
  event.errorMessage;
  return event.reason === "switch" ? event.previousSessionFile : undefined;
}

// @ts-expect-error a block has one of two types
export const block: AgentToolResult = { content: [{ type: "video" }] };
