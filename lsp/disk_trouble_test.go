package lsp_test

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// Trouble with one file on disk, before the apply or while the editor makes its part:
// the failure names the file as the user knows it, and all else is as before.
func TestDiskTrouble_IsNamedAndUndone(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile bool // while the editor has the edit
		trouble   func(f *fixture) error
		lost      []string // what the trouble itself takes away
		want      string   // how the message begins
	}{
		"read-only file":            {false, func(f *fixture) error { return os.Chmod(f.path("in/c.ts"), 0o444) }, nil, "Apply failed: Failed to write in/c.ts: the file is read-only"},
		"the file goes":             {false, func(f *fixture) error { return os.Remove(f.path("in/c.ts")) }, []string{"in/c.ts"}, "Preview is out of date: in/c.ts."},
		"the folder goes":           {false, func(f *fixture) error { return os.RemoveAll(f.path("in")) }, []string{"in/c.ts", "in/d.ts"}, "Preview is out of date: in/c.ts, in/d.ts."},
		"a folder in its place":     {false, folderInstead, []string{"in/c.ts"}, "Preview is out of date: in/c.ts."},
		"the file goes meanwhile":   {true, func(f *fixture) error { return os.Remove(f.path("in/c.ts")) }, []string{"in/c.ts"}, "Apply failed: "},
		"the folder goes meanwhile": {true, func(f *fixture) error { return os.RemoveAll(f.path("in")) }, []string{"in/c.ts", "in/d.ts"}, "Apply failed: "},
		"a folder meanwhile":        {true, folderInstead, []string{"in/c.ts"}, "Apply failed: "},
		"read-only meanwhile":       {true, func(f *fixture) error { return os.Chmod(f.path("in/c.ts"), 0o444) }, nil, "Apply failed: in/c.ts changed on disk meanwhile"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n", "in/c.ts": "foo(3);\n", "in/d.ts": "foo(4);\n"}
			f := startWith(t, slowly(lsptest.Plain()), old, nil, short)
			uri := f.OpenFile(f.path("a.ts"))
			f.wantFiles("a.ts", "b.ts", "in/c.ts", "in/d.ts")
			if !c.meanwhile {
				if err := c.trouble(f); err != nil {
					t.Fatal(err)
				}
			}
			done := f.begin(t.Context(), "xcsh.resolve", applyNow())
			if c.meanwhile {
				f.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
				if err := c.trouble(f); err != nil {
					t.Fatal(err)
				}
			}
			got := <-done
			if got.failed == nil || !strings.HasPrefix(got.failed.Message, c.want) || !strings.Contains(got.failed.Message, "in/c.ts") {
				t.Errorf("error %v, want %q and the file's name", got.failed, c.want)
			}
			f.Wait("the document to be as before", func() bool { return f.Text(uri) == old["a.ts"] })
			for _, gone := range c.lost {
				delete(old, gone)
			}
			for name, content := range old {
				if f.disk(name) != content {
					t.Errorf("%s is %q", name, f.disk(name))
				}
			}
			if len(f.pendingIDs()) != 1 {
				t.Error("not pending any more")
			}
			f.nothingStaged()
		})
	}
}

func folderInstead(f *fixture) error {
	if err := os.Remove(f.path("in/c.ts")); err != nil {
		return err
	}
	return os.Mkdir(f.path("in/c.ts"), 0o755)
}

// nothingStaged fails where a hidden file of an apply is left.
func (f *fixture) nothingStaged() {
	f.t.Helper()
	err := filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(entry.Name(), ".xcsh-") {
			f.t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// Modes, and links inside the workspace, are kept; the link's target is what is
// written.
func TestDiskTrouble_ModesAndLinksAreKept(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"tool.ts": "foo(1);\n", "real/x.ts": "foo(2);\n"})
	if err := os.Chmod(f.path("tool.ts"), 0o750); err != nil {
		t.Fatal(err)
	}
	f.link("real/x.ts", "link.ts")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	if info, err := os.Stat(f.path("tool.ts")); err != nil || info.Mode().Perm() != 0o750 || f.disk("tool.ts") != "bar(1);\n" {
		t.Errorf("mode %v, %v, text %q", info.Mode(), err, f.disk("tool.ts"))
	}
	if to, err := os.Readlink(f.path("link.ts")); err != nil || to != f.path("real/x.ts") || f.disk("link.ts") != "bar(2);\n" {
		t.Errorf("the link leads to %q, %v, where there is %q", to, err, f.disk("link.ts"))
	}
}

// Two servers on one workspace, or on a folder and one within it, apply the same edit
// at once: it is made once, and the other server is told; neither takes the other's
// text for its own, or the other's apply for one that was cut off.
func TestDiskTrouble_TwoServersApplyAtOnce(t *testing.T) {
	for round := range 20 {
		files := map[string]string{"in/a.ts": "foo(1);\n", "in/b.ts": "foo(2);\n", "in/c.ts": "foo(3);\n"}
		one := startWith(t, lsptest.Plain(), files, nil, short)
		two := &fixture{t: t, workspace: lsp.NewWorkspace(one.cfg), cfg: one.cfg, dir: one.dir, state: one.state, logs: one.logs, ended: make(chan bool, 1)}
		t.Cleanup(two.workspace.Close)
		two.serve(lsptest.Plain(), func(server net.Conn) net.Conn { return server })
		two.Initialize(nil, []string{one.dir, one.path("in")}[round%2])
		one.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		two.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		first, second := one.begin(t.Context(), "xcsh.resolve", applyNow()), two.begin(t.Context(), "xcsh.resolve", applyNow())
		answers := []answer{<-first, <-second}
		applied := 0
		for _, got := range answers {
			if got.failed == nil {
				applied++
			} else if !strings.Contains(got.failed.Message, ".ts") && !strings.Contains(got.failed.Message, "nothing matches any more") {
				t.Errorf("the failure says nothing: %v", got.failed)
			}
		}
		want := map[bool]string{true: "bar", false: "foo"}[applied == 1]
		if applied > 1 {
			t.Errorf("both have applied: %v", answers)
		}
		for name, content := range files {
			if got := one.disk(name); got != strings.Replace(content, "foo", want, 1) {
				t.Errorf("%d applied, and %s is %q", applied, name, got)
			}
		}
		one.nothingStaged()
		if left, err := filepath.Glob(filepath.Join(one.state, "*", "journal", "*")); err != nil || len(left) > 0 {
			t.Errorf("left in the journal: %v, %v", left, err)
		}
	}
}
