package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// What a tool gives or throws that resists being looked at costs its own call,
// and is answered.

func TestHostileThrow_IsAnswered(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, `
switch (params.throw) {
case "message": throw { get message() { throw new Error("no message"); } };
case "stack": throw Object.defineProperty(new Error("with a stack"), "stack", { get() { throw new Error("no stack"); } });
case "proxy": throw new Proxy({}, { get() { throw new Error("no property"); }, getPrototypeOf() { throw new Error("no"); } });
case "symbol": throw Symbol("s");
case "nothing": throw undefined;
case "bigint": throw 10n;
case "long": throw new Error("x".repeat(100 << 20));
}`)
		for thrown, want := range map[string]string{
			"message": "[object Object]",
			"stack":   "with a stack",
			"proxy":   "a value that is no string was thrown",
			"symbol":  "Symbol(s)",
			"nothing": "undefined",
			"bigint":  "10",
			"long":    "xxxxxxxx",
		} {
			_, err := s.call(t.Context(), bad, `{"throw":"`+thrown+`"}`)
			if err == nil || !strings.HasPrefix(err.Error(), want) || len(err.Error()) > 1<<20 {
				t.Errorf("%s: got %.100v, want %s", thrown, err, want)
			}
		}
		s.counts(bad, good, 2, 2)
	})
}

func TestHostileResult_IsAnswered(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, `
switch (params.give) {
case "cycle": { const details: any = { a: 1 }; details.self = details; return { content: [], details }; }
case "bigint": return { content: [], details: 12345678901234567890n };
case "getter": return { content: [], get details() { throw new Error("no details"); } };
case "toJSON": return { content: [], details: { toJSON() { throw new Error("no JSON"); } } };
case "proxy": return new Proxy({}, { ownKeys() { throw new Error("no keys"); } });
case "then": return { then(done: any) { done({ content: [], details: "thenable" }); } };
case "function": return () => {};
}`)
		for give, want := range map[string]string{
			"cycle":    `{"content":[],"details":{"a":1,"self":"[Circular]"}}`,
			"bigint":   `{"content":[],"details":"12345678901234567890"}`,
			"getter":   "no details",
			"toJSON":   "no JSON",
			"proxy":    "no keys",
			"then":     `{"content":[],"details":"thenable"}`,
			"function": "",
		} {
			value, err := s.call(t.Context(), bad, `{"give":"`+give+`"}`)
			if err != nil {
				value = err.Error()
			}
			if value != want && (err == nil || !strings.Contains(strings.ToLower(value), want)) {
				t.Errorf("%s: got %.200s, want %s", give, value, want)
			}
		}
		s.counts(bad, good, 2, 2)
	})
}

// One element that cannot be looked at is no tool; those beside it are.
func TestHostileElement_CostsOnlyItself(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, `
-- t.ts --
const tool = (name) => ({ name, description: "d", parameters: {}, execute: () => ({ content: [] }) });
export default () => [
  { get name() { throw new Error("no name"); } },
  { ...tool("a"), get label() { throw new Error("no label"); } },
  new Proxy(tool("b"), { has() { throw new Error("no has"); } }),
  { ...tool("c"), parameters: { toJSON() { throw new Error("no JSON"); } } },
  tool("good"),
];
`)
		var names []string
		for _, e := range s.load("t.ts").Elements() {
			name := "-"
			if e.Tool != nil {
				name = e.Definition.Name
			}
			names = append(names, name)
		}
		s.host.awaitLog(t, "the tool at index 3 cannot be looked at: no JSON")
		if got := strings.Join(names, " "); got != "- - - - good" {
			t.Errorf("got %s", got)
		}
	})
}

// A tool that takes the worker's port for its own harms no other.
func TestHostilePort_CostsOnlyItself(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, `
const { parentPort } = await import("node:worker_threads");
for (const m of ["garbage", "{}", '{"jsonrpc":"2.0","id":99999,"result":{}}', { a: 1 }, null, 'two\nlines', '{"jsonrpc":"2.0","method":"exited","params":"x"}']) parentPort.postMessage(m);
return { content: [] };`)
		s.mustCall(bad, "{}")
		s.counts(bad, good, 2, 2)
	})
}

func TestManyToolsInOneModule(t *testing.T) {
	s := open(t, "-- t.ts --\nexport default () => Array.from({ length: 5000 }, (_, i) => ({ name: 't' + i, description: 'd', parameters: {}, execute: () => ({ content: [], details: i }) }));\n")
	elements := s.load("t.ts").Elements()
	if len(elements) != 5000 {
		t.Fatalf("got %d", len(elements))
	}
	if got := s.mustCall(elements[4999].Tool, "{}"); got != `{"content":[],"details":4999}` {
		t.Errorf("got %s", got)
	}
}

// Ten thousand actions arrive in their order, and each can be resolved.
func TestManyStagedActions(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, `for (let i = 0; i < 10000; i++) pi.pushPendingAction({ label: "a" + i, apply: async () => ({ content: [], details: i }) }); return { content: [] };`)
		s.mustCall(bad, "{}")
		if len(s.host.staged) != 10000 || s.host.staged[9999].Label != "a9999" {
			t.Fatalf("got %d", len(s.host.staged))
		}
		result, err := s.host.staged[5000].Apply(t.Context(), "r", nil)
		if err != nil || string(result.Details.(json.RawMessage)) != "5000" {
			t.Errorf("got %+v, %v", result, err)
		}
		s.counts(bad, good, 2, 2)
	})
}
