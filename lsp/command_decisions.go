package lsp

import (
	"context"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// decisionsList answers xcsh.decisions.list, newest first.
func (s *Server) decisionsList(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Limit     int        `json:"limit"`
		Before    string     `json:"before"`
		PendingID string     `json:"pendingId"`
		Agent     *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	decisions, err := s.session.Decisions.List(args.Limit, args.Before, args.PendingID)
	if err != nil {
		return nil, fmt.Errorf("read the decision log: %w", err)
	}
	return struct {
		Decisions []resolve.Decision `json:"decisions"`
	}{decisions}, nil
}

// decisionsRevert answers xcsh.decisions.revert with the preview of what undoes a
// decision.
func (s *Server) decisionsRevert(ctx context.Context, call commandCall) (any, error) {
	var args struct {
		ID    string     `json:"id"`
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args, "id"); err != nil {
		return nil, err
	}
	result, ref, err := s.session.Revert(ctx, session.Reversion{Decision: args.ID, ProposedBy: s.client.actor(args.Agent), Conn: s.id})
	if err != nil {
		return nil, err
	}
	s.seen.proposed(ref)
	return result, nil
}
