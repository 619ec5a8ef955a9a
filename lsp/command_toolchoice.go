package lsp

import (
	"context"
	"errors"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// turns is the gate of the agent's loop at the other end of a connection. The zero
// value is ready for use.
type turns struct {
	mu   sync.Mutex
	gate resolve.Gate
}

// softDirective is the result of xcsh.toolChoice.next where something is pending.
type softDirective struct {
	Soft         bool                      `json:"soft"`
	ID           string                    `json:"id"`
	ToolName     string                    `json:"toolName"`
	Reminder     []resolve.ReminderMessage `json:"reminder"` // empty where this connection had it
	ForcedChoice resolve.ToolChoice        `json:"forcedChoice,omitzero"`
}

// toolChoiceNext answers xcsh.toolChoice.next: once for each turn, before its
// request to the model.
func (s *Server) toolChoiceNext(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	directive := s.nextDirective(s.client.actor(args.Agent))
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	request := s.turns.gate.Before(directive)
	soft := directive.Soft
	if soft == nil {
		return nil, nil
	}
	s.seen.noteHead(soft.ID)
	return softDirective{true, soft.ID, soft.ToolName, append([]resolve.ReminderMessage{}, request.Append...), request.Choice}, nil
}

// nextDirective asks for the head to be resolved where actor may apply it.
func (s *Server) nextDirective(actor resolve.Actor) resolve.TurnDirective {
	_, stack := s.session.Pending()
	if len(stack) == 0 {
		return resolve.TurnDirective{}
	}
	head := stack[0]
	_, err := s.session.Check(session.Call{
		Params: resolve.Params{Action: resolve.Apply}, ID: head.ID, Revision: head.Revision, Actor: actor, Conn: s.id,
	})
	var tool *resolve.ToolError
	if errors.As(err, &tool) && tool.Context["kind"] == session.KindForbidden {
		return resolve.TurnDirective{}
	}
	return resolve.TurnDirective{Soft: resolve.SoftRequirement(resolve.PendingHead{ID: head.ID, SourceToolName: head.SourceToolName}, s.cfg.Now())}
}

// toolChoiceVerdict is the result of xcsh.toolChoice.report.
type toolChoiceVerdict struct {
	Execute bool              `json:"execute"`
	Results *[]resolve.Result `json:"results,omitzero"` // one for each call
	Fail    string            `json:"fail,omitzero"`
}

// toolChoiceReport answers xcsh.toolChoice.report: after each answer of the model,
// before its calls run.
func (s *Server) toolChoiceReport(_ context.Context, call commandCall) (any, error) {
	var args struct {
		ToolCalls    []string           `json:"toolCalls"`
		StopReason   resolve.StopReason `json:"stopReason"`
		StaticChoice resolve.ToolChoice `json:"staticChoice"`
		Agent        *agentMark         `json:"agent"`
	}
	if err := decodeArgument(call, &args, "toolCalls"); err != nil {
		return nil, err
	}
	if args.ToolCalls == nil {
		return nil, argumentErrorf("toolCalls must be a list, not null")
	}
	response := resolve.Response{Stop: args.StopReason, Static: args.StaticChoice}
	for _, name := range args.ToolCalls {
		response.ToolCalls = append(response.ToolCalls, resolve.ToolCall{Name: name})
	}
	s.turns.mu.Lock()
	defer s.turns.mu.Unlock()
	verdict := s.turns.gate.After(response)
	switch {
	case verdict.Err != nil:
		s.turns.gate.End()
		return toolChoiceVerdict{Fail: verdict.Err.Error()}, nil
	case !verdict.Execute:
		return toolChoiceVerdict{Results: &verdict.Results}, nil
	}
	// A loop ends with an answer that calls nothing.
	if len(args.ToolCalls) == 0 || args.StopReason == resolve.StopError || args.StopReason == resolve.StopAborted {
		s.turns.gate.End()
	}
	return toolChoiceVerdict{Execute: true}, nil
}
