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

// outcomeOf is what an apply changes when it is final. Then all of the files have been
// verified: documents by what the editor held, files by the rename.
func (s *Session) outcomeOf(plan *writePlan, declined []resolve.Declined) outcome {
	made := outcome{files: make([]resolve.DecidedFile, len(plan.changed)), declined: declined, undo: undo{plan.changed}}
	for i, c := range plan.changed {
		made.files[i] = resolve.DecidedFile{URI: s.Host.URI(c.Path), Before: c.Before, After: c.After, Verified: true}
	}
	return made
}

// setOutcome keeps what an apply has changed, for the decision log.
func (s *Session) setOutcome(e *entry, made outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.outcome = made
}

// identified is the decision to apply e as the log will have it, but for what a revert
// needs: that is stored when the apply is final. It is nil where no log is kept.
func (s *Session) identified(e *entry, t *turn, made outcome) *resolve.Decision {
	if !s.Decisions.Enabled() {
		return nil
	}
	s.mu.Lock()
	d := e.decision(t, made)
	s.mu.Unlock()
	d = s.Decisions.Identify(d)
	return &d
}

// decision is what t decides about e, with its outcome. Session.mu is held.
func (e *entry) decision(t *turn, made outcome) resolve.Decision {
	label := ""
	if e.edit != nil {
		label = e.edit.label()
	}
	return resolve.Decision{
		PendingID: e.id, Action: t.Params.Action, Label: label, SourceToolName: e.sourceToolName,
		Reason: t.Params.Reason, ReasonFrom: t.ReasonFrom, ProposedBy: e.proposedBy, DecidedBy: t.Actor,
		Files: made.files, Declined: made.declined, Reverts: e.reverts,
	}
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
	decision := e.decision(turn, e.outcome)
	if turn.decision != nil {
		decision.ID, decision.Session, decision.Time = turn.decision.ID, turn.decision.Session, turn.decision.Time
	}
	decision.Label, decision.Reason = d.Action.Label, d.Params.Reason
	decision.Undo, decision.IsError = undo, d.Result.IsError
	_, err := s.Decisions.Append(decision)
	if turn.logged != nil {
		turn.logged()
	}
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
