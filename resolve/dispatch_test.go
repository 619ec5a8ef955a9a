package resolve_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// What was pushed while an apply ran lies above it until the apply fails: the
// failed one is registered again, and so comes first.
func TestFailedApplyOvertakesWhatWasPushedMeanwhile(t *testing.T) {
	s := newSession(t)
	var pushed string
	id := s.store.Push(resolve.Action{Label: "A", SourceToolName: "s",
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			pushed = s.stage("B", "s", resolve.Result{})
			return resolve.Result{}, errors.New("no")
		}})
	if _, err := s.resolve(resolve.Apply, "r"); err == nil {
		t.Fatal("apply succeeded")
	}
	s.wantPending(id, pushed)
}

func TestPanickingListenerDoesNotHideTheFailure(t *testing.T) {
	s := newSession(t)
	id := s.stage("L", "s", resolve.Result{}, errors.New("disk full"))
	unsubscribe := s.store.Subscribe(func() { panic("listener") })
	_, err := s.resolve(resolve.Apply, "r")
	wantToolError(t, err, "Apply failed: disk full")
	s.wantPending(id)
	unsubscribe()
	s.must(resolve.Apply, "r")
}

func TestGuard(t *testing.T) {
	s := newSession(t)
	dispatch := func(guard resolve.Guard) (resolve.Result, error) {
		return s.tool.Dispatch(context.Background(), resolve.Params{Action: resolve.Apply, Reason: "r"}, guard)
	}
	called := false
	_, err := dispatch(func(head *resolve.Action) error { called = head == nil; return nil })
	wantToolError(t, err, nothingToResolve)
	if !called {
		t.Error("the guard of an empty stack was not called with nil")
	}

	a := s.stage("A", "s", resolve.TextResult("did A", nil))
	version := s.store.Version()
	refused := errors.New("refused")
	if _, err := dispatch(func(head *resolve.Action) error { return refused }); err != refused {
		t.Errorf("error %v, want the guard's own", err)
	}
	if len(s.applied) != 0 || s.store.Version() != version {
		t.Error("a refused call changed something")
	}
	s.wantPending(a)

	// What the guard saw is what is resolved.
	var b string
	result, err := dispatch(func(head *resolve.Action) error {
		if head.ID != a {
			t.Errorf("head %q, want %q", head.ID, a)
		}
		b = s.stage("B", "s", resolve.Result{})
		return nil
	})
	if err != nil || result.Text() != "did A" {
		t.Errorf("%q, %v, want A applied", result.Text(), err)
	}
	s.wantPending(b)
}

func TestOnDecided(t *testing.T) {
	var got []resolve.Decided
	var s *session
	s = newSession(t, resolve.OnDecided(func(ctx context.Context, d resolve.Decided) {
		if ctx.Done() != nil {
			t.Error("the observer's context can end")
		}
		if _, ok := s.store.Get(d.Action.ID); ok {
			t.Error("a decided action is still pending")
		}
		got = append(got, d)
	}))
	s.must(resolve.Discard, "nothing there")
	first := s.stage("A", "s", resolve.TextResult("did A", nil), errors.New("no"))
	_, _ = s.resolve(resolve.Apply, "fails")
	if len(got) != 0 {
		t.Fatalf("observed what was not decided: %+v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	result, err := s.tool.Dispatch(ctx, resolve.Params{Action: resolve.Apply, Reason: "works"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second := s.stage("B", "s", resolve.Result{})
	s.must(resolve.Discard, "not B")
	if len(got) != 2 {
		t.Fatalf("observed %d decisions, want 2", len(got))
	}
	if got[0].Action.ID != first || got[0].Params.Reason != "works" || !reflect.DeepEqual(got[0].Result, result) {
		t.Errorf("first decision %+v", got[0])
	}
	if got[1].Action.ID != second || got[1].Params.Action != resolve.Discard {
		t.Errorf("second decision %+v", got[1])
	}
}
