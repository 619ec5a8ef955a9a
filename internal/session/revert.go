package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// How a revert is called as a pending action.
const (
	RevertTool  = "revert"
	revertLabel = "Revert: "
)

// Texts of reverts.
const (
	textRevertChanged   = "Cannot revert: %s changed since."
	textRevertGone      = "Cannot revert: what it needs is no longer stored."
	textRevertDiscarded = "Cannot revert: it was discarded, so it changed nothing."
	textRevertNoFiles   = "Cannot revert: it changed no files that are known here."
	textReverted        = "Reverted %s in %s."
)

// Reversion asks for a pending action that undoes an applied one.
type Reversion struct {
	Decision   string // its id
	ProposedBy resolve.Actor
	Conn       ConnID
}

// Revert stages what undoes a decision, as an edit that does not follow its files.
// It returns the tool result of a preview. A decision that cannot be undone is a
// *resolve.ToolError, an id that the log does not have a *resolve.ParamError.
func (s *Session) Revert(ctx context.Context, r Reversion) (resolve.Result, PendingRef, error) {
	decision, err := s.revertible(r.Decision)
	if err != nil {
		return resolve.Result{}, PendingRef{}, err
	}
	files, err := s.revertFiles(ctx, decision)
	if err != nil {
		return resolve.Result{}, PendingRef{}, asToolError(err)
	}
	preview := astedit.Result{Files: files, FilesSearched: len(files)}
	origin := Origin{
		Label: revertLabel + decision.Label, SourceToolName: RevertTool,
		ProposedBy: r.ProposedBy, Conn: r.Conn, Reverts: decision.ID,
	}
	ref, err := s.StageEdit(ctx, origin, FixedEdit{Files: files, Applied: textReverted, Refused: textRevertChanged})
	if err != nil {
		return resolve.Result{}, PendingRef{}, err
	}
	details := ProposalDetails{Details: preview.Details(false), Pending: &ref}
	return resolve.TextResult(preview.Text()+reminderFor(r.ProposedBy), details), ref, nil
}

func toolError(text string) error { return &resolve.ToolError{Message: text} }

// revertible finds a decision that changed files.
func (s *Session) revertible(id string) (resolve.Decision, error) {
	decision, known, err := s.Decisions.Find(id)
	switch {
	case err != nil:
		return decision, fmt.Errorf("read the decision log: %w", err)
	case !known:
		return decision, &resolve.ParamError{Field: "id", Problem: fmt.Sprintf("names no decision of the log: %q", id)}
	case decision.Action != resolve.Apply:
		return decision, toolError(textRevertDiscarded)
	case len(decision.Files) == 0:
		return decision, toolError(textRevertNoFiles)
	}
	return decision, nil
}

// revertFiles works out the edits that undo a decision, over the files as they are
// now, in order of display path.
func (s *Session) revertFiles(ctx context.Context, decision resolve.Decision) ([]*astedit.FileEdit, error) {
	undo, err := s.readUndo(decision)
	if err != nil {
		return nil, err
	}
	w := s.Host.Workspace()
	paths := make([]string, len(undo.Files))
	for i, u := range undo.Files {
		paths[i] = u.Path
	}
	shown, err := w.DisplayPaths(paths)
	if err != nil {
		return nil, err
	}
	var files []*astedit.FileEdit
	var changed []string
	for i, u := range undo.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		present, err := presentText(w.Documents, u.Path)
		file, same, undoErr := u.revertOf(shown[i], present)
		switch {
		case err != nil || !same:
			changed = append(changed, shown[i])
		case undoErr != nil:
			return nil, s.noUndo(decision, undoErr)
		default:
			files = append(files, file)
		}
	}
	if len(changed) > 0 {
		slices.Sort(changed)
		return nil, toolError(fmt.Sprintf(textRevertChanged, listFiles(changed)))
	}
	slices.SortFunc(files, func(a, b *astedit.FileEdit) int { return cmp.Compare(a.Display, b.Display) })
	return files, nil
}

// readUndo reads what a revert of the decision needs.
func (s *Session) readUndo(decision resolve.Decision) (u undo, err error) {
	if decision.Undo == "" || s.Contents == nil {
		return undo{}, toolError(textRevertGone)
	}
	packed, err := s.Contents.Get(decision.Undo)
	if errors.Is(err, contentstore.ErrGone) {
		return undo{}, s.noUndo(decision, err)
	}
	if err != nil {
		return undo{}, err
	}
	if err := json.Unmarshal(packed, &u); err != nil {
		return undo{}, s.noUndo(decision, err)
	}
	return u, nil
}

// noUndo is for the user; the log says what is wrong with what was found.
func (s *Session) noUndo(decision resolve.Decision, err error) error {
	s.Log.Warn("revert", zap.String("decision", decision.ID), zap.Error(err))
	return toolError(textRevertGone)
}
