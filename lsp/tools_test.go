package lsp_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/lsp"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// listedTool is a tool as xcsh.tools.list gives it.
type listedTool struct {
	Name, Label, Description string
	Parameters               map[string]any
	Source                   map[string]string
	Hidden, Deferrable       bool
}

func (f *fixture) tools(arg object) (tools []listedTool) {
	f.t.Helper()
	var list struct {
		Tools  []listedTool
		Errors *[]any
	}
	f.runInto("xcsh.tools.list", arg, &list)
	if list.Errors == nil || len(*list.Errors) != 0 {
		f.t.Errorf("errors %v", list.Errors)
	}
	return list.Tools
}

func names(tools []listedTool) (names []string) {
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	return names
}

func (f *fixture) wantTools(arg object, want ...string) {
	f.t.Helper()
	if got := names(f.tools(arg)); !slices.Equal(got, want) {
		f.t.Errorf("tools %q, want %q", got, want)
	}
}

func TestToolsList_ResolveIsThereWhileSomethingCanBeResolved(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	f.wantTools(object{}, "ast_edit")
	f.wantTools(object{"includeHidden": true}, "ast_edit", "resolve")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	for _, client := range []*fixture{f, agent} {
		client.wantTools(object{}, "ast_edit", "resolve")
	}
	f.run("xcsh.resolve", object{"action": "discard", "reason": "r"})
	agent.wantTools(object{}, "ast_edit")
	f.stand("plan")
	agent.wantTools(object{}, "ast_edit", "resolve")
	f.run("xcsh.standing.set", object{"name": nil})
	agent.wantTools(object{}, "ast_edit")
}

func TestToolsList_Definitions(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	tools := f.tools(object{"includeHidden": true})
	want := map[string][]any{"ast_edit": {"ops"}, "resolve": {"action", "reason"}}
	for _, tool := range tools {
		if got, _ := tool.Parameters["required"].([]any); !slices.Equal(got, want[tool.Name]) || tool.Parameters["type"] != "object" {
			t.Errorf("%s: parameters %v", tool.Name, tool.Parameters)
		}
		resolves := tool.Name == "resolve"
		if tool.Hidden != resolves || tool.Deferrable == resolves || tool.Label == "" || tool.Description == "" || tool.Source["provider"] != "builtin" {
			t.Errorf("%+v", tool)
		}
	}
}

