package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// raw calls a method with params as they are written here.
func (f *fixture) raw(method, params string) (json.RawMessage, *jsonrpc2.Error) {
	f.t.Helper()
	raw, err := f.Call(context.Background(), method, json.RawMessage(params))
	if err == nil {
		return raw, nil
	}
	failed, ok := err.(*jsonrpc2.Error)
	if !ok {
		f.t.Fatalf("%s %s: %v", method, params, err)
	}
	return nil, failed
}

const unknownCommand = `unknown command %q; this server knows ` + knownCommands

// knownCommands is a command a line, so that two branches can each add one.
const knownCommands = "xcsh.ast_edit, " +
	"xcsh.replace, " +
	"xcsh.resolve, " +
	"xcsh.pending.list, " +
	"xcsh.pending.preview, " +
	"xcsh.pending.await, " +
	"xcsh.tools.list, " +
	"xcsh.tools.call, " +
	"xcsh.tools.reload, " +
	"xcsh.session.event, " +
	"xcsh.toolChoice.next, " +
	"xcsh.toolChoice.report, " +
	"xcsh.standing.set, " +
	"xcsh.decisions.list, " +
	"xcsh.decisions.revert, " +
	"xcsh.cancel"

// Every argument of every command that is not what it must be: InvalidParams, the
// message names the field, nothing happens.
func TestBadInput_Arguments(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	id, _ := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	const rule = `{"pat":"foo($A)","out":"x"}`
	const (
		missing   = "the argument is missing: pass one JSON object"
		notObject = "the argument must be a JSON object"
	)
	type row struct{ command, arguments, want string }
	rows := []row{
		{"xcsh.nope", `[{}]`, fmt.Sprintf(unknownCommand, "xcsh.nope")},
		{"", `[{}]`, fmt.Sprintf(unknownCommand, "")},
		{"xcsh.ast_edit", `[{"lang":"ts"}]`, "ops is missing"},
		{"xcsh.ast_edit", `[{"ops":null}]`, "ops must be a list of { pat, out }"},
		{"xcsh.ast_edit", `[{"ops":"foo"}]`, "ops must be a list of { pat, out }"},
		{"xcsh.ast_edit", `[{"ops":{}}]`, "ops must be a list of { pat, out }"},
		{"xcsh.ast_edit", `[{"ops":[1]}]`, "ops[0] must be an object"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,"x"]}]`, "ops[1] must be an object"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,[]]}]`, "ops[1] must be an object"},
		{"xcsh.ast_edit", `[{"ops":[null]}]`, "ops[0].pat must be a string"},
		{"xcsh.ast_edit", `[{"ops":[{"pat":"x"}]}]`, "ops[0].out must be a string"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,{"out":"x"}]}]`, "ops[1].pat must be a string"},
		{"xcsh.ast_edit", `[{"ops":[{"pat":1,"out":"x"}]}]`, "ops[0].pat must be a string"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,{"pat":"y","out":false}]}]`, "ops[1].out must be a string"},
		{"xcsh.ast_edit", `[{"ops":[{"pat":"x","out":null}]}]`, "ops[0].out must be a string"},
		{"xcsh.ast_edit", `[{"ops":[{"pat":"x","out":"y","rule":1}]}]`, `unknown field "ops[0].rule"`},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,{"pat":"x","Pat":"y","out":"z"}]}]`, `unknown field "ops[1].Pat"`},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `,{"pat":"x","pat":"y","out":"z"}]}]`, "ops[1].pat is given twice"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"Limit":1}]`, `unknown field "Limit"`},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"lang":1}]`, "lang must be a string, not number"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"path":["a.ts"]}]`, "path must be a string, not array"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"paths":"a.ts"}]`, "paths must be a list, not string"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"paths":[1]}]`, "each of paths must be a string, not number"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"glob":true}]`, "glob must be a string, not bool"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"sel":{}}]`, "sel must be a string, not object"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"limit":"5"}]`, "limit must be a number, not string"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"agent":"x"}]`, "agent must be an object, not string"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"agent":{"name":1}}]`, "agent.name must be a string, not number"},
		{"xcsh.ast_edit", `[{"ops":[` + rule + `],"apply":true}]`, `unknown field "apply"`},
		{"xcsh.resolve", `[{}]`, "action is missing"},
		{"xcsh.resolve", `[{"action":null,"reason":"r"}]`, `action must be "apply" or "discard", not ""`},
		{"xcsh.resolve", `[{"action":"commit","reason":"r"}]`, `action must be "apply" or "discard", not "commit"`},
		{"xcsh.resolve", `[{"action":1}]`, "action must be a string, not number"},
		{"xcsh.resolve", `[{"action":"apply","reason":" \t\n"}]`, "reason must not be blank"},
		{"xcsh.resolve", `[{"action":"discard","reason":""}]`, "reason must not be blank"},
		{"xcsh.resolve", `[{"action":"apply","reason":1}]`, "reason must be a string, not number"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","extra":[]}]`, "extra must be an object, not array"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","id":1}]`, "id must be a string, not number"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","revision":"1"}]`, "revision must be a whole number, not string"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","revision":1.5}]`, "revision must be a whole number, not number 1.5"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","agent":[]}]`, "agent must be an object, not array"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","force":true}]`, `unknown field "force"`},
		{"xcsh.resolve", `[{"action":"discard","Action":"apply","reason":"r"}]`, `unknown field "Action"`},
		{"xcsh.resolve", `[{"action":"discard","action":"apply","reason":"r"}]`, "action is given twice"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","ID":"another"}]`, `unknown field "ID"`},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","extra":{"a":{"b":1,"b":2}}}]`, "extra.a.b is given twice"},
		{"xcsh.resolve", `[{"action":"apply","reason":"r","agent":{"Name":"x"}}]`, `unknown field "agent.Name"`},
		{"xcsh.pending.list", `[{"id":"x"}]`, `unknown field "id"`},
		{"xcsh.pending.preview", `[{"id":1}]`, "id must be a string, not number"},
		{"xcsh.pending.preview", `[{"uri":{}}]`, "uri must be a string, not object"},
		{"xcsh.pending.preview", `[{"x":1}]`, `unknown field "x"`},
		{"xcsh.pending.await", `[{"id":null}]`, "id must not be empty"},
		{"xcsh.pending.await", `[{"id":""}]`, "id must not be empty"},
		{"xcsh.decisions.list", `[{"limit":"x"}]`, "limit must be a whole number, not string"},
		{"xcsh.decisions.list", `[{"before":1}]`, "before must be a string, not number"},
		{"xcsh.decisions.list", `[{"pendingId":1}]`, "pendingId must be a string, not number"},
		{"xcsh.decisions.list", `[{"before":"nope"}]`, `field "before" names no decision of the log: "nope"`},
		{"xcsh.decisions.list", `[{"x":1}]`, `unknown field "x"`},
		{"xcsh.tools.list", `[{"includeHidden":1}]`, "includeHidden must be true or false, not number"},
		{"xcsh.tools.list", `[{"x":1}]`, `unknown field "x"`},
		{"xcsh.tools.call", `[{"params":{}}]`, "name is missing"},
		{"xcsh.tools.call", `[{"name":"ast_edit"}]`, "params is missing"},
		{"xcsh.tools.call", `[{"name":"ast_edit","params":null}]`, "params must be an object"},
		{"xcsh.tools.call", `[{"name":"ast_edit","params":[]}]`, "params must be an object"},
		{"xcsh.tools.call", `[{"name":null,"params":{}}]`, "name must not be empty"},
		{"xcsh.tools.call", `[{"name":1,"params":{}}]`, "name must be a string, not number"},
		{"xcsh.toolChoice.next", `[{"x":1}]`, `unknown field "x"`},
		{"xcsh.toolChoice.report", `[{}]`, "toolCalls is missing"},
		{"xcsh.toolChoice.report", `[{"toolCalls":null}]`, "toolCalls must be a list, not null"},
		{"xcsh.toolChoice.report", `[{"toolCalls":"read"}]`, "toolCalls must be a list, not string"},
		{"xcsh.toolChoice.report", `[{"toolCalls":[1]}]`, "each of toolCalls must be a string, not number"},
		{"xcsh.toolChoice.report", `[{"toolCalls":[],"staticChoice":"some"}]`, `a tool choice must be "none", "auto", "required", "any" or { type: "tool" | "function", name }, not "some"`},
		{"xcsh.standing.set", `[{}]`, "name is missing"},
		{"xcsh.standing.set", `[{"name":""}]`, "name must not be empty; null clears"},
		{"xcsh.standing.set", `[{"name":1}]`, "name must be a string, not number"},
		{"xcsh.cancel", `[{}]`, "token is missing"},
		{"xcsh.cancel", `[{"token":"x","y":1}]`, `unknown field "y"`},
	}
	for _, command := range strings.Split(knownCommands, ", ") {
		rows = append(rows,
			row{command, `[]`, missing}, row{command, `null`, missing}, row{command, `[null]`, notObject}, row{command, `["x"]`, notObject},
			row{command, `[1]`, notObject}, row{command, `[[]]`, notObject}, row{command, `[{},{}]`, command + " takes one argument, not 2"},
			row{command, `[{"agent":1}]`, ""})
	}
	for _, c := range rows {
		t.Run(c.command+" "+c.arguments, func(t *testing.T) {
			_, failed := f.raw("workspace/executeCommand", fmt.Sprintf(`{"command":%q,"arguments":%s}`, c.command, c.arguments))
			if c.want == "" { // which field is named first is open
				if failed == nil || failed.Code != -32602 {
					t.Errorf("%v", failed)
				}
				return
			}
			wantError(t, failed, -32602, c.want)
		})
	}
	for _, params := range []string{`[]`, `"x"`, `{"command":1}`, `{"command":"xcsh.cancel","arguments":{}}`} {
		if _, failed := f.raw("workspace/executeCommand", params); failed == nil || failed.Code != -32602 {
			t.Errorf("params %s: %v", params, failed)
		}
	}
	if ids := f.pendingIDs(); !slices.Equal(ids, []string{id}) || len(f.decisions()) != 0 || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("something happened: pending %v", ids)
	}
}

