package customtools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Tool is a tool that a Go program brings itself. It is registered, validated
// and called by the same rules as one from a module. Execute is required; an
// error of it becomes an error result with its text.
type Tool struct {
	Definition
	Execute func(ctx context.Context, call RuntimeCall) (resolve.Result, error)

	// The rest is optional.
	OnSession    func(ctx context.Context, event json.RawMessage, toolContext ToolContext) error
	RenderCall   func(args json.RawMessage, options RenderOptions) (string, error)
	RenderResult func(result resolve.Result, args json.RawMessage, options RenderOptions) (string, error)
}

// Report sends a partial result to whoever watches the call.
func (c RuntimeCall) Report(partial resolve.Result) {
	if c.Update == nil {
		return
	}
	if raw, err := json.Marshal(partial); err == nil {
		c.Update(raw)
	}
}

func (t Tool) element() Element {
	t.HasOnSession = t.OnSession != nil
	t.HasRenderCall, t.HasRenderResult = t.RenderCall != nil, t.RenderResult != nil
	shape := Shape{HasName: t.Name != "", HasDescription: true, HasParameters: true, HasExecute: t.Execute != nil}
	return Element{Shape: shape, Definition: t.Definition, Tool: goTool{t}}
}

// goTool is a Tool as a runtime would give it: what it returns goes the same
// way, as JSON.
type goTool struct{ Tool }

func (t goTool) Describe(context.Context) (Definition, error) { return t.Definition, nil }

func (t goTool) Execute(ctx context.Context, call RuntimeCall) (raw json.RawMessage, err error) {
	defer recovered(&err)
	result, err := t.Tool.Execute(ctx, call)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

func (t goTool) OnSession(ctx context.Context, event json.RawMessage, toolContext ToolContext) (err error) {
	defer recovered(&err)
	return t.Tool.OnSession(ctx, event, toolContext)
}

func (t goTool) RenderCall(_ context.Context, args json.RawMessage, options RenderOptions) (text string, err error) {
	defer recovered(&err)
	return t.Tool.RenderCall(args, options)
}

func (t goTool) RenderResult(_ context.Context, result, args json.RawMessage, options RenderOptions) (text string, err error) {
	defer recovered(&err)
	return t.Tool.RenderResult(ResultFromJSON(result), args, options)
}

// recovered turns a panic of the deferring function into its error: a tool
// costs only itself.
func recovered(err *error) {
	if value := recover(); value != nil {
		*err = fmt.Errorf("%v", value)
	}
}
