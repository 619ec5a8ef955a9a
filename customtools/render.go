package customtools

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// rendererFailedText is the log line about a render hook that threw.
const rendererFailedText = "Tool renderer failed"

// display is a tool's own rendering of a call and its result as plain text; ""
// where it has none. A hook that throws is logged, and the label or the
// result's text takes its place.
func (t *LoadedTool) display(ctx context.Context, d Definition, args json.RawMessage, result resolve.Result) string {
	if !d.HasRenderCall && !d.HasRenderResult {
		return ""
	}
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if !d.MergeCallAndResult {
		add(t.renderCall(ctx, d, args))
	}
	add(t.renderResult(ctx, d, args, result))
	return strings.Join(parts, "\n")
}

func (t *LoadedTool) renderCall(ctx context.Context, d Definition, args json.RawMessage) string {
	if !d.HasRenderCall {
		return d.DisplayLabel()
	}
	text, err := t.tool.RenderCall(ctx, args, RenderOptions{})
	if err != nil {
		t.warn(rendererFailedText, err)
		return d.DisplayLabel()
	}
	return text
}

func (t *LoadedTool) renderResult(ctx context.Context, d Definition, args json.RawMessage, result resolve.Result) string {
	if !d.HasRenderResult {
		return result.Text()
	}
	raw, err := json.Marshal(struct {
		Content []resolve.Block `json:"content"`
		Details any             `json:"details"`
		IsError bool            `json:"isError"`
	}{append([]resolve.Block{}, result.Content...), result.Details, result.IsError})
	if err != nil {
		return result.Text()
	}
	text, err := t.tool.RenderResult(ctx, raw, args, RenderOptions{})
	if err != nil {
		t.warn(rendererFailedText, err)
		return result.Text()
	}
	return text
}

// warn logs that something of the tool failed beside the call.
func (t *LoadedTool) warn(message string, err error) {
	fields, _ := json.Marshal(map[string]string{"tool": t.definition.Name, "error": err.Error()})
	t.host.Log(LogEntry{Level: LogWarn, Message: message, Path: t.ResolvedPath, Context: fields})
}
