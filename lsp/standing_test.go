package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

const stoodResult = `{"content":[{"type":"text","text":"Plan kept","x":1}],"details":{"by":"plan"},"isWarning":false,"mine":[1,2]}`

// stand makes f the standing handler; what it is asked is sent to the channel.
func (f *fixture) stand(name string) <-chan string {
	f.t.Helper()
	asked := make(chan string, 10)
	f.OnStanding(func(params json.RawMessage) (any, error) {
		asked <- string(params)
		return json.RawMessage(stoodResult), nil
	})
	if got := f.run("xcsh.standing.set", object{"name": name}); got.text() != `Standing handler "`+name+`" is set.` {
		f.t.Errorf("set: %q", got.text())
	}
	return asked
}

func sameJSON(t *testing.T, got, want string) {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		t.Fatalf("not JSON: %s or %s", got, want)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("%s, want %s", x, y)
	}
}

// TestStatement32_StandingOverTheWire: only a standing handler is there; it is
// called with everything, twice, and its result comes back as it is.
func TestStatement32_StandingOverTheWire(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	asked := f.stand("plan")
	agent := f.join(agentNamed("codex"), nil)
	for _, client := range []*fixture{agent, f} {
		for _, call := range []func() (json.RawMessage, *jsonrpc2.Error){
			func() (json.RawMessage, *jsonrpc2.Error) {
				return client.command("xcsh.resolve", object{"action": "apply", "reason": "ready", "extra": object{"title": "Plan", "n": 12345678901234567}})
			},
			func() (json.RawMessage, *jsonrpc2.Error) {
				return client.command("xcsh.tools.call", object{"name": "resolve", "params": object{"action": "apply", "reason": "ready", "extra": object{"title": "Plan", "n": 12345678901234567}}})
			},
		} {
			raw, failed := call()
			if failed != nil {
				t.Fatal(failed)
			}
			sameJSON(t, string(raw), stoodResult)
			params := <-asked
			if !strings.Contains(params, "12345678901234567") {
				t.Errorf("digits are lost: %s", params)
			}
			sameJSON(t, params, `{"name":"plan","action":"apply","reason":"ready","extra":{"title":"Plan","n":12345678901234567}}`)
		}
	}
	if raw, failed := agent.command("xcsh.resolve", object{"action": "discard", "reason": "not yet"}); failed != nil {
		t.Fatal(failed)
	} else {
		sameJSON(t, string(raw), stoodResult)
		sameJSON(t, <-asked, `{"name":"plan","action":"discard","reason":"not yet"}`)
	}
	if log := f.decisions(); len(log) != 0 {
		t.Errorf("what a handler answers is no decision of ours: %+v", log)
	}
}

func TestStatement31_PendingComesBeforeStandingOverTheWire(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	asked := f.stand("plan")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	if len(asked) != 0 || f.disk("a.ts") != "bar(1);\n" {
		t.Errorf("asked %d times, a.ts %q", len(asked), f.disk("a.ts"))
	}
}

func TestStatement33_StandingErrorOverTheWire(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	f.stand("plan")
	f.OnStanding(func(json.RawMessage) (any, error) { return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "e") })
	wantError(t, f.fails("xcsh.resolve", object{"action": "apply", "reason": "r"}), -32803, "e")
	if got := f.call("resolve", object{"action": "apply", "reason": "r"}); !got.IsError || got.text() != "e" {
		t.Errorf("as a tool: %+v", got)
	}
	for _, answer := range []string{"null", "[]", `"done"`, "{}", `{"content":1}`, `{"content":null}`} {
		f.OnStanding(func(json.RawMessage) (any, error) { return json.RawMessage(answer), nil })
		wantError(t, f.fails("xcsh.resolve", object{"action": "apply", "reason": "r"}), -32803, `The standing handler "plan" did not answer with a tool result.`)
	}
}

