package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// FixedEdit is an edit over files that is what it is: it does not follow them. It
// is refused, by the names of the files, while one of them has another text than
// the one that it was made against; a byte order mark, which editors do not show,
// does not count.
type FixedEdit struct {
	// Files are the changes, each with one at least.
	Files []*astedit.FileEdit
	// Applied is the text of the result once the edit has been made: a format with
	// two verbs, for how many replacements in how many files.
	Applied string
	// Refused is the text for the user where files have changed: a format with one
	// verb for their names.
	Refused string
}

type fixedEdit struct {
	FixedEdit
	name     string
	now      []*astedit.FileEdit // Files, with or without a byte order mark, as the files are now
	outdated []*astedit.FileEdit // those of now whose files have other texts, in their order
}

func (f *fixedEdit) label() string              { return f.name }
func (f *fixedEdit) files() []*astedit.FileEdit { return f.now }

// again compares the files, there being nothing to search. Without paths it looks at
// all of them.
func (f *fixedEdit) again(ctx context.Context, s *Session, paths []string) (edit, error) {
	documents := s.Host.Workspace().Documents
	fresh := &fixedEdit{FixedEdit: f.FixedEdit, name: f.name, now: slices.Clone(f.now)}
	for i, file := range f.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fits := !slices.Contains(f.outdated, f.now[i])
		if paths == nil || slices.Contains(paths, file.Path) {
			var err error
			if fresh.now[i], fits, err = fit(file, documents); err != nil {
				return nil, err
			}
		}
		if !fits {
			fresh.outdated = append(fresh.outdated, fresh.now[i])
		}
	}
	return fresh, nil
}

// presentText is the text of a file now: the editor's, else the disk's.
func presentText(documents astedit.Documents, path string) ([]byte, error) {
	if content, open := documents.OpenText(path); open {
		return content, nil
	}
	return documents.ReadFile(path)
}

// fit returns the edit as it is to be made to the file as it is now, and whether it
// can be: the file has the text that the edit was made against. A byte order mark
// moves it: a file on disk can have one that its document in an editor has not.
func fit(file *astedit.FileEdit, documents astedit.Documents) (fitting *astedit.FileEdit, fits bool, err error) {
	present, err := presentText(documents, file.Path)
	if err != nil {
		return file, false, nil // gone, or not to be read: not what it was, anyhow
	}
	bom := []byte(text.BOM)
	old, moved := file.Old, 0
	switch {
	case text.HasBOM(present) && !text.HasBOM(old):
		old, moved = slices.Concat(bom, old), len(bom)
	case !text.HasBOM(present) && text.HasBOM(old) && file.Changes[0].Span.Start >= len(bom):
		old, moved = old[len(bom):], -len(bom)
	}
	if !bytes.Equal(old, present) {
		return file, false, nil
	}
	if moved == 0 {
		return file, true, nil
	}
	edits := file.Edits()
	for i := range edits {
		edits[i].Start += moved
		edits[i].End += moved
	}
	fitting, err = astedit.NewFileEdit(file.Path, file.Display, old, edits)
	return fitting, true, err
}

// differences: what has been seen stays, byte order marks apart.
func (f *fixedEdit) differences(edit) []string { return nil }

func (f *fixedEdit) refused() (string, []*astedit.FileEdit) {
	if len(f.outdated) == 0 {
		return "", nil
	}
	return fmt.Sprintf(f.Refused, listFiles(displayNames(f.outdated))), f.outdated
}

func (f *fixedEdit) part(files []*astedit.FileEdit) edit {
	return &fixedEdit{FixedEdit: FixedEdit{files, f.Applied, f.Refused}, name: f.name, now: files}
}

func (f *fixedEdit) applied() (string, astedit.Details) {
	result := astedit.Result{Files: f.now, FilesSearched: len(f.now)}
	said := fmt.Sprintf(f.Applied, astedit.Count(result.TotalReplacements(), "replacement"), astedit.Count(len(f.now), "file"))
	return said, result.Details(true)
}

func displayNames(files []*astedit.FileEdit) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Display
	}
	return names
}

var errNoChanges = errors.New("an edit without changes cannot be staged")
