package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// outside is a workspace in the folder ws, beside the folder out.
func outside(t *testing.T) *fixture {
	t.Helper()
	f := connect(t, lsptest.VSCodeLike(), map[string]string{"ws/a.ts": "foo(1);\n", "ws/in/b.ts": "foo(2);\n", "out/x.ts": "foo(3);\n"}, short)
	f.Initialize(nil, f.path("ws"))
	return f
}

// unchangedOutside fails where a file outside the workspace was written, or anything
// was made beside it.
func (f *fixture) unchangedOutside() {
	f.t.Helper()
	if got := f.disk("out/x.ts"); got != "foo(3);\n" {
		f.t.Errorf("written outside the workspace: %q", got)
	}
	entries, err := os.ReadDir(f.path("out"))
	if err != nil || len(entries) != 1 {
		f.t.Errorf("left outside the workspace: %v, %v", entries, err)
	}
}

// A document outside the folders is not edited, however its URI is written, and not
// by way of a link either.
func TestDisguise_DocumentsOutside(t *testing.T) {
	for name, spelled := range map[string]func(f *fixture) string{
		"plain":                func(f *fixture) string { return lsptest.URI(f.path("out/x.ts")) },
		"dots":                 func(f *fixture) string { return lsptest.URI(f.path("ws")) + "/../out/x.ts" },
		"escaped dots":         func(f *fixture) string { return lsptest.URI(f.path("ws")) + "/%2e%2E/out/x.ts" },
		"escaped slashes":      func(f *fixture) string { return lsptest.URI(f.path("ws")) + "%2F..%2fout%2Fx.ts" },
		"localhost":            func(f *fixture) string { return "file://localhost" + f.path("ws") + "/../out/x.ts" },
		"scheme in capitals":   func(f *fixture) string { return "FILE://" + f.path("out/x.ts") },
		"the process's root":   func(f *fixture) string { return "file:///proc/self/root" + f.path("out/x.ts") },
		"the process's folder": func(f *fixture) string { return "file:///proc/self/cwd/../../../../../../../.." + f.path("out/x.ts") },
		"link to the file":     func(f *fixture) string { f.link("out/x.ts", "ws/link.ts"); return lsptest.URI(f.path("ws/link.ts")) },
		"link to the folder":   func(f *fixture) string { f.link("out", "ws/dir"); return lsptest.URI(f.path("ws/dir/x.ts")) },
		"NUL":                  func(f *fixture) string { return lsptest.URI(f.path("ws/a.ts")) + "%00/../../out/x.ts" },
		"another machine":      func(f *fixture) string { return "file://server" + f.path("ws/a.ts") },
		"untitled":             func(f *fixture) string { return "untitled:" + f.path("ws/a.ts") },
		"a remote editor's":    func(f *fixture) string { return "vscode-remote://ssh-remote%2Bhost" + f.path("ws/a.ts") },
		"case":                 func(f *fixture) string { return lsptest.URI(strings.Replace(f.path("ws/a.ts"), "/ws/", "/WS/", 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := outside(t)
			uri := f.Open(spelled(f), "foo(4);\n")
			f.wantFiles("a.ts", "in/b.ts")
			f.run("xcsh.resolve", applyNow())
			if got := f.Text(uri); got != "foo(4);\n" {
				t.Errorf("the document is %q", got)
			}
			if f.disk("ws/a.ts") != "bar(1);\n" || f.disk("ws/in/b.ts") != "bar(2);\n" {
				t.Error("the files inside are not as previewed")
			}
			f.unchangedOutside()
		})
	}
}

// The other spellings of a file inside are that file.
func TestDisguise_DocumentsInside(t *testing.T) {
	for name, spelled := range map[string]func(f *fixture) string{
		"localhost":          func(f *fixture) string { return "file://localhost" + f.path("ws/a.ts") },
		"LOCALHOST":          func(f *fixture) string { return "file://LOCALHOST" + f.path("ws/a.ts") },
		"scheme in capitals": func(f *fixture) string { return "FILE://" + f.path("ws/a.ts") },
		"one slash":          func(f *fixture) string { return "file:" + f.path("ws/a.ts") },
		"out and in":         func(f *fixture) string { return lsptest.URI(f.path("out")) + "/../ws/a.ts" },
		"escaped slash":      func(f *fixture) string { return lsptest.URI(f.path("ws")) + "%2fa.ts" },
		"doubled slash":      func(f *fixture) string { return lsptest.URI(f.path("ws")) + "//a.ts" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := outside(t)
			uri := f.Open(spelled(f), "foo(4);\n")
			f.wantFiles("a.ts", "in/b.ts")
			if got := f.previewURIs()[0]; got != uri {
				t.Errorf("previewed %q, want %q", got, uri)
			}
			f.run("xcsh.resolve", applyNow())
			if got := f.Text(uri); got != "bar(4);\n" || strings.Contains(f.disk("ws/a.ts"), "bar(1)") {
				t.Errorf("document %q, file %q", got, f.disk("ws/a.ts"))
			}
		})
	}
}

