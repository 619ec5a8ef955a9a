// Runs a command, streams what it does, stops when it is told to, and draws
// its own result.
import { Text } from "@mariozechner/pi-tui";
import type { CustomToolFactory } from "@mariozechner/pi-coding-agent";

const factory: CustomToolFactory = (pi) => {
  const { Type } = pi.typebox;
  const { StringEnum } = pi.pi;
  return {
    name: "git_status",
    label: "Git status",
    description: "Lists what has changed in the work tree.",
    parameters: Type.Object({
      show: Type.Optional(StringEnum(["all", "tracked"], { description: "whether untracked files count", default: "all" })),
    }),
    async execute(_id, params, onUpdate, _ctx, signal) {
      onUpdate?.({ content: [{ type: "text", text: "Asking git…" }] });
      const untracked = (params.show ?? "all") === "all" ? "normal" : "no";
      const git = await pi.exec("git", ["status", "--porcelain", `--untracked-files=${untracked}`], { cwd: pi.cwd, signal, timeout: 10_000 });
      if (git.killed) throw new Error("git was stopped.");
      if (git.code !== 0) return { content: [{ type: "text", text: git.stderr.trim() }], isError: true };
      const files = git.stdout.split("\n").filter(Boolean).sort();
      return { content: [{ type: "text", text: files.join("\n") || "Nothing has changed." }], details: { files } };
    },
    renderCall: (_args, theme) => new Text(theme.bold("git status")),
    renderResult: (result, { expanded }) =>
      new Text(expanded ? result.details.files.join("\n") : `${result.details.files.length} changed`),
  };
};

export default factory;
