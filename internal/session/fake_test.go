package session_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"go.lsp.dev/uri"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// fakeHost is a host with one folder, and an editor whose manners are functions.
type fakeHost struct {
	dir     string
	changed func(path string)
	canEdit bool
	// edit is how the editor answers a request for edits.
	edit func(h *fakeHost, docs []session.DocumentEdit) error
	// isOpen, where set, is called before each answer of IsOpen.
	isOpen func(path string)
	// workspace, where set, is called before each view of the workspace.
	workspace func()
	// viewed, where set, is called after each view of the workspace.
	viewed func()
	// unsaved says that the editor does not save.
	unsaved bool

	mu        sync.Mutex
	open      map[string][]byte
	asked     []string // display paths, in the order of the requests
	abandoned []string
	label     string
}

// Manners of an editor.

func takes(h *fakeHost, docs []session.DocumentEdit) error {
	for _, doc := range docs {
		if !h.swap(doc.Path, doc.Old, doc.New) {
			return errors.New("stale version of " + doc.Display + ".")
		}
	}
	return nil
}

var errRefused = errors.New("the client refused the edit.")

func refuses(err error) func(*fakeHost, []session.DocumentEdit) error {
	return func(*fakeHost, []session.DocumentEdit) error { return err }
}

// Workspace implements session.Host.
func (h *fakeHost) Workspace() astedit.Workspace {
	if h.workspace != nil {
		h.workspace()
	}
	h.mu.Lock()
	view, dir := snapshot(maps.Clone(h.open)), h.dir
	h.mu.Unlock()
	if h.viewed != nil {
		h.viewed()
	}
	return astedit.Workspace{Folders: []astedit.Folder{{Name: "w", Path: dir}}, Documents: view}
}

// moveTo makes dir the workspace folder.
func (h *fakeHost) moveTo(dir string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dir = dir
}

// URI implements session.Host.
func (h *fakeHost) URI(path string) string { return uri.File(path).String() }

// Path implements session.Host.
func (h *fakeHost) Path(raw string) string { return session.DiskHost{}.Path(raw) }

// Editor implements session.Host.
func (h *fakeHost) Editor() session.Editor { return h }

// IsOpen implements session.Editor.
func (h *fakeHost) IsOpen(path string) bool {
	if h.isOpen != nil {
		h.isOpen(path)
	}
	_, open := h.text(path)
	return open
}

// CanEdit implements session.Editor.
func (h *fakeHost) CanEdit(string) bool { return h.canEdit }

// Edit implements session.Editor.
func (h *fakeHost) Edit(ctx context.Context, label string, docs []session.DocumentEdit) error {
	h.mu.Lock()
	h.label = label
	for _, doc := range docs {
		h.asked = append(h.asked, doc.Display)
	}
	h.mu.Unlock()
	if err := h.edit(h, docs); err != nil {
		return err
	}
	return ctx.Err() // it would not have waited for its client
}

// Abandon implements session.Editor.
func (h *fakeHost) Abandon(ctx context.Context, _ string, docs []session.DocumentEdit) (inDoubt []session.DocumentEdit) {
	if ctx.Err() != nil {
		return docs // it would not have waited for its client
	}
	for _, doc := range docs {
		h.mu.Lock()
		h.abandoned = append(h.abandoned, doc.Display)
		h.mu.Unlock()
		present, _ := h.text(doc.Path)
		if !h.swap(doc.Path, doc.New, doc.Old) && !bytes.Equal(present, doc.Old) {
			inDoubt = append(inDoubt, doc)
		}
	}
	return inDoubt
}

// Unsaved implements session.Editor.
func (h *fakeHost) Unsaved(_ context.Context, docs []session.DocumentEdit) []session.DocumentEdit {
	if h.unsaved {
		return docs
	}
	return nil
}

func (h *fakeHost) text(path string) (content []byte, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	content, open = h.open[path]
	return content, open
}

func (h *fakeHost) set(path string, content []byte) {
	h.mu.Lock()
	h.open[path] = content
	h.mu.Unlock()
	h.changed(path)
}

// swap gives a document, which it opens if need be, the text after, if it has
// the text before.
func (h *fakeHost) swap(path string, before, after []byte) bool {
	h.mu.Lock()
	present, open := h.open[path]
	if !open {
		present, _ = os.ReadFile(path)
	}
	same := bytes.Equal(present, before)
	if same {
		h.open[path] = after
	}
	h.mu.Unlock()
	if same {
		h.changed(path)
	}
	return same
}

func (h *fakeHost) close(path string) {
	h.mu.Lock()
	delete(h.open, path)
	h.mu.Unlock()
	h.changed(path)
}

type snapshot map[string][]byte

func (s snapshot) OpenText(path string) ([]byte, bool) { text, ok := s[path]; return text, ok }
func (s snapshot) OpenPaths() []string                 { return slices.Sorted(maps.Keys(s)) }
func (s snapshot) ReadFile(path string) ([]byte, error) {
	return os.ReadFile(path)
}

// faultFS is the real file system, on which a test may have operations fail.
type faultFS struct {
	atomicfile.FS
	mu    sync.Mutex
	fault func(op, path string) error
}

func newFaultFS() *faultFS { return &faultFS{FS: atomicfile.OS()} }

// fail has operations fail from now on; path is the target of a rename or link.
func (f *faultFS) fail(fault func(op, path string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = fault
}

func (f *faultFS) check(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault == nil {
		return nil
	}
	if err := f.fault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

func (f *faultFS) CheckWritable(path string) error {
	if err := f.check("stage", path); err != nil {
		return err
	}
	return f.FS.CheckWritable(path)
}

func (f *faultFS) Rename(oldPath, newPath string) error {
	op := "rename"
	if bytes.HasSuffix([]byte(oldPath), []byte(".old")) {
		op = "put back"
	}
	if err := f.check(op, newPath); err != nil {
		return err
	}
	return f.FS.Rename(oldPath, newPath)
}

func (f *faultFS) Remove(path string) error {
	if err := f.check("remove", path); err != nil {
		return err
	}
	return f.FS.Remove(path)
}
