package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// gone is what is said of an id that is neither pending nor remembered.
func gone(id string) string {
	return "Pending action " + id + " is no longer pending, and how it was decided is not kept here any more. Look for it with xcsh.decisions.list."
}

func TestAwaitTellsEveryWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		const waiters = 20
		outcomes := make(chan session.Outcome, waiters)
		for range waiters {
			go func() {
				outcome, err := f.Await(t.Context(), ref.ID)
				if err != nil {
					t.Error(err)
				}
				outcomes <- outcome
			}()
		}
		cancelled, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error, 1)
		go func() { _, err := f.Await(cancelled, ref.ID); ended <- err }()
		synctest.Wait()
		if len(outcomes) != 0 {
			t.Fatal("decided before anybody did")
		}
		cancel(errors.New("enough"))
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}

		discard := call(resolve.Discard, ref)
		discard.Params.Reason = "not now"
		if _, err := f.Resolve(context.Background(), discard); err != nil {
			t.Fatal(err)
		}
		for range waiters {
			got := <-outcomes
			if got.Action != resolve.Discard || got.Reason != "not now" || !strings.HasPrefix(got.Result.Text(), "Discarded: ") {
				t.Errorf("outcome %+v", got)
			}
		}
	})
}

// A decision can be asked for afterwards, even by one whose time is up, until so
// many others have been made.
func TestAwaitOfWhatHasBeenDecided(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	ref := f.stage(foo())
	f.mustApply(ref)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	got, err := f.Await(over, ref.ID)
	if err != nil || got.Action != resolve.Apply || got.Reason != "why" || got.Result.Text() != "Applied 1 replacement in 1 file." {
		t.Errorf("outcome %+v %q, %v", got, got.Result.Text(), err)
	}

	const kept = 256
	for range kept {
		if _, err := f.Await(over, ref.ID); err != nil {
			t.Fatalf("forgotten too early: %v", err)
		}
		other := f.Stage(toolOrigin, session.Callbacks{})
		if _, err := f.Resolve(context.Background(), call(resolve.Discard, &other)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = f.Await(context.Background(), ref.ID)
	wantToolError(t, err, gone(ref.ID))
	const never = "pending-action:ast_edit:9999"
	_, err = f.Await(context.Background(), never)
	wantToolError(t, err, gone(never))
}

// An apply that fails decides nothing.
func TestAwaitOutlastsAFailedApply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.typed("a.ts", "foo(1);\n")
		ref := f.stage(foo())
		f.host.edit = refuses(errRefused)
		outcomes := make(chan session.Outcome, 1)
		go func() {
			outcome, err := f.Await(t.Context(), ref.ID)
			if err != nil {
				t.Error(err)
			}
			outcomes <- outcome
		}()
		synctest.Wait()
		if _, err := f.apply(ref); err == nil {
			t.Error("the apply did not fail")
		}
		synctest.Wait()
		if len(outcomes) != 0 {
			t.Fatal("a failed apply was told as a decision")
		}
		f.host.edit = takes
		f.mustApply(ref)
		if got := <-outcomes; got.Action != resolve.Apply {
			t.Errorf("outcome %+v", got)
		}
	})
}

// The one who waits is told what the one who decides is told.
func TestAwaitToldWhatIsNotKept(t *testing.T) {
	f := newFixture(t, nil)
	if err := os.WriteFile(f.stateDir, nil, 0o600); err != nil { // where the log's folder should be
		t.Fatal(err)
	}
	ref := f.Stage(toolOrigin, session.Callbacks{})
	decided, err := f.Resolve(context.Background(), call(resolve.Discard, &ref))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Await(context.Background(), ref.ID)
	if err != nil || len(decided.Warnings) != 1 || fmt.Sprint(got.Result) != fmt.Sprint(decided.Result) {
		t.Errorf("told %+v, %v\nwant %+v", got.Result, err, decided)
	}
}
