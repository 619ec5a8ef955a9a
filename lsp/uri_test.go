package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// previewURIs are the URIs of the files that the top of the stack changes.
func (f *fixture) previewURIs() (uris []string) {
	f.t.Helper()
	var list struct {
		Actions []struct{ Files []struct{ URI string } }
	}
	f.runInto("xcsh.pending.list", map[string]any{}, &list)
	for _, file := range list.Actions[0].Files {
		uris = append(uris, file.URI)
	}
	return uris
}

// spelled is the URI of a path, with one part of it as a client may write it.
func (f *fixture) spelled(name, part, spelling string) string {
	return strings.Replace(lsptest.URI(f.path(name)), part, spelling, 1)
}

// A URI goes back byte for byte as the client wrote it, everywhere.
func TestURI_GivenBackAsWritten(t *testing.T) {
	for name, c := range map[string]struct{ file, plain, spelling string }{
		"%2B":           {"c++/a.ts", "c++", "c%2B%2B"},
		"plus":          {"c++/a.ts", "c++", "c++"},
		"%2b":           {"c++/a.ts", "c++", "c%2b%2b"},
		"at":            {"@types/a.ts", "@types", "@types"},
		"%40":           {"@types/a.ts", "@types", "%40types"},
		"space":         {"my dir/a.ts", "my%20dir", "my%20dir"},
		"colon":         {"a:b/a.ts", "a:b", "a%3Ab"},
		"%3a":           {"a:b/a.ts", "a:b", "a%3ab"},
		"umlaut":        {"ä/a.ts", "%C3%A4", "%C3%A4"},
		"umlaut, lower": {"ä/a.ts", "%C3%A4", "%c3%a4"},
		"umlaut, plain": {"ä/a.ts", "%C3%A4", "ä"},
		"percent":       {"100%/a.ts", "100%25", "100%25"},
		"hash":          {"c#/a.ts", "c%23", "c%23"},
		"brackets":      {"[id]/a.ts", "%5Bid%5D", "[id]"},
		"needless":      {"dir/a.ts", "dir", "%64ir"},
		"%2F":           {"dir/a.ts", "dir/", "dir%2F"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t, lsptest.Plain(), map[string]string{c.file: "foo(0);\n"})
			uri := f.Open(f.spelled(c.file, c.plain, c.spelling), "foo(1);\n")
			f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
			if got := f.previewURIs(); !slices.Equal(got, []string{uri}) {
				t.Fatalf("previewed %q, want %q", got, uri)
			}
			f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
			f.Change(uri, f.Edit(uri, "foo(1)", "foo(11)"))
			f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool {
				return len(d) == 1 && d[0].Message == protocol.String("foo(11) → bar(11)")
			})
			if got := f.CodeActions(uri, f.Range(uri, "foo"), "quickfix"); len(got) != 2 {
				t.Errorf("actions %q", describe(got))
			}
			if f.Hover(uri, f.Range(uri, "foo")) == "" {
				t.Error("no hover")
			}
			f.run("xcsh.pending.list", map[string]any{})
			f.run("xcsh.resolve", applyNow())
			if got := f.Text(uri); got != "bar(11);\n" {
				t.Errorf("the document is %q", got)
			}
			if got := f.decisions()[0].Files[0].URI; got != uri {
				t.Errorf("decided %q", got)
			}
			f.CloseDocument(uri)
			if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(0)") {
				t.Errorf("once closed, the disk counts: %q", got)
			}
		})
	}
}

// Two spellings of one file are one document.
func TestURI_TwoSpellingsAreOneDocument(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"@types/a.ts": "foo(0);\n"})
	uri := f.Open(f.path("@types/a.ts"), "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	other := f.spelled("@types/a.ts", "@", "%40")
	if got := f.Hover(other, f.Range(uri, "foo")); got == "" {
		t.Error("no hover by the other spelling")
	}
	if got := f.CodeActions(other, f.Range(uri, "foo")); len(got) != 2 {
		t.Errorf("actions %q", describe(got))
	}
	var preview struct{ Documents []struct{ Before string } }
	f.runInto("xcsh.pending.preview", map[string]any{"uri": other}, &preview)
	if preview.Documents[0].Before != "foo(1);\n" {
		t.Errorf("preview %+v", preview)
	}
	f.didChange(other, 2, `[{"text":"foo(2);\n"}]`)
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "baz($A)")).text(); !strings.Contains(got, "-1:1 foo(2)") {
		t.Errorf("a change by the other spelling: %q", got)
	}
}