func TestStatement34_StandingHandlerIsCleared(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	asked := f.stand("plan")
	other := f.join(editorNamed("another"), nil)
	other.run("xcsh.standing.set", object{"name": nil}) // ends its own only
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	if len(asked) != 1 {
		t.Error("another client's null took the handler away")
	}
	f.run("xcsh.standing.set", object{"name": nil})
	wantError(t, f.fails("xcsh.resolve", object{"action": "apply", "reason": "x"}), -32803, "No pending action to resolve. Nothing to apply or discard.")
}

func TestStanding_ReplacedByAnotherClient(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	first := f.stand("plan")
	other := f.join(editorNamed("another"), nil)
	second := other.stand("review")
	f.run("xcsh.standing.set", object{"name": nil})
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	if len(first) != 0 || len(second) != 1 {
		t.Errorf("asked %d and %d times", len(first), len(second))
	}
}

// The slot empties when its client's connection ends, and with it a call that
// waits for that client.
func TestStanding_EndsWithItsConnection(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	other := f.join(editorNamed("another"), nil)
	other.stand("plan")
	arrived, hold := make(chan bool), make(chan bool)
	other.OnStanding(func(json.RawMessage) (any, error) {
		arrived <- true
		<-hold
		return nil, nil
	})
	ctx, cancel := callContext()
	defer cancel()
	waiting := f.begin(ctx, "xcsh.resolve", object{"action": "apply", "reason": "r"})
	<-arrived
	close(hold)
	other.leave()
	<-waiting // whatever it says
	wantError(t, f.fails("xcsh.resolve", object{"action": "apply", "reason": "x"}), -32803, "No pending action to resolve. Nothing to apply or discard.")
	var list struct{ Tools []struct{ Name string } }
	f.runInto("xcsh.tools.list", object{}, &list)
	if len(list.Tools) != 1 {
		t.Errorf("tools %+v", list.Tools)
	}
}

func TestStanding_ClientThatNeverAnswers(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"}, nil, func(c *lsp.Config) {
		c.Deadlines.Answer = 50 * time.Millisecond
	})
	f.stand("plan")
	hold := make(chan bool)
	f.OnStanding(func(json.RawMessage) (any, error) { <-hold; return nil, nil })
	defer close(hold)
	wantError(t, f.fails("xcsh.resolve", object{"action": "apply", "reason": "r"}), -32803, `The standing handler "plan" did not answer.`)
	// It cost one call, not the server.
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
}

// A human is asked for the reason, with the handler's name; an action that came
// meanwhile is not decided with it.
func TestStanding_HumanIsAskedForTheReason(t *testing.T) {
	m := editorNamed("an editor")
	m.Input = true
	f := start(t, m, map[string]string{"a.ts": "foo(1);\n"})
	asked := f.stand("Rename foo")
	var titles []string
	answer, meanwhile := lsptest.Answer("it is complete"), false
	f.OnInput(func(in lsptest.Input) *string {
		titles = append(titles, in.Title)
		if meanwhile {
			f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		}
		return answer
	})
	f.run("xcsh.resolve", object{"action": "apply"})
	sameJSON(t, <-asked, `{"name":"Rename foo","action":"apply","reason":"it is complete"}`)
	if len(titles) != 1 || titles[0] != `Apply "Rename foo"` {
		t.Errorf("asked %q", titles)
	}
	answer = nil
	if got := f.run("xcsh.resolve", object{"action": "discard"}); !got.Cancelled || len(asked) != 0 {
		t.Errorf("dismissed: %+v", got)
	}
	answer, meanwhile = lsptest.Answer("not any more"), true
	failed := f.fails("xcsh.resolve", object{"action": "discard"})
	wantError(t, failed, -32803, `"AST Edit: 1 replacement in 1 file" was proposed meanwhile. Resolve it first.`)
	if ids := f.pendingIDs(); len(ids) != 1 || len(asked) != 0 {
		t.Errorf("pending %q, asked %d times", ids, len(asked))
	}
	for _, message := range f.Messages() {
		if message.Type != protocol.MessageTypeError && strings.Contains(message.Text, "Rename foo") {
			t.Errorf("shown %q", message.Text)
		}
	}
}
