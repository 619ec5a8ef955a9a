package lsp_test

import (
	"context"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// prompted is a workspace with two pending actions, whose human has been asked for
// a reason to apply the upper one and has not answered yet.
type prompted struct {
	*fixture
	uri, lower, top string
	answer          chan *string
	outcome         <-chan answer
}

// startPrompted asks with the argument of xcsh.resolve that arg makes.
func startPrompted(t *testing.T, arg func(top string) map[string]any) *prompted {
	t.Helper()
	manners := lsptest.VSCodeLike()
	manners.Input = true
	p := &prompted{answer: make(chan *string, 1)}
	p.fixture, p.uri, p.lower, p.top = twoPending(t, manners)
	p.OnInput(func(lsptest.Input) *string { return <-p.answer })
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	t.Cleanup(cancel)
	p.outcome = p.begin(ctx, "xcsh.resolve", arg(p.top))
	p.WaitReceived("xcsh/input", 1)
	return p
}

func withID(top string) map[string]any {
	return map[string]any{"action": "apply", "id": top, "revision": 1}
}

func withoutID(string) map[string]any { return map[string]any{"action": "apply"} }

func (p *prompted) checkNothingApplied() {
	p.t.Helper()
	if got := p.Text(p.uri); got != "foo(1);\nold(2);\nplain;\n" || p.disk("b.ts") != "old(3);\n" {
		p.t.Errorf("a.ts is %q, b.ts %q", got, p.disk("b.ts"))
	}
}

func TestPrompt_HoldsUpNoOtherResolve(t *testing.T) {
	for name, arg := range map[string]func(string) map[string]any{"with id": withID, "without id": withoutID} {
		t.Run(name, func(t *testing.T) {
			p := startPrompted(t, arg)
			p.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r", "id": p.top})
			p.answer <- lsptest.Answer("too late")
			got := <-p.outcome
			if got.failed == nil {
				t.Fatalf("the late answer resolved something: %s", got.raw)
			}
			wantNotTop(t, got.failed.Data, got.failed.Message, "Pending action "+p.top+" is no longer pending.")
			p.checkNothingApplied()
			if ids := p.pendingIDs(); !slices.Equal(ids, []string{p.lower}) {
				t.Errorf("pending %v", ids)
			}
			if log := p.decisions(); len(log) != 1 || log[0].Action != "discard" {
				t.Errorf("decisions %+v", log)
			}
		})
	}
}

func TestPrompt_AnotherActionCameOnTop(t *testing.T) {
	for name, arg := range map[string]func(string) map[string]any{"with id": withID, "without id": withoutID} {
		t.Run(name, func(t *testing.T) {
			p := startPrompted(t, arg)
			newer, _ := p.run("xcsh.ast_edit", edit("plain", "fancy")).pending(t)
			p.answer <- lsptest.Answer("for the one that I saw")
			got := <-p.outcome
			if got.failed == nil {
				t.Fatalf("the answer resolved another action: %s", got.raw)
			}
			wantNotTop(t, got.failed.Data, got.failed.Message, "Pending action "+p.top+" is not the most recent one. Resolve \""+lowerLabel+"\" first.")
			p.checkNothingApplied()
			if ids := p.pendingIDs(); !slices.Equal(ids, []string{newer, p.top, p.lower}) {
				t.Errorf("pending %v", ids)
			}
		})
	}
}

func TestPrompt_PreviewChangedMeanwhile(t *testing.T) {
	for name, arg := range map[string]func(string) map[string]any{"with id": withID, "without id": withoutID} {
		t.Run(name, func(t *testing.T) {
			p := startPrompted(t, arg)
			p.write("b.ts", "old(33);\n")
			p.Change(p.uri, p.Edit(p.uri, "old(2)", "old(22)"))
			eventually(t, "the preview follows", func() bool {
				var list struct{ Actions []struct{ Revision int } }
				p.runInto("xcsh.pending.list", map[string]any{}, &list) // gives the connection the new revision
				return list.Actions[0].Revision == 2
			})
			p.answer <- lsptest.Answer("for what I saw")
			wantStale(t, (<-p.outcome).failed, outOfDate("a.ts"), p.top, "a.ts")
			if p.disk("b.ts") != "old(33);\n" {
				t.Error("b.ts was written")
			}
		})
	}
}

func TestPrompt_DismissedOrCancelled(t *testing.T) {
	t.Run("dismissed", func(t *testing.T) {
		p := startPrompted(t, withID)
		p.answer <- nil
		if got := <-p.outcome; got.failed != nil || string(got.raw) != `{"cancelled":true}` {
			t.Errorf("%s %v", got.raw, got.failed)
		}
		if ids := p.pendingIDs(); len(ids) != 2 {
			t.Errorf("pending %v", ids)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		manners := lsptest.VSCodeLike()
		manners.Input = true
		f, _, _, top := twoPending(t, manners)
		answer := make(chan *string, 1)
		f.OnInput(func(lsptest.Input) *string { return <-answer })
		ctx, cancel := context.WithCancel(context.Background())
		done := f.begin(ctx, "xcsh.resolve", withID(top))
		f.WaitReceived("xcsh/input", 1)
		cancel()
		wantError(t, (<-done).failed, -32800, "cancelled")
		answer <- lsptest.Answer("after the end")
		if ids := f.pendingIDs(); len(ids) != 2 || len(f.decisions()) != 0 {
			t.Errorf("pending %v", ids)
		}
		for _, m := range f.Messages() {
			t.Errorf("shown: %+v", m)
		}
	})
}

// An agent in a human's editor is not asked, nor is its human.
func TestPrompt_AgentIsNotAsked(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	marked := withoutID("")
	marked["agent"] = map[string]any{"name": "claude"}
	wantFailure(t, f.fails("xcsh.resolve", marked), `A reason is required: pass "reason".`)
	if asked := f.Requests("window/showMessageRequest"); len(asked) != 0 {
		t.Errorf("asked: %s", asked[0].Params)
	}
}

// An action that its tool gave no label is decided with a reason as any other.
func TestPrompt_ActionWithoutALabel(t *testing.T) {
	f := start(t, editorNamed("an editor"), nil)
	id := f.workspace.Session().Stage(session.Origin{SourceToolName: "custom_tool"}, session.Callbacks{
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			t.Error("applied without a reason")
			return resolve.Result{}, nil
		},
	}).ID
	asked := make(chan string, 1)
	f.OnMessageRequest(func(m lsptest.MessageRequest) *string { asked <- m.Message; return nil })
	if result := f.run("xcsh.resolve", object{"action": "apply", "id": id}); !result.Cancelled {
		t.Errorf("%+v", result)
	}
	select {
	case got := <-asked:
		if want := "Apply \"pending action\"? Why? The reason is kept with the decision."; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	default:
		t.Fatal("not asked for a reason")
	}
	agent := f.join(agentNamed("codex"), nil)
	wantFailure(t, agent.fails("xcsh.resolve", object{"action": "apply", "id": id}), `A reason is required: pass "reason".`)
}
