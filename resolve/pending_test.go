package resolve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestStatement27_StagingForcesNothing(t *testing.T) {
	q := newQueue()
	q.PushOnce(write, label("a"))
	resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	wantInspect(t, q, "a")
	if q.HasInFlight() {
		t.Error("something is in flight")
	}
	wantNext(t, q, write)
}

// All that staging does is to change the stack: the one message there is comes
// from asking for the directive, and asking leaves no trace.
func TestStatement28_StagingSendsNothing(t *testing.T) {
	store := resolve.NewStore()
	q := resolve.NewToolChoiceQueue(store)
	var changes, pushes int
	store.Subscribe(func() { changes++ })
	store.SubscribePush(func(resolve.Action, int) { pushes++ })
	q.PushOnce(write, resolve.DirectiveOptions{Label: "a", OnInvoked: func(context.Context, resolve.Params) (resolve.Result, error) {
		t.Error("staging called a directive")
		return resolve.Result{}, nil
	}})
	q.NextToolChoice()
	resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s", Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
		t.Error("staging applied")
		return resolve.Result{}, nil
	}})
	if changes != 1 || pushes != 1 {
		t.Errorf("%d changes and %d pushes, want one each", changes, pushes)
	}
}

func TestStatement29_SessionWithoutQueue(t *testing.T) {
	if id := resolve.QueueResolveHandler(nil, resolve.Action{Label: "L", SourceToolName: "s"}); id != "" {
		t.Errorf("staged as %q", id)
	}
}

func TestQueueResolveHandlerStages(t *testing.T) {
	s := newSession(t)
	q := resolve.NewToolChoiceQueue(s.store)
	id := resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s", Apply: s.apply(resolve.TextResult("done", nil), errors.New("no"))})
	s.wantPending(id)
	if head, ok := q.PeekPendingHead(); !ok || head != (resolve.PendingHead{ID: id, SourceToolName: "s"}) {
		t.Errorf("head %+v, %v", head, ok)
	}
	// A failed apply is registered again under its id.
	invoke := q.PeekPendingInvoker()
	_, err := invoke(context.Background(), applyNow)
	wantToolError(t, err, "Apply failed: no")
	s.wantPending(id)
	if result, err := invoke(context.Background(), applyNow); err != nil || result.Text() != "done" {
		t.Errorf("second apply: %q, %v", result.Text(), err)
	}
	s.wantPending()
	// It was consumed, and what an old view of the head does now is nothing.
	_, err = invoke(context.Background(), applyNow)
	wantToolError(t, err, nothingToResolve)
	if len(s.applied) != 2 || q.PeekPendingInvoker() != nil {
		t.Errorf("applied %d times", len(s.applied))
	}
}

func TestStatement59_RegisteredTwiceIsOnce(t *testing.T) {
	s := newSession(t)
	q := resolve.NewToolChoiceQueue(s.store)
	answer := func(text string) resolve.Invoker {
		return func(context.Context, resolve.Params) (resolve.Result, error) {
			return resolve.TextResult(text, map[string]any{"mine": true}), nil
		}
	}
	q.RegisterPendingInvoker("x", "s", answer("first"))
	q.RegisterPendingInvoker("y", "s", answer("y"))
	q.RegisterPendingInvoker("x", "t", answer("second"))
	s.wantPending("x", "y")
	if head, _ := q.PeekPendingHead(); head != (resolve.PendingHead{ID: "x", SourceToolName: "t"}) {
		t.Errorf("head %+v", head)
	}
	// The tool calls it and passes its answer on; it removes itself.
	if result := s.must(resolve.Apply, "r"); result.Text() != "second" {
		t.Errorf("answer %q", result.Text())
	} else {
		wantJSON(t, result.Details, `{"mine":true}`)
	}
	s.wantPending("x", "y")
	q.RemovePendingInvoker("nobody")
	q.RemovePendingInvoker("x")
	s.wantPending("y")
}

func TestStatement60_ClearPendingInvokersKeepsDirectives(t *testing.T) {
	q := newQueue()
	q.PushOnce(write, label("a"))
	resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	q.ClearPendingInvokers()
	if q.HasPendingInvoker() {
		t.Error("still pending")
	}
	wantInspect(t, q, "a")
	wantNext(t, q, write)
}

