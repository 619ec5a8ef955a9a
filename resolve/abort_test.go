package resolve_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

var applyNow = resolve.Params{Action: resolve.Apply, Reason: "r"}

// slow is an action whose apply says that it runs and ends when told how.
type slow struct {
	running chan context.Context
	finish  chan error
}

func newSlow() *slow { return &slow{make(chan context.Context, 1), make(chan error, 1)} }

func (s *slow) action() resolve.Action {
	return resolve.Action{Label: "slow", SourceToolName: "s",
		Apply: func(ctx context.Context, _ string, _ map[string]any) (resolve.Result, error) {
			s.running <- ctx
			return resolve.TextResult("done", nil), <-s.finish
		}}
}

type answer struct {
	result resolve.Result
	err    error
}

func start(call func() (resolve.Result, error)) <-chan answer {
	ch := make(chan answer, 1)
	go func() {
		result, err := call()
		ch <- answer{result, err}
	}()
	return ch
}

func wantAbort(t *testing.T, err error, message string) {
	t.Helper()
	var abort *resolve.AbortError
	if !errors.As(err, &abort) || err.Error() != message || abort.Name() != "AbortError" {
		t.Errorf("error %T %v, want AbortError %q", err, err, message)
	}
}

func TestStatement35_AbortedBeforeTheCall(t *testing.T) {
	s := newSession(t)
	id := s.stage("L", "s", resolve.Result{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.tool.Execute(ctx, applyNow)
	wantAbort(t, err, "Aborted: Cancelled")
	for range 50 { // a free turn and an ended context are both ready: either may be picked
		_, err = s.tool.Dispatch(ctx, applyNow, func(*resolve.Action) error { t.Error("guard called"); return nil })
		wantAbort(t, err, "Aborted: Cancelled")
	}
	if len(s.applied) != 0 {
		t.Error("apply was called")
	}
	s.wantPending(id)
}

func TestStatement36_AbortDuringASlowApply(t *testing.T) {
	for name, failure := range map[string]error{"then success": nil, "then failure": errors.New("disk full")} {
		t.Run(name, func(t *testing.T) {
			s, slow := newSession(t), newSlow()
			id := s.store.Push(slow.action())
			ctx, cancel := context.WithCancelCause(context.Background())
			user := errors.New("user")
			done := start(func() (resolve.Result, error) { return s.tool.Execute(ctx, applyNow) })
			callbackCtx := within(t, slow.running, "the apply")
			cancel(user)
			err := within(t, done, "the abort").err
			wantAbort(t, err, "Aborted: user")
			if !errors.Is(err, user) {
				t.Error("the cause is lost")
			}
			if callbackCtx.Err() != nil {
				t.Error("the callback's context ended")
			}
			s.wantPending(id)

			slow.finish <- failure
			if err := s.tool.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			if failure == nil {
				s.wantPending()
			} else {
				s.wantPending(id)
			}
		})
	}
}

func TestStatement37_AbortWithoutCause(t *testing.T) {
	s, slow := newSession(t), newSlow()
	s.store.Push(slow.action())
	ctx, cancel := context.WithCancel(context.Background())
	done := start(func() (resolve.Result, error) { return s.tool.Execute(ctx, applyNow) })
	within(t, slow.running, "the apply")
	cancel()
	err := within(t, done, "the abort").err
	wantAbort(t, err, "Aborted: Cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Error("the error is not context.Canceled")
	}
	slow.finish <- nil
	if err := s.tool.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestExecuteThatIsNotAborted(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.TextResult("done", nil))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if result, err := s.tool.Execute(ctx, applyNow); err != nil || result.Text() != "done" {
		t.Errorf("%q, %v", result.Text(), err)
	}
}

func TestStatement38_ParallelAppliesRunOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, finish := newSession(t), make(chan bool)
		ran := 0
		s.store.Push(resolve.Action{Label: "L", Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			ran++
			<-finish
			return resolve.Result{}, nil
		}})
		execute := func() (resolve.Result, error) { return s.tool.Execute(context.Background(), applyNow) }
		first := start(execute)
		synctest.Wait()
		second := start(execute)
		synctest.Wait() // both are as far as they get
		if ran != 1 {
			t.Errorf("%d applies run", ran)
		}
		close(finish)
		if err := (<-first).err; err != nil {
			t.Error(err)
		}
		wantToolError(t, (<-second).err, nothingToResolve)
		if ran != 1 {
			t.Errorf("apply ran %d times", ran)
		}
	})
}

// A waiter that gives up leaves without having run anything, whatever entry
// point it waits at.
func TestAbortWhileWaiting(t *testing.T) {
	s, slow := newSession(t), newSlow()
	below := s.stage("below", "s", resolve.Result{})
	s.store.Push(slow.action())
	first := start(func() (resolve.Result, error) { return s.tool.Execute(context.Background(), applyNow) })
	within(t, slow.running, "the apply")

	ctx, cancel := context.WithCancel(context.Background())
	guard := func(*resolve.Action) error { t.Error("guard called"); return nil }
	dispatch := start(func() (resolve.Result, error) { return s.tool.Dispatch(ctx, applyNow, guard) })
	execute := start(func() (resolve.Result, error) { return s.tool.Execute(ctx, applyNow) })
	if err := s.tool.Wait(canceled()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait during a resolve: %v", err)
	}
	cancel()
	wantAbort(t, within(t, dispatch, "the end of Dispatch").err, "Aborted: Cancelled")
	wantAbort(t, within(t, execute, "the end of Execute").err, "Aborted: Cancelled")
	slow.finish <- nil
	if err := within(t, first, "the first call").err; err != nil {
		t.Error(err)
	}
	if err := s.tool.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	if len(s.applied) != 0 {
		t.Error("an abandoned call applied")
	}
	s.wantPending(below)
}

func TestDispatchGivesTheCallbackItsContext(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	id := s.store.Push(resolve.Action{Label: "L", SourceToolName: "s",
		Apply: func(got context.Context, _ string, _ map[string]any) (resolve.Result, error) {
			if got != ctx {
				t.Error("the callback has another context")
			}
			cancel(errors.New("user"))
			return resolve.Result{}, got.Err()
		}})
	_, err := s.tool.Dispatch(ctx, applyNow, nil)
	wantAbort(t, err, "Aborted: user")
	s.wantPending(id)
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
