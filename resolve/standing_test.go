package resolve_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// full is a session with everything that takes a call.
type full struct {
	*session
	queue    *resolve.ToolChoiceQueue
	standing *resolve.Standing
	got      []resolve.Params // what the standing handler was called with
}

func newFull(t *testing.T) *full {
	f := &full{session: newSession(t), standing: &resolve.Standing{}}
	f.queue = resolve.NewToolChoiceQueue(f.store)
	f.tool = resolve.NewTool(f.store, resolve.WithQueue(f.queue), resolve.WithStanding(f.standing))
	return f
}

func (f *full) stand(err error) (release func()) {
	return f.standing.Set("plan", func(_ context.Context, p resolve.Params) (resolve.Result, error) {
		f.got = append(f.got, p)
		return resolve.TextResult("stood", map[string]any{"by": "plan"}), err
	})
}

func (f *full) stageOne() string {
	return f.stage("L", "s", resolve.TextResult("applied", nil))
}

func TestStatement30_InFlightComesFirst(t *testing.T) {
	f := newFull(t)
	id := f.stageOne()
	f.stand(nil)
	f.queue.PushOnce(write, resolve.DirectiveOptions{OnInvoked: func(context.Context, resolve.Params) (resolve.Result, error) {
		return resolve.TextResult("in flight", map[string]any{"mine": true}), nil
	}})
	f.queue.NextToolChoice()
	result := f.must(resolve.Apply, "r")
	if result.Text() != "in flight" || len(f.applied) != 0 || len(f.got) != 0 {
		t.Errorf("answer %q, applied %d, stood %d", result.Text(), len(f.applied), len(f.got))
	}
	wantJSON(t, result.Details, `{"mine":true}`) // verbatim
	f.wantPending(id)
}

// There is no fall-through, whatever the one that was asked did.
func TestInFlightFailureIsNotPassedDown(t *testing.T) {
	f := newFull(t)
	f.stageOne()
	f.queue.PushOnce(write, resolve.DirectiveOptions{OnInvoked: func(context.Context, resolve.Params) (resolve.Result, error) {
		panic("plan is gone")
	}})
	f.queue.NextToolChoice()
	if _, err := f.resolve(resolve.Apply, "r"); err == nil || err.Error() != "plan is gone" || len(f.applied) != 0 {
		t.Errorf("error %v, applied %d times", err, len(f.applied))
	}
}

func TestStatement31_PendingComesBeforeStanding(t *testing.T) {
	f := newFull(t)
	f.stageOne()
	f.stand(nil)
	f.queue.PushOnce(write, label("no invoker")) // a directive without one takes no calls
	f.queue.NextToolChoice()
	if result := f.must(resolve.Apply, "r"); result.Text() != "applied" || len(f.got) != 0 {
		t.Errorf("answer %q, stood %d times", result.Text(), len(f.got))
	}
}

func TestStatement32_StandingHandler(t *testing.T) {
	f := newFull(t)
	f.stand(nil)
	p := resolve.Params{Action: resolve.Apply, Reason: "why", Extra: map[string]any{"title": "Plan"}}
	for range 2 {
		result, err := f.tool.Execute(context.Background(), p)
		if err != nil || result.Text() != "stood" {
			t.Fatalf("answer %q, %v", result.Text(), err)
		}
		wantJSON(t, result.Details, `{"by":"plan"}`)
	}
	if !reflect.DeepEqual(f.got, []resolve.Params{p, p}) {
		t.Errorf("called with %+v", f.got)
	}
	f.queue.Clear()
	f.must(resolve.Discard, "r")
	if len(f.got) != 3 {
		t.Error("clear took the standing handler away")
	}
	if _, ok := f.queue.PeekPendingHead(); ok {
		t.Error("a standing handler is pending")
	}
}

func TestStatement33_StandingErrorIsPassedOn(t *testing.T) {
	f := newFull(t)
	failed := errors.New("e")
	f.stand(failed)
	if _, err := f.resolve(resolve.Apply, "r"); err != failed {
		t.Errorf("error %v", err)
	}
}

func TestStatement34_NoStandingHandlerAnyMore(t *testing.T) {
	f := newFull(t)
	f.stand(nil)
	f.standing.Set("", nil)
	_, err := f.resolve(resolve.Apply, "x")
	wantToolError(t, err, nothingToResolve)
	if _, handler := f.standing.Peek(); handler != nil || len(f.got) != 0 {
		t.Error("the handler is still there")
	}
}

func TestReleaseLeavesAnothersHandler(t *testing.T) {
	f := newFull(t)
	release := f.stand(nil)
	f.stand(nil)
	release()
	if name, handler := f.standing.Peek(); handler == nil || name != "plan" {
		t.Fatal("the handler of another is gone")
	}
	again := f.stand(nil)
	again()
	if _, handler := f.standing.Peek(); handler != nil {
		t.Error("released, but still there")
	}
}
