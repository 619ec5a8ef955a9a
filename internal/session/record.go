package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts of an apply that the journal prevents; resolve puts `Apply failed: ` before
// them. Nothing is written without a journal: a crash could then leave half of it.
const (
	textNoJournal    = "cannot keep the journal that undoes the apply after a crash: %w. Make sure that %s can be written, and try again."
	textNotUndone    = "an earlier apply was cut off and is not undone yet: %s. Put right what keeps the server from it, and try again."
	textCannotSettle = "cannot tell whether an earlier apply was cut off: %w"
)

// beginRecord records the plan in the journal.
func (s *Session) beginRecord(label string, plan *writePlan, planned []atomicfile.Staged, decision *resolve.Decision) (*journal.Entry, error) {
	documents := make([]journal.Document, len(plan.documents))
	for i, doc := range plan.documents {
		documents[i] = journal.NewDocument(doc.Path, doc.Old, doc.New)
	}
	apply := journal.Apply{Label: label, Planned: planned, Writes: plan.files, Documents: documents}
	var err error
	if decision != nil {
		if apply.Decision, err = json.Marshal(decision); err != nil {
			return nil, fmt.Errorf(textNoJournal, err, s.Journal.Dir())
		}
	}
	record, err := s.Journal.Begin(apply)
	if err != nil {
		s.Log.Error("keep the journal", zap.Error(err))
		return nil, fmt.Errorf(textNoJournal, err, s.Journal.Dir())
	}
	return record, nil
}

func (s *Session) closeRecord(record *journal.Entry, left atomicfile.Left) {
	if left == atomicfile.InDoubt {
		s.Log.Error("files could not be put back; the journal is kept", zap.String("journal", s.Journal.Dir()))
	}
	if err := record.Close(left); err != nil {
		s.Log.Warn("close the journal", zap.Error(err))
	}
}

// settleEarlier undoes what an earlier apply of another server, or one of this
// server that could not be undone, has left. Nothing may be written on top of it:
// undoing it later would undo half of the next apply.
func (s *Session) settleEarlier() error {
	var isOpen func(string) bool
	if editor := s.Host.Editor(); editor != nil {
		isOpen = editor.IsOpen
	}
	recovered, err := s.recover(isOpen)
	var left []string
	for _, r := range recovered {
		for _, f := range r.Failed {
			left = append(left, fmt.Sprintf("%s: %v", oldTextIn(f), f.Err))
		}
	}
	switch {
	case left != nil:
		return fmt.Errorf(textNotUndone, strings.Join(left, "; "))
	case err != nil:
		return fmt.Errorf(textCannotSettle, errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	return nil
}

// oldTextIn names a file, and where its old text is.
func oldTextIn(f journal.Kept) string {
	if f.Backup == "" {
		return f.Path
	}
	return fmt.Sprintf(textOldTextIn, f.Path, f.Backup)
}
