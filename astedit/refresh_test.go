package astedit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
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

// The previews of an open document that is typed in are those of a run from nothing,
// with trees that follow it as without.
func TestRefreshOfTypingEqualsRun(t *testing.T) {
	cold, warm := newEngine(t), newEngine(t)
	warm.KeepTrees(64 << 20)
	r := rand.New(rand.NewPCG(8, 9))
	w := newWorkspace(t)
	const part = "function f%d(a) { return foo(a, [1, foo(2)]) + other(`${a}`) }\n"
	var first []byte
	for i := range 40 {
		first = fmt.Appendf(first, part, i)
	}
	w.write("a.ts", string(first))
	for range 2 {
		path, req := w.path("a.ts"), request("foo($$$A)", "bar($$$A)")
		w.open[path] = first
		result := run(t, warm, w, req, astedit.Options{})
		for range 150 {
			old := w.open[path]
			at := r.IntN(len(old))
			switch r.IntN(4) {
			case 0:
				w.open[path] = slices.Concat(old[:at], []byte(" "), old[at:])
			case 1:
				w.open[path] = slices.Concat(old[:at], old[min(len(old), at+r.IntN(9)):])
			case 2:
				w.open[path] = slices.Concat(old[:at], []byte("foo(é)\n"), old[at:])
			default:
				w.open[path] = first
			}
			result = refresh(t, warm, w, req, astedit.Options{}, result, path)
			want := run(t, cold, w, req, astedit.Options{})
			if differ := result.Differences(want); len(differ) > 0 || len(result.Files) != len(want.Files) {
				t.Fatalf("after an edit at byte %d: the changes differ", at)
			}
		}
		warm.KeepLive(func(string) bool { return false })
	}
}
