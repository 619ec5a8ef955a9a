package resolve_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// rejection is what an OnRejected was called with.
type rejection struct {
	choice resolve.ToolChoice
	reason resolve.RejectReason
}

// recorder records what the callbacks of a directive hear; its rejections have
// these outcomes in turn, then none.
type recorder struct {
	resolved []resolve.ToolChoice
	rejected []rejection
	outcomes []resolve.RejectOutcome
}

func (r *recorder) options(label string) resolve.DirectiveOptions {
	return resolve.DirectiveOptions{
		Label:      label,
		OnResolved: func(c resolve.ToolChoice) { r.resolved = append(r.resolved, c) },
		OnRejected: func(c resolve.ToolChoice, reason resolve.RejectReason) (outcome resolve.RejectOutcome) {
			r.rejected = append(r.rejected, rejection{c, reason})
			if len(r.outcomes) > 0 {
				outcome, r.outcomes = r.outcomes[0], r.outcomes[1:]
			}
			return outcome
		},
	}
}

func newQueue() *resolve.ToolChoiceQueue { return resolve.NewToolChoiceQueue(resolve.NewStore()) }

var (
	write    = resolve.Named("write")
	read     = resolve.Named("read")
	noTool   = resolve.ToolChoice{Type: resolve.ChoiceNone}
	autoTool = resolve.ToolChoice{Type: resolve.ChoiceAuto}
)

func label(l string) resolve.DirectiveOptions { return resolve.DirectiveOptions{Label: l} }

// wantNext takes choices until there is none.
func wantNext(t *testing.T, q *resolve.ToolChoiceQueue, want ...resolve.ToolChoice) {
	t.Helper()
	for _, w := range want {
		if got, ok := q.NextToolChoice(); !ok || got != w {
			t.Fatalf("next choice %v, %v, want %v", got, ok, w)
		}
	}
	wantNoNext(t, q)
}

func wantNoNext(t *testing.T, q *resolve.ToolChoiceQueue) {
	t.Helper()
	if got, ok := q.NextToolChoice(); ok {
		t.Errorf("next choice %v, want none", got)
	}
}

func wantInspect(t *testing.T, q *resolve.ToolChoiceQueue, want ...string) {
	t.Helper()
	if got := q.Inspect(); !slices.Equal(got, want) {
		t.Errorf("inspect %q, want %q", got, want)
	}
}

func wantRejected(t *testing.T, r *recorder, want ...rejection) {
	t.Helper()
	if !slices.Equal(r.rejected, want) {
		t.Errorf("rejected %v, want %v", r.rejected, want)
	}
}

func TestStatement43_OneChoice(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	q.PushOnce(write, r.options(""))
	wantInspect(t, q, "anonymous")
	if got, ok := q.NextToolChoice(); !ok || got != write {
		t.Fatalf("next %v, %v", got, ok)
	}
	wantInspect(t, q, "anonymous") // until the next call finds it exhausted
	q.Resolve()
	if !slices.Equal(r.resolved, []resolve.ToolChoice{write}) {
		t.Errorf("resolved %v", r.resolved)
	}
	wantNoNext(t, q)
	wantInspect(t, q)
}

func TestStatement44_Sequence(t *testing.T) {
	q := newQueue()
	q.PushSequence([]resolve.ToolChoice{write, noTool}, label("s"))
	wantNext(t, q, write, noTool)
}

func TestSequenceIsPulledLazilyAndEnded(t *testing.T) {
	q := newQueue()
	var pulled int
	ended := false
	q.Push(func(yield func(resolve.ToolChoice) bool) {
		defer func() { ended = true }()
		for {
			pulled++
			if !yield(autoTool) {
				return
			}
		}
	}, label("endless"))
	if pulled != 0 {
		t.Errorf("pulled %d values before any was needed", pulled)
	}
	q.NextToolChoice()
	q.NextToolChoice()
	if pulled != 2 || ended {
		t.Errorf("pulled %d values for 2 requests, ended %v", pulled, ended)
	}
	q.RemoveByLabel("endless")
	if !ended {
		t.Error("a removed sequence was not ended")
	}
}

