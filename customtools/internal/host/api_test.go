package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

func TestStatement60And61_UIIsSetLater(t *testing.T) {
	s := open(t, `
-- t.ts --
export default async (pi) => {
  const { ui } = pi;
  const inFactory = [pi.cwd, pi.hasUI, await pi.ui.select("t", ["a"]) === undefined, await pi.ui.confirm("t", "m"),
    await pi.ui.input("t") === undefined, await pi.ui.editor("t") === undefined, await pi.ui.custom(() => {}) === undefined,
    pi.ui.getEditorText(), pi.ui.theme.bold("b"), pi.ui.theme.fg("red", "r")];
  pi.ui.notify("no"); pi.ui.setStatus("k", "no"); pi.ui.setEditorText("no");
  return { name: "t", description: JSON.stringify(inFactory), parameters: {}, execute: async (id, p, u, ctx) => ({ content: [], details: {
    hasUI: pi.hasUI, changed: pi.ui !== ui, choice: await pi.ui.select("which", ["a", "b"]), kept: (await ui.select("which", ["a", "b"])) ?? null,
    ctx: [ctx.hasUI, ctx.ui === pi.ui] } }) };
};
`)
	element := s.load("t.ts").Elements()[0]
	dir, _ := json.Marshal(s.dir)
	if want := "[" + string(dir) + `,false,true,false,true,true,true,"","b","r"]`; element.Definition.Description != want {
		t.Errorf("in the factory: got %s, want %s", element.Definition.Description, want)
	}
	s.rt.SetUI(true)
	s.host.answers["select which a,b"] = "b"
	want := `{"content":[],"details":{"hasUI":true,"changed":true,"choice":"b","kept":null,"ctx":[true,true]}}`
	if got := s.mustCall(element.Tool, "{}"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(s.host.notes) != 0 {
		t.Errorf("without a human: got %v", s.host.notes)
	}
	s.rt.SetUI(false)
	if got := s.mustCall(element.Tool, "{}"); !strings.Contains(got, `"hasUI":false,"changed":false`) {
		t.Errorf("after the human has gone: got %s", got)
	}
}

func TestDialogs(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
pi.ui.notify("plain"); pi.ui.notify("bad", "error"); pi.ui.setStatus("k", "a\n\tb"); pi.ui.setStatus("k", undefined);
const aborted = new AbortController(); aborted.abort();
return { content: [], details: [
  await pi.ui.confirm("c", "m"), await pi.ui.confirm("d", "m"), await pi.ui.input("i", "p"), await pi.ui.editor("e", "pre"),
  (await pi.ui.select("none", [])) ?? null, (await pi.ui.input("wait", "", { timeout: 1 })) ?? null, await pi.ui.confirm("c", "m", { signal: aborted.signal }),
] };`))
	tool := s.tool("t.ts")
	s.rt.SetUI(true)
	s.host.answers = map[string]string{"confirm c m": "", "input i p": "typed", "editor e pre": "edited"}
	if got, want := s.mustCall(tool, "{}"), `{"content":[],"details":[true,false,"typed","edited",null,null,false]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(s.host.notes, "|"), "info plain|error bad|status k a  b|status k -"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStatement62To67_Exec(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, "-- t.ts --\n"+factory(`
const aborted = new AbortController(); aborted.abort();
const later = new AbortController(); setTimeout(() => later.abort(), 1);
process.env.XCSH_ADDED = "added"; delete process.env.HOME;
const failed = await pi.exec("no-such-binary-xyz", []).then(() => "resolved", (e) => e.code);
return { content: [], details: [
  await pi.exec("sh", ["-c", "echo o; echo e >&2; exit 3"]),
  (await pi.exec("sleep", ["600"], { timeout: 1 })).killed,
  (await pi.exec("sleep", ["600"], { signal: aborted.signal })).killed,
  (await pi.exec("sleep", ["600"], { signal: later.signal })).killed,
  failed,
  (await pi.exec("pwd", [])).stdout === pi.cwd + "\n", (await pi.exec("pwd", [], { cwd: "/" })).stdout,
  (await pi.exec("printf", ["%s|", "a b", "'q\"", "$(echo no)"])).stdout,
  (await pi.exec("sh", ["-c", "echo $XCSH_ADDED-$HOME"])).stdout,
] };`))
		want := `{"content":[],"details":[{"stdout":"o\n","stderr":"e\n","code":3,"killed":false},true,true,true,"ENOENT",true,"/\n","a b|'q\"|$(echo no)|","added-\n"]}`
		if got := s.mustCall(s.tool("t.ts"), "{}"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestStatement68And69_Schemas(t *testing.T) {
	s := open(t, `
-- t.ts --
export default (pi) => {
  const { Type } = pi.typebox;
  const { StringEnum } = pi.pi;
  return { name: "t", description: "d", execute() {}, parameters: Type.Object({ a: Type.String(), b: Type.Optional(Type.Number()), c: StringEnum(["x", "y"], { description: "e", default: "x" }) }) };
};
`)
	got := string(s.load("t.ts").Elements()[0].Definition.Parameters)
	want := `{"type":"object","required":["a","c"],"properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"string","enum":["x","y"],"description":"e","default":"x"}}}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStatement83And85_ArgumentsAndThis(t *testing.T) {
	s := open(t, `
-- t.ts --
class Base { name = "t"; description = "d"; parameters = {};
  async execute(...args) {
    const [id, params, onUpdate, ctx, signal] = args;
    return { content: [], details: [this.name, args.length, id, params, typeof onUpdate, Object.keys(ctx).sort(), signal instanceof AbortSignal, signal.aborted] };
  }
}
class Tool extends Base {}
export default () => new Tool();
`)
	tool := s.tool("t.ts")
	want := `{"content":[],"details":["t",5,"id",{"x":[1]},"undefined",["abort","hasQueuedMessages","hasUI","isIdle","model","modelRegistry","sessionManager","toolNames","ui"],true,false]}`
	if got := s.mustCall(tool, `{"x":[1]}`); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStatement86_UpdatesComeInOrderAndBeforeTheResult(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
for (let i = 0; i < 5; i++) onUpdate?.({ content: [{ type: "text", text: "u" + i }] });
setTimeout(() => onUpdate({ late: true }), 0);
return { content: [] };`))
	tool := s.tool("t.ts")
	var got []string
	value, err := tool.Execute(t.Context(), customtools.RuntimeCall{Host: s.host, Update: func(p json.RawMessage) { got = append(got, string(p)) }})
	if err != nil || string(value) != `{"content":[]}` {
		t.Fatalf("got %s, %v", value, err)
	}
	s.mustCall(tool, "{}") // what comes late has come by now
	var want []string
	for _, u := range []string{"u0", "u1", "u2", "u3", "u4"} {
		want = append(want, `{"content":[{"type":"text","text":"`+u+`"}]}`)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStatement87_ThrownValues(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
switch (params.how) {
  case "error": throw new Error("bad");
  case "class": throw new (class Odd extends Error {})("odd");
  case "string": throw "text";
  case "reject": return Promise.reject(null);
  case "undefined": return undefined;
  case "bigint": return { content: [], details: 12n };
  case "cycle": { const c: any = { a: 1 }; c.c = c; return c; }
}`))
	tool := s.tool("t.ts")
	for how, want := range map[string]string{"error": "bad", "class": "odd", "string": "text", "reject": "null"} {
		if _, err := s.call(t.Context(), tool, `{"how":"`+how+`"}`); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", how, err, want)
		}
	}
	for how, want := range map[string]string{"undefined": "", "bigint": `{"content":[],"details":"12"}`, "cycle": `{"a":1,"c":"[Circular]"}`} {
		if got := s.mustCall(tool, `{"how":"`+how+`"}`); got != want {
			t.Errorf("%s: got %s, want %s", how, got, want)
		}
	}
}

func TestStatement91_AbortReachesTheTool(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
onUpdate({});
await new Promise((done) => signal.addEventListener("abort", done));
return { content: [], details: [signal.aborted, signal.reason.name] };`))
	ctx, cancel := contextOf(t)
	done := s.started(ctx, s.tool("t.ts"), "{}")
	cancel()
	if got := <-done; got.err != nil || got.value != `{"content":[],"details":[true,"AbortError"]}` {
		t.Errorf("got %+v", got)
	}
}

func TestAbortOfTheContextReachesTheHost(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory("ctx.abort(); return { content: [] };"))
	s.mustCall(s.tool("t.ts"), "{}")
	s.host.await(t, "abort", func() bool { return s.host.aborts == 1 })
}

func TestStatement92And93_OnSession(t *testing.T) {
	s := open(t, `
-- t.ts --
export default (pi) => ({ name: "t", description: "d", parameters: {}, heard: [],
  onSession(event, ctx) {
    if (event.reason === "switch") throw new Error("no");
    this.heard.push([event.reason, "previousSessionFile" in event, event.previousSessionFile === undefined, ctx.sessionManager.getCwd()]);
  },
  execute() { return { content: [], details: this.heard }; } });
`)
	s.host.session.Cwd = "/w"
	tool := s.tool("t.ts")
	if err := tool.OnSession(t.Context(), json.RawMessage(`{"reason":"start"}`), customtools.ToolContext{}); err != nil {
		t.Fatal(err)
	}
	if err := tool.OnSession(t.Context(), json.RawMessage(`{"reason":"switch"}`), customtools.ToolContext{}); err == nil || err.Error() != "no" {
		t.Errorf("got %v, want no", err)
	}
	if got, want := s.mustCall(tool, "{}"), `{"content":[],"details":[["start",true,true,"/w"]]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSessionManager(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
const m = ctx.sessionManager;
return { content: [], details: [m.getCwd(), m.getSessionDir(), m.getSessionId(), m.getSessionFile(), m.getSessionName() ?? null, m.getArtifactsDir(),
  m.getLeafId(), m.getLeafEntry().message.details, m.getEntry("e1").message.toolName, m.getBranch().length, m.getBranch("e1").length, m.getEntries().length,
  m.getTree()[0].children[0].entry.id, m.getHeader().id, m.getUsageStatistics().cost, ctx.isIdle(), ctx.hasQueuedMessages(), ctx.model ?? null, ctx.toolNames] };`))
	s.host.session = customtools.Session{Cwd: "/w", Dir: "/s", ID: "sid", File: "/s/f", Entries: []customtools.SessionEntry{
		{Type: "message", ID: "e1", Message: customtools.SessionMessage{Role: "toolResult", ToolName: "one"}},
		{Type: "message", ID: "e2", ParentID: "e1", Message: customtools.SessionMessage{Role: "toolResult", ToolName: "two", Details: json.RawMessage(`{"n":2}`)}},
	}}
	want := `{"content":[],"details":["/w","/s","sid","/s/f",null,null,"e2",{"n":2},"one",2,1,2,"e2","sid",0,true,false,null,["t"]]}`
	if got := s.mustCall(s.tool("t.ts"), "{}"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStatement94And95_RenderHooks(t *testing.T) {
	s := open(t, `
-- t.ts --
import { Text, Container, Spacer, Box, Markdown } from "@mariozechner/pi-tui";
const tool = (name, hooks) => ({ name, description: "d", parameters: {}, execute() {}, ...hooks });
export default () => [
  tool("two", { renderCall(args, theme) { return new Text(theme.bold("two " + args.a)); },
    renderResult(result, options, theme, args) { const c = new Container(); c.addChild(new Text(result.content[0].text)); c.addChild(new Spacer(1)); c.addChild(new Box(2)); c.children[2].addChild(new Markdown("*" + args.a + options.expanded + "*")); return c; } }),
  tool("three", { renderCall(args, options, theme) { return new Text(theme.fg("red", "three " + options.isPartial)); }, renderResult() { throw new Error("broken"); } }),
  tool("none", { renderCall() { return undefined; } }),
  tool("wrap", { renderCall: (args, theme) => new Text("word ".repeat(40).trim(), 1) }),
];
`)
	elements := s.load("t.ts").Elements()
	args := json.RawMessage(`{"a":"A"}`)
	result := json.RawMessage(`{"content":[{"type":"text","text":"R"}],"details":{},"isError":false}`)
	render := func(i int) (string, error) {
		return elements[i].Tool.RenderCall(t.Context(), args, customtools.RenderOptions{IsPartial: true})
	}
	for i, want := range []string{"two A", "three true", "", " " + strings.Repeat("word ", 14) + "word\n " + strings.Repeat("word ", 14) + "word\n " + strings.Repeat("word ", 9) + "word"} {
		if got, err := render(i); err != nil || got != want {
			t.Errorf("renderCall %d: got %q, %v, want %q", i, got, err, want)
		}
	}
	if got, err := elements[0].Tool.RenderResult(t.Context(), result, args, customtools.RenderOptions{Expanded: true}); err != nil || got != "R\n\n  *Atrue*" {
		t.Errorf("renderResult: got %q, %v", got, err)
	}
	if _, err := elements[1].Tool.RenderResult(t.Context(), result, args, customtools.RenderOptions{}); err == nil || err.Error() != "broken" {
		t.Errorf("a hook that throws: got %v", err)
	}
}

func TestStatement103_OutputGoesToTheLog(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, "-- t.ts --\nimport { writeSync } from 'fs';\nimport { execSync } from 'child_process';\n"+factory(`
console.log('{"jsonrpc":"2.0","id":1,"result":{"value":"forged"}}'); console.error("to stderr"); process.stdout.write("raw\n");
writeSync(1, "descriptor 1\n"); execSync("echo inherited", { stdio: "inherit" });
return { content: [] };`))
		if got := s.mustCall(s.tool("t.ts"), "{}"); got != `{"content":[]}` {
			t.Errorf("got %s", got)
		}
		for _, line := range []string{"forged", "to stderr", "raw", "descriptor 1", "inherited"} {
			s.host.awaitLog(t, line)
		}
	})
}

func TestLogger(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`
pi.logger.error("e", { a: 1 }); pi.logger.warn("w"); pi.logger.info("i"); pi.logger.debug("d", { toJSON() { throw new Error("no"); } });
return { content: [] };`))
	s.mustCall(s.tool("t.ts"), "{}")
	var got []string
	for _, l := range s.host.logs {
		got = append(got, l.Level+" "+l.Message+" "+string(l.Context))
	}
	if want := `error e {"a":1}|warn w |debug i `; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}
