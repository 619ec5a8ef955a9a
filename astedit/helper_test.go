package astedit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

func newEngine(t testing.TB) *astedit.Engine {
	t.Helper()
	engine, err := astedit.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// workspace is a directory with open documents over it.
type workspace struct {
	t    testing.TB
	dir  string
	open map[string][]byte
}

func newWorkspace(t testing.TB) *workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &workspace{t, dir, map[string][]byte{}}
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *workspace) write(name, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// snapshot is the workspace as a run takes it.
func (w *workspace) snapshot() astedit.Workspace {
	return astedit.Workspace{Folders: []astedit.Folder{{Path: w.dir}}, Documents: w}
}

func (w *workspace) OpenText(path string) ([]byte, bool) {
	text, ok := w.open[path]
	return text, ok
}

func (w *workspace) OpenPaths() []string {
	var paths []string
	for path := range w.open {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

func (w *workspace) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// request is a request of one rule over the whole workspace.
func request(pattern, out string) astedit.Request {
	return astedit.Request{Ops: []astedit.Op{{Pat: pattern, Out: out}}}
}

// checkResult checks what every result guarantees: files in order and once each,
// changes in order and apart, each saying truly what it replaces and where.
func checkResult(t testing.TB, w *workspace, r *astedit.Result) {
	t.Helper()
	for i, f := range r.Files {
		if i > 0 && r.Files[i-1].Display >= f.Display {
			t.Errorf("file %s comes after %s", f.Display, r.Files[i-1].Display)
		}
		source, open := w.open[f.Path]
		if !open {
			source, _ = os.ReadFile(f.Path)
		}
		if !bytes.Equal(source, f.Old) {
			t.Errorf("%s: Old is not the file's text", f.Display)
		}
		checkEdit(t, f)
	}
}

func checkEdit(t testing.TB, f *astedit.FileEdit) {
	t.Helper()
	if len(f.Changes) == 0 {
		t.Errorf("%s has no changes", f.Display)
	}
	var rebuilt []byte
	at := 0
	for _, c := range f.Changes {
		if c.Span.Start < at || c.Span.End < c.Span.Start || c.Span.End > len(f.Old) {
			t.Fatalf("%s: change at %+v after %d of %d", f.Display, c.Span, at, len(f.Old))
		}
		if got := string(f.Old[c.Span.Start:c.Span.End]); got != c.Before {
			t.Errorf("%s: Before is %q, the file has %q", f.Display, c.Before, got)
		}
		checkPosition(t, f, c.Span.Start, c.StartLine, c.StartColumn)
		checkPosition(t, f, c.Span.End, c.EndLine, c.EndColumn)
		rebuilt = append(append(rebuilt, f.Old[at:c.Span.Start]...), c.After...)
		at = c.Span.End
	}
	rebuilt = append(rebuilt, f.Old[at:]...)
	if content, err := f.NewContent(); err != nil || !bytes.Equal(content, rebuilt) {
		t.Errorf("%s: NewContent (%v) is not the old content with the changes:\n%q\n%q", f.Display, err, content, rebuilt)
	}
}

// checkPosition converts back through the independent mapper.
func checkPosition(t testing.TB, f *astedit.FileEdit, offset, line, column int) {
	t.Helper()
	positions, err := text.NewMapper(f.Old).Positions([]int{offset}, text.CodePoints)
	if err != nil || positions[0].Line+1 != line || positions[0].Column+1 != column {
		t.Errorf("%s: offset %d is at %+v (%v), the change says %d:%d", f.Display, offset, positions, err, line, column)
	}
}
