package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// wireAgent is an agent's loop that knows the server by its commands only. The
// model in it is a script: what it calls in each turn, nothing for an answer in
// text.
type wireAgent struct {
	*fixture
	static any // the loop's own tool choice

	forced    []string // of each request: the tool that it was forced to, or ""
	reminders []string // the ids that the model was reminded of
	executed  []string
	results   []toolResult // of what was executed
	refused   []toolResult
}

// next is the answer of xcsh.toolChoice.next.
type next struct {
	Soft         bool
	ID           string
	ToolName     string
	Reminder     []map[string]any
	ForcedChoice *struct{ Type, Name string }
}

type verdict struct {
	Execute bool
	Results []toolResult
	Fail    string
}

// modelCall is a call that the model makes.
type modelCall struct {
	name   string
	params object
}

func applyIt() modelCall {
	return modelCall{"resolve", object{"action": "apply", "reason": "the tests pass with it"}}
}

func fooToBar() modelCall { return modelCall{"ast_edit", edit("foo($A)", "bar($A)")} }

// other is a call of a tool that the server knows nothing of.
func other() modelCall { return modelCall{"read_file", object{}} }

// run runs the loop; it returns why the run failed, "" where it did not.
func (a *wireAgent) run(turns ...[]modelCall) (failed string) {
	a.t.Helper()
	for _, calls := range turns {
		done, failed := a.turn(calls)
		if done || failed != "" {
			return failed
		}
	}
	return ""
}

func (a *wireAgent) turn(calls []modelCall) (done bool, failed string) {
	a.t.Helper()
	var directive *next
	a.runInto("xcsh.toolChoice.next", object{}, &directive)
	forced := ""
	if directive != nil {
		if !directive.Soft || directive.ToolName != "resolve" {
			a.t.Errorf("directive %+v", directive)
		}
		for _, message := range directive.Reminder {
			a.wantReminder(message)
			a.reminders = append(a.reminders, directive.ID)
		}
		if directive.ForcedChoice != nil {
			forced = directive.ForcedChoice.Name
		}
	}
	a.forced = append(a.forced, forced)

	report := object{"toolCalls": []string{}, "stopReason": "end_turn"}
	for _, call := range calls {
		report["toolCalls"] = append(report["toolCalls"].([]string), call.name)
	}
	if a.static != nil {
		report["staticChoice"] = a.static
	}
	var v verdict
	a.runInto("xcsh.toolChoice.report", report, &v)
	switch {
	case v.Fail != "":
		return true, v.Fail
	case !v.Execute:
		if len(v.Results) != len(calls) {
			a.t.Errorf("%d results for %d calls", len(v.Results), len(calls))
		}
		a.refused = append(a.refused, v.Results...)
		return false, ""
	}
	for _, call := range calls {
		a.executed = append(a.executed, call.name)
		if call.name != other().name {
			a.results = append(a.results, a.call(call.name, call.params))
		}
	}
	return len(calls) == 0, ""
}

// call calls a tool.
func (f *fixture) call(name string, params any) toolResult {
	f.t.Helper()
	return f.run("xcsh.tools.call", object{"name": name, "params": params})
}

func (a *wireAgent) wantReminder(message map[string]any) {
	a.t.Helper()
	content, _ := message["content"].(string)
	details, _ := message["details"].(map[string]any)
	if content != strings.TrimSpace(reminder) || message["role"] != "custom" || message["customType"] != "resolve-reminder" ||
		message["display"] != false || message["attribution"] != "agent" || details["toolName"] != "ast_edit" {
		a.t.Errorf("reminder %v", message)
	}
	if at, _ := message["timestamp"].(float64); time.Since(time.UnixMilli(int64(at))).Abs() > time.Hour {
		a.t.Errorf("timestamp %v", message["timestamp"])
	}
}

func (a *wireAgent) want(forced, executed, reminders []string, refused int) {
	a.t.Helper()
	if !slices.Equal(a.forced, forced) || !slices.Equal(a.executed, executed) || !slices.Equal(a.reminders, reminders) {
		a.t.Errorf("forced %q, executed %q, reminded of %q; want %q, %q, %q", a.forced, a.executed, a.reminders, forced, executed, reminders)
	}
	if len(a.refused) != refused {
		a.t.Errorf("%d calls refused, want %d", len(a.refused), refused)
	}
	for _, result := range a.refused {
		if !result.IsError || !strings.Contains(result.text(), "Not executed: call the `resolve` tool to resolve the pending action before using other tools.") {
			a.t.Errorf("refused with %+v", result)
		}
	}
}

func startAgent(t *testing.T) *wireAgent {
	t.Helper()
	m := agentNamed("codex")
	return &wireAgent{fixture: start(t, m, map[string]string{"a.ts": "foo(1);\n"})}
}

const firstID = "pending-action:ast_edit:0"

type turn = []modelCall

