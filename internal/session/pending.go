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
// fields are guarded by Session.mu; results are immutable and replaced.
type entry struct {
	id         string
	revision   int
	proposedBy resolve.Actor
	owner      ConnID
	createdAt  time.Time
	request    astedit.Request
	result     *astedit.Result
	differed   map[string]int    // by display path: the last revision that changed the file's part
	follows    map[string]bool   // absolute paths of the files that this or an earlier preview shows
	changed    map[string]uint64 // those of them with a text that the preview does not show, and since when
	applying   bool              // an apply runs: its own edits do not make the preview anew
	outcome    []resolve.DecidedFile
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
	CreatedAt      time.Time
	// Stale: a previewed file changed, and the preview does not show that yet.
	Stale  bool
	Result *astedit.Result
}

// Pending returns the stack, top first, and the count of its changes so far.
func (s *Session) Pending() (version uint64, stack []Preview) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version, actions := s.store.Snapshot()
	for _, a := range actions {
		if e := s.entries[a.ID]; e != nil {
			stack = append(stack, Preview{
				ID: a.ID, Revision: e.revision, Label: a.Label, SourceToolName: a.SourceToolName,
				ProposedBy: e.proposedBy, CreatedAt: e.createdAt, Stale: e.stale(), Result: e.result,
			})
		}
	}
	return version, stack
}

// settleStep is how often Settled looks again: a preview is made anew within a few
// of them.
const settleStep = 5 * time.Millisecond

// Settled is Pending once previews have followed the latest changes of their
// files; where they have not when ctx ends, it is Pending as it is then.
func (s *Session) Settled(ctx context.Context) (version uint64, stack []Preview) {
	for {
		version, stack = s.Pending()
		if !slices.ContainsFunc(stack, func(p Preview) bool { return p.Stale }) {
			return version, stack
		}
		select {
		case <-ctx.Done():
			return version, stack
		case <-time.After(settleStep):
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
	if !known {
		for _, f := range e.result.Files {
			files = append(files, f.Display)
		}
	}
	message := fmt.Sprintf(textOutOfDate, listFiles(files))
	if len(e.result.Files) == 0 {
		message = textNothingMatches
	}
	return &resolve.ToolError{Message: message, Context: map[string]any{
		"kind": KindStale, "files": files, "id": e.id, "revision": e.revision,
	}}
}

func listFiles(files []string) string {
	if len(files) <= maxStaleFiles {
		return strings.Join(files, ", ")
	}
	return strings.Join(files[:maxStaleFiles], ", ") + fmt.Sprintf(textAndMore, len(files)-maxStaleFiles)
}
