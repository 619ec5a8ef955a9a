// Two tools with one state, which is rebuilt from the session after a restart:
// each result carries all of it in its details.
import type { AgentToolResult, CustomToolContext, CustomToolFactory, CustomToolSessionEvent } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

interface Todo { text: string; done: boolean }

const factory: CustomToolFactory = () => {
  let todos: Todo[] = [];
  const show = (): AgentToolResult => ({
    content: [{ type: "text", text: todos.map((t, i) => `${i + 1}. [${t.done ? "x" : " "}] ${t.text}`).join("\n") || "Nothing to do." }],
    details: { todos: todos.map((t) => ({ ...t })) },
  });
  const onSession = (event: CustomToolSessionEvent, ctx: CustomToolContext) => {
    if (event.reason === "shutdown") return;
    todos = [];
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
      if (entry.message.toolName.startsWith("todo_")) todos = entry.message.details.todos;
    }
  };
  return [
    {
      name: "todo_add", label: "Add to the list", description: "Adds an entry to the list of things to do.",
      parameters: Type.Object({ text: Type.String({ minLength: 1 }) }),
      onSession,
      async execute(_id, { text }) {
        todos.push({ text, done: false });
        return show();
      },
    },
    {
      name: "todo_done", label: "Mark as done", description: "Marks an entry as done, by its number from 1.",
      parameters: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
      async execute(_id, { number }) {
        const todo = todos[number - 1];
        if (!todo) throw new Error(`There is no entry ${number}.`);
        todo.done = true;
        return show();
      },
    },
  ];
};

export default factory;
