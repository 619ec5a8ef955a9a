package session

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// AppliedDetails are the details of an applied edit.
type AppliedDetails struct {
	astedit.Details
	// Unsaved are the display paths of documents whose text is not on disk yet.
	Unsaved []string `json:"unsaved,omitzero"`
	// Declined is what the call left out of the edit.
	Declined      []resolve.Declined `json:"declined,omitzero"`
	declinedHunks int
}

// Texts that follow the one of an apply.
const (
	textDeclined    = "Declined: %s in %s."
	textLeftUnsaved = "Not saved yet: %s."
)

// apply is the callback of a staged edit: it works the edit out over the documents
// as they are now, and writes only where the outcome is what the caller saw
// previewed (protocol.md 5). It can be cancelled until its first write.
func (s *Session) apply(ctx context.Context, e *entry, extra map[string]any) (resolve.Result, error) {
	choice, partly, err := readChoice(extra)
	if err != nil {
		return resolve.Result{}, err
	}
	if err := s.settleEarlier(); err != nil {
		return resolve.Result{}, err
	}
	since := s.beginApply(e)
	defer s.endApply(e)

	fresh, err := s.editOf(e).again(ctx, s, nil)
	if err != nil {
		return resolve.Result{}, err
	}
	if err := s.compare(e, fresh, turnOf(ctx).Revision, since); err != nil {
		return resolve.Result{}, err
	}
	made := fresh
	var declined []resolve.Declined
	if partly {
		kept, left, err := s.choose(fresh.files(), choice)
		if err != nil {
			return resolve.Result{}, err
		}
		made, declined = fresh.part(kept), left
	}
	plan, err := s.plan(made.files())
	if err != nil {
		return resolve.Result{}, err
	}
	outcome := s.outcomeOf(plan, declined)
	turn := turnOf(ctx)
	turn.decision = s.identified(e, turn, outcome)
	if err := s.write(ctx, made.label(), plan, turn.decision); err != nil {
		turn.decision = nil
		return resolve.Result{}, err
	}
	s.setOutcome(e, outcome)
	said, data := made.applied()
	details := AppliedDetails{Details: data, Declined: declined, declinedHunks: hunks(fresh.files()) - hunks(made.files())}
	return s.appliedResult(context.WithoutCancel(ctx), said, details, plan), nil
}

func (s *Session) editOf(e *entry) edit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.edit
}

// beginApply marks e while its own edits change documents, and begins its run.
func (s *Session) beginApply(e *entry) (since uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.applying = true
	return s.changes.begin()
}

// endApply lets the preview follow its files again: those of an apply that failed
// may have been changed and put back. After one that succeeded the preview is gone
// before it could be made anew.
func (s *Session) endApply(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes.end()
	e.applying = false
	s.pokeFor(e)
}

// compare fails where fresh is not what the preview of e showed at the revision
// that was seen: the guards looked at the revision earlier, and it may have moved
// on since. The preview is fresh then.
func (s *Session) compare(e *entry, fresh edit, seen int, since uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.adopt(e, fresh, since)
	if refused, _ := fresh.refused(); e.revision != seen || refused != "" {
		return e.staleError(seen)
	}
	return nil
}

func (s *Session) appliedResult(ctx context.Context, said string, details AppliedDetails, plan *writePlan) resolve.Result {
	if len(plan.documents) > 0 {
		for _, doc := range plan.editor.Unsaved(ctx, plan.documents) {
			details.Unsaved = append(details.Unsaved, doc.Display)
		}
	}
	out := resolve.TextResult(said, details)
	for _, line := range details.Remarks() {
		out.Content = append(out.Content, resolve.TextResult(line, nil).Content...)
	}
	return out
}

// Remarks are what to tell of an apply beside what it did: what is declined, and
// what is left unsaved.
func (d AppliedDetails) Remarks() (lines []string) {
	if len(d.Declined) > 0 {
		lines = append(lines, fmt.Sprintf(textDeclined, astedit.Count(d.declinedHunks, "replacement"), astedit.Count(len(d.Declined), "file")))
	}
	if len(d.Unsaved) > 0 {
		lines = append(lines, fmt.Sprintf(textLeftUnsaved, strings.Join(d.Unsaved, ", ")))
	}
	return lines
}

// writePlan is what an apply writes: documents through the editor, the others on
// disk. Files that the edit leaves as they are are in neither.
type writePlan struct {
	editor    Editor // nil where there is none, and then there are no documents
	documents []DocumentEdit
	files     []atomicfile.Write
	display   map[string]string // by absolute path
	changed   []undoFile
}

func (s *Session) plan(edits []*astedit.FileEdit) (*writePlan, error) {
	plan := &writePlan{editor: s.Host.Editor(), display: map[string]string{}}
	unopenedToo := s.Policy().UnopenedThroughClient
	var stuck []DocumentEdit // open where it cannot be edited
	for _, f := range edits {
		content, err := f.NewContent()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Display, err)
		}
		plan.display[f.Path] = f.Display
		if bytes.Equal(content, f.Old) {
			continue
		}
		plan.changed = append(plan.changed, undoOf(f, content))
		canEdit, isOpen := plan.editor != nil && plan.editor.CanEdit(f.Path), plan.isOpen(f.Path)
		doc := DocumentEdit{Path: f.Path, Display: f.Display, Old: f.Old, New: content, Edits: f.Edits()}
		switch {
		case isOpen && !canEdit:
			stuck = append(stuck, doc)
		case isOpen, unopenedToo && canEdit:
			plan.documents = append(plan.documents, doc)
		default:
			plan.files = append(plan.files, atomicfile.Write{Path: f.Path, Old: f.Old, New: content})
		}
	}
	if len(stuck) > 0 {
		return nil, fmt.Errorf(textNoApplyEdit, displayList(stuck))
	}
	return plan, nil
}

func (p *writePlan) isOpen(path string) bool { return p.editor != nil && p.editor.IsOpen(path) }
