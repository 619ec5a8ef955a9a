package session_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const goneText = "Cannot revert: what it needs is no longer stored."

func (f *fixture) revert(id string) (resolve.Result, session.PendingRef, error) {
	return f.Revert(context.Background(), session.Reversion{Decision: id, ProposedBy: human, Conn: conn})
}

// mustRevert stages the revert of the decision made last.
func (f *fixture) mustRevert() *session.PendingRef {
	f.t.Helper()
	_, ref, err := f.revert(f.decisions()[0].ID)
	if err != nil {
		f.t.Fatalf("revert: %v", err)
	}
	return &ref
}

func TestARevertGoesTheWayOfEveryEdit(t *testing.T) {
	before := map[string]string{"a.ts": "foo(1);\nfoo(2);\n", "src/b.ts": "foo(3);\n", "same.ts": "foo(1);"}
	f := newFixture(t, before)
	f.typed("src/b.ts", before["src/b.ts"])
	f.mustApply(f.stage(foo()))
	applied := f.decisions()[0]

	result, ref, err := f.Revert(context.Background(), session.Reversion{Decision: applied.ID, ProposedBy: agent, Conn: conn})
	if err != nil {
		t.Fatal(err)
	}
	const label = "Revert: AST Edit: 4 replacements in 3 files"
	want := "# a.ts (2 replacements)\n-1:1 bar(1)\n+1:1 foo(1)\n-2:1 bar(2)\n+2:1 foo(2)\n\n# same.ts (1 replacement)\n-1:1 bar(1)\n+1:1 foo(1)\n\n" +
		"# src\n## └─ b.ts (1 replacement)\n-1:1 bar(3)\n+1:1 foo(3)\n\n" + resolve.Reminder
	if result.Text() != want || ref.Label != label || *result.Details.(session.ProposalDetails).Pending != ref {
		t.Errorf("result %q, pending %+v", result.Text(), ref)
	}
	if top := f.top(); top.ID != ref.ID || top.SourceToolName != "revert" || top.ProposedBy != agent || top.Replacements() != 4 || top.Stale {
		t.Errorf("preview %+v", top)
	}
	f.wantDisk(map[string]string{"a.ts": "bar(1);\nbar(2);\n"}) // nothing is applied by itself

	done := f.mustApply(&ref)
	if done.Text() != "Reverted 4 replacements in 3 files." || done.IsWarning {
		t.Errorf("result %q", done.Text())
	}
	f.wantDisk(map[string]string{"a.ts": before["a.ts"], "same.ts": before["same.ts"]})
	f.wantOpen(map[string]string{"src/b.ts": before["src/b.ts"]})
	logged := f.decisions()[0]
	if logged.Label != label || logged.SourceToolName != "revert" || logged.Reverts != applied.ID || logged.Reason != "why" || len(logged.Files) != 3 ||
		logged.Files[0].Before != applied.Files[0].After || logged.Files[0].After != applied.Files[0].Before {
		t.Errorf("decision %+v", logged)
	}
	f.wantNoTraces()

	// A revert of a revert is the edit again.
	again := f.mustRevert()
	if again.Label != "Revert: "+label {
		t.Errorf("label %q", again.Label)
	}
	f.mustApply(again)
	f.wantDisk(map[string]string{"a.ts": "bar(1);\nbar(2);\n", "same.ts": "bar(1);"})
	f.wantOpen(map[string]string{"src/b.ts": "bar(3);\n"})
}

func TestWhatCannotBeReverted(t *testing.T) {
	files := map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"}
	f := newFixture(t, files)
	_, _, err := f.revert("gone")
	var param *resolve.ParamError
	if !errors.As(err, &param) || param.Field != "id" {
		t.Errorf("unknown id: %v", err)
	}
	if _, err := f.Resolve(context.Background(), call(resolve.Discard, f.stage(foo()))); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Cannot revert: it was discarded, so it changed nothing.")

	ref := f.Stage(toolOrigin, session.Callbacks{Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
		return resolve.TextResult("done", nil), nil
	}})
	f.mustApply(&ref)
	_, _, err = f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Cannot revert: it changed no files that are known here.")

	f.mustApply(f.stage(foo()))
	f.write("a.ts", "bar(1); //\n")
	f.typed("b.ts", "bar(2); //\n") // unsaved
	_, _, err = f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Cannot revert: a.ts, b.ts changed since.")
	f.write("a.ts", "bar(1);\n")
	_, _, err = f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Cannot revert: b.ts changed since.")
	f.typed("b.ts", "bar(2);\n")
	if err := os.Remove(f.path("a.ts")); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Cannot revert: a.ts changed since.")
	f.wantPending()
}

func TestARevertThatBecomesStaleIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
		f.mustApply(f.stage(foo()))
		ref := f.mustRevert()
		f.typed("a.ts", "bar(11);\n")
		settle()
		if top := f.top(); !top.Stale || top.Refused != "Cannot revert: a.ts changed since." {
			t.Errorf("preview %+v", top)
		}
		_, err := f.apply(ref)
		wantStale(t, err, "Cannot revert: a.ts changed since.", *ref, "a.ts")
		f.wantDisk(map[string]string{"b.ts": "bar(2);\n"})
		f.typed("a.ts", "bar(1);\n")
		f.mustApply(ref)
		f.wantOpen(map[string]string{"a.ts": "foo(1);\n"})
	})
}

// Every byte comes back, whatever the file is made of and wherever it is open: only
// the mark that an editor does not show may differ from what was applied.
func TestARevertGivesTheBytesBack(t *testing.T) {
	const bom = text.BOM
	for name, disk := range map[string]string{
		"crlf":             "foo(1);\r\nfoo(2);\r\n",
		"no final newline": "foo(1);\nfoo(2)",
		"byte order mark":  bom + "foo(1);\r\n",
		"lone cr":          "foo(1);\rfoo(2);\r",
		"astral":           "foo('😀'); foo('é́');\n",
	} {
		shown := strings.TrimPrefix(disk, bom)
		t.Run(name+", on disk", func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": disk})
			f.mustApply(f.stage(foo()))
			f.mustApply(f.mustRevert())
			f.wantDisk(map[string]string{"a.ts": disk})
		})
		t.Run(name+", in the editor", func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": disk})
			f.typed("a.ts", shown)
			f.mustApply(f.stage(foo()))
			f.mustApply(f.mustRevert())
			f.wantOpen(map[string]string{"a.ts": shown})
		})
		t.Run(name+", saved and closed in between", func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": disk})
			f.typed("a.ts", shown)
			f.mustApply(f.stage(foo()))
			saved, _ := f.host.text(f.path("a.ts"))
			f.write("a.ts", strings.TrimSuffix(disk, shown)+string(saved))
			f.host.close(f.path("a.ts"))
			f.mustApply(f.mustRevert())
			f.wantDisk(map[string]string{"a.ts": disk})
		})
		t.Run(name+", opened in between", func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": disk})
			f.mustApply(f.stage(foo()))
			content, err := os.ReadFile(f.path("a.ts"))
			if err != nil {
				t.Fatal(err)
			}
			f.typed("a.ts", strings.TrimPrefix(string(content), bom))
			f.mustApply(f.mustRevert())
			f.wantOpen(map[string]string{"a.ts": shown})
		})
	}
}

// A restart forgets what is pending, and nothing that was decided.
func TestARevertAfterARestart(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	f.mustApply(f.stage(foo()))
	f.restart()
	ref := f.mustRevert()
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "foo(1);\n"})
	if got := f.decisions(); len(got) != 2 || got[0].Session == got[1].Session || got[0].Reverts != got[1].ID {
		t.Errorf("decisions %+v", got)
	}
}

