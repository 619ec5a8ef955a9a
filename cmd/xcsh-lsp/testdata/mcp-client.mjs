// An MCP client by the TypeScript SDK. It proposes over xcsh-lsp mcp, waits until the
// human has decided, and prints what it learns, a line each.
//
//   node mcp-client.mjs NODE_MODULES PROGRAM
import { pathToFileURL } from "node:url";

const [modules, program] = process.argv.slice(2);
const sdk = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/client/${file}`).href);
const { Client } = await sdk("index.js");
const { StdioClientTransport } = await sdk("stdio.js");

const transport = new StdioClientTransport({ command: program, args: ["mcp", "--name", "claude"], env: process.env, stderr: "ignore" });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const say = (...words) => console.log(...words);
const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  return { text: result.content.map((c) => c.text).join(""), ...result };
};

say("tools", (await client.listTools()).tools.map((t) => t.name).sort().join(" "));
const proposal = await call("ast_edit", { ops: [{ pat: "foo($A)", out: "bar($A)" }] });
const id = proposal.structuredContent.pending.id;
say("preview", JSON.stringify(proposal.text.split("\n\n<")[0]));
for (;;) {
  const { structuredContent, text } = await call("pending", { id });
  if (!structuredContent) throw new Error(text);
  if (structuredContent.decided) {
    say("heard", text);
    break;
  }
  await new Promise((done) => setTimeout(done, 50));
}
await client.close();
