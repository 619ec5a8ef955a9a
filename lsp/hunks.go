package lsp

import (
	"context"
	"sort"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// settleWait is how long a request about previews waits for them to follow the
// latest keystrokes: an answer about an older text is no use, a late one neither.
const settleWait = 300 * time.Millisecond

// settled returns the stack as it is once previews have followed, or nearly so.
func (s *Server) settled(ctx context.Context) []session.Preview {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	_, stack := s.session.Settled(ctx)
	return stack
}

// placed is a change of a pending action in one document.
type placed struct {
	preview session.Preview
	change  *astedit.Change
}

// changesAt returns, of each pending action, top first, the first change that
// touches span of doc. An action whose preview does not show doc's present text
// has none: its ranges would be those of another text.
func changesAt(stack []session.Preview, doc *document, span text.Span) []placed {
	var found []placed
	for _, p := range stack {
		f := p.File(doc.key)
		if f == nil || !sameText(doc, f.Old) {
			continue
		}
		if c := firstTouching(f.Changes, span); c != nil {
			found = append(found, placed{p, c})
		}
	}
	return found
}

// firstTouching finds the first of ordered, disjoint changes that shares a byte
// with span or stands at its edge.
func firstTouching(changes []astedit.Change, span text.Span) *astedit.Change {
	i := sort.Search(len(changes), func(i int) bool { return changes[i].Span.End >= span.Start })
	if i < len(changes) && changes[i].Span.Start <= span.End {
		return &changes[i]
	}
	return nil
}
