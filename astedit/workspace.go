package astedit

import (
	"errors"
	"io/fs"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/scope"
)

// Folder is one workspace folder: its display name and absolute path.
type Folder = scope.Folder

// Documents gives the texts of one moment. It must not change during a run, and
// nobody may change the slices that it returns.
type Documents interface {
	// OpenText returns the text of the document that an editor has open at the
	// absolute path.
	OpenText(path string) (text []byte, ok bool)
	// OpenPaths returns the absolute paths of all open documents.
	OpenPaths() []string
	// ReadFile returns the content on disk.
	ReadFile(path string) ([]byte, error)
}

// Workspace is what a run searches.
type Workspace struct {
	Folders []Folder
	// Home is what `~` means in a path.
	Home string
	// GlobalIgnore is the path of git's global excludes file, "" for none.
	GlobalIgnore string
	Documents    Documents
}

func (w *Workspace) scope() scope.Workspace {
	return scope.Workspace{Folders: w.Folders, Home: w.Home, GlobalIgnore: w.GlobalIgnore, OpenFiles: w.Documents.OpenPaths()}
}

// DisplayPaths returns how files at absolute paths are shown to the user. The error
// is a [*UserError] that names one outside the workspace.
func (w *Workspace) DisplayPaths(paths []string) ([]string, error) {
	shown, err := scope.DisplayPaths(w.scope(), paths)
	if err != nil {
		return nil, &UserError{err.Error()}
	}
	return shown, nil
}

// read returns the text of a file as its user sees it: the editor's where it is
// open, else the disk's.
func (w *Workspace) read(path string) ([]byte, error) {
	if text, ok := w.Documents.OpenText(path); ok {
		return text, nil
	}
	return w.Documents.ReadFile(path)
}

func (w *Workspace) isGone(path string) bool {
	_, err := w.read(path)
	return errors.Is(err, fs.ErrNotExist)
}
