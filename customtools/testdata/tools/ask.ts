// Asks the human, and copes where there is none.
import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";

const factory: CustomToolFactory = (pi) => ({
  name: "ask",
  label: "Ask the human",
  description: "Asks the human one question, with choices or for text.",
  parameters: pi.typebox.Type.Object({
    question: pi.typebox.Type.String(),
    choices: pi.typebox.Type.Optional(pi.typebox.Type.Array(pi.typebox.Type.String(), { maxItems: 4 })),
  }),
  async execute(_id, { question, choices }, _onUpdate, ctx) {
    if (!ctx.hasUI) return { content: [{ type: "text", text: "No human is there to be asked." }], isError: true };
    const answer = choices ? await ctx.ui.select(question, choices) : await ctx.ui.input(question);
    pi.logger.debug("asked", { question, answered: answer !== undefined });
    if (answer === undefined) return { content: [{ type: "text", text: "The human gave no answer." }], details: { answer: null } };
    ctx.ui.notify(`Thank you: ${answer}`);
    return { content: [{ type: "text", text: answer }], details: { answer } };
  },
});

export default factory;