func TestWhatARevertNeedsIsGone(t *testing.T) {
	blobs := func(f *fixture) []string {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(f.stateDir, "store", "*.gz"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	for name, lose := range map[string]func(*fixture) error{
		"removed":   func(f *fixture) error { return os.Remove(blobs(f)[0]) },
		"cut short": func(f *fixture) error { return os.Truncate(blobs(f)[0], 10) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
			f.mustApply(f.stage(foo()))
			if err := lose(f); err != nil {
				t.Fatal(err)
			}
			_, _, err := f.revert(f.decisions()[0].ID)
			wantToolError(t, err, goneText)
		})
	}
	t.Run("dropped for the limit", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.Contents.SetLimit(4096)
		f.mustApply(f.stage(foo()))
		f.mustApply(f.stage(rule("bar($A)", "baz($A)")))
		if f.logs.FilterMessageSnippet("decisions.storeMB").Len() != 1 {
			t.Errorf("not reported: %v", f.logs.All())
		}
		_, _, err := f.revert(f.decisions()[1].ID)
		wantToolError(t, err, goneText)
		f.mustApply(f.mustRevert())
		f.wantDisk(map[string]string{"a.ts": "bar(1);\n"})
	})
	t.Run("nothing is kept", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.Contents.SetLimit(0)
		if result := f.mustApply(f.stage(foo())); result.IsWarning {
			t.Errorf("warned of what was asked for: %q", result.Text())
		}
		_, _, err := f.revert(f.decisions()[0].ID)
		wantToolError(t, err, goneText)
	})
	t.Run("does not lead back", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.mustApply(f.stage(foo()))
		d := f.decisions()[0]
		kept, err := f.Contents.Get(d.Undo)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := f.Contents.Put(bytes.Replace(kept, []byte(d.Files[0].Before), []byte(d.Files[0].After), 1))
		if err != nil {
			t.Fatal(err)
		}
		d.Undo = wrong.Hash
		if d, err = f.Decisions.Append(d); err != nil {
			t.Fatal(err)
		}
		_, _, err = f.revert(d.ID)
		wantToolError(t, err, goneText)
	})
	t.Run("no log, no store", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.Decisions.SetDisabled(true)
		f.mustApply(f.stage(foo()))
		if _, err := os.Stat(f.stateDir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("state folder: %v", err)
		}
	})
}

// An apply stands where what its revert needs cannot be kept, and says so.
func TestAStoreThatCannotBeWrittenIsReported(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	if err := errors.Join(os.MkdirAll(f.stateDir, 0o700), os.WriteFile(filepath.Join(f.stateDir, "store"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	result := f.mustApply(f.stage(foo()))
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n"})
	const begin = "Warning: this cannot be reverted later, since what that needs is not kept: write to the store "
	if !result.IsWarning || len(result.Warnings) != 1 || !strings.HasPrefix(result.Warnings[0], begin) {
		t.Errorf("warnings %q", result.Warnings)
	}
	_, _, err := f.revert(f.decisions()[0].ID)
	wantToolError(t, err, goneText)

	t.Run("too large", func(t *testing.T) {
		noise := make([]byte, 20_000)
		r := rand.New(rand.NewSource(1))
		for i := range noise {
			noise[i] = byte('a' + r.Intn(26))
		}
		f := newFixture(t, map[string]string{"a.ts": "foo('" + string(noise) + "');\n"})
		f.Contents.SetLimit(4096)
		result := f.mustApply(f.stage(rule("foo($A)", "bar()")))
		const want = "Warning: this cannot be reverted later, since what that needs is larger than the setting decisions.storeMB allows."
		if len(result.Warnings) != 1 || result.Warnings[0] != want {
			t.Errorf("warnings %q", result.Warnings)
		}
	})
}

// A file that is in no workspace folder any more is not written to.
func TestARevertOutsideTheWorkspace(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	f.mustApply(f.stage(foo()))
	f.host.moveTo(t.TempDir())
	_, _, err := f.revert(f.decisions()[0].ID)
	wantToolError(t, err, "Path is outside the workspace: "+f.path("a.ts"))
}

// What a revert needs is on the disk before the decision is in the log: a decision
// that is logged can be reverted, whenever the program ends.
func TestTheStoreIsWrittenBeforeTheLog(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	if err := os.MkdirAll(filepath.Join(f.stateDir, "decisions.jsonl"), 0o700); err != nil { // where the log should be
		t.Fatal(err)
	}
	result := f.mustApply(f.stage(foo()))
	if len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "decisions.jsonl") {
		t.Errorf("warnings %q", result.Warnings)
	}
	if stored, err := filepath.Glob(filepath.Join(f.stateDir, "store", "*.gz")); err != nil || len(stored) != 1 {
		t.Errorf("stored %v, %v", stored, err)
	}
}

func TestARevertCanBeCancelled(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	f.mustApply(f.stage(foo()))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := f.Revert(ctx, session.Reversion{Decision: f.decisions()[0].ID, ProposedBy: human, Conn: conn})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	f.wantPending()
}
