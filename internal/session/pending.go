package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// entry is what the session knows of a pending action beyond the stack. Its
// fields are guarded by Session.mu; edits are immutable and replaced.
type entry struct {
	id             string
	revision       int
	proposedBy     resolve.Actor
	owner          ConnID
	sourceToolName string
	createdAt      time.Time
	edit           edit              // nil for an action without files
	differed       map[string]int    // by display path: the last revision that changed the file's part
	follows        map[string]bool   // absolute paths of the files that this or an earlier preview shows
	changed        map[string]uint64 // those of them with a text that the preview does not show, and since when
	prepared       bool              // for fast new previews
	applying       bool              // an apply runs: its own edits do not make the preview anew
	verdict        *verdict
	reverts        string  // the id of the decision that the action undoes
	outcome        outcome // of its apply
	lost           string  // why its callbacks can do nothing any more, "" while they can
}

// files are what the action would change.
func (e *entry) files() []*astedit.FileEdit {
	if e.edit == nil {
		return nil
	}
	return e.edit.files()
}

// stale reports whether the preview is to be made anew.
func (e *entry) stale() bool { return len(e.changed) > 0 && !e.applying }

// Preview is a pending action as it is at one moment.
type Preview struct {
	ID             string
	Revision       int
	Label          string
	SourceToolName string
	ProposedBy     resolve.Actor
	ProposerGone   bool // the connection on which it was proposed has ended
	CreatedAt      time.Time
	// Stale: a previewed file changed, and the preview does not show that.
	Stale bool
	// Files are what the action would change; none where it knows of no files.
	Files []*astedit.FileEdit
	// Outdated are those of Files that have other texts than the changes were made
	// against, where the action does not follow its files.
	Outdated []*astedit.FileEdit
	// Refused says why the action cannot be applied as its files are now, "" where
	// it can.
	Refused string
	// Lost says why the action can only be discarded any more: what was to apply it is
	// gone. It is "" while it can be applied.
	Lost string

	unsettled bool // to be made anew
}

// File returns the changes of the file at an absolute path, nil for none.
func (p Preview) File(path string) *astedit.FileEdit {
	for _, f := range p.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// Replacements counts the changes over all files.
func (p Preview) Replacements() int {
	total := 0
	for _, f := range p.Files {
		total += len(f.Changes)
	}
	return total
}

// preview is the action as it is now. Session.mu is held.
func (e *entry) preview(a resolve.Action) Preview {
	p := Preview{
		ID: a.ID, Revision: e.revision, Label: a.Label, SourceToolName: a.SourceToolName,
		ProposedBy: e.proposedBy, CreatedAt: e.createdAt, Files: e.files(), Lost: e.lost, unsettled: e.stale(),
	}
	if e.edit != nil {
		p.Refused, p.Outdated = e.edit.refused()
	}
	p.Stale = p.unsettled || len(p.Outdated) > 0
	return p
}

// Pending returns the stack, top first, and the count of its changes so far.
func (s *Session) Pending() (version uint64, stack []Preview) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version, actions := s.store.Snapshot()
	for _, a := range actions {
		if e := s.entries[a.ID]; e != nil {
			p := e.preview(a)
			p.ProposerGone = s.gone[e.owner]
			stack = append(stack, p)
		}
	}
	return version, stack
}

// Settled is Pending once previews have followed the latest changes of their
// files; where they have not when ctx ends, it is Pending as it is then.
func (s *Session) Settled(ctx context.Context) (version uint64, stack []Preview) {
	changed := make(chan struct{}, 1)
	defer s.Subscribe(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})()
	for {
		version, stack = s.Pending()
		if !slices.ContainsFunc(stack, func(p Preview) bool { return p.unsettled }) {
			return version, stack
		}
		select {
		case <-ctx.Done():
			return version, stack
		case <-changed:
		}
	}
}

// Texts of a preview that no longer holds (ast_edit.md 12.2).
const (
	textOutOfDate      = "Preview is out of date: %s. It has been refreshed; review it and resolve again."
	textNothingMatches = "Preview is out of date: nothing matches any more. Discard it."
	textAndMore        = " and %d more"
)

// maxStaleFiles is how many files an out-of-date text names.
const maxStaleFiles = 5

// staleError says that the preview of e's current revision has to be looked at
// before anything is written. It names the files that have changed since the
// revision seen; all of them, where no revision of e was.
func (e *entry) staleError(seen int) error {
	known := seen > 0 && seen <= e.revision
	files := []string{}
	for display, revision := range e.differed {
		if known && revision > seen {
			files = append(files, display)
		}
	}
	slices.Sort(files)
	refused, outdated := e.edit.refused()
	switch {
	case outdated != nil:
		files = displayNames(outdated)
	case !known:
		files = displayNames(e.files())
	}
	message := refused
	if refused == "" {
		message = fmt.Sprintf(textOutOfDate, listFiles(files))
	}
	return outOfDate(message, files, e.id, e.revision)
}

func outOfDate(message string, files []string, id string, revision int) error {
	return &resolve.ToolError{Message: message, Context: map[string]any{
		"kind": KindStale, "files": files, "id": id, "revision": revision,
	}}
}

// StaleError is what applying the action fails with while it has outdated files.
func (p Preview) StaleError() error {
	return outOfDate(p.Refused, displayNames(p.Outdated), p.ID, p.Revision)
}

func listFiles(files []string) string {
	if len(files) <= maxStaleFiles {
		return strings.Join(files, ", ")
	}
	return strings.Join(files[:maxStaleFiles], ", ") + fmt.Sprintf(textAndMore, len(files)-maxStaleFiles)
}