// The store and the queue's registry are two views of one stack: whatever is done
// through either, both tell the same of it (resolve.md 4).
func TestBothViewsAgree(t *testing.T) {
	store := resolve.NewStore()
	q := resolve.NewToolChoiceQueue(store)
	tool := resolve.NewTool(store, resolve.WithQueue(q))
	rng := rand.New(rand.NewPCG(1, 2))
	act := resolve.Action{Label: "L", SourceToolName: "s", Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
		if rng.IntN(2) == 0 {
			return resolve.Result{}, errors.New("no")
		}
		return resolve.Result{}, nil
	}}
	for step := range 20_000 {
		switch rng.IntN(9) {
		case 0, 1:
			store.Push(act)
		case 2:
			resolve.QueueResolveHandler(q, act)
		case 3:
			q.RegisterPendingInvoker([]string{"x", "y"}[rng.IntN(2)], "s", nil)
		case 4:
			q.RemovePendingInvoker("x")
		case 5:
			store.Pop()
		case 6:
			_, _ = tool.Execute(context.Background(), applyNow)
		case 7:
			if invoke := q.PeekPendingInvoker(); invoke != nil {
				_, _ = invoke(context.Background(), resolve.Params{Action: resolve.Discard})
			}
		case 8:
			if rng.IntN(100) == 0 {
				q.Clear()
			}
		}
		top, some := store.Peek()
		head, ok := q.PeekPendingHead()
		if some != ok || head.ID != top.ID || head.SourceToolName != top.SourceToolName || q.HasPendingInvoker() != store.HasPending() || (q.PeekPendingInvoker() != nil) != some {
			t.Fatalf("step %d: the store has %q (%v), the queue %+v (%v)", step, top.ID, some, head, ok)
		}
	}
}

func TestStatement71_CustomToolWithoutAName(t *testing.T) {
	s := newSession(t)
	if _, err := resolve.PushPendingAction(s.store.Push, resolve.Action{Label: "L"}); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, s.must(resolve.Discard, "r").Details, `{"action":"discard","reason":"r","sourceToolName":"custom_tool","label":"L"}`)
	if _, err := resolve.PushPendingAction(s.store.Push, resolve.Action{Label: "L", SourceToolName: "mine"}); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, s.must(resolve.Discard, "r").Details, `{"action":"discard","reason":"r","sourceToolName":"mine","label":"L"}`)
}

func TestStatement72_CustomToolDetailsStayPrivate(t *testing.T) {
	s := newSession(t)
	for _, decision := range []resolve.Kind{resolve.Apply, resolve.Discard} {
		_, err := resolve.PushPendingAction(s.store.Push, resolve.Action{
			Label: "L", Details: map[string]any{"secret": 1}, Apply: s.apply(resolve.TextResult("done", nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		result := s.must(decision, "r")
		wantJSON(t, result.Details, `{"action":"`+string(decision)+`","reason":"r","sourceToolName":"custom_tool","label":"L"}`)
	}
}

func TestStatement73_NoSink(t *testing.T) {
	_, err := resolve.PushPendingAction(nil, resolve.Action{Label: "L"})
	wantToolError(t, err, "Pending action store unavailable for custom tools in this runtime.")
}

func TestStatement61_HardChoiceComesFirst(t *testing.T) {
	q := newQueue()
	id := resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	q.PushOnce(write, label("a"))
	d := q.NextDirective(active("write", "resolve"), time.Time{})
	if d.Hard != write || d.Soft != nil {
		t.Errorf("directive %+v", d)
	}
	if head, ok := q.PeekPendingHead(); !ok || head.ID != id {
		t.Errorf("head %+v, %v", head, ok)
	}
}

func TestStatement62_SoftRequirement(t *testing.T) {
	q := newQueue()
	id := resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	for range 2 {
		d := q.NextDirective(active("resolve"), time.Time{})
		if d.Soft == nil || !d.Hard.IsZero() || d.Soft.ID != id || d.Soft.ToolName != "resolve" {
			t.Errorf("directive %+v", d)
		}
	}
	if d := q.NextDirective(active("read"), time.Time{}); d.Soft != nil {
		t.Error("a tool is asked for that is not active")
	}
	q.ClearPendingInvokers()
	if d := q.NextDirective(active("resolve"), time.Time{}); d.Soft != nil || !d.Hard.IsZero() {
		t.Errorf("nothing is pending, but %+v", d)
	}
}

func TestHardChoiceOfAToolThatIsNotActive(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.DropSequence}}
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	id := resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	d := q.NextDirective(active("resolve"), time.Time{})
	if !d.Hard.IsZero() || d.Soft == nil || d.Soft.ID != id {
		t.Errorf("directive %+v", d)
	}
	wantRejected(t, r, rejection{write, resolve.RejectUnavailable})
	wantInspect(t, q)
}

func TestStatement63_Reminder(t *testing.T) {
	q := newQueue()
	resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "ast_edit"})
	now := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	reminders := q.NextDirective(active("resolve"), now).Soft.Reminder
	if len(reminders) != 1 {
		t.Fatalf("%d reminders", len(reminders))
	}
	wantJSON(t, reminders[0], `{
		"role": "custom", "customType": "resolve-reminder", "display": false, "attribution": "agent",
		"content": "<system-reminder>\nThis is a preview. Call the `+"`resolve`"+` tool to apply or discard these changes.\n</system-reminder>",
		"details": {"toolName": "ast_edit"}, "timestamp": 1767323045006
	}`)
}