// A file that is opened by a symbolic link is the file: searched once, written
// through its document.
func TestURI_SymlinkedFolder(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"real/a.ts": "foo(0);\n"})
	if err := os.Symlink(f.path("real"), f.path("link")); err != nil {
		t.Skip(err)
	}
	uri := f.Open(f.path("link/a.ts"), "foo(1);\n")
	got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got.Details["filesTouched"] != 1.0 || !strings.Contains(got.text(), "-1:1 foo(1)") {
		t.Errorf("preview %s", got.text())
	}
	if uris := f.previewURIs(); !slices.Equal(uris, []string{uri}) {
		t.Errorf("previewed %q", uris)
	}
	f.run("xcsh.resolve", applyNow())
	if f.Text(uri) != "bar(1);\n" || f.disk("real/a.ts") != "foo(0);\n" {
		t.Errorf("document %q, file %q", f.Text(uri), f.disk("real/a.ts"))
	}
}

// The workspace itself may be a link.
func TestURI_SymlinkedWorkspace(t *testing.T) {
	f := connect(t, lsptest.Plain(), map[string]string{"a.ts": "foo(0);\n", "b.ts": "foo(2);\n"}, nil)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(f.dir, link); err != nil {
		t.Skip(err)
	}
	f.Initialize(nil, link)
	uri := f.Open(filepath.Join(link, "a.ts"), "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got, want := f.previewURIs(), []string{uri, lsptest.URI(filepath.Join(link, "b.ts"))}; !slices.Equal(got, want) {
		t.Errorf("previewed %q, want %q", got, want)
	}
	f.run("xcsh.resolve", applyNow())
	if f.Text(uri) != "bar(1);\n" || f.disk("b.ts") != "bar(2);\n" {
		t.Errorf("document %q, file %q", f.Text(uri), f.disk("b.ts"))
	}
}

// A document of a file that does not exist yet, in a folder that does not either,
// behind a link: saving it changes what its path leads to.
func TestURI_FileThatComesIntoBeing(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"real/x.ts": "x;\n"})
	if err := os.Symlink(f.path("real"), f.path("link")); err != nil {
		t.Skip(err)
	}
	uri := f.Open(f.path("link/new/deep/a.ts"), "foo(1);\n")
	f.pendingIDs() // the server has it
	f.write("real/new/deep/a.ts", "")
	f.Save(uri)
	f.Change(uri, f.Edit(uri, "foo(1)", "foo(2)"))
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(2)") {
		t.Errorf("preview %q", got)
	}
	f.run("xcsh.resolve", applyNow())
	if got := f.Text(uri); got != "bar(2);\n" {
		t.Errorf("the document is %q", got)
	}
	f.CloseDocument(uri)
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(1)") {
		t.Errorf("once closed, the disk counts: %q", got)
	}
}

func TestURI_UntitledDocument(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	uri := f.Open("untitled:Untitled-1", "foo(7);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.Change(uri, f.Edit(uri, "7", "8"))
	if got := f.Hover(uri, f.Range(uri, "foo")); got != "" {
		t.Errorf("hover %q", got)
	}
	f.CodeActions(uri, f.Range(uri, "foo"))
	f.run("xcsh.resolve", applyNow())
	f.CloseDocument(uri)
	if f.disk("a.ts") != "bar(1);\n" {
		t.Errorf("a.ts is %q", f.disk("a.ts"))
	}
}

// A link that leads elsewhere while a document is open by it: the document stays the
// one that it was opened as.
func TestURI_LinkThatMoves(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"one/a.ts": "foo(1);\n", "two/a.ts": "foo(2);\n"})
	if err := os.Symlink(f.path("one"), f.path("link")); err != nil {
		t.Skip(err)
	}
	uri := f.Open(f.path("link/a.ts"), "foo(11);\n")
	f.pendingIDs() // the server has it
	if err := os.Remove(f.path("link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(f.path("two"), f.path("link")); err != nil {
		t.Fatal(err)
	}
	f.Change(uri, f.Edit(uri, "11", "12"))
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(12)") || !strings.Contains(got, "-1:1 foo(2)") {
		t.Errorf("preview %q", got)
	}
	f.CloseDocument(uri)
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(1)\n") {
		t.Errorf("once closed, the disk counts: %q", got)
	}
}
