package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

func (f *fixture) changeFolders(added, removed []string) {
	named := func(paths []string) []object {
		folders := []object{}
		for _, p := range paths {
			folders = append(folders, object{"uri": lsptest.URI(p), "name": filepath.Base(p)})
		}
		return folders
	}
	f.Notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": named(added), "removed": named(removed)}})
}

// twoFolders is not initialized yet: one and two are folders, three is not.
func twoFolders(t *testing.T) *fixture {
	return connect(t, lsptest.Plain(), map[string]string{
		"one/a.ts": "foo(1);\n", "one/in/b.ts": "foo(2);\n", "two/a.ts": "foo(3);\n", "three/a.ts": "foo(4);\n",
	}, nil)
}

// files are the display paths of the files that a result changes.
func (r toolResult) files() (paths []string) {
	listed, _ := r.Details["files"].([]any)
	for _, path := range listed {
		paths = append(paths, path.(string))
	}
	return paths
}

func (f *fixture) wantFiles(want ...string) {
	f.t.Helper()
	got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if paths := got.files(); !slices.Equal(paths, want) {
		f.t.Errorf("previewed %q, want %q", paths, want)
	}
}

func TestFolders_Several(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil, f.path("one"), f.path("two"))
	f.wantFiles("one/a.ts", "one/in/b.ts", "two/a.ts")
	f.run("xcsh.resolve", applyNow())
	if f.disk("one/a.ts") != "bar(1);\n" || f.disk("two/a.ts") != "bar(3);\n" || f.disk("three/a.ts") != "foo(4);\n" {
		t.Error("not what was previewed")
	}
}

func TestFolders_NestedAreSearchedOnce(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil, f.path("one"), f.path("one/in"), f.path("one"))
	got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got.Details["filesTouched"] != 2.0 {
		t.Errorf("preview %q", got.text())
	}
}

func TestFolders_RelativePathsAreTriedInOrder(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil, f.path("one"), f.path("two"))
	arg := edit("foo($A)", "bar($A)")
	arg["path"] = "in/b.ts"
	if got := f.run("xcsh.ast_edit", arg).files(); !slices.Equal(got, []string{"one/b.ts"}) { // the file is the scope root
		t.Errorf("previewed %q", got)
	}
	if got, want := f.previewURIs(), []string{lsptest.URI(f.path("one/in/b.ts"))}; !slices.Equal(got, want) {
		t.Errorf("previewed %q, want %q", got, want)
	}
}

func TestFolders_AddedAndRemovedWhilePending(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil, f.path("one"), f.path("two"))
	id, revision := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	apply := object{"action": "apply", "reason": "r", "id": id, "revision": revision}

	f.changeFolders([]string{f.path("three"), f.path("three")}, nil)
	wantStale(t, f.fails("xcsh.resolve", apply), outOfDate("three/a.ts"), id, "three/a.ts")
	f.changeFolders(nil, []string{f.path("three"), f.path("two")})
	if failed := f.fails("xcsh.resolve", applyNow()); failed.Message != outOfDate("three/a.ts, two/a.ts") {
		t.Errorf("removed: %v", failed)
	}
	for _, name := range []string{"one/a.ts", "two/a.ts", "three/a.ts"} {
		if !strings.HasPrefix(f.disk(name), "foo") {
			t.Errorf("%s was written", name)
		}
	}
	if got := f.run("xcsh.resolve", applyNow()).text(); got != "Applied 2 replacements in 2 files." {
		t.Errorf("result %q", got)
	}
	if f.disk("two/a.ts") != "foo(3);\n" || f.disk("one/in/b.ts") != "bar(2);\n" {
		t.Error("not what was previewed")
	}
}

// A folder that is gone from the disk can be removed from the workspace.
func TestFolders_RemovedFromTheDiskFirst(t *testing.T) {
	f := twoFolders(t)
	if err := os.Symlink(f.path("two"), f.path("link")); err != nil {
		t.Skip(err)
	}
	f.Initialize(nil, f.path("one"), f.path("link"))
	if err := os.RemoveAll(f.path("two")); err != nil {
		t.Fatal(err)
	}
	f.changeFolders(nil, []string{f.path("link")})
	f.wantFiles("a.ts", "in/b.ts") // one folder: it is the cwd
}

// The folders' URIs go back as they came, also those of folders that came later.
func TestFolders_URIsAsWritten(t *testing.T) {
	f := connect(t, lsptest.Plain(), map[string]string{"c++/a.ts": "foo(1);\n", "@x/a.ts": "foo(2);\n"}, nil)
	odd := strings.Replace(lsptest.URI(f.path("@x")), "@x", "%40x", 1)
	f.Initialize(nil, strings.Replace(lsptest.URI(f.path("c++")), "c++", "c%2B%2B", 1))
	f.Notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{{"uri": odd, "name": "x"}}, "removed": []object{}}})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	got := f.previewURIs()
	if len(got) != 2 || !strings.HasSuffix(got[0], "/c%2B%2B/a.ts") || got[1] != odd+"/a.ts" {
		t.Errorf("previewed %q", got)
	}
}

func TestFolders_None(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil)
	uri := f.Open(f.path("one/a.ts"), "foo(11);\n")
	f.wantFiles(filepath.ToSlash(filepath.Join(f.real(), "one/a.ts")))
	f.run("xcsh.resolve", applyNow())
	if f.Text(uri) != "bar(11);\n" || f.disk("one/a.ts") != "foo(1);\n" || f.disk("one/in/b.ts") != "foo(2);\n" {
		t.Error("more than the open document was changed")
	}
}

// A file outside every folder is refused, however it is named.
func TestFolders_OutsideIsRefused(t *testing.T) {
	f := twoFolders(t)
	f.Initialize(nil, f.path("one"))
	if err := os.Symlink(f.path("two"), f.path("one/out")); err != nil {
		t.Skip(err)
	}
	f.Open(f.path("three/a.ts"), "foo(5);\n") // open, and outside all the same
	for _, path := range []string{"../two", f.path("three/a.ts"), "../three/a.ts", "out", "out/a.ts"} {
		arg := edit("foo($A)", "bar($A)")
		arg["path"] = path
		wantFailure(t, f.fails("xcsh.ast_edit", arg), "Path is outside the workspace: "+path)
	}
	f.wantFiles("a.ts", "in/b.ts")
}