func TestAgentLoop_CompliesAfterTheReminder(t *testing.T) {
	a := startAgent(t)
	if failed := a.run(turn{fooToBar()}, turn{applyIt()}, turn{}); failed != "" {
		t.Fatal(failed)
	}
	a.want([]string{"", "", ""}, []string{"ast_edit", "resolve"}, []string{firstID}, 0)
	if got := a.disk("a.ts"); got != "bar(1);\n" {
		t.Errorf("a.ts is %q", got)
	}
	if got := a.results[1].text(); got != "Applied 1 replacement in 1 file." || a.results[1].IsError {
		t.Errorf("result %q", got)
	}
	if log := a.fixture.decisions(); len(log) != 1 || log[0].DecidedBy["name"] != "codex" || log[0].ReasonFrom != "argument" {
		t.Errorf("decisions %+v", log)
	}
}

// Reminded once, forced for one turn when it strays.
func TestAgentLoop_Strays(t *testing.T) {
	for name, stray := range map[string]turn{
		"another tool": {other()}, "another tool of ours": {fooToBar()}, "text": {}, "a mixed batch": {applyIt(), other()},
	} {
		t.Run(name, func(t *testing.T) {
			a := startAgent(t)
			if failed := a.run(turn{fooToBar()}, stray, turn{applyIt()}, turn{other()}, turn{}); failed != "" {
				t.Fatal(failed)
			}
			a.want([]string{"", "", "resolve", "", ""}, []string{"ast_edit", "resolve", "read_file"}, []string{firstID}, len(stray))
			if got := a.disk("a.ts"); got != "bar(1);\n" {
				t.Errorf("a.ts is %q", got)
			}
		})
	}
}

func TestAgentLoop_StopsAfterThreeForcedTurns(t *testing.T) {
	a := startAgent(t)
	failed := a.run(turn{fooToBar()}, turn{other()}, turn{}, turn{other()}, turn{other()}, turn{applyIt()})
	if want := "Soft tool requirement 'resolve' was not satisfied after 3 forced turns; aborting to avoid an unbounded force loop."; failed != want {
		t.Errorf("failed with %q", failed)
	}
	a.want([]string{"", "", "resolve", "resolve", "resolve"}, []string{"ast_edit"}, []string{firstID}, 2)
	if got := a.disk("a.ts"); got != "foo(1);\n" {
		t.Errorf("a.ts is %q", got)
	}
	// A later run is reminded again, and is not forced.
	if failed := a.run(turn{applyIt()}, turn{}); failed != "" {
		t.Fatal(failed)
	}
	a.want([]string{"", "", "resolve", "resolve", "resolve", "", ""}, []string{"ast_edit", "resolve"}, []string{firstID, firstID}, 2)
}

func TestAgentLoop_EachHeadIsRemindedOfOnce(t *testing.T) {
	a := startAgent(t)
	a.call("ast_edit", edit("foo($A)", "bar($A)"))
	a.call("ast_edit", edit("foo(1)", "baz(1)"))
	const secondID = "pending-action:ast_edit:1"
	discard := modelCall{"resolve", object{"action": "discard", "reason": "not that one"}}
	if failed := a.run(turn{other()}, turn{discard}, turn{applyIt()}, turn{}); failed != "" {
		t.Fatal(failed)
	}
	a.want([]string{"", "resolve", "", ""}, []string{"resolve", "resolve"}, []string{secondID, firstID}, 1)
	if got := a.disk("a.ts"); got != "bar(1);\n" {
		t.Errorf("a.ts is %q", got)
	}
}

func TestAgentLoop_StaticChoiceThatForbidsIt(t *testing.T) {
	for name, static := range map[string]any{"none": "none", "another": object{"type": "function", "name": "read_file"}} {
		t.Run(name, func(t *testing.T) {
			a := startAgent(t)
			a.call("ast_edit", edit("foo($A)", "bar($A)"))
			a.static = static
			if failed := a.run(turn{}, turn{other()}); failed != "" {
				t.Fatal(failed)
			}
			a.want([]string{""}, nil, []string{firstID}, 0)
			// That run is over: the next is reminded again.
			a.static = nil
			if failed := a.run(turn{applyIt()}, turn{}); failed != "" {
				t.Fatal(failed)
			}
			a.want([]string{"", "", ""}, []string{"resolve"}, []string{firstID, firstID}, 0)
		})
	}
}

func TestAgentLoop_TurnThatBroke(t *testing.T) {
	a := startAgent(t)
	a.call("ast_edit", edit("foo($A)", "bar($A)"))
	for _, stop := range []string{"error", "aborted"} {
		var directive next
		a.runInto("xcsh.toolChoice.next", object{}, &directive)
		if len(directive.Reminder) != 1 || directive.ForcedChoice != nil {
			t.Errorf("%s: directive %+v", stop, directive)
		}
		var v verdict
		a.runInto("xcsh.toolChoice.report", object{"toolCalls": []string{"read_file"}, "stopReason": stop}, &v)
		if !v.Execute {
			t.Errorf("%s: %+v", stop, v)
		}
	}
}

