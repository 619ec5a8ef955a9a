package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Command is a command that the server offers.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitzero"`
}

// Action is a code action. Raw is its JSON as it came.
type Action struct {
	Title       string `json:"title"`
	Kind        string `json:"kind"`
	IsPreferred bool   `json:"isPreferred"`
	Disabled    *struct {
		Reason string `json:"reason"`
	} `json:"disabled"`
	Edit    json.RawMessage `json:"edit"`
	Command *Command        `json:"command"`
	Raw     json.RawMessage `json:"-"`
}

// ActionContext is the context of a request for code actions, beside the
// diagnostics. TriggerKind is 1 for invoked, 2 for automatic and 0 for absent.
type ActionContext struct {
	Only        []string
	TriggerKind int
}

// CodeActions asks for the code actions of a range as a user does (trigger kind
// 1), of the kinds in only where there are any.
func (e *Editor) CodeActions(uri string, at protocol.Range, only ...string) []Action {
	e.t.Helper()
	return e.CodeActionsWith(uri, at, ActionContext{Only: only, TriggerKind: 1})
}

// CodeActionsWith asks for the code actions of a range.
func (e *Editor) CodeActionsWith(uri string, at protocol.Range, given ActionContext) []Action {
	e.t.Helper()
	diagnostics, _ := e.Diagnostics(uri)
	overlapping := []protocol.Diagnostic{}
	for _, d := range diagnostics {
		if !before(d.Range.End, at.Start) && !before(at.End, d.Range.Start) {
			overlapping = append(overlapping, d)
		}
	}
	actionContext := object{"diagnostics": overlapping}
	if given.Only != nil {
		actionContext["only"] = given.Only
	}
	if given.TriggerKind != 0 {
		actionContext["triggerKind"] = given.TriggerKind
	}
	raw, err := e.Call(context.Background(), protocol.MethodTextDocumentCodeAction, object{
		"textDocument": object{"uri": uri}, "range": at, "context": actionContext,
	})
	if err != nil {
		e.t.Fatalf("textDocument/codeAction: %v", err)
	}
	return e.readActions(raw)
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

func (e *Editor) readActions(raw json.RawMessage) []Action {
	e.t.Helper()
	var items []json.RawMessage
	e.decode(protocol.MethodTextDocumentCodeAction, raw, &items)
	var actions []Action
	for _, item := range items {
		action := Action{Raw: item}
		e.decode(protocol.MethodTextDocumentCodeAction, item, &action)
		if action.Disabled != nil && !e.manners.DisabledActions {
			e.t.Errorf("the server sent the disabled action %q, which %s does not take", action.Title, e.manners.Name)
		}
		actions = append(actions, action)
	}
	return actions
}

// Action returns the action with this title, and fails the test where there is
// none.
func (e *Editor) Action(actions []Action, title string) Action {
	e.t.Helper()
	var titles []string
	for _, a := range actions {
		if a.Title == title {
			return a
		}
		titles = append(titles, a.Title)
	}
	e.t.Fatalf("no code action %q among %q", title, titles)
	return Action{}
}

// Hover returns the text of the hover at the start of a range, "" for none.
func (e *Editor) Hover(uri string, at protocol.Range) string {
	e.t.Helper()
	raw, err := e.Call(context.Background(), protocol.MethodTextDocumentHover, object{
		"textDocument": object{"uri": uri}, "position": at.Start,
	})
	if err != nil {
		e.t.Fatalf("textDocument/hover: %v", err)
	}
	var hover *struct {
		Contents struct {
			Value string `json:"value"`
		} `json:"contents"`
	}
	e.decode(protocol.MethodTextDocumentHover, raw, &hover)
	if hover == nil {
		return ""
	}
	return hover.Contents.Value
}

// Command runs a command with one argument; nil: without. The error is the
// server's.
func (e *Editor) Command(ctx context.Context, name string, arg any) (json.RawMessage, *jsonrpc2.Error) {
	return e.execute(ctx, commandParams(name, arg))
}

// CommandWithToken runs a command under a work done token, a string or a number.
func (e *Editor) CommandWithToken(ctx context.Context, name string, arg, token any) (json.RawMessage, *jsonrpc2.Error) {
	params := commandParams(name, arg)
	params["workDoneToken"] = token
	return e.execute(ctx, params)
}

// Execute runs the command of an action as the user's choice of it does. In the
// manner of Forms the command is resolved first, and a form that it needs is
// dismissed: then nothing is run, and the result is nil.
func (e *Editor) Execute(ctx context.Context, action Action) (json.RawMessage, *jsonrpc2.Error) {
	return e.ExecuteWithForm(ctx, action)
}

// ExecuteWithForm runs the command of an action, and fills the first field of each
// form that the server returns with the next answer. Where no answer is left, the
// form is dismissed: nothing is run, and the result is nil.
func (e *Editor) ExecuteWithForm(ctx context.Context, action Action, answers ...string) (json.RawMessage, *jsonrpc2.Error) {
	switch {
	case action.Disabled != nil:
		e.t.Errorf("the action %q is disabled: %s", action.Title, action.Disabled.Reason)
		return nil, nil
	case action.Command == nil:
		e.t.Errorf("the action %q has no command: %s", action.Title, action.Raw)
		return nil, nil
	}
	if e.manners.ResolvesCommandAction {
		if _, err := e.Call(ctx, protocol.MethodCodeActionResolve, action.Raw); err != nil {
			return nil, e.serverError(protocol.MethodCodeActionResolve, err)
		}
	}
	params := object{"command": action.Command.Command}
	if action.Command.Arguments != nil {
		params["arguments"] = action.Command.Arguments
	}
	if !e.manners.Forms {
		return e.execute(ctx, params)
	}
	resolved, err := e.fillForms(ctx, params, answers)
	if err != nil || resolved == nil {
		return nil, err
	}
	return e.execute(ctx, resolved)
}

// FormField is a field of a form that the server asks to fill.
type FormField struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Type        struct {
		Kind string `json:"kind"`
	} `json:"type"`
	Required bool     `json:"required"`
	Error    string   `json:"error"`
	Choices  []string `json:"choices"`
}

