package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// maxOutcomes is how many decisions can still be asked for by pending id: whoever
// proposed something asks within minutes, and a result may hold a long text. The
// decision log has the others.
const maxOutcomes = 256

// textOutcomeUnknown answers a question for a decision that is not kept here: the
// id is of another session, or maxOutcomes others have been decided since.
const textOutcomeUnknown = "Pending action %s is no longer pending, and how it was decided is not kept here any more. Look for it with xcsh.decisions.list."

// Outcome is how a pending action was decided.
type Outcome struct {
	Action resolve.Kind
	Reason string
	Result resolve.Result // what the decision answered its caller
}

// verdict is the outcome of one action, which it gets once.
type verdict struct {
	given   chan struct{} // closed when outcome is set
	outcome Outcome
}

func newVerdict() *verdict { return &verdict{given: make(chan struct{})} }

// give is called once.
func (v *verdict) give(d resolve.Decided, result resolve.Result) {
	v.outcome = Outcome{Action: d.Params.Action, Reason: d.Params.Reason, Result: result}
	close(v.given)
}

// verdicts are those of the latest decisions, by pending id.
type verdicts struct {
	byID  map[string]*verdict
	order []string // oldest first
}

func (v *verdicts) keep(id string, of *verdict) {
	v.byID[id], v.order = of, append(v.order, id)
	if len(v.order) > maxOutcomes {
		delete(v.byID, v.order[0])
		v.order = slices.Delete(v.order, 0, 1)
	}
}

// Await returns how the action was decided, at once where it has been; any number
// may wait for one action. The error is ctx's, or a [*resolve.ToolError] for an id
// that was never proposed here or was decided long ago.
func (s *Session) Await(ctx context.Context, id string) (Outcome, error) {
	v := s.verdictOn(id)
	if v == nil {
		return Outcome{}, &resolve.ToolError{Message: fmt.Sprintf(textOutcomeUnknown, id)}
	}
	select {
	case <-v.given: // even where ctx has ended
		return v.outcome, nil
	default:
	}
	select {
	case <-v.given:
		return v.outcome, nil
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
}

func (s *Session) verdictOn(id string) *verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[id]; e != nil {
		return e.verdict
	}
	return s.decided.byID[id]
}