// The state of a loop belongs to its connection.
func TestAgentLoop_TwoAgents(t *testing.T) {
	a := startAgent(t)
	b := &wireAgent{fixture: a.join(agentNamed("claude"), nil)}
	a.call("ast_edit", edit("foo($A)", "bar($A)"))
	a.turn(turn{other()})
	b.turn(turn{other()})
	a.turn(turn{applyIt()})
	b.turn(turn{other()}) // what it was reminded of is decided
	a.want([]string{"", "resolve"}, []string{"resolve"}, []string{firstID}, 1)
	b.want([]string{"", ""}, []string{"read_file"}, []string{firstID}, 1)
}

func TestToolChoiceNext_ForWhoMayNotResolve(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": "human"}, nil)
	agent := f.join(agentNamed("codex"), nil)
	ask := func(f *fixture, arg object) (directive *next) {
		f.runInto("xcsh.toolChoice.next", arg, &directive)
		return directive
	}
	for _, client := range []*fixture{f, agent} {
		if got := ask(client, object{}); got != nil {
			t.Errorf("nothing is pending: %+v", got)
		}
	}
	agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := ask(agent, object{}); got != nil {
		t.Errorf("an agent that may not apply is asked to: %+v", got)
	}
	if got := ask(f, object{"agent": object{"name": "claude"}}); got != nil {
		t.Errorf("an agent in the editor is asked to: %+v", got)
	}
	if got := ask(f, object{}); got == nil || got.ID != firstID || len(got.Reminder) != 1 {
		t.Errorf("a human may: %+v", got)
	}
	var v verdict
	agent.runInto("xcsh.toolChoice.report", object{"toolCalls": []string{"read_file"}}, &v)
	if !v.Execute {
		t.Error("an agent that may not resolve is kept from its other tools")
	}
}

// What the server writes, to the letter.
func TestToolChoiceAsJSON(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	f := startWith(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"}, nil, func(c *lsp.Config) {
		c.Now = func() time.Time { return at }
	})
	steps := []struct {
		command string
		arg     any
		want    string
	}{
		{"xcsh.toolChoice.next", object{}, `null`},
		{"xcsh.toolChoice.report", object{"toolCalls": []string{}}, `{"execute":true}`},
		{"xcsh.ast_edit", edit("foo($A)", "bar($A)"), ""},
		{"xcsh.toolChoice.next", object{}, `{"soft":true,"id":"pending-action:ast_edit:0","toolName":"resolve","reminder":[{"role":"custom","customType":"resolve-reminder",` +
			`"content":"<system-reminder>\nThis is a preview. Call the ` + "`resolve`" + ` tool to apply or discard these changes.\n</system-reminder>",` +
			`"display":false,"attribution":"agent","details":{"toolName":"ast_edit"},"timestamp":1767323045006}]}`},
		{"xcsh.toolChoice.report", object{"toolCalls": []string{}}, `{"execute":false,"results":[]}`},
		{"xcsh.toolChoice.next", object{}, `{"soft":true,"id":"pending-action:ast_edit:0","toolName":"resolve","reminder":[],"forcedChoice":{"type":"tool","name":"resolve"}}`},
		{"xcsh.toolChoice.report", object{"toolCalls": []string{"x"}}, `{"execute":false,"results":[{"content":[{"type":"text",` +
			`"text":"Not executed: call the ` + "`resolve`" + ` tool to resolve the pending action before using other tools."}],"isError":true}]}`},
	}
	for _, step := range steps {
		raw, failed := f.command(step.command, step.arg)
		if failed != nil {
			t.Fatalf("%s: %v", step.command, failed)
		}
		var got, want any
		if step.want == "" {
			continue
		}
		if json.Unmarshal(raw, &got) != nil || json.Unmarshal([]byte(step.want), &want) != nil {
			t.Fatalf("%s: %s", step.command, raw)
		}
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(want)
		if string(gotText) != string(wantText) {
			t.Errorf("%s: %s, want %s", step.command, gotText, wantText)
		}
	}
}

// Statement 8 over the wire: extra reaches the result's details as it was given.
func TestStatement08_ExtraOverTheWire(t *testing.T) {
	f := start(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"})
	const extra = `{"n":12345678901234567,"o":{"a":[1.50,null,true]}}`
	params := json.RawMessage(`{"action":"discard","reason":"r","extra":` + extra + `}`)
	for name, arg := range map[string]any{"xcsh.resolve": params, "xcsh.tools.call": object{"name": "resolve", "params": params}} {
		f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		raw, failed := f.command(name, arg)
		if failed != nil || !strings.Contains(string(raw), `"extra":`+extra) {
			t.Errorf("%s: %s, %v", name, raw, failed)
		}
	}
}
