package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts around the question for a reason.
const (
	textReasonRequired = "A reason is required: pass \"reason\"."
	textAskReason      = "Why? The reason is kept with the decision."
	textBlankReason    = "A reason is required."
	titleCancel        = "Cancel"
)

// Requests of our own and of gopls' convention.
const (
	methodInput          = "xcsh/input"
	methodCommandResolve = "command/resolve"
	reasonField          = "reason"
)

// reason is a human's reason and how it was given.
type reason struct {
	text string
	from resolve.ReasonFrom
}

// reasonQuestion is what a reason is asked for.
type reasonQuestion struct {
	action resolve.Kind
	label  string
	actor  resolve.Actor
	form   []formAnswer // what came with the command
}

// title is `Apply "AST Edit: 1 replacement in 1 file"`.
func (q reasonQuestion) title() string { return actionTitle(q.action, q.label) }

func actionTitle(action resolve.Kind, label string) string {
	verb := "Apply"
	if action == resolve.Discard {
		verb = "Discard"
	}
	return fmt.Sprintf("%s \"%s\"", verb, label)
}

// askReason gets the reason from the human in the best way that the client has
// (protocol.md 4.3). Nil means that the question was dismissed. It waits as long
// as the human does.
func (s *Server) askReason(ctx context.Context, q reasonQuestion) (*reason, error) {
	if q.actor.Kind != resolve.Human {
		return nil, &resolve.ToolError{Message: textReasonRequired}
	}
	if s.client.forms && len(q.form) > 0 {
		return formReason(q.form), nil
	}
	if s.client.input {
		return s.askByInput(ctx, q)
	}
	return s.askByMessage(ctx, q)
}

func typedReason(text string) *reason {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &reason{text, resolve.ReasonTyped}
}

func (s *Server) askByInput(ctx context.Context, q reasonQuestion) (*reason, error) {
	var answer *struct {
		Value  string `json:"value"`
		Chosen bool   `json:"chosen"` // among choices, not typed
	}
	params := map[string]any{"title": q.title(), "prompt": textAskReason, "choices": s.readyReasons(q.action)}
	if err := protocol.Call(ctx, s.conn, methodInput, params, &answer); err != nil {
		return nil, asked(err)
	}
	if answer == nil {
		return nil, nil
	}
	given := typedReason(answer.Value)
	if given != nil && answer.Chosen {
		given.from = resolve.ReasonChosen
	}
	return given, nil
}

// readyReasons are the ready-made reasons for action.
func (s *Server) readyReasons(action resolve.Kind) []string {
	settings := s.currentSettings()
	if action == resolve.Discard {
		return settings.DiscardReasons
	}
	return settings.ApplyReasons
}

// askByMessage offers the ready-made reasons: all that plain LSP has to ask with.
func (s *Server) askByMessage(ctx context.Context, q reasonQuestion) (*reason, error) {
	ready := s.readyReasons(q.action)
	params := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo, Message: q.title() + "? " + textAskReason}
	for _, title := range append(slices.Clone(ready), titleCancel) {
		params.Actions = append(params.Actions, protocol.MessageActionItem{Title: title})
	}
	chosen, err := s.editor.ShowMessageRequest(ctx, params)
	if err != nil {
		return nil, asked(err)
	}
	if chosen == nil || !slices.Contains(ready, chosen.Title) {
		return nil, nil
	}
	return &reason{chosen.Title, resolve.ReasonChosen}, nil
}

// asked maps the error of a client that cannot be asked.
func asked(err error) error {
	if errors.Is(err, jsonrpc2.ErrMethodNotFound) {
		return &resolve.ToolError{Message: textReasonRequired}
	}
	return fmt.Errorf("ask for the reason: %w", err)
}

// formField and formAnswer are the convention for forms that gopls and vscode-go
// share. Choices and Chosen are ours, as in xcsh/input, for a client that has that too:
// the log tells a chosen reason from a typed one.
type formField struct {
	ID          string         `json:"id"`
	Description string         `json:"description"`
	Type        map[string]any `json:"type"`
	Required    bool           `json:"required"`
	Error       string         `json:"error,omitzero"`
	Choices     []string       `json:"choices,omitzero"`
}

type formAnswer struct {
	ID    string `json:"id"`
	Value any    `json:"value"`

	Chosen bool `json:"chosen,omitzero"`
}

// formReason is nil where the answer to the form is blank.
func formReason(answers []formAnswer) *reason {
	given := typedReason(answerTo(answers, reasonField))
	if given != nil && slices.ContainsFunc(answers, func(a formAnswer) bool { return a.ID == reasonField && a.Chosen }) {
		given.from = resolve.ReasonChosen
	}
	return given
}

func answerTo(answers []formAnswer, id string) string {
	for _, a := range answers {
		if a.ID == id {
			value, _ := a.Value.(string)
			return value
		}
	}
	return ""
}

// resolveCommand answers command/resolve: with the form for a reason until there
// is a good answer, with any other command unchanged.
func (s *Server) resolveCommand(_ context.Context, raw json.RawMessage) (any, error) {
	var p executeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalidParams(methodCommandResolve, err)
	}
	var unchanged map[string]json.RawMessage
	if err := json.Unmarshal(raw, &unchanged); err != nil {
		return nil, invalidParams(methodCommandResolve, err)
	}
	delete(unchanged, "formFields")
	if fields := s.reasonForm(&p); fields != nil {
		encoded, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		unchanged["formFields"] = encoded
	}
	return rawJSON(unchanged)
}

// reasonForm returns the fields that p still needs answers to.
func (s *Server) reasonForm(p *executeParams) []formField {
	if p.Command != commandResolve || len(p.Arguments) != 1 {
		return nil
	}
	var args resolveArgument
	if args.decode(commandCall{argument: p.Arguments[0]}) != nil || args.Reason != nil {
		return nil // execution says what is wrong
	}
	call := s.sessionCall(&args)
	label, err := s.session.Check(call)
	if err != nil || label == "" || call.Actor.Kind != resolve.Human {
		return nil
	}
	field := formField{
		ID: reasonField, Description: actionTitle(args.Action, label) + ": " + textAskReason,
		Type: map[string]any{"kind": "string"}, Required: true,
	}
	if s.client.input {
		field.Choices = s.readyReasons(args.Action)
	}
	switch {
	case p.FormAnswers == nil:
	case typedReason(answerTo(p.FormAnswers, reasonField)) != nil:
		return nil
	default:
		field.Error = textBlankReason
	}
	return []formField{field}
}
