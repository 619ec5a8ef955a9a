package astedit_test

import (
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

func TestStatement61And62_LabelAndAppliedText(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	e, req := newEngine(t), request("foo($A)", "bar($A)")
	r := run(t, e, w, req, astedit.Options{})
	if got := r.Label(); got != "AST Edit: 1 replacement in 1 file" {
		t.Errorf("label %q", got)
	}
	if got := r.AppliedText(); got != "Applied 1 replacement in 1 file." {
		t.Errorf("text %q", got)
	}
	if r.Details(false).Applied || !r.Details(true).Applied {
		t.Error("applied is not what the caller says")
	}
	w.write("b.ts", "foo(2);\n")
	r = run(t, e, w, req, astedit.Options{})
	if got := r.Label(); got != "AST Edit: 2 replacements in 2 files" {
		t.Errorf("label %q", got)
	}
	if got := r.AppliedText(); got != "Applied 2 replacements in 2 files." {
		t.Errorf("text %q", got)
	}
}

func TestDetailsNameTheWorkspace(t *testing.T) {
	w := newWorkspace(t)
	w.write("src/a.ts", "foo(1);\n")
	req, path := request("foo($A)", "bar($A)"), "src"
	req.Path = &path
	d := run(t, newEngine(t), w, req, astedit.Options{}).Details(false)
	if d.CWD != w.dir || d.SearchPath != w.path("src") || d.ScopePath != "src" {
		t.Errorf("details %+v", d)
	}
}

func TestDifferencesNameEveryFileThatIsNotTheSame(t *testing.T) {
	w := newWorkspace(t)
	for name, source := range map[string]string{"changed.ts": "foo(1);\n", "gone.ts": "foo(1);\n", "same.ts": "foo(1);\n", "elsewhere.ts": "foo(1);\n"} {
		w.write(name, source)
	}
	e, req := newEngine(t), request("foo($A)", "bar($A)")
	before := run(t, e, w, req, astedit.Options{})
	w.write("changed.ts", "foo(2);\n")
	w.write("gone.ts", "other();\n")
	w.write("new.ts", "foo(1);\n")
	w.write("elsewhere.ts", "foo(1);\n// the same change to another content\n")
	after := run(t, e, w, req, astedit.Options{})
	want := []string{"changed.ts", "elsewhere.ts", "gone.ts", "new.ts"}
	if got := before.Differences(after); !slices.Equal(got, want) {
		t.Errorf("differences %q, want %q", got, want)
	}
	if got := before.Differences(before); len(got) != 0 {
		t.Errorf("a result differs from itself in %q", got)
	}
	if f := after.File(w.path("new.ts")); f == nil || f.Display != "new.ts" || after.File(w.path("gone.ts")) != nil {
		t.Error("File finds the wrong files")
	}
}

func TestLanguageID(t *testing.T) {
	e := newEngine(t)
	for path, want := range map[string]string{"/x/a.ts": "typescript", "b.tsx": "tsx", "c.bzl": "python", "d.h": "c", "README": "plaintext", "Makefile": "plaintext"} {
		if got := e.LanguageID(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
