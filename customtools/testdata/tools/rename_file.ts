// Stages a change that a human decides on: nothing is renamed before it is
// applied, and what was proposed is checked again then.
import { access, rename } from "node:fs/promises";
import { join } from "node:path";
import type { CustomToolFactory } from "@f5-sales-demo/xcsh";
import { Type } from "@sinclair/typebox";

const exists = (path: string) => access(path).then(() => true, () => false);

const factory: CustomToolFactory = (pi) => ({
  name: "rename_file",
  label: "Rename file",
  description: "Proposes to rename a file. A human applies or discards it.",
  parameters: Type.Object({
    from: Type.String({ description: "path, relative to the workspace" }),
    to: Type.String({ description: "new path, which must not exist" }),
  }),
  deferrable: true,
  async execute(_id, { from, to }) {
    if (!(await exists(join(pi.cwd, from)))) throw new Error(`There is no file ${from}.`);
    const label = `Rename: ${from} → ${to}`;
    pi.pushPendingAction({
      label,
      sourceToolName: "rename_file",
      async apply() {
        if (await exists(join(pi.cwd, to))) throw new Error(`${to} exists.`);
        await rename(join(pi.cwd, from), join(pi.cwd, to));
        return { content: [{ type: "text", text: `Renamed ${from} to ${to}.` }], details: { from, to } };
      },
      async reject(reason: string) {
        return { content: [{ type: "text", text: `${from} keeps its name: ${reason}` }] };
      },
    });
    return { content: [{ type: "text", text: `Staged: ${label}` }], details: { from, to, staged: true } };
  },
});

export default factory;
