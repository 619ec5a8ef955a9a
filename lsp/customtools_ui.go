package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

const (
	methodQuickPick = "xcsh/quickPick"
	methodStatus    = "xcsh/status"

	titleYes = "Yes"
	titleNo  = "No"

	// maxMessageActions is how many buttons an editor's message shows at once.
	maxMessageActions = 4
)

// toolUI asks and tells a human for a tool. Without one nobody answers.
type toolUI struct {
	workspace *Workspace
	human     *Server // may be nil
}

var _ customtools.UI = toolUI{}

// Select implements customtools.UI.
func (u toolUI) Select(ctx context.Context, title string, options []string) (string, bool) {
	switch {
	case u.human == nil || len(options) == 0:
		return "", false
	case u.human.client.quickPick:
		return u.quickPick(ctx, title, options)
	case len(options) <= maxMessageActions:
		return u.message(ctx, title, options)
	}
	return "", false
}

func (u toolUI) quickPick(ctx context.Context, title string, options []string) (string, bool) {
	type item struct {
		Label string `json:"label"`
	}
	params := struct {
		Title string `json:"title"`
		Items []item `json:"items"`
	}{Title: title}
	for _, option := range options {
		params.Items = append(params.Items, item{option})
	}
	var answer *struct {
		Items []int `json:"items"`
	}
	err := protocol.Call(ctx, u.human.conn, methodQuickPick, params, &answer)
	if err != nil || answer == nil || len(answer.Items) == 0 || answer.Items[0] < 0 || answer.Items[0] >= len(options) {
		return "", false
	}
	return options[answer.Items[0]], true
}

// message asks with one button for each option.
func (u toolUI) message(ctx context.Context, text string, options []string) (string, bool) {
	params := &protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo, Message: text}
	for _, option := range options {
		params.Actions = append(params.Actions, protocol.MessageActionItem{Title: option})
	}
	chosen, err := u.human.editor.ShowMessageRequest(ctx, params)
	if err != nil || chosen == nil {
		return "", false
	}
	for _, option := range options {
		if option == chosen.Title {
			return option, true
		}
	}
	return "", false
}

// Confirm implements customtools.UI.
func (u toolUI) Confirm(ctx context.Context, title, message string) bool {
	if u.human == nil {
		return false
	}
	answer, ok := u.message(ctx, title+"\n"+message, []string{titleYes, titleNo})
	return ok && answer == titleYes
}

// Input implements customtools.UI.
func (u toolUI) Input(ctx context.Context, title, placeholder string) (string, bool) {
	return u.input(ctx, map[string]any{"title": title, "prompt": title, "placeHolder": placeholder})
}

// Editor implements customtools.UI.
func (u toolUI) Editor(ctx context.Context, title, prefill string) (string, bool) {
	return u.input(ctx, map[string]any{"title": title, "prompt": title, "value": prefill})
}

func (u toolUI) input(ctx context.Context, params map[string]any) (string, bool) {
	if u.human == nil || !u.human.client.input {
		return "", false
	}
	var answer *struct {
		Value string `json:"value"`
	}
	if err := protocol.Call(ctx, u.human.conn, methodInput, params, &answer); err != nil || answer == nil {
		return "", false
	}
	return answer.Value, true
}

// Notify implements customtools.UI.
func (u toolUI) Notify(message, level string) {
	if u.human == nil {
		u.workspace.log.Info("tool", zap.String("notify", message))
		return
	}
	kind := protocol.MessageTypeInfo
	switch level {
	case "warning":
		kind = protocol.MessageTypeWarning
	case "error":
		kind = protocol.MessageTypeError
	}
	u.human.outbox.put(func() { u.human.showMessage(kind, message) })
}

// SetStatus implements customtools.UI.
func (u toolUI) SetStatus(key string, text *string) {
	if text != nil {
		line := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(*text)
		text = &line
	}
	if u.human == nil || !u.human.client.toolUpdate {
		u.workspace.log.Info("tool status", zap.String("key", key), zap.Stringp("text", text))
		return
	}
	u.human.outbox.put(func() {
		_ = u.human.conn.Notify(u.human.background, methodStatus, map[string]any{"key": key, "text": text})
	})
}
