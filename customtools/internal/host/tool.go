package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// errSlowHook ends a render hook that takes too long.
var errSlowHook = errors.New("the hook took too long")

// tool is one element of a module.
type tool struct {
	module  *module
	element int
}

var _ customtools.RuntimeTool = (*tool)(nil)

// Describe implements [customtools.RuntimeTool].
func (t *tool) Describe(ctx context.Context) (customtools.Definition, error) {
	value, err := t.hook(ctx, "describe", map[string]any{})
	if err != nil {
		return customtools.Definition{}, err
	}
	var d customtools.Definition
	if err := json.Unmarshal(value, &d); err != nil {
		return customtools.Definition{}, fmt.Errorf("read the tool's properties: %w", err)
	}
	return d, nil
}

// Execute implements [customtools.RuntimeTool].
func (t *tool) Execute(ctx context.Context, rc customtools.RuntimeCall) (json.RawMessage, error) {
	w, err := t.module.live(ctx)
	if err != nil {
		return nil, err
	}
	params := map[string]any{
		"element":     t.element,
		"toolCallId":  rc.ToolCallID,
		"params":      rc.Params,
		"toolContext": rc.Context,
		"updates":     rc.Update != nil,
	}
	c := &call{host: rc.Host, relay: newRelay(rc.Update)}
	return w.request(ctx, "execute", params, c, patience{grace: w.p.limits.Grace})
}

// OnSession implements [customtools.RuntimeTool].
func (t *tool) OnSession(ctx context.Context, event json.RawMessage, tc customtools.ToolContext) error {
	var e struct{ Reason string }
	if err := json.Unmarshal(event, &e); err != nil {
		return fmt.Errorf("read a session event: %w", err)
	}
	w, err := t.module.listener(ctx, t.element, e.Reason, sessionStart{event, tc})
	if err != nil || w == nil {
		return err
	}
	return w.session(ctx, t.element, event, tc, t.module.spec.Host)
}

// listener returns the worker that is to hear of a session event, and keeps in
// mind what a later one must be told. A lost worker is not brought back to
// hear of the end: then it is nil.
func (m *module) listener(ctx context.Context, element int, reason string, start sessionStart) (*worker, error) {
	if reason == "shutdown" {
		m.turn <- struct{}{}
		defer func() { <-m.turn }()
		delete(m.starts, element)
		if m.worker.isGone() {
			return nil, nil
		}
		return m.worker, nil
	}
	w, err := m.live(ctx)
	if reason == "start" {
		m.turn <- struct{}{}
		defer func() { <-m.turn }()
		m.starts[element] = start
	}
	return w, err
}

func (w *worker) session(ctx context.Context, element int, event json.RawMessage, tc customtools.ToolContext, host customtools.Host) error {
	params := map[string]any{"element": element, "event": event, "toolContext": tc}
	_, err := w.request(ctx, "session", params, &call{host: host}, patience{grace: w.p.limits.Grace, spare: true})
	return err
}

// RenderCall implements [customtools.RuntimeTool].
func (t *tool) RenderCall(ctx context.Context, args json.RawMessage, options customtools.RenderOptions) (string, error) {
	return t.render(ctx, "renderCall", map[string]any{"args": args, "options": options})
}

// RenderResult implements [customtools.RuntimeTool].
func (t *tool) RenderResult(ctx context.Context, result, args json.RawMessage, options customtools.RenderOptions) (string, error) {
	return t.render(ctx, "renderResult", map[string]any{"result": result, "args": args, "options": options})
}

func (t *tool) render(ctx context.Context, method string, params map[string]any) (string, error) {
	value, err := t.hook(ctx, method, params)
	if err != nil {
		return "", err
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return "", fmt.Errorf("%s gave no text: %w", method, err)
	}
	return text, nil
}

// hook runs what must be quick.
func (t *tool) hook(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	w, err := t.module.live(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, w.p.limits.Hook, errSlowHook)
	defer cancel()
	params["element"] = t.element
	return w.request(ctx, method, params, &call{host: t.module.spec.Host}, patience{grace: w.p.limits.Grace, spare: true})
}
