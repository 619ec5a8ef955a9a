package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// methodToolUpdate carries a tool's partial results to a client that said so.
const methodToolUpdate = "xcsh/toolUpdate"

// withToolEnv gives a custom tool what its call brings.
func (s *Server) withToolEnv(ctx context.Context, caller toolCaller, model string) context.Context {
	host := &toolHost{workspace: s.workspace, caller: s, actor: caller.actor, cancel: caller.command.cancel}
	env := customtools.CallEnv{
		Host: host, Observer: &toolProgress{ctx: ctx, server: s, command: caller.command},
		Context:   customtools.ToolContext{HasUI: s.client.agent == "" || s.workspace.human() != nil},
		Exclusion: s.exclusion, Left: s.background,
	}
	if model != "" {
		env.Context.Model = rawOf(model)
	}
	tools, _ := s.tools(caller)
	for _, tool := range tools {
		env.Context.ToolNames = append(env.Context.ToolNames, tool.Name)
	}
	return customtools.WithCallEnv(ctx, env)
}

// toolProgress shows a call of a custom tool as work done progress, and keeps
// its result for the tools to look at. It watches one call.
type toolProgress struct {
	ctx      context.Context
	server   *Server
	command  commandCall
	progress *progress
}

// ToolStarted implements customtools.Observer.
func (p *toolProgress) ToolStarted(tool resolve.Definition, _ resolve.ToolCall) {
	p.progress = p.server.startProgress(p.ctx, p.command, customtools.Definition{Definition: tool}.DisplayLabel())
}

// ToolUpdated implements customtools.Observer.
func (p *toolProgress) ToolUpdated(call resolve.ToolCall, partial resolve.Result) {
	p.progress.say(firstLine(partial))
	if p.server.client.toolUpdate {
		_ = p.server.conn.Notify(p.server.background, methodToolUpdate, map[string]any{
			"toolCallId": call.ID, "toolName": call.Name, "partialResult": partial,
		})
	}
}

// ToolEnded implements customtools.Observer.
func (p *toolProgress) ToolEnded(call resolve.ToolCall, result resolve.Result) {
	p.progress.end(firstLine(result))
	w := p.server.workspace
	details, _ := result.Details.(json.RawMessage)
	if err := w.history().Add(customtools.SessionMessage{
		Role: "toolResult", ToolCallID: call.ID, ToolName: call.Name,
		Content: append([]resolve.Block{}, result.Content...), Details: details, IsError: result.IsError,
	}); err != nil {
		w.log.Warn("keep a tool's result", zap.Error(err))
	}
}

// firstLine is what fits into a progress of a result.
func firstLine(r resolve.Result) string {
	line, _, _ := strings.Cut(strings.TrimSpace(r.Text()), "\n")
	return line
}

// toolsReload answers xcsh.tools.reload.
func (s *Server) toolsReload(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	s.workspace.toolbox.reload()
	return s.listTools(false), nil
}

// sessionEvent answers xcsh.session.event: a host with a conversation passes on
// what happens in it.
func (s *Server) sessionEvent(ctx context.Context, call commandCall) (any, error) {
	var event struct {
		Reason string `json:"reason"`
	}
	if err := checkArgument(call, "reason"); err != nil {
		return nil, err
	}
	// The other fields depend on the reason, and are the tools' to read.
	if json.Unmarshal(call.argument, &event) != nil || event.Reason == "" {
		return nil, argumentErrorf("reason must be a string that is not empty")
	}
	s.workspace.toolbox.passOn(ctx, call.argument)
	return resolve.TextResult("", nil), nil
}

// passOn tells the loaded tools of a session event.
func (b *toolbox) passOn(ctx context.Context, event json.RawMessage) {
	b.loading.Lock()
	loaded := b.loaded
	b.loading.Unlock()
	loaded.Session(ctx, event, customtools.ToolContext{HasUI: b.workspace.human() != nil})
}
