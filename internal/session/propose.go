package session

import (
	"context"
	"errors"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// PendingRef names a pending action and the revision of its preview.
type PendingRef struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Revision int    `json:"revision"`
}

// ProposalDetails are the details of a structural edit's tool result.
type ProposalDetails struct {
	astedit.Details
	Pending *PendingRef `json:"pending,omitzero"`
}

// Proposal is one proposed structural edit.
type Proposal struct {
	Request    astedit.Request
	ProposedBy resolve.Actor
	Conn       ConnID
	// Progress, where set, is told now and then how far the dry run is.
	Progress func(filesSearched, replacements int)
}

// Propose dry-runs a structural edit and, where it changes something, stages it.
// It returns the tool result; a request that cannot be run is a
// *resolve.ToolError, a cancelled one ctx's error with nothing staged.
func (s *Session) Propose(ctx context.Context, p Proposal) (resolve.Result, *astedit.Result, error) {
	since := s.beginRun()
	defer s.endRun()
	result, err := s.run(ctx, p.Request, p.Progress)
	if err != nil {
		return resolve.Result{}, nil, asToolError(err)
	}
	text, details := result.Text(), ProposalDetails{Details: result.Details(false)}
	out := resolve.Result{}
	if len(result.Files) == 0 {
		out.IsWarning = true
	} else {
		origin := Origin{Label: result.Label(), SourceToolName: astedit.ToolName, ProposedBy: p.ProposedBy, Conn: p.Conn}
		ref := s.push(origin, &ruleEdit{p.Request, result}, since, s.editCallbacks)
		details.Pending = &ref
		text += reminderFor(p.ProposedBy)
		s.notify()
	}
	out.Content, out.Details = resolve.TextResult(text, nil).Content, details
	return out, result, nil
}

// DryRun answers as Propose does and stages nothing.
func (s *Session) DryRun(ctx context.Context, request astedit.Request) (resolve.Result, error) {
	result, err := s.run(ctx, request, nil)
	if err != nil {
		return resolve.Result{}, asToolError(err)
	}
	out := resolve.TextResult(result.Text(), ProposalDetails{Details: result.Details(false)})
	out.IsWarning = len(result.Files) == 0
	return out, nil
}

// reminderFor is what ends a preview's text for whoever proposed it.
func reminderFor(actor resolve.Actor) string {
	if actor.Kind != resolve.Agent {
		return ""
	}
	return "\n\n" + resolve.Reminder
}

// run runs the engine over the workspace as it is now, with the policy's limits.
func (s *Session) run(ctx context.Context, req astedit.Request, progress func(int, int)) (*astedit.Result, error) {
	return s.Engine.Run(ctx, s.Host.Workspace(), req, astedit.Options{MaxFiles: s.Policy().MaxFiles, Progress: progress})
}

// asToolError gives the engine's errors for the user the type that reaches a
// caller word for word. An apply leaves them as they are: its failures begin with
// `Apply failed: `.
func asToolError(err error) error {
	var forUser *astedit.UserError
	if errors.As(err, &forUser) {
		return &resolve.ToolError{Message: forUser.Text}
	}
	return err
}
