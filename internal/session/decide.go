package session

import (
	"context"
	"slices"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// outcome is what an apply changed.
type outcome struct {
	files    []resolve.DecidedFile
	declined []resolve.Declined
	undo     undo
}

// setOutcome keeps which files an apply changed, for the decision log. All of
// them have been verified: documents by what the editor then held, files by the
// rename.
func (s *Session) setOutcome(e *entry, plan *writePlan, declined []resolve.Declined) {
	made := outcome{files: make([]resolve.DecidedFile, len(plan.changed)), declined: declined, undo: undo{plan.changed}}
	for i, c := range plan.changed {
		made.files[i] = resolve.DecidedFile{URI: s.Host.URI(c.Path), Before: c.Before, After: c.After, Verified: true}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.outcome = made
}

// textWarning ends the result of a decision that stands although something about
// it could not be kept.
const textWarning = "Warning: %v."

// recordDecision forgets a decided action and logs the decision. A log that
// cannot be written does not undo what was decided; it is reported.
func (s *Session) recordDecision(ctx context.Context, d resolve.Decided) {
	s.mu.Lock()
	e := s.entries[d.Action.ID]
	delete(s.entries, d.Action.ID)
	s.decided.keep(d.Action.ID, e.verdict)
	s.mu.Unlock()
	s.Engine.KeepLive(s.follows)
	turn := turnOf(ctx)
	undo := s.keepUndo(turn, e.outcome.undo) // first: a decision that is logged can be reverted
	_, err := s.Decisions.Append(resolve.Decision{
		PendingID: d.Action.ID, Action: d.Params.Action, Label: d.Action.Label, SourceToolName: d.Action.SourceToolName,
		Reason: d.Params.Reason, ReasonFrom: turn.ReasonFrom, ProposedBy: e.proposedBy, DecidedBy: turn.Actor,
		Files: e.outcome.files, Declined: e.outcome.declined, Undo: undo, Reverts: e.reverts, IsError: d.Result.IsError,
	})
	if err != nil {
		s.Log.Error("write decision log", zap.String("id", d.Action.ID), zap.Error(err))
		turn.warn(err)
	}
	e.verdict.give(d, resolved(d.Result, turn.warnings).Result)
}

// Resolved is the result of a call of resolve. As JSON it is the tool result.
type Resolved struct {
	resolve.Result
	// Warnings are what a human is to be told of a decision that stands all the
	// same: that it is not in the log, say. They end the result's content.
	Warnings []string
}

// resolved adds to a result what the call's turn has to warn of.
func resolved(result resolve.Result, warnings []string) Resolved {
	result.Content = slices.Clip(result.Content) // it is shared with who waits for it
	for _, w := range warnings {
		result.IsWarning = true
		result.Content = append(result.Content, resolve.TextResult(w, nil).Content...)
	}
	return Resolved{result, warnings}
}
