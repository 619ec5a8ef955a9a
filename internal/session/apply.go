package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts of an apply's failures; resolve puts `Apply failed: ` before them.
const (
	textWriteFailed    = "Failed to write %s: %s"
	textNoApplyEdit    = "the client cannot be asked to edit open documents (workspace/applyEdit): %s. Save and close them, or use a client that can."
	textOpenedMeanwile = "%s was opened in the editor meanwhile; try again."
	textChangedMean    = "%s changed on disk meanwhile; try again."
	textInDoubt        = "%s In doubt: %s."
	textLeftUnsaved    = "Not saved yet: %s."
)

// AppliedDetails are the details of an applied structural edit.
type AppliedDetails struct {
	astedit.Details
	// Unsaved are the display paths of documents whose text is not on disk yet.
	Unsaved []string `json:"unsaved,omitzero"`
}

// UnsavedText says which documents an apply left unsaved, by display path.
func UnsavedText(names []string) string {
	return fmt.Sprintf(textLeftUnsaved, strings.Join(names, ", "))
}

// apply is the callback of a staged edit: it runs the edit over the documents as
// they are now, and writes only where the outcome is what the preview shows
// (protocol.md 5). It can be cancelled until its first write.
func (s *Session) apply(ctx context.Context, e *entry) (out resolve.Result, err error) {
	s.beginApply(e)
	defer func() { s.endApply(e, err) }()

	fresh, err := s.run(ctx, e.request, nil)
	if err != nil {
		return resolve.Result{}, err
	}
	if err := s.compare(e, fresh); err != nil {
		return resolve.Result{}, err
	}
	plan, err := s.plan(fresh)
	if err != nil {
		return resolve.Result{}, err
	}
	if err := s.write(ctx, e, plan); err != nil {
		return resolve.Result{}, err
	}
	s.setOutcome(e, plan)
	details := AppliedDetails{Details: fresh.Details(true)}
	out = resolve.TextResult(fresh.AppliedText(), nil)
	if editor := s.Host.Editor(); editor != nil && len(plan.documents) > 0 {
		for _, doc := range editor.Unsaved(context.WithoutCancel(ctx), plan.documents) {
			details.Unsaved = append(details.Unsaved, doc.Display)
		}
	}
	if len(details.Unsaved) > 0 {
		out.Content = append(out.Content, resolve.TextResult(UnsavedText(details.Unsaved), nil).Content...)
	}
	out.Details = details
	return out, nil
}

// beginApply marks e while its own edits change documents.
func (s *Session) beginApply(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.applying = true
}

// endApply lets previews follow the files that the apply may have changed: those
// of other actions, and e's own where it failed and stays.
func (s *Session) endApply(e *entry, failed error) {
	s.mu.Lock()
	e.applying = failed == nil
	files := e.result.Files
	s.mu.Unlock()
	for _, f := range files {
		s.FileChanged(f.Path)
	}
}

// compare fails where fresh is not what the preview of e shows; the preview is
// then fresh, under a new revision.
func (s *Session) compare(e *entry, fresh *astedit.Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if differ := s.replaceResult(e, fresh); len(differ) > 0 {
		return e.staleError(differ)
	}
	return nil
}

// writePlan is what an apply writes: documents through the editor, the others on
// disk. Files that the edit leaves as they are are in neither.
type writePlan struct {
	documents []DocumentEdit
	files     []atomicfile.Write
	display   map[string]string // by absolute path
	changed   []changedFile
}

type changedFile struct {
	path          string
	before, after string // content hashes
}

func (s *Session) plan(result *astedit.Result) (*writePlan, error) {
	plan := &writePlan{display: map[string]string{}}
	editor := s.Host.Editor()
	for _, f := range result.Files {
		content, err := f.NewContent()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Display, err)
		}
		plan.display[f.Path] = f.Display
		if bytes.Equal(content, f.Old) {
			continue
		}
		plan.changed = append(plan.changed, changedFile{f.Path, text.Hash(f.Old), text.Hash(content)})
		if editor != nil && (editor.IsOpen(f.Path) || s.Policy().UnopenedThroughClient) {
			plan.documents = append(plan.documents, DocumentEdit{Path: f.Path, Display: f.Display, Old: f.Old, New: content, Edits: f.Edits()})
		} else {
			plan.files = append(plan.files, atomicfile.Write{Path: f.Path, Old: f.Old, New: content})
		}
	}
	if len(plan.documents) > 0 && !editor.CanEdit() {
		return nil, &resolve.ToolError{Message: "Apply failed: " + fmt.Sprintf(textNoApplyEdit, displayList(plan.documents))}
	}
	return plan, nil
}

func displayList(docs []DocumentEdit) string {
	names := make([]string, len(docs))
	for i, d := range docs {
		names[i] = d.Display
	}
	return strings.Join(names, ", ")
}

// write writes the plan, all or nothing: the files are staged beside their
// targets, the editor is asked, and only then the staged files take their places.
func (s *Session) write(ctx context.Context, e *entry, plan *writePlan) error {
	staged, err := atomicfile.Stage(s.Files, plan.files)
	if err != nil {
		return plan.writeError(err)
	}
	if err := ctx.Err(); err != nil {
		return errors.Join(err, staged.Discard())
	}
	ctx = context.WithoutCancel(ctx) // from here on the apply ends as it ends
	label := s.labelOf(e)
	if len(plan.documents) > 0 {
		if err := s.Host.Editor().Edit(ctx, label, plan.documents); err != nil {
			return s.takeBack(ctx, label, plan, errors.Join(err, staged.Discard()))
		}
	}
	if err := staged.Commit(func() error { return s.checkStillClosed(plan) }); err != nil {
		return s.takeBack(ctx, label, plan, plan.writeError(err))
	}
	return nil
}

// checkStillClosed fails where the editor opened a file that is about to be
// replaced: a file that a client has open is never written on disk.
func (s *Session) checkStillClosed(plan *writePlan) error {
	editor := s.Host.Editor()
	if editor == nil {
		return nil
	}
	for _, f := range plan.files {
		if editor.IsOpen(f.Path) {
			return fmt.Errorf(textOpenedMeanwile, plan.display[f.Path])
		}
	}
	return nil
}

// takeBack puts the editor's documents back after a failure and adds to its
// cause the names of those that are in doubt.
func (s *Session) takeBack(ctx context.Context, label string, plan *writePlan, cause error) error {
	if len(plan.documents) == 0 {
		return cause
	}
	inDoubt := s.Host.Editor().Abandon(ctx, label, plan.documents)
	if len(inDoubt) == 0 {
		return cause
	}
	return fmt.Errorf(textInDoubt, cause, displayList(inDoubt))
}

// writeError says the failure to write a file in the user's words.
func (p *writePlan) writeError(err error) error {
	var failed *atomicfile.WriteError
	var changed *atomicfile.ChangedError
	var doubt *atomicfile.InDoubtError
	switch {
	case errors.As(err, &doubt):
		names := make([]string, len(doubt.Paths))
		for i, path := range doubt.Paths {
			names[i] = p.name(path)
		}
		return fmt.Errorf(textInDoubt, doubt.Err, strings.Join(names, ", "))
	case errors.As(err, &changed):
		return fmt.Errorf(textChangedMean, p.name(changed.Path))
	case errors.As(err, &failed):
		return fmt.Errorf(textWriteFailed, p.name(failed.Path), failed.Err)
	}
	return err
}

func (p *writePlan) name(path string) string {
	if display, ok := p.display[path]; ok {
		return display
	}
	return path
}
