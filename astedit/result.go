package astedit

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Change is one replacement. Its offsets are bytes in the file's old content;
// lines and columns count from 1, columns in Unicode code points.
type Change struct {
	Span                   text.Span
	Before, After          string
	StartLine, StartColumn int
	EndLine, EndColumn     int
}

// FileEdit is what a run changes in one file.
type FileEdit struct {
	// Path is absolute; Display is the path shown to the user.
	Path, Display string
	// Old is the exact content that the changes are computed against.
	Old []byte
	// Changes are in order of position and never overlap.
	Changes []Change
	// Skipped counts matches inside other matches.
	Skipped int
}

// Edits returns the changes as byte edits of Old.
func (f *FileEdit) Edits() []text.Edit {
	edits := make([]text.Edit, len(f.Changes))
	for i, c := range f.Changes {
		edits[i] = text.Edit{Span: c.Span, New: c.After}
	}
	return edits
}

// NewContent returns the file's content with the changes made.
func (f *FileEdit) NewContent() ([]byte, error) { return text.Apply(f.Old, f.Edits()) }

// NewFileEdit returns the edit that makes these changes, in order and disjoint, to
// the file at path, an absolute one. The error is that of a span that is not one
// of old.
func NewFileEdit(path, display string, old []byte, edits []text.Edit) (*FileEdit, error) {
	f := &FileEdit{Path: path, Display: display, Old: old}
	if err := f.setChanges(edits); err != nil {
		return nil, fmt.Errorf("%s: %w", display, err)
	}
	return f, nil
}

// setChanges works out what people see of edits: their texts, lines and columns.
func (f *FileEdit) setChanges(edits []text.Edit) error {
	f.Changes = make([]Change, len(edits))
	offsets := make([]int, 0, 2*len(edits))
	for _, e := range edits {
		offsets = append(offsets, e.Start, e.End)
	}
	positions, err := text.NewMapper(f.Old).Positions(offsets, text.CodePoints)
	if err != nil {
		return err
	}
	for i, e := range edits {
		start, end := positions[2*i], positions[2*i+1]
		f.Changes[i] = Change{
			Span: e.Span, Before: view(f.Old[e.Start:e.End]), After: e.New,
			StartLine: start.Line + 1, StartColumn: start.Column + 1,
			EndLine: end.Line + 1, EndColumn: end.Column + 1,
		}
	}
	return nil
}

// sameAs reports whether other is the same changes to the same content.
func (f *FileEdit) sameAs(other *FileEdit) bool {
	return bytes.Equal(f.Old, other.Old) && slices.Equal(f.Changes, other.Changes)
}

// addChanges fills the templates of the kept matches.
func (f *FileEdit) addChanges(tree *syntax.Tree, kept []found) error {
	eol := text.LineEnding(tree.Source)
	edits := make([]text.Edit, len(kept))
	for i, k := range kept {
		edits[i] = text.Edit{Span: k.span, New: fill(k, tree, eol)}
	}
	return f.setChanges(edits)
}

// view is b as a string without a copy: with many changes their texts would be
// the file once more. Nobody changes a source, by the contract of [Documents].
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func fill(k found, tree *syntax.Tree, eol string) string {
	return k.rule.out.Fill(k.rule.pattern, tree, k.match, eol)
}

// Issue is one parse issue; Path is empty where it concerns no one file.
type Issue struct{ Path, Text string }

// Result is the outcome of one run. It is immutable once returned.
type Result struct {
	// Files are the files with changes, in order of display path.
	Files         []*FileEdit
	FilesSearched int
	LimitReached  bool
	Issues        []Issue  // in order of occurrence, each text once
	Warnings      []string // likely slips in the request
	ScopePath     string   // the scope as shown to the user
	SearchPath    string   // absolute; "" where there is no single one
	CWD           string   // absolute; "" without a workspace folder
	SingleFile    bool     // the scope is one file

	// tracked are the files that had changes in this run or in one that this
	// result was refreshed from: an edit can bring their matches back.
	tracked map[string]candidate
	langs   []*syntax.Language // in use in this run
}

// TotalReplacements counts the changes over all files.
func (r *Result) TotalReplacements() int {
	total := 0
	for _, f := range r.Files {
		total += len(f.Changes)
	}
	return total
}

// Skipped counts the matches inside other matches over all files.
func (r *Result) Skipped() int {
	total := 0
	for _, f := range r.Files {
		total += f.Skipped
	}
	return total
}

// File returns the changes of the file at an absolute path, nil for none.
func (r *Result) File(path string) *FileEdit {
	for _, f := range r.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// Tracks reports whether an edit of the file at an absolute path can change this
// result's preview.
func (r *Result) Tracks(path string) bool {
	_, ok := r.tracked[path]
	return ok
}

// Differences returns the display paths of the files in which fresh, a later run
// of the same request, does not make the same changes to the same content.
func (r *Result) Differences(fresh *Result) []string {
	before := r.byPath()
	var differ []string
	for _, f := range fresh.Files {
		if old := before[f.Path]; old == nil || !f.sameAs(old) {
			differ = append(differ, f.Display)
		}
		delete(before, f.Path)
	}
	for _, gone := range before {
		differ = append(differ, gone.Display)
	}
	slices.Sort(differ)
	return differ
}

func (r *Result) byPath() map[string]*FileEdit {
	files := make(map[string]*FileEdit, len(r.Files))
	for _, f := range r.Files {
		files[f.Path] = f
	}
	return files
}
