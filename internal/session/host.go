package session

import (
	"context"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Host is the program around a session.
type Host interface {
	// Workspace returns folders and texts as they are now; the value does not
	// follow later changes.
	Workspace() astedit.Workspace
	// URI returns the URI of an absolute path as the client writes it.
	URI(path string) string
	// Path returns the absolute path that a URI names, in whatever spelling; for
	// what is no file it returns the URI.
	Path(uri string) string
	// Editor returns the editor whose documents count, nil where there is none.
	Editor() Editor
}

// DocumentEdit is one file's change on its way to an editor.
type DocumentEdit struct {
	Path, Display string
	// Old is the text that the edits are made against, New the text with them.
	Old, New []byte
	Edits    []text.Edit
}

// Editor changes documents through the program that shows them to a human.
type Editor interface {
	// IsOpen reports whether the document at an absolute path is open now.
	IsOpen(path string) bool
	// CanEdit reports whether the editor takes edits of the document at an absolute
	// path, open or not.
	CanEdit(path string) bool
	// Edit asks for the edits and returns nil once every document has been seen
	// with its new text. The error's text is the cause in the user's words; how
	// far the editor got is then unknown.
	Edit(ctx context.Context, label string, docs []DocumentEdit) error
	// Abandon takes back an Edit that failed: documents that show the new text,
	// now or when a late editor gets to it, are put back. It returns those that
	// show neither text now.
	Abandon(ctx context.Context, label string, docs []DocumentEdit) (inDoubt []DocumentEdit)
	// Unsaved returns those of the documents whose text is not on disk, after
	// giving an editor that saves by itself the time to do so.
	Unsaved(ctx context.Context, docs []DocumentEdit) []DocumentEdit
}
