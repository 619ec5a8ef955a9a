package session

import (
	"context"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// setOutcome keeps which files an apply changed, for the decision log. All of
// them have been verified: documents by what the editor then held, files by the
// rename.
func (s *Session) setOutcome(e *entry, plan *writePlan) {
	files := make([]resolve.DecidedFile, len(plan.changed))
	for i, c := range plan.changed {
		files[i] = resolve.DecidedFile{URI: s.Host.URI(c.path), Before: c.before, After: c.after, Verified: true}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.outcome = files
}

// textNotKept ends the result of a decision that is not in the log.
const textNotKept = "Warning: %v."

// recordDecision forgets a decided action and logs the decision. A log that
// cannot be written does not undo what was decided; it is reported.
func (s *Session) recordDecision(ctx context.Context, d resolve.Decided) {
	s.mu.Lock()
	e := s.entries[d.Action.ID]
	delete(s.entries, d.Action.ID)
	s.mu.Unlock()
	turn := turnOf(ctx)
	_, err := s.Decisions.Append(resolve.Decision{
		PendingID: d.Action.ID, Action: d.Params.Action, Label: d.Action.Label, SourceToolName: d.Action.SourceToolName,
		Reason: d.Params.Reason, ReasonFrom: turn.ReasonFrom, ProposedBy: e.proposedBy, DecidedBy: turn.Actor,
		Files: e.outcome,
	})
	if err != nil {
		s.Log.Error("write decision log", zap.String("id", d.Action.ID), zap.Error(err))
		turn.notKept = err
	}
}

func withNotKept(result resolve.Result, err error) resolve.Result {
	result.IsWarning = true
	result.Content = append(result.Content, resolve.TextResult(fmt.Sprintf(textNotKept, err), nil).Content...)
	return result
}

// NotKept returns what to tell a human whose decision stands but is not in the
// log, by the result of Resolve; ok is false for any other result.
func NotKept(result resolve.Result) (text string, ok bool) {
	if !result.IsWarning || len(result.Content) == 0 {
		return "", false
	}
	text = result.Content[len(result.Content)-1].Text
	prefix, _, _ := strings.Cut(textNotKept, "%")
	return text, strings.HasPrefix(text, prefix)
}