// The names of what passes through are its own, whatever their case.
func TestBadInput_ExtraIsNotRead(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), nil)
	result := f.run("xcsh.resolve", json.RawMessage(`{"action":"discard","reason":"r","extra":{"a":1,"A":2,"Action":"apply"}}`))
	if got := fmt.Sprint(result.Details["extra"]); got != "map[A:2 Action:apply a:1]" {
		t.Errorf("extra %s", got)
	}
}

// A revision that is given is what was seen, whatever it is.
func TestBadInput_RevisionThatNeverWas(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	for _, revision := range []int{0, -1, 2} {
		failed := f.fails("xcsh.resolve", object{"action": "apply", "reason": "r", "revision": revision})
		wantError(t, failed, -32803, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.")
	}
	if f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("a.ts %q", f.disk("a.ts"))
	}
}

// What a request asks for and cannot have: the specified text, or a warning.
func TestBadInput_Requests(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n", "latin.ts": "foo('\xe9');\n"})
	for arg, want := range map[string]string{
		`{"ops":[]}`: "`ops` must include at least one op entry",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"limit":0}`:              "limit must be a positive number",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"limit":-1}`:             "limit must be a positive number",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"limit":0.5}`:            "limit must be a positive number",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"path":"missing.ts"}`:    "Path not found: missing.ts",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"path":"../up"}`:         "Path is outside the workspace: ../up",
		`{"ops":[{"pat":"foo($A)","out":"x"}],"path":"/etc/hostname"}`: "Path is outside the workspace: /etc/hostname",
	} {
		wantFailure(t, f.fails("xcsh.ast_edit", json.RawMessage(arg)), want)
	}
	if failed := f.fails("xcsh.ast_edit", json.RawMessage(`{"ops":[{"pat":"a","out":"b"}],"lang":"klingon"}`)); !strings.HasPrefix(failed.Message, "Unsupported language 'klingon'. Supported: ") {
		t.Errorf("unknown language: %v", failed)
	}
	for pat, want := range map[string]string{
		"foo(); x()": "No replacements made\nParse issues:\n- foo(); x(): Invalid pattern: Multiple AST nodes are detected.",
	} {
		result := f.run("xcsh.ast_edit", edit(pat, "x"))
		if got := result.text(); !strings.HasPrefix(got, want) || !result.IsWarning {
			t.Errorf("pattern %q: %q, warning %v", pat, got, result.IsWarning)
		}
	}
	result := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := result.text(); !strings.HasPrefix(got, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)") || !strings.Contains(got, "latin.ts") {
		t.Errorf("with a file that is not UTF-8: %q", got)
	}
	f.run("xcsh.resolve", applyNow())
	if f.disk("a.ts") != "bar(1);\n" || f.disk("latin.ts") != "foo('\xe9');\n" {
		t.Errorf("a.ts %q, latin.ts %q", f.disk("a.ts"), f.disk("latin.ts"))
	}
}

func TestBadInput_ResolveWithNothingPending(t *testing.T) {
	for _, manners := range []lsptest.Manners{lsptest.VSCodeLike(), {Name: "x", Agent: "agent", ApplyEdit: true}} {
		f := start(t, manners, nil)
		for _, reason := range []string{`,"reason":"r"`, ``} {
			failed := f.fails("xcsh.resolve", json.RawMessage(`{"action":"apply"`+reason+`}`))
			wantFailure(t, failed, "No pending action to resolve. Nothing to apply or discard.")
			if got := f.run("xcsh.resolve", json.RawMessage(`{"action":"discard"`+reason+`}`)).text(); got != "Nothing to discard; no pending action remains." {
				t.Errorf("discard: %q", got)
			}
			for _, action := range []string{"apply", "discard"} {
				failed := f.fails("xcsh.resolve", json.RawMessage(`{"action":"`+action+`","id":"x"`+reason+`}`))
				wantNotTop(t, failed.Data, failed.Message, "Pending action x is no longer pending.")
			}
		}
		if asked := f.Requests("window/showMessageRequest"); len(asked) != 0 {
			t.Errorf("asked for a reason: %s", asked[0].Params)
		}
	}
}

func TestBadInput_Preview(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	wantFailure(t, f.fails("xcsh.pending.preview", map[string]any{}), "Nothing is pending.")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	wantFailure(t, f.fails("xcsh.pending.preview", map[string]any{"id": "x"}), "Pending action x is no longer pending.")
	for _, uri := range []string{"file:///nowhere.ts", "untitled:Untitled-1", "not a uri", "%zz", ":"} {
		wantFailure(t, f.fails("xcsh.pending.preview", map[string]any{"uri": uri}), uri+" is not changed by this preview.")
	}
	var list struct{ Decisions []any }
	for _, arg := range []string{`{"limit":-1}`, `{"limit":0}`, `{"pendingId":"nope"}`} {
		f.runInto("xcsh.decisions.list", json.RawMessage(arg), &list)
		if list.Decisions == nil || len(list.Decisions) != 0 {
			t.Errorf("%s: %v", arg, list.Decisions)
		}
	}
}
