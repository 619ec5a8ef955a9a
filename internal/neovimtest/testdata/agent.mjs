// A model's client by the TypeScript SDK of the Model Context Protocol: proposes, waits
// for the human's decision, and proposes something else after a discard. It prints what
// it learns, a line each.
//
//   node agent.mjs NODE_MODULES PROGRAM
import { pathToFileURL } from "node:url";

const [modules, program] = process.argv.slice(2);
const sdk = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/client/${file}`).href);
const { Client } = await sdk("index.js");
const { StdioClientTransport } = await sdk("stdio.js");

const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", "--name", "claude"], env: process.env, stderr: "ignore" }));

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.map((c) => c.text).join("");
  if (result.isError) throw new Error(text);
  return { text, details: result.structuredContent };
}

for (const out of ["logger.debug($$$ARGS)", "logger.info($$$ARGS)"]) {
  const { text, details } = await call("ast_edit", { ops: [{ pat: "console.log($$$ARGS)", out }] });
  console.log(text.includes("'later'") ? "sees what is not saved" : `sees ${text}`);
  for (;;) {
    const now = await call("pending", { id: details.pending.id });
    if (now.details.decided) {
      console.log(now.text);
      break;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
await client.close();
