package lsptest

import (
	"encoding/json"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Requests of xcsh beyond the protocol.
const (
	methodInput          = "xcsh/input"
	methodQuickPick      = "xcsh/quickPick"
	methodStanding       = "xcsh/standing"
	methodCommandResolve = "command/resolve"
)

// Input is what xcsh/input asks for.
type Input struct {
	Title       string `json:"title"`
	Prompt      string `json:"prompt"`
	Value       string `json:"value"`
	PlaceHolder string `json:"placeHolder"`
	Password    bool   `json:"password"`

	Choices []string `json:"choices"` // ready-made answers
}

// QuickPick is what xcsh/quickPick asks for.
type QuickPick struct {
	Title string `json:"title"`
	Items []struct {
		Label       string `json:"label"`
		Description string `json:"description"`
	} `json:"items"`
	CanPickMany bool `json:"canPickMany"`
}

// MessageRequest is what window/showMessageRequest asks for.
type MessageRequest struct {
	Type    protocol.MessageType `json:"type"`
	Message string               `json:"message"`
	Actions []struct {
		Title string `json:"title"`
	} `json:"actions"`
}

// Titles returns the titles of the actions on offer.
func (m MessageRequest) Titles() []string {
	var titles []string
	for _, a := range m.Actions {
		titles = append(titles, a.Title)
	}
	return titles
}

// hooks are the human at the editor. Each runs on a goroutine of its own, so it
// may take its time, and must have ended when the test ends.
type hooks struct {
	mu       sync.Mutex
	input    func(Input) *string
	pick     func(QuickPick) []int
	message  func(MessageRequest) *string
	standing func(json.RawMessage) (any, error)
	settings object
}

// OnInput sets who answers xcsh/input: nil dismisses it, as no hook does. One of
// the ready-made answers is chosen, any other one typed.
func (e *Editor) OnInput(f func(Input) *string) {
	e.hooks.mu.Lock()
	defer e.hooks.mu.Unlock()
	e.hooks.input = f
}

// OnQuickPick sets who answers xcsh/quickPick: nil dismisses it, as no hook does.
func (e *Editor) OnQuickPick(f func(QuickPick) []int) {
	e.hooks.mu.Lock()
	defer e.hooks.mu.Unlock()
	e.hooks.pick = f
}

// OnMessageRequest sets who answers window/showMessageRequest with the title of
// an action: nil dismisses it, as no hook does.
func (e *Editor) OnMessageRequest(f func(MessageRequest) *string) {
	e.hooks.mu.Lock()
	defer e.hooks.mu.Unlock()
	e.hooks.message = f
}

// OnStanding sets what answers xcsh/standing; without it the client has no such
// method.
func (e *Editor) OnStanding(f func(params json.RawMessage) (result any, err error)) {
	e.hooks.mu.Lock()
	defer e.hooks.mu.Unlock()
	e.hooks.standing = f
}

// SetSettings sets what workspace/configuration gives, by section, and tells the
// server that it changed.
func (e *Editor) SetSettings(sections map[string]any) {
	e.hooks.mu.Lock()
	e.hooks.settings = sections
	e.hooks.mu.Unlock()
	e.Notify(protocol.MethodWorkspaceDidChangeConfiguration, object{"settings": sections})
}

// Answer is a convenience for hooks: a pointer to s.
func Answer(s string) *string { return &s }

// request implements peerHandler.
func (e *Editor) request(id jsonrpc2.ID, method string, params json.RawMessage) {
	e.record.add(Received{Method: method, Params: params, Request: true})
	e.checkDeclared(method)
	if method == protocol.MethodWorkspaceApplyEdit {
		select {
		case e.edits <- edit{id, params}:
		default:
			e.t.Errorf("more than %d edits wait for their answer", maxQueuedEdits)
		}
		return
	}
	e.work.Go(func() {
		if method == protocol.MethodWindowShowMessageRequest && e.manners.NoShowMessageRequest {
			return
		}
		result, err := e.answerTo(method, params)
		if result == nil && err == nil {
			result = json.RawMessage("null")
		}
		e.reply(id, result, err)
	})
}

func (e *Editor) answerTo(method string, params json.RawMessage) (any, error) {
	e.hooks.mu.Lock()
	input, pick, message, standing, settings := e.hooks.input, e.hooks.pick, e.hooks.message, e.hooks.standing, e.hooks.settings
	e.hooks.mu.Unlock()
	switch method {
	case methodInput:
		if e.manners.Input {
			return e.answerInput(params, input), nil
		}
	case methodQuickPick:
		if e.manners.QuickPick {
			return e.answerPick(params, pick), nil
		}
	case methodStanding:
		if standing != nil {
			return standing(params)
		}
	case protocol.MethodWindowShowMessageRequest:
		return e.answerMessage(params, message), nil
	case protocol.MethodWorkspaceConfiguration:
		return e.answerConfiguration(params, settings), nil
	case protocol.MethodWorkspaceWorkspaceFolders:
		var folders []object
		for _, uri := range e.folders {
			folders = append(folders, object{"uri": uri, "name": uri})
		}
		return folders, nil
	case protocol.MethodWindowShowDocument:
		return object{"success": true}, nil
	case protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodClientRegisterCapability, protocol.MethodClientUnregisterCapability,
		protocol.MethodWorkspaceCodeLensRefresh, protocol.MethodWorkspaceDiagnosticRefresh:
		return nil, nil
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "%s has no %s", e.manners.Name, method)
}

func (e *Editor) answerInput(params json.RawMessage, hook func(Input) *string) any {
	var question Input
	e.decode(methodInput, params, &question)
	if hook == nil {
		return nil
	}
	value := hook(question)
	switch {
	case value == nil:
		return nil
	case slices.Contains(question.Choices, *value):
		return object{"value": *value, "chosen": true}
	}
	return object{"value": *value}
}

func (e *Editor) answerPick(params json.RawMessage, hook func(QuickPick) []int) any {
	var question QuickPick
	e.decode(methodQuickPick, params, &question)
	if hook == nil {
		return nil
	}
	if items := hook(question); items != nil {
		return object{"items": items}
	}
	return nil
}

// answerMessage fails the test where the hook chooses what is not on offer.
func (e *Editor) answerMessage(params json.RawMessage, hook func(MessageRequest) *string) any {
	var question MessageRequest
	e.decode(protocol.MethodWindowShowMessageRequest, params, &question)
	if hook == nil {
		return nil
	}
	title := hook(question)
	if title == nil {
		return nil
	}
	if !slices.Contains(question.Titles(), *title) {
		e.t.Errorf("%q is not among the actions %q", *title, question.Titles())
		return nil
	}
	if e.manners.FirstChoiceOnly && *title != question.Titles()[0] {
		return nil
	}
	return object{"title": *title}
}

func (e *Editor) answerConfiguration(params json.RawMessage, settings object) any {
	var question struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	e.decode(protocol.MethodWorkspaceConfiguration, params, &question)
	values := []any{}
	for _, item := range question.Items {
		values = append(values, settings[item.Section]) // nil is null
	}
	return values
}
