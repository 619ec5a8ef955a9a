package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

var errInjected = errors.New("injected failure")

func failAt(op, name string) func(op, path string) error {
	return func(gotOp, path string) error {
		if gotOp == op && filepath.Base(path) == name {
			return errInjected
		}
		return nil
	}
}

// three are three files to change: on disk, in the editor, in a folder.
func three() map[string]string {
	return map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n"}
}

func TestStatement67_AFailedWriteUndoesAll(t *testing.T) {
	for _, op := range []string{"stage", "rename"} {
		t.Run(op, func(t *testing.T) {
			f := newFixture(t, three())
			if err := os.Chmod(f.path("a.ts"), 0o640); err != nil {
				t.Fatal(err)
			}
			ref := f.stage(foo())
			f.disk.fail(failAt(op, "b.ts"))
			_, err := f.apply(ref)
			wantToolError(t, err, "Apply failed: Failed to write b.ts: injected failure")
			if !errors.Is(err, errInjected) {
				t.Error("the cause is lost")
			}
			f.wantDisk(three())
			f.wantNoTraces()
			f.wantPending(*ref)
			if info, err := os.Stat(f.path("a.ts")); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}

			f.disk.fail(nil)
			f.mustApply(ref)
			f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "b.ts": "bar(2);\n", "c/d.ts": "bar(3);\n"})
		})
	}
}

func TestStatement67_AFolderIsNamedByItsDisplayPath(t *testing.T) {
	f := newFixture(t, three())
	ref := f.stage(foo())
	if err := os.Chmod(f.path("c/d.ts"), 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: Failed to write c/d.ts: the file is read-only")
	f.wantDisk(three())
	f.wantNoTraces()
}

func TestFilesThatCannotBePutBackAreInDoubt(t *testing.T) {
	f := newFixture(t, three())
	ref := f.stage(foo())
	f.disk.fail(func(op, path string) error {
		if op == "put back" {
			return errInjected
		}
		return failAt("rename", "b.ts")(op, path)
	})
	_, err := f.apply(ref)
	left := f.traces()
	if len(left) != 1 {
		t.Fatalf("left behind %v, want the old text of a.ts alone", left)
	}
	wantToolError(t, err, "Apply failed: Failed to write b.ts: injected failure. In doubt: a.ts (its old text is in "+left[0]+").")
	if old, err := os.ReadFile(left[0]); err != nil || string(old) != "foo(1);\n" {
		t.Errorf("%s holds %q, %v", left[0], old, err)
	}
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n"})
	f.wantPending(*ref)
}

func TestOldTextsThatStayAreLogged(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	ref := f.stage(foo())
	f.disk.fail(func(op, path string) error {
		if op == "remove" {
			return errInjected
		}
		return nil
	})
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n"})
	logged := f.logs.FilterMessage("old texts of applied files could not be removed").All()
	if len(logged) != 1 || !reflect.DeepEqual(logged[0].ContextMap()["paths"], toAny(f.traces())) {
		t.Errorf("log %v, left behind %v", f.logs.All(), f.traces())
	}
}

func toAny(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func TestCancelBeforeTheFirstWrite(t *testing.T) {
	for _, moment := range []string{"before the call", "during the run", "while staging"} {
		t.Run(moment, func(t *testing.T) {
			f := newFixture(t, three())
			f.typed("b.ts", "foo(2);\n")
			ref := f.stage(foo())
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			switch moment {
			case "before the call":
				cancel()
			case "during the run":
				f.host.workspace = cancel
			case "while staging":
				f.disk.fail(func(op, _ string) error { cancel(); return nil })
			}
			_, err := f.Resolve(ctx, call("apply", ref))
			if !errors.Is(err, context.Canceled) || err.Error() != "Aborted: Cancelled" {
				t.Errorf("error %v", err)
			}
			f.wantDisk(three())
			f.wantOpen(map[string]string{"b.ts": "foo(2);\n"})
			if len(f.host.asked) != 0 {
				t.Errorf("the editor was asked for %v", f.host.asked)
			}
			f.wantNoTraces()
			f.wantPending(*ref)

			f.host.workspace = nil
			f.mustApply(ref)
		})
	}
}

func TestCancelAfterTheFirstWriteIsIgnored(t *testing.T) {
	for _, outcome := range []string{"success", "failure"} {
		t.Run(outcome, func(t *testing.T) {
			f := newFixture(t, three())
			f.typed("b.ts", "foo(2);\n")
			ref := f.stage(foo())
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
				cancel()
				if outcome == "failure" {
					return errRefused
				}
				return takes(h, docs)
			}
			result, err := f.Resolve(ctx, call("apply", ref))
			if outcome == "failure" {
				wantToolError(t, err, "Apply failed: the client refused the edit.")
				f.wantPending(*ref)
				return
			}
			if err != nil || result.Text() != "Applied 3 replacements in 3 files." {
				t.Errorf("%q, %v", result.Text(), err)
			}
			f.wantPending()
			if got, _ := f.Decisions.List(0, "", ""); len(got) != 1 {
				t.Errorf("%d decisions logged", len(got))
			}
		})
	}
}
