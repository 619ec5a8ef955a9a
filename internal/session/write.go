package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts of an apply's failures; resolve puts `Apply failed: ` before them.
const (
	textWriteFailed     = "Failed to write %s: %w"
	textNoApplyEdit     = "the client cannot be asked to edit open documents (workspace/applyEdit): %s. Save and close them, or use a client that can."
	textOpenedMeanwhile = "%s was opened in the editor meanwhile; try again."
	textChangedOnDisk   = "%s changed on disk meanwhile; try again."
	textInDoubt         = "In doubt: %s."
	textOldTextIn       = "%s (its old text is in %s)"
	textLeftBehind      = "Left behind: %s."
)

// TextEditedMeanwhile says that a document, by display path, is no longer what its
// edits were made against.
const TextEditedMeanwhile = "%s was edited meanwhile; try again."

// write writes the plan, all or nothing: the journal records it, the files are
// staged beside their targets, the editor is asked, and only then the staged files
// take their places.
//
// After a success the record stays open, in the turn: it ends when the decision that it
// holds is logged.
func (s *Session) write(ctx context.Context, label string, plan *writePlan, decision *resolve.Decision) error {
	staged, err := atomicfile.Plan(s.Files, plan.files)
	if err != nil {
		return s.writeError(plan, nil, err)
	}
	record, err := s.beginRecord(label, plan, staged.Staged(), decision)
	if err != nil {
		return err
	}
	written := false
	end := func() { s.closeRecord(record, staged.Left()) }
	defer func() {
		if !written {
			end() // after all has been taken back
		}
	}()
	if err := s.writeRecorded(ctx, label, plan, staged, record); err != nil {
		return err
	}
	written, turnOf(ctx).logged = true, end
	return nil
}

func (s *Session) writeRecorded(ctx context.Context, label string, plan *writePlan, staged *atomicfile.Transaction, record *journal.Entry) error {
	if err := staged.Stage(); err != nil {
		return s.writeError(plan, nil, err)
	}
	defer func() { _ = staged.Discard() }() // in case of a panic; else it has ended
	if err := ctx.Err(); err != nil {
		return s.discard(staged, err)
	}
	ctx = context.WithoutCancel(ctx) // from here on the apply ends as it ends
	if err := s.checkUnedited(plan); err != nil {
		return s.discard(staged, err)
	}
	if len(plan.documents) > 0 {
		if err := record.Asked(); err != nil {
			return s.discard(staged, err)
		}
		if err := plan.editor.Edit(ctx, label, plan.documents); err != nil {
			return takeBack(ctx, label, plan, s.discard(staged, err))
		}
	}
	defer s.filesWritten(plan)
	if err := s.replaceFiles(ctx, plan, staged, record); err != nil {
		return takeBack(ctx, label, plan, err)
	}
	if left := staged.Leftovers(); len(left) > 0 {
		s.Log.Warn("old texts of applied files could not be removed", zap.Strings("paths", left))
	}
	return nil
}

// replaceFiles gives the staged files their places, in this server's turn. Where it
// fails, what the server has written is taken back.
func (s *Session) replaceFiles(ctx context.Context, plan *writePlan, staged *atomicfile.Transaction, record *journal.Entry) error {
	if len(plan.files) > 0 {
		turn, err := s.Journal.Turn(ctx)
		if err != nil {
			return s.discard(staged, err)
		}
		defer turn.Close()
	}
	var opened error
	err := staged.Commit(func() error {
		opened = plan.checkStillClosed()
		return opened
	}, record.Done)
	if err == nil {
		return nil
	}
	err = s.writeError(plan, staged, err)
	if opened != nil {
		return opened
	}
	return err
}

// filesWritten tells about the files on disk: a watcher may not, or not in time.
func (s *Session) filesWritten(plan *writePlan) {
	for _, f := range plan.files {
		s.FileChanged(f.Path)
	}
}

// discard removes staged files and adds to the cause of that what is left.
func (s *Session) discard(staged *atomicfile.Transaction, cause error) error {
	err := staged.Discard()
	if err == nil {
		return cause
	}
	s.Log.Error("remove staged files", zap.Error(err))
	return addSentence(cause, textLeftBehind, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// checkUnedited fails where a document is no longer what its edits were made
// against: an editor could take them as edits of the newer text.
func (s *Session) checkUnedited(plan *writePlan) error {
	if len(plan.documents) == 0 {
		return nil
	}
	now := s.Host.Workspace().Documents
	for _, doc := range plan.documents {
		content, open := now.OpenText(doc.Path)
		if !open {
			var err error
			if content, err = now.ReadFile(doc.Path); err != nil {
				return fmt.Errorf("%s: %w", doc.Display, err)
			}
		}
		if !bytes.Equal(content, doc.Old) {
			return fmt.Errorf(TextEditedMeanwhile, doc.Display)
		}
	}
	return nil
}

// checkStillClosed fails where the editor opened a file that is about to be
// replaced: a file that a client has open is never written on disk.
func (p *writePlan) checkStillClosed() error {
	for _, f := range p.files {
		if p.isOpen(f.Path) {
			return fmt.Errorf(textOpenedMeanwhile, p.name(f.Path))
		}
	}
	return nil
}

// takeBack puts the editor's documents back after a failure and adds to its
// cause the names of those that are in doubt.
func takeBack(ctx context.Context, label string, plan *writePlan, cause error) error {
	if len(plan.documents) == 0 {
		return cause
	}
	inDoubt := plan.editor.Abandon(ctx, label, plan.documents)
	if len(inDoubt) == 0 {
		return cause
	}
	return addSentence(cause, textInDoubt, displayList(inDoubt))
}

// writeError says the failure to write files in the user's words; the log has all
// of it. staged is nil where the files could not be staged.
func (s *Session) writeError(plan *writePlan, staged *atomicfile.Transaction, err error) error {
	s.Log.Warn("write files", zap.Error(err))
	var doubt *atomicfile.InDoubtError
	if errors.As(err, &doubt) {
		return addSentence(plan.cause(doubt.Err), textInDoubt, plan.inDoubt(doubt.Paths, staged.Staged()))
	}
	return plan.cause(err)
}

func (p *writePlan) cause(err error) error {
	var failed *atomicfile.WriteError
	var changed *atomicfile.ChangedError
	switch {
	case errors.As(err, &changed):
		return fmt.Errorf(textChangedOnDisk, p.name(changed.Path))
	case errors.As(err, &failed):
		return fmt.Errorf(textWriteFailed, p.name(failed.Path), failed.Err)
	}
	return err
}

// inDoubt names files that could not be put back, and where their old texts are:
// the human may have to.
func (p *writePlan) inDoubt(paths []string, staged []atomicfile.Staged) string {
	backup := map[string]string{}
	for _, f := range staged {
		backup[f.Path] = f.Backup
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = fmt.Sprintf(textOldTextIn, p.name(path), backup[path])
	}
	return strings.Join(names, ", ")
}

func (p *writePlan) name(path string) string {
	if display, ok := p.display[path]; ok {
		return display
	}
	return path
}

func displayList(docs []DocumentEdit) string {
	names := make([]string, len(docs))
	for i, d := range docs {
		names[i] = d.Display
	}
	return strings.Join(names, ", ")
}

// addSentence adds a sentence to the text of err, which may be one itself.
func addSentence(err error, format string, args ...any) error {
	end := "."
	if strings.HasSuffix(err.Error(), ".") {
		end = ""
	}
	return fmt.Errorf("%w%s %s", err, end, fmt.Sprintf(format, args...))
}
