package lsp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// A client that never answers one kind of request costs nothing else.
func TestMuteClient_WorkGoesOn(t *testing.T) {
	for _, method := range []string{protocol.MethodWorkspaceConfiguration, protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodClientRegisterCapability} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := startMute(t, method)
			if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.HasPrefix(got, "# a.ts") {
				t.Errorf("preview %q", got)
			}
			f.run("xcsh.resolve", applyNow())
		})
	}
}

// A question that nobody answers does not keep the server from ending.
func TestMuteClient_PromptAtTheEnd(t *testing.T) {
	for name, end := range map[string]func(*fixture){
		"exit":              func(f *fixture) { f.Shutdown() },
		"the stream closes": func(f *fixture) { _ = f.wire.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			manners := lsptest.Plain()
			manners.NoShowMessageRequest = true
			q := startQuad(t, manners, shortDeadlines)
			q.inject(frame(`{"jsonrpc":"2.0","id":"raw","method":"workspace/executeCommand","params":{"command":"xcsh.resolve","arguments":[{"action":"apply"}]}}`))
			q.WaitReceived(protocol.MethodWindowShowMessageRequest, 1)
			end(q.fixture)
			shutdown := <-q.ended
			q.ended <- shutdown
			if overdue := q.logs.FilterMessage("end of the connection").All(); len(overdue) != 0 {
				t.Errorf("%v", overdue[0].ContextMap())
			}
			if shutdown != (name == "exit") {
				t.Errorf("shutdown %v", shutdown)
			}
			q.checkDisk()
		})
	}
}

// Two resolves of one action: one is carried out, the other is told that it is gone.
func TestResolve_OneAfterTheOther(t *testing.T) {
	t.Parallel()
	q := startQuad(t, slowly(lsptest.Plain()), shortDeadlines)
	first := q.begin(context.Background(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	discard := q.applyArgument()
	discard["action"] = "discard"
	second := q.begin(context.Background(), "xcsh.resolve", discard)
	if got := <-first; got.failed != nil {
		t.Error(got.failed)
	}
	got := <-second
	if got.failed == nil {
		t.Fatalf("resolved twice: %s", got.raw)
	}
	wantNotTop(t, got.failed.Data, got.failed.Message, "Pending action "+q.id+" is no longer pending.")
	q.checkApplied()
	if log := q.decisions(); len(log) != 1 || log[0].Action != "apply" {
		t.Errorf("decisions %+v", log)
	}
}

// While an apply waits for the editor, everything else goes on.
func TestApply_HoldsUpNothing(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.Silent(), lsp.Deadlines{Answer: 5 * time.Second, Verify: time.Hour})
	done := q.begin(context.Background(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	q.Hover(q.a, q.Range(q.a, "foo"))
	q.CodeActions(q.a, q.Range(q.a, "foo"))
	q.Change(q.b, q.Edit(q.b, "foo(2)", "foo(22)"))
	second, _ := q.run("xcsh.ast_edit", edit("foo($A)", "baz($A)")).pending(t)
	q.pendingIDs()
	select {
	case got := <-done:
		t.Fatalf("the apply came to its end before the rest was done: %+v", got)
	default:
	}
	wantFailure(t, (<-done).failed, "Apply failed: the client did not answer within 5s. In doubt: b.ts.")
	// A failed apply makes its action the head again (resolve.md 7.3).
	if ids := q.pendingIDs(); len(ids) != 2 || ids[0] != q.id || ids[1] != second {
		t.Errorf("pending %v", ids)
	}
}