// ResolveCommand sends command/resolve; the result is the server's params.
func (e *Editor) ResolveCommand(ctx context.Context, params any) (json.RawMessage, *jsonrpc2.Error) {
	raw, err := e.Call(ctx, methodCommandResolve, params)
	return raw, e.serverError(methodCommandResolve, err)
}

// fillForms resolves a command until the server asks for nothing more; nil where
// the form is dismissed.
func (e *Editor) fillForms(ctx context.Context, params any, answers []string) (json.RawMessage, *jsonrpc2.Error) {
	for {
		raw, err := e.ResolveCommand(ctx, params)
		if err != nil {
			return nil, err
		}
		var form struct {
			Fields []FormField `json:"formFields"`
		}
		e.decode(methodCommandResolve, raw, &form)
		if len(form.Fields) == 0 {
			return raw, nil
		}
		if len(answers) == 0 {
			return nil, nil
		}
		var next map[string]json.RawMessage
		e.decode(methodCommandResolve, raw, &next)
		answer := object{"id": form.Fields[0].ID, "value": answers[0]}
		if slices.Contains(form.Fields[0].Choices, answers[0]) {
			answer["chosen"] = true
		}
		filled, marshalErr := json.Marshal([]object{answer})
		if marshalErr != nil {
			e.t.Fatal(marshalErr)
		}
		next["formAnswers"] = filled
		params, answers = next, answers[1:]
	}
}

func commandParams(name string, arg any) object {
	params := object{"command": name}
	if arg != nil {
		params["arguments"] = []any{arg}
	}
	return params
}

func (e *Editor) execute(ctx context.Context, params any) (json.RawMessage, *jsonrpc2.Error) {
	if e.manners.HoldsChanges {
		e.docs.flushAll()
		defer e.docs.hold()()
	}
	raw, err := e.Call(ctx, protocol.MethodWorkspaceExecuteCommand, params)
	return raw, e.serverError(protocol.MethodWorkspaceExecuteCommand, err)
}

// serverError fails the test for an error that is not the server's answer.
func (e *Editor) serverError(method string, err error) *jsonrpc2.Error {
	var answered *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered):
		return answered
	}
	e.t.Errorf("%s: %v", method, err)
	return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
}
