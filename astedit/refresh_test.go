package astedit_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

func refresh(t testing.TB, e *astedit.Engine, w *workspace, req astedit.Request, opts astedit.Options, prev *astedit.Result, path string) *astedit.Result {
	t.Helper()
	next, err := e.Refresh(context.Background(), w.snapshot(), req, opts, prev, path)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// After any edits of files that a result tracks, refreshing it gives what a run
// from nothing gives.
func TestRefreshEqualsRun(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(5, 6))
	for range 40 {
		w, names := randomWorkspace(t, r, 12)
		req := request("foo($A)", "bar($A)")
		req.Ops = append(req.Ops, astedit.Op{Pat: "class $X { }", Out: "x"}) // compiles in some languages only
		var opts astedit.Options
		req.Limit, opts.MaxFiles = limitsOf(r)
		result := run(t, e, w, req, opts)
		for step := range 15 {
			name := names[r.IntN(len(names))]
			if !result.Tracks(w.path(name)) {
				continue
			}
			switch r.IntN(8) {
			case 0:
				w.open[w.path(name)] = []byte(randomSource(r))
			case 1:
				delete(w.open, w.path(name))
			default:
				if _, open := w.open[w.path(name)]; open {
					w.open[w.path(name)] = []byte(randomSource(r))
				} else {
					w.write(name, randomSource(r))
				}
			}
			tracked := result
			result = refresh(t, e, w, req, opts, result, w.path(name))
			sameResult(t, result, run(t, e, w, req, opts))
			checkResult(t, w, result)
			if !result.LimitReached && !tracked.LimitReached && !result.Tracks(w.path(name)) {
				t.Errorf("step %d: %s is no longer tracked: its matches could come back unseen", step, name)
			}
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

func TestRefreshOfAFileThatIsGone(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	w.write("b.ts", "foo(2);\n")
	e, req := newEngine(t), request("foo($A)", "bar($A)")
	result := run(t, e, w, req, astedit.Options{})
	if err := os.Remove(w.path("a.ts")); err != nil {
		t.Fatal(err)
	}
	next := refresh(t, e, w, req, astedit.Options{}, result, w.path("a.ts"))
	sameResult(t, next, run(t, e, w, req, astedit.Options{}))
	if len(result.Files) != 2 {
		t.Errorf("the earlier result changed: %d files", len(result.Files))
	}
}

func TestRefreshOfAFileThatIsNotShown(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	w.write("b.ts", "other(2);\n")
	e, req := newEngine(t), request("foo($A)", "bar($A)")
	result := run(t, e, w, req, astedit.Options{})
	if result.Tracks(w.path("b.ts")) || !result.Tracks(w.path("a.ts")) {
		t.Error("tracks the wrong files")
	}
	if next := refresh(t, e, w, req, astedit.Options{}, result, w.path("b.ts")); next != result {
		t.Error("a file that the result does not track changed it")
	}
}