func TestStatement45_NowOvertakes(t *testing.T) {
	q := newQueue()
	q.PushOnce(write, label("a"))
	q.PushOnce(read, resolve.DirectiveOptions{Label: "b", Now: true})
	wantInspect(t, q, "b", "a")
	wantNext(t, q, read, write)
}

func TestStatement46_NothingInFlight(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	q.PushOnce(write, r.options("a"))
	q.Resolve()
	q.Reject(resolve.RejectAborted)
	if len(r.resolved)+len(r.rejected) != 0 {
		t.Errorf("called back: %+v", r)
	}
	if _, ok := q.ConsumeLastServedLabel(); ok {
		t.Error("something counts as served")
	}
	wantNext(t, q, write)
}

func TestStatement47_RejectedHearsChoiceAndReason(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	q.PushOnce(write, r.options("a"))
	q.NextToolChoice()
	q.Reject(resolve.RejectAborted)
	wantRejected(t, r, rejection{write, resolve.RejectAborted})
	q.Reject(resolve.RejectAborted)
	wantRejected(t, r, rejection{write, resolve.RejectAborted}) // no longer in flight
}

func TestStatement48_RequeueReplaysTheLostChoice(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.Requeue}}
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	q.NextToolChoice()
	q.Reject(resolve.RejectError)
	wantNext(t, q, write, noTool)
}

func TestStatement49_RequeueLabel(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.Requeue, resolve.Requeue}}
	q.PushOnce(write, r.options(resolve.UserForceLabel))
	q.NextToolChoice()
	q.Reject(resolve.RejectError)
	wantInspect(t, q, "user-force-requeued", "user-force")
	q.RemoveByLabel("user-force")
	wantInspect(t, q, "user-force-requeued")
	q.NextToolChoice()
	q.Reject(resolve.RejectError)
	wantInspect(t, q, "user-force-requeued-requeued", "user-force-requeued")
}

func TestStatement50_RejectedWithoutCallbackIsDropped(t *testing.T) {
	q := newQueue()
	q.PushSequence([]resolve.ToolChoice{write, noTool}, label("a"))
	q.NextToolChoice()
	q.Reject(resolve.RejectError)
	wantNext(t, q, noTool) // only the one that was lost
}

func TestStatement51_RequeuedTwiceThenDropped(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.Requeue, resolve.Requeue, resolve.Drop}}
	q.PushOnce(write, r.options("a"))
	for range 3 {
		if _, ok := q.NextToolChoice(); !ok {
			t.Fatal("a requeued choice is gone")
		}
		q.Reject(resolve.RejectError)
	}
	lost := rejection{write, resolve.RejectError}
	wantRejected(t, r, lost, lost, lost)
	wantNoNext(t, q)
	wantInspect(t, q)
}

func TestStatement52_DropSequence(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.DropSequence}}
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	q.NextToolChoice()
	q.Reject(resolve.RejectUnavailable)
	wantNoNext(t, q)
}

// A descendant that drops the sequence takes the origin and its siblings along,
// and nothing of another sequence.
func TestStatement52_DropSequenceOfARequeuedChoice(t *testing.T) {
	q := newQueue()
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.Requeue, resolve.Requeue, resolve.DropSequence}}
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	q.PushOnce(read, label("b"))
	for range 2 { // the second is a descendant of a descendant
		q.NextToolChoice()
		q.Reject(resolve.RejectError)
	}
	q.NextToolChoice()
	q.Reject(resolve.RejectUnavailable)
	wantInspect(t, q, "b")
	wantNext(t, q, read)
}

func TestStatement53_NotInvokedIsRejected(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	opts := r.options("a")
	opts.OnInvoked = func(context.Context, resolve.Params) (resolve.Result, error) { return resolve.Result{}, nil }
	q.PushOnce(write, opts)
	q.NextToolChoice()
	q.Resolve()
	wantRejected(t, r, rejection{write, resolve.RejectNotInvoked})
	if len(r.resolved) != 0 || q.HasInFlight() {
		t.Errorf("resolved %v, in flight %v", r.resolved, q.HasInFlight())
	}
	if served, ok := q.ConsumeLastServedLabel(); ok {
		t.Errorf("%q counts as served", served)
	}
}

