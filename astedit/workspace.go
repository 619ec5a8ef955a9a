package astedit

import (
	"bytes"
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

// BufferedDocuments are Documents that can read into memory which the run gives
// them. Most files of a run are read, found to lack a literal and forgotten.
type BufferedDocuments interface {
	Documents
	// ReadInto is ReadFile in buffer's memory, where that is large enough.
	ReadInto(path string, buffer []byte) ([]byte, error)
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

// sourceText is a file's text during its scan.
type sourceText struct {
	bytes    []byte
	borrowed bool // the next file overwrites it
}

// own returns the text in memory that lasts.
func (t *sourceText) own() []byte {
	if t.borrowed {
		t.bytes, t.borrowed = bytes.Clone(t.bytes), false
	}
	return t.bytes
}

// readInto is read, into buffer where that can be. It returns the buffer for the
// next file.
func (w *Workspace) readInto(path string, buffer []byte) (t sourceText, next []byte, err error) {
	documents, ok := w.Documents.(BufferedDocuments)
	if !ok {
		t.bytes, err = w.read(path)
		return t, buffer, err
	}
	if text, ok := w.Documents.OpenText(path); ok {
		return sourceText{bytes: text}, buffer, nil
	}
	text, err := documents.ReadInto(path, buffer)
	if err != nil {
		return t, buffer, err
	}
	return sourceText{text, true}, text, nil
}

func (w *Workspace) isGone(path string) bool {
	_, err := w.read(path)
	return errors.Is(err, fs.ErrNotExist)
}