func TestToolsCall_FailuresAreResults(t *testing.T) {
	f := start(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"})
	for _, c := range []struct {
		tool   string
		params any
		want   string
	}{
		{"nobody", object{}, "Tool nobody not found"},
		{"Resolve", object{}, "Tool Resolve not found"},
		{"ast_edit", object{}, "ops is missing"},
		{"ast_edit", object{"ops": []any{}}, "`ops` must include at least one op entry"},
		{"ast_edit", object{"ops": []any{object{"pat": "a"}}}, "ops[0].out must be a string"},
		{"ast_edit", object{"ops": []any{object{"pat": "a", "out": "b"}}, "agent": object{"name": "x"}}, `unknown field "agent"`},
		{"resolve", object{}, `field "action" is required`},
		{"resolve", object{"action": "commit", "reason": "x"}, `field "action" must be "apply" or "discard", not "commit"`},
		{"resolve", object{"action": "apply", "reason": "  "}, "reason must not be blank"},
		{"resolve", object{"action": "apply", "reason": "x", "id": "y"}, `field "id" is not known`},
		{"resolve", object{"action": "apply", "reason": "x"}, "No pending action to resolve. Nothing to apply or discard."},
	} {
		got := f.call(c.tool, c.params)
		if !got.IsError || got.text() != c.want {
			t.Errorf("%s %v: error %v, %q, want %q", c.tool, c.params, got.IsError, got.text(), c.want)
		}
	}
	if got := f.call("resolve", object{"action": "discard", "reason": "x"}); got.IsError || got.text() != "Nothing to discard; no pending action remains." {
		t.Errorf("%+v", got)
	}
	if ids := f.pendingIDs(); len(ids) != 0 {
		t.Errorf("pending %q", ids)
	}
}

func TestToolsCall_MarkedAgent(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	mark := object{"name": "claude"}
	proposed := f.run("xcsh.tools.call", object{"name": "ast_edit", "params": edit("foo($A)", "bar($A)"), "toolCallId": "1", "agent": mark})
	if !strings.HasSuffix(proposed.text(), reminder) {
		t.Errorf("no reminder: %q", proposed.text())
	}
	f.run("xcsh.tools.call", object{"name": "resolve", "params": object{"action": "discard", "reason": "no"}, "agent": mark})
	if log := f.decisions(); len(log) != 1 || log[0].ProposedBy["name"] != "claude" || log[0].DecidedBy["name"] != "claude" {
		t.Errorf("decisions %+v", log)
	}
}

// resolve means the head that its connection was last shown, whoever pushed what
// since; a call that missed is told what is on top, and the next one means that.
func TestToolsCall_ResolveMeansTheHeadThatWasShown(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	discard := object{"action": "discard", "reason": "r"}
	mine, _ := agent.call("ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	theirs, _ := f.run("xcsh.ast_edit", edit("foo($A)", "baz($A)")).pending(t)

	got := agent.call("resolve", discard)
	const label = "AST Edit: 1 replacement in 1 file"
	wantText := "Pending action " + mine + ` is not the most recent one. Resolve "` + label + `" first.` + "\n" + `The most recent pending action is "` + label + `" (` + theirs + `).`
	if !got.IsError || got.text() != wantText || got.Details["kind"] != "notTop" {
		t.Errorf("%+v", got)
	}
	if ids := f.pendingIDs(); !slices.Equal(ids, []string{theirs, mine}) {
		t.Fatalf("pending %q", ids)
	}
	if got := agent.call("resolve", discard); got.IsError { // it has been shown now
		t.Errorf("%+v", got)
	}
	if got := agent.call("resolve", discard); got.IsError { // its own, without another look
		t.Errorf("%+v", got)
	}
	if ids := f.pendingIDs(); len(ids) != 0 {
		t.Fatalf("pending %q", ids)
	}

	// What a human has decided meanwhile is gone, and not another one.
	gone, _ := agent.call("ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	f.run("xcsh.resolve", object{"action": "discard", "reason": "r", "id": gone})
	if got := agent.call("resolve", discard); !got.IsError || got.text() != "Pending action "+gone+" is no longer pending." {
		t.Errorf("%+v", got)
	}
	if got := agent.call("resolve", discard); got.IsError {
		t.Errorf("nothing is pending, but %+v", got)
	}
}

// An agent that was never shown another's preview cannot apply it unseen.
func TestToolsCall_ResolveOfWhatWasNotSeen(t *testing.T) {
	f := start(t, editorNamed("an editor"), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	apply := object{"action": "apply", "reason": "r"}
	for _, want := range []string{
		`The most recent pending action "AST Edit: 1 replacement in 1 file" was proposed by another client. Pass its id to resolve it.`,
		"Preview is out of date: a.ts. It has been refreshed; review it and resolve again.",
	} {
		if got := agent.call("resolve", apply); !got.IsError || got.Content[0].Text != want {
			t.Errorf("%q, want %q", got.text(), want)
		}
	}
	if got := agent.call("resolve", apply); got.IsError {
		t.Errorf("%+v", got)
	}
	if f.disk("a.ts") != "bar(1);\n" {
		t.Errorf("a.ts is %q", f.disk("a.ts"))
	}
}

func TestToolsCall_Hooks(t *testing.T) {
	hooks := &resolve.Hooks{
		Before: []resolve.BeforeHook{func(_ context.Context, call resolve.ToolCall) (*resolve.BlockCall, error) {
			if call.Name == "ast_edit" && call.ID != "allowed" {
				return &resolve.BlockCall{}, nil
			}
			return nil, nil
		}},
		After: []resolve.AfterHook{func(_ context.Context, call resolve.ToolCall, result resolve.Result) (*resolve.Rewrite, error) {
			if call.Name != "resolve" {
				return nil, nil
			}
			failed := true
			return &resolve.Rewrite{Content: resolve.TextResult("marked", nil).Content, IsError: &failed}, nil
		}},
	}
	f := startWith(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"}, nil, func(c *lsp.Config) { c.Hooks = hooks })
	if got := f.call("ast_edit", edit("foo($A)", "bar($A)")); !got.IsError || got.text() != "Tool execution was blocked by an extension" || len(f.pendingIDs()) != 0 {
		t.Errorf("%+v", got)
	}
	f.run("xcsh.tools.call", object{"name": "ast_edit", "params": edit("foo($A)", "bar($A)"), "toolCallId": "allowed"})
	if got := f.call("resolve", object{"action": "discard", "reason": "r"}); !got.IsError || got.text() != "marked" || len(f.pendingIDs()) != 0 {
		t.Errorf("%+v", got)
	}
	f.stand("plan")
	if got := f.call("resolve", object{"action": "discard", "reason": "r"}); !got.IsError || got.text() != "marked" {
		t.Errorf("a standing handler's result: %+v", got)
	}
}

func TestToolsCall_CancelledIsAnError(t *testing.T) {
	f := start(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"})
	ctx, cancel := callContext()
	defer cancel()
	arrived, hold := make(chan bool), make(chan bool)
	f.stand("plan")
	f.OnStanding(func(json.RawMessage) (any, error) {
		arrived <- true
		<-hold
		return nil, nil
	})
	defer close(hold)
	call := f.beginWithToken(ctx, "xcsh.tools.call", object{"name": "resolve", "params": object{"action": "apply", "reason": "r"}}, "t1")
	<-arrived
	f.run("xcsh.cancel", object{"token": "t1"})
	if got := <-call; got.failed == nil || got.failed.Code != -32800 {
		t.Errorf("%+v", got)
	}
}

// What a revert has staged is shown by its answer.
func TestToolsCall_ResolveMeansTheRevert(t *testing.T) {
	f := start(t, agentNamed("codex"), map[string]string{"a.ts": "foo(1);\n"})
	f.call("ast_edit", edit("foo($A)", "bar($A)"))
	f.call("resolve", object{"action": "apply", "reason": "r"})
	f.call("ast_edit", edit("bar($A)", "baz($A)"))
	var log struct{ Decisions []struct{ ID string } }
	f.runInto("xcsh.decisions.list", object{}, &log)
	f.run("xcsh.decisions.revert", object{"id": log.Decisions[0].ID})
	if got := f.call("resolve", object{"action": "apply", "reason": "tests fail"}); got.IsError || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("%+v, a.ts %q", got, f.disk("a.ts"))
	}
}