func TestStatement54_InvokedIsResolved(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	var got resolve.Params
	opts := r.options("a")
	opts.OnInvoked = func(_ context.Context, p resolve.Params) (resolve.Result, error) {
		got = p
		return resolve.TextResult("plan kept", nil), nil
	}
	if q.PeekInFlightInvoker() != nil {
		t.Error("an invoker with nothing in flight")
	}
	q.PushOnce(write, opts)
	q.NextToolChoice()
	result, err := q.PeekInFlightInvoker()(context.Background(), applyNow)
	if err != nil || result.Text() != "plan kept" || !reflect.DeepEqual(got, applyNow) {
		t.Errorf("answered %q, %v to %+v", result.Text(), err, got)
	}
	q.Resolve()
	if len(r.resolved) != 1 || len(r.rejected) != 0 {
		t.Errorf("resolved %v, rejected %v", r.resolved, r.rejected)
	}
}

func TestStatement55_RemoveByLabel(t *testing.T) {
	q := newQueue()
	q.PushOnce(write, label("a"))
	q.PushOnce(read, label("b"))
	q.PushOnce(read, label("a"))
	q.RemoveByLabel("a")
	wantInspect(t, q, "b")
}

func TestStatement56_RemoveByLabelOfWhatIsInFlight(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	q.NextToolChoice()
	q.RemoveByLabel("b")
	if !q.HasInFlight() || len(r.rejected) != 0 {
		t.Fatal("another label took it away")
	}
	q.RemoveByLabel("a")
	wantRejected(t, r, rejection{write, resolve.RejectRemoved})
	if q.HasInFlight() {
		t.Error("still in flight")
	}
	wantNoNext(t, q)
}

func TestStatement57_Clear(t *testing.T) {
	store := resolve.NewStore()
	q := resolve.NewToolChoiceQueue(store)
	r := &recorder{outcomes: []resolve.RejectOutcome{resolve.Requeue}}
	q.PushOnce(read, label("served"))
	q.NextToolChoice()
	q.Resolve()
	q.PushSequence([]resolve.ToolChoice{write, noTool}, r.options("a"))
	q.NextToolChoice()
	resolve.QueueResolveHandler(q, resolve.Action{Label: "L", SourceToolName: "s"})
	q.Clear()
	wantRejected(t, r, rejection{write, resolve.RejectCleared})
	wantInspect(t, q)
	wantNoNext(t, q)
	if q.HasPendingInvoker() || store.HasPending() {
		t.Error("something is still pending")
	}
	if served, ok := q.ConsumeLastServedLabel(); ok {
		t.Errorf("%q is still the last served label", served)
	}
}

func TestStatement58_LastServedLabel(t *testing.T) {
	q := newQueue()
	q.PushOnce(write, label("a"))
	q.NextToolChoice()
	q.Resolve()
	if got, ok := q.ConsumeLastServedLabel(); !ok || got != "a" {
		t.Errorf("last served %q, %v", got, ok)
	}
	if got, ok := q.ConsumeLastServedLabel(); ok {
		t.Errorf("last served again: %q", got)
	}
}

func TestNextOverwritesWhatIsInFlight(t *testing.T) {
	q := newQueue()
	r := &recorder{}
	q.PushSequence([]resolve.ToolChoice{write, read}, r.options("a"))
	q.NextToolChoice()
	q.NextToolChoice()
	q.Resolve()
	if !slices.Equal(r.resolved, []resolve.ToolChoice{read}) || len(r.rejected) != 0 {
		t.Errorf("resolved %v, rejected %v", r.resolved, r.rejected)
	}
}

func TestEndTurn(t *testing.T) {
	for stop, want := range map[resolve.StopReason][]rejection{
		resolve.StopError:   {{write, resolve.RejectError}},
		resolve.StopAborted: {{write, resolve.RejectAborted}},
		"end_turn":          nil,
	} {
		q := newQueue()
		r := &recorder{}
		q.PushOnce(write, r.options("a"))
		q.NextToolChoice()
		q.EndTurn(stop)
		if !slices.Equal(r.rejected, want) || (want == nil) != (len(r.resolved) == 1) || q.HasInFlight() {
			t.Errorf("%q: rejected %v, resolved %v", stop, r.rejected, r.resolved)
		}
		q.EndTurn(stop)
		if len(r.rejected)+len(r.resolved) != 1 {
			t.Errorf("%q: ended twice", stop)
		}
	}
}
