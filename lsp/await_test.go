package lsp_test

import (
	"context"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// told is the result of xcsh.pending.await.
type told struct {
	Decided        bool
	Action, Reason string
	Result         *toolResult
}

func (f *fixture) told(a answer) (out told) {
	f.t.Helper()
	if a.failed != nil {
		f.t.Fatal(a.failed)
	}
	decodeInto(f.t, a.raw, &out)
	return out
}

// The human's reason, on discard above all, reaches whoever proposed, and anybody
// else who waits; who comes late learns the same.
func TestAwait_TheReasonReachesTheProposer(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Input = true
	f := start(t, manners, loopFiles())
	f.OnInput(func(lsptest.Input) *string { return lsptest.Answer("too broad: leave the tests alone") })
	uri := f.Open(f.path("a.ts"), loopBuffer)
	f.arrived()
	agent, other := f.join(agentNamed("codex"), nil), f.join(agentNamed("claude"), nil)
	id, _ := agent.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)

	var waiting []<-chan answer
	for range 5 {
		waiting = append(waiting, agent.begin(context.Background(), "xcsh.pending.await", object{"id": id}), other.begin(context.Background(), "xcsh.pending.await", object{"id": id, "timeoutMs": 60_000}))
	}
	if _, failed := f.choose(checkShown(f, uri)[1]); failed != nil {
		t.Fatal(failed)
	}
	late := agent.begin(context.Background(), "xcsh.pending.await", object{"id": id, "timeoutMs": 0})
	for _, w := range append(waiting, late) {
		got := agent.told(<-w)
		if !got.Decided || got.Action != "discard" || got.Reason != "too broad: leave the tests alone" ||
			got.Result == nil || got.Result.text() != "Discarded: "+loopLabel+". Reason: too broad: leave the tests alone" {
			t.Errorf("told %+v", got)
		}
	}
	var log struct{ Decisions []decision }
	agent.runInto("xcsh.decisions.list", object{"pendingId": id}, &log)
	if len(log.Decisions) != 1 || log.Decisions[0].Reason != "too broad: leave the tests alone" || log.Decisions[0].ReasonFrom != "typed" {
		t.Errorf("log %+v", log)
	}
}

func TestAwait_AppliedWithItsResult(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	id, _ := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	waits := agent.begin(context.Background(), "xcsh.pending.await", object{"id": id})
	f.list()
	result := f.run("xcsh.resolve", object{"action": "apply", "id": id, "reason": "seen"})
	got := agent.told(<-waits)
	if !got.Decided || got.Action != "apply" || got.Reason != "seen" {
		t.Errorf("told %+v", got)
	}
	wantJSON(t, got.Result, result)
}

// Nobody decides in time, or ever: the caller is free again, and nothing changes.
func TestAwait_Undecided(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	id, _ := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	for _, ms := range []int{0, 20} {
		raw, failed := agent.command("xcsh.pending.await", object{"id": id, "timeoutMs": ms})
		if failed != nil || string(raw) != `{"decided":false}` {
			t.Errorf("%d ms: %s, %v", ms, raw, failed)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	byRequest := agent.begin(ctx, "xcsh.pending.await", object{"id": id})
	byToken := agent.beginWithToken(context.Background(), "xcsh.pending.await", object{"id": id}, "mine")
	agent.list() // others are not held up
	cancel()
	if got := <-byRequest; got.failed == nil || got.failed.Code != -32800 {
		t.Errorf("cancelled: %s, %v", got.raw, got.failed)
	}
	eventually(t, "the token cancels", func() bool { return agent.run("xcsh.cancel", object{"token": "mine"}).text() == "Cancelled." })
	if got := <-byToken; got.failed == nil || got.failed.Code != -32800 {
		t.Errorf("cancelled: %s, %v", got.raw, got.failed)
	}
	if ids := f.pendingIDs(); len(ids) != 1 || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("pending %v", ids)
	}
}

func TestAwait_Refused(t *testing.T) {
	f := start(t, lsptest.Plain(), nil)
	for _, c := range []struct {
		arg  any
		want string
	}{
		{object{}, "id is missing"},
		{object{"id": 3}, "id must be a string, not number"},
		{object{"id": "x", "timeoutMs": -1}, "timeoutMs must be from 0 to 3600000, not -1"},
		{object{"id": "x", "timeoutMs": 3_600_001}, "timeoutMs must be from 0 to 3600000, not 3600001"},
		{object{"id": "x", "timeoutMs": "1"}, "timeoutMs must be a whole number, not string"},
		{object{"id": "x", "more": 1}, `unknown field "more"`},
	} {
		wantError(t, f.fails("xcsh.pending.await", c.arg), -32602, c.want)
	}
	const id = "pending-action:ast_edit:7"
	failed := f.fails("xcsh.pending.await", object{"id": id})
	wantError(t, failed, -32803, "Pending action "+id+" is no longer pending, and how it was decided is not kept here any more. Look for it with xcsh.decisions.list.")
	if string(failed.Data) != `{"kind":"ToolError"}` {
		t.Errorf("data %s", failed.Data)
	}
}

// A connection that ends takes its waiting along, in time.
func TestAwait_EndsWithItsConnection(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	id, _ := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	cut := make(chan error, 1)
	go func() {
		_, err := agent.Call(context.Background(), "workspace/executeCommand", object{"command": "xcsh.pending.await", "arguments": []any{object{"id": id, "timeoutMs": time.Hour.Milliseconds()}}})
		cut <- err
	}()
	agent.list()
	agent.leave()
	if err := <-cut; err == nil {
		t.Error("answered")
	}
	if overdue := f.logs.FilterMessage("end of the connection").All(); len(overdue) != 0 {
		t.Errorf("%v", overdue[0].ContextMap())
	}
	f.list()
	f.run("xcsh.resolve", object{"action": "discard", "id": id, "reason": "r"})
}