// Paths of a request, in the disguises that need a process or a link.
func TestDisguise_PathsOutside(t *testing.T) {
	f := outside(t)
	f.link("out", "ws/dir")
	f.link("out/x.ts", "ws/link.ts")
	for _, path := range []string{
		"/proc/self/root" + f.path("out/x.ts"), "/proc/self/root" + f.path("out"), "file:///proc/self/root" + f.path("out"),
		"dir", "dir/x.ts", "link.ts", "in/../../out", "%2e%2e/../../out",
		"file://" + f.path("ws") + "%2F..%2Fout",
	} {
		arg := edit("foo($A)", "bar($A)")
		arg["path"] = path
		wantFailure(t, f.fails("xcsh.ast_edit", arg), "Path is outside the workspace: "+path)
	}
	if len(f.pendingIDs()) != 0 {
		t.Error("something is pending")
	}
}

// What a path leads to may change between the preview and the apply.
func TestDisguise_SwappedForALink(t *testing.T) {
	for name, swap := range map[string]func(f *fixture){
		"the file, for one outside": func(f *fixture) { f.remove("ws/in/b.ts"); f.link("out/x.ts", "ws/in/b.ts") },
		"the folder, for one outside": func(f *fixture) {
			f.rename("ws/in", "ws/was")
			f.rename("out/x.ts", "out/b.ts")
			f.link("out", "ws/in")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := outside(t)
			f.wantFiles("a.ts", "in/b.ts")
			swap(f)
			failed := f.fails("xcsh.resolve", applyNow())
			if !strings.HasPrefix(failed.Message, "Preview is out of date: ") || !strings.Contains(failed.Message, "in/b.ts") {
				t.Errorf("message %q", failed.Message)
			}
			f.checkOldEverywhere()
		})
	}
}

// Swapped at the last moment, while the editor makes its part: the file that is
// replaced is the one that was looked at, or none.
func TestDisguise_SwappedWhileTheEditorEdits(t *testing.T) {
	for name, swap := range map[string]func(f *fixture){
		"the file": func(f *fixture) {
			f.remove("ws/in/b.ts")
			f.write("out/x.ts", "foo(2);\n") // the very text that is expected
			f.link("out/x.ts", "ws/in/b.ts")
		},
		"the folder": func(f *fixture) {
			f.rename("ws/in", "ws/was")
			f.rename("out/x.ts", "out/b.ts")
			f.write("out/b.ts", "foo(2);\n")
			f.link("out", "ws/in")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := connect(t, slowly(lsptest.Plain()), map[string]string{"ws/a.ts": "foo(1);\n", "ws/in/b.ts": "foo(2);\n", "out/x.ts": "foo(3);\n"}, short)
			f.Initialize(nil, f.path("ws"))
			uri := f.OpenFile(f.path("ws/a.ts"))
			f.wantFiles("a.ts", "in/b.ts")
			done := f.begin(t.Context(), "xcsh.resolve", applyNow())
			f.WaitReceived("workspace/applyEdit", 1)
			swap(f)
			got := <-done
			if got.failed == nil {
				t.Fatalf("applied: %s", got.raw)
			}
			if !strings.Contains(got.failed.Message, "in/b.ts") {
				t.Errorf("message %q", got.failed.Message)
			}
			f.Wait("the document to be put back", func() bool { return f.Text(uri) == "foo(1);\n" })
			f.checkOldEverywhere()
		})
	}
}

// A second name of a file outside is a file inside: it is replaced, and the other
// name keeps its text.
func TestDisguise_HardLink(t *testing.T) {
	f := outside(t)
	if err := os.Link(f.path("out/x.ts"), f.path("ws/hard.ts")); err != nil {
		t.Skip(err)
	}
	f.wantFiles("a.ts", "hard.ts", "in/b.ts")
	f.run("xcsh.resolve", applyNow())
	if got := f.disk("ws/hard.ts"); got != "bar(3);\n" {
		t.Errorf("inside: %q", got)
	}
	f.unchangedOutside()
}

// checkOldEverywhere fails where any file of the fixture has a new text. A staged file
// in a folder that was moved away meanwhile cannot be found again, and stays there
// under its hidden name; nowhere else is one left.
func (f *fixture) checkOldEverywhere() {
	f.t.Helper()
	err := filepath.WalkDir(f.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if atomicfile.IsTemp(entry.Name()) && filepath.Dir(path) == f.path("ws/was") {
			return nil
		}
		content, err := os.ReadFile(path)
		if !strings.HasPrefix(string(content), "foo(") || atomicfile.IsTemp(entry.Name()) {
			f.t.Errorf("%s is %q", path, content)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) link(target, name string) {
	f.t.Helper()
	if err := os.Symlink(f.path(target), f.path(name)); err != nil {
		f.t.Skip(err)
	}
}

func (f *fixture) remove(name string) {
	f.t.Helper()
	if err := os.Remove(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) rename(from, to string) {
	f.t.Helper()
	if err := os.Rename(f.path(from), f.path(to)); err != nil {
		f.t.Fatal(err)
	}
}
