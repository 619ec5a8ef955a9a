package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// undo is what a revert of one decision needs: not the files as they were, only
// what was replaced in them. With its hashes it gives the old texts byte by byte,
// or nothing.
type undo struct {
	Files []undoFile `json:"files"`
}

type undoFile struct {
	Path   string     `json:"path"`   // absolute
	Before string     `json:"before"` // hashes of the contents
	After  string     `json:"after"`
	Edits  []undoEdit `json:"edits"` // of the content after, in order
}

type undoEdit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Old   []byte `json:"old"` // bytes: a file need not be valid UTF-8
}

// undoOf takes the edit of a file back that made content of it.
func undoOf(f *astedit.FileEdit, content []byte) undoFile {
	u := undoFile{Path: f.Path, Before: text.Hash(f.Old), After: text.Hash(content)}
	for _, e := range text.Invert(f.Old, f.Edits()) {
		if string(content[e.Start:e.End]) != e.New {
			u.Edits = append(u.Edits, undoEdit{e.Start, e.End, []byte(e.New)})
		}
	}
	return u
}

// revertOf returns the edit that gives the file its old content, where its text is
// present; ok is false where that is not what the decision left, byte order mark
// apart. The error is that of an undo that does not lead back.
func (u *undoFile) revertOf(display string, present []byte) (f *astedit.FileEdit, ok bool, err error) {
	after, ok := u.matching(present)
	if !ok {
		return nil, false, nil
	}
	edits := make([]text.Edit, len(u.Edits))
	for i, e := range u.Edits {
		edits[i] = text.Edit{Span: text.Span{Start: e.Start, End: e.End}, New: string(e.Old)}
	}
	before, err := text.Apply(after, edits)
	if err == nil && text.Hash(before) != u.Before {
		err = errors.New("it does not lead back")
	}
	if err != nil {
		return nil, true, fmt.Errorf("revert %s: %w", display, err)
	}
	f, err = astedit.NewFileEdit(u.Path, display, after, edits)
	return f, true, err
}

// matching returns the text that the decision left, where present is it: editors
// do not show the byte order mark that a file has.
func (u *undoFile) matching(present []byte) (after []byte, ok bool) {
	bom := []byte(text.BOM)
	candidates := [][]byte{present, slices.Concat(bom, present)}
	if text.HasBOM(present) {
		candidates[1] = present[len(bom):]
	}
	for _, c := range candidates {
		if text.Hash(c) == u.After {
			return c, true
		}
	}
	return nil, false
}

// keepUndo stores what a revert needs and returns its name for the log, "" where
// nothing is kept. A decision stands whether or not it can be: the turn warns.
func (s *Session) keepUndo(t *turn, u undo) string {
	if len(u.Files) == 0 || s.Contents == nil || !s.Decisions.Enabled() {
		return ""
	}
	packed, err := json.Marshal(u)
	if err != nil {
		t.warn(fmt.Errorf(textNoRevert, err))
		return ""
	}
	kept, err := s.Contents.Put(packed)
	switch {
	case errors.Is(err, contentstore.ErrTooLarge):
		t.warn(errTooLargeToRevert)
	case err != nil:
		s.Log.Error("keep what a revert needs", zap.Error(err))
		t.warn(fmt.Errorf(textNoRevert, err))
	}
	if kept.Dropped > 0 {
		s.Log.Info("dropped what reverts of the oldest decisions need: the limit is the setting decisions.storeMB", zap.Int("decisions", kept.Dropped))
	}
	return kept.Hash
}

// Warnings about a decision that stands.
const textNoRevert = "this cannot be reverted later, since what that needs is not kept: %w"

var errTooLargeToRevert = errors.New("this cannot be reverted later, since what that needs is larger than the setting decisions.storeMB allows")
