package session_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// settle waits, in a bubble of synctest, until every preview is up to date.
func settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func TestPreviewFollowsItsFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n", "c.ts": "x;\n"})
		ref := f.stage(foo())
		notified := 0
		f.Subscribe(func() { notified++ })

		f.typed("c.ts", "y;\n")
		if f.top().Stale {
			t.Error("stale by a file that the preview does not show")
		}
		f.typed("a.ts", "foo(1);\nfoo(2);\n")
		f.write("b.ts", "other(1);\n")
		f.FileChanged(f.path("b.ts"))
		if top := f.top(); !top.Stale || top.Revision != 1 {
			t.Errorf("right after the change: stale %v, revision %d", top.Stale, top.Revision)
		}
		settle()
		now := session.PendingRef{ID: ref.ID, Label: "AST Edit: 2 replacements in 1 file", Revision: 2}
		f.wantPending(now)
		if f.top().Stale || notified != 1 {
			t.Errorf("stale %v, %d notifications", f.top().Stale, notified)
		}
		f.mustApply(&now)
		f.wantOpen(map[string]string{"a.ts": "bar(1);\nbar(2);\n"})
		f.wantDisk(map[string]string{"b.ts": "other(1);\n"})
	})
}

func TestUnchangedFileGivesNoNewRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		f.typed("a.ts", "foo(1);\n") // opened
		settle()
		f.host.close(f.path("a.ts"))
		settle()
		f.wantPending(*ref)
		if f.top().Stale {
			t.Error("still stale")
		}
	})
}

func TestMatchesThatWentComeBack(t *testing.T) {
	undo := func(t *testing.T, f *fixture, ref *session.PendingRef, revision int) {
		t.Helper()
		f.typed("a.ts", "foo(1);\n")
		settle()
		f.wantPending(session.PendingRef{ID: ref.ID, Label: ref.Label, Revision: revision})
	}
	t.Run("by a refresh", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
			ref := f.stage(foo())
			f.typed("a.ts", "fo(1);\n")
			settle()
			f.wantPending(session.PendingRef{ID: ref.ID, Label: "AST Edit: 0 replacements in 0 files", Revision: 2})
			undo(t, f, ref, 3)
		})
	})
	t.Run("by a failed apply", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
			ref := f.stage(foo())
			f.typed("a.ts", "fo(1);\n")
			_, err := f.apply(ref)
			wantToolError(t, err, "Preview is out of date: nothing matches any more. Discard it.")
			undo(t, f, ref, 3)
		})
	})
	t.Run("where everything is run again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
			limit := 1.0
			req := foo()
			req.Limit = &limit
			ref := f.stage(req)
			f.typed("a.ts", "fo(1);\n")
			settle()
			if top := f.top(); top.File(f.path("b.ts")) == nil {
				t.Errorf("preview %+v does not go on with b.ts", top.Files)
			}
			undo(t, f, ref, 3)
		})
	})
}

func TestSeveralPreviewsShowOneFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\nbaz(1);\n", "b.ts": "qux(1);\n"})
		low, mid, top := f.stage(foo()), f.stage(rule("baz($A)", "")), f.stage(rule("qux($A)", ""))
		f.typed("a.ts", "foo(1);\n")
		_, stack := f.Pending()
		if stack[0].Stale || !stack[1].Stale || !stack[2].Stale {
			t.Errorf("stale: %v %v %v", stack[0].Stale, stack[1].Stale, stack[2].Stale)
		}
		settle()
		f.wantPending(*top,
			session.PendingRef{ID: mid.ID, Label: "AST Edit: 0 replacements in 0 files", Revision: 2},
			session.PendingRef{ID: low.ID, Label: low.Label, Revision: 2})
	})
}

func TestApplyRefreshesTheOthersAndNotItself(t *testing.T) {
	for _, place := range []string{"in the editor", "on disk"} {
		t.Run(place, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, map[string]string{"a.ts": "foo(1);\nbaz(1);\n"})
				if place == "in the editor" {
					f.typed("a.ts", "foo(1);\nbaz(1);\n")
				}
				low, top := f.stage(rule("baz($A)", "qux($A)")), f.stage(foo())
				during := func() {
					settle() // all the time that a refresh could want
					f.wantPending(*top, session.PendingRef{ID: low.ID, Label: low.Label, Revision: f.pending()[1].Revision})
					if f.top().Stale {
						t.Error("stale by its own edits")
					}
				}
				f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
					err := takes(h, docs)
					during()
					return err
				}
				f.mustApply(top)
				_, stack := f.Pending()
				if place == "on disk" && !stack[0].Stale {
					t.Error("the other preview is not stale")
				}
				settle()
				now := session.PendingRef{ID: low.ID, Label: low.Label, Revision: 2}
				f.wantPending(now)
				if f.top().Stale {
					t.Error("still stale")
				}
				f.host.edit = takes
				f.mustApply(&now)
				want := map[string]string{"a.ts": "bar(1);\nqux(1);\n"}
				if place == "on disk" {
					f.wantDisk(want)
				} else {
					f.wantOpen(want)
				}
			})
		})
	}
}

func TestFailedApplyFollowsItsFilesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
		f.typed("a.ts", "foo(1);\n")
		ref := f.stage(foo())
		f.disk.fail(failAt("rename", "b.ts"))
		if _, err := f.apply(ref); err == nil {
			t.Fatal("no error")
		}
		settle()
		f.wantPending(*ref) // all is as it was
		if f.top().Stale {
			t.Error("stale for ever by edits that were taken back")
		}
	})
}

// A keystroke during a long dry run is in no preview yet that could follow it.
func TestFileThatChangesDuringTheDryRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		// Reported after the run's view of the workspace, whatever it shows.
		progress := false
		f.host.workspace = func() {
			if !progress {
				progress = true
				f.write("a.ts", "foo(1);\n")
				f.FileChanged(f.path("a.ts"))
			}
		}
		f.stage(foo())
		if !f.top().Stale {
			t.Error("not stale, though a file changed after the run had begun")
		}
		f.write("a.ts", "foo(1);\nfoo(2);\n")
		settle()
		if top := f.top(); top.Stale || top.Revision != 2 || top.Replacements() != 2 {
			t.Errorf("stale %v, revision %d, %d replacements", top.Stale, top.Revision, top.Replacements())
		}
	})
}

// A preview that is being made anew while an apply begins must not slip in
// between what the caller saw and what is written.
func TestRefreshAndApplyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		release := make(chan struct{})
		first := true
		f.host.workspace = func() {
			if first {
				first = false
				<-release
			}
		}
		f.typed("a.ts", "foo(2);\n")
		settle() // the refresh now waits for its view of the workspace
		_, err := f.apply(ref)
		now := session.PendingRef{ID: ref.ID, Label: ref.Label, Revision: 2}
		wantStale(t, err, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.", now, "a.ts")
		close(release)
		settle()
		f.wantPending(now)
		f.wantOpen(map[string]string{"a.ts": "foo(2);\n"})
		f.mustApply(&now)
	})
}

// A refresh that began before an apply must not replace what the apply found.
func TestApplyOvertakesARefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		release := make(chan struct{})
		f.host.viewed = func() {
			f.host.viewed = nil
			<-release
		}
		f.typed("a.ts", "foo(2);\n")
		settle() // the refresh now has a view that grows old
		f.typed("a.ts", "foo(3);\n")
		_, err := f.apply(ref)
		now := session.PendingRef{ID: ref.ID, Label: ref.Label, Revision: 2}
		wantStale(t, err, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.", now, "a.ts")
		close(release)
		settle()
		f.wantPending(now)
		if top := f.top(); top.Stale || string(top.Files[0].Old) != "foo(3);\n" {
			t.Errorf("stale %v, preview of %q", top.Stale, top.Files[0].Old)
		}
	})
}

func TestFileThatChangesDuringARefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.stage(foo())
		f.host.viewed = func() {
			f.host.viewed = nil
			f.typed("a.ts", "foo(3);\n")
		}
		f.typed("a.ts", "gone;\n")
		settle()
		if top := f.top(); top.Stale || string(top.Files[0].Old) != "foo(3);\n" {
			t.Errorf("stale %v, preview of %q", top.Stale, top.Files[0].Old)
		}
	})
}

func TestRefreshThatFailsLeavesThePreviewStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"src/a.ts": "foo(1);\nfoo(2);\n"})
		limit := 1.0
		req := foo()
		req.Limit, req.Paths = &limit, []string{"src"}
		ref := f.stage(req)
		settle()
		old := f.dir
		f.host.dir = f.t.TempDir() // the folder has gone
		f.FileChanged(f.path("src/a.ts"))
		settle()
		if !f.top().Stale || f.logs.FilterMessage("make preview anew").Len() != 1 {
			t.Errorf("stale %v, log %v", f.top().Stale, f.logs.All())
		}
		f.host.dir = old // and is back
		f.FileChanged(f.path("src/a.ts"))
		settle()
		f.wantPending(*ref)
		if f.top().Stale {
			t.Error("still stale")
		}
	})
}

// synctest fails where a goroutine outlives the test.
func TestCloseEndsTheRefresher(t *testing.T) {
	for _, moment := range []string{"idle", "during the delay"} {
		t.Run(moment, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
				ref := f.stage(foo())
				f.typed("a.ts", "x;\n")
				if moment == "idle" {
					settle()
				}
				f.Close()
				if moment != "idle" {
					f.wantPending(*ref)
				}
				f.typed("a.ts", "y;\n") // late news hurts nobody
				f.Close()
			})
		})
	}
}

func TestDiscardedPreviewIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		f.typed("a.ts", "foo(2);\n")
		if _, err := f.Resolve(t.Context(), call(resolve.Discard, ref)); err != nil {
			t.Fatal(err)
		}
		views := 0
		f.host.workspace = func() { views++ }
		f.typed("a.ts", "foo(3);\n")
		settle()
		if views != 0 {
			t.Errorf("%d views of the workspace", views)
		}
	})
}
