package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"go.uber.org/zap"
)

// command is one command of workspace/executeCommand.
type command struct {
	name string
	run  func(*Server, context.Context, commandCall) (any, error)
}

// Names of the commands that code actions offer.
const commandResolve = "xcsh.resolve"

// commandTable lists the commands; what the server advertises is made from it.
func commandTable() []command {
	return []command{
		{"xcsh.ast_edit", (*Server).astEdit},
		{commandReplace, (*Server).replace},
		{commandResolve, (*Server).resolve},
		{"xcsh.pending.list", (*Server).pendingList},
		{"xcsh.pending.preview", (*Server).pendingPreview},
		{"xcsh.pending.await", (*Server).pendingAwait},
		{"xcsh.tools.list", (*Server).toolsList},
		{"xcsh.tools.call", (*Server).toolsCall},
		{"xcsh.tools.reload", (*Server).toolsReload},
		{"xcsh.session.event", (*Server).sessionEvent},
		{"xcsh.toolChoice.next", (*Server).toolChoiceNext},
		{"xcsh.toolChoice.report", (*Server).toolChoiceReport},
		{"xcsh.standing.set", (*Server).standingSet},
		{"xcsh.decisions.list", (*Server).decisionsList},
		{"xcsh.decisions.revert", (*Server).decisionsRevert},
		{"xcsh.cancel", (*Server).cancelCommand},
	}
}

func commandNames() []string {
	var names []string
	for _, c := range commandTable() {
		names = append(names, c.name)
	}
	return names
}

// commandCall is one call of a command.
type commandCall struct {
	argument    json.RawMessage // the one JSON object, or nil
	token       json.RawMessage // workDoneToken, or nil
	formAnswers []formAnswer
	cancel      context.CancelFunc // cancels the command
}

type executeParams struct {
	Command       string            `json:"command"`
	Arguments     []json.RawMessage `json:"arguments,omitzero"`
	WorkDoneToken json.RawMessage   `json:"workDoneToken,omitzero"`
	FormAnswers   []formAnswer      `json:"formAnswers,omitzero"`
	FormFields    []formField       `json:"formFields,omitzero"`
}

// executeCommand is read raw: the library's type drops the answers of a form.
func (s *Server) executeCommand(ctx context.Context, raw json.RawMessage) (any, error) {
	s.used()
	var p executeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalidParams("workspace/executeCommand", err)
	}
	for _, c := range commandTable() {
		if c.name != p.Command {
			continue
		}
		call := commandCall{token: p.WorkDoneToken, formAnswers: p.FormAnswers}
		if len(p.Arguments) == 1 {
			call.argument = p.Arguments[0]
		}
		if len(p.Arguments) > 1 {
			return nil, rpcError(ctx, argumentErrorf("%s takes one argument, not %d", p.Command, len(p.Arguments)))
		}
		return s.run(ctx, c, call)
	}
	return nil, rpcError(ctx, argumentErrorf("unknown command %q; this server knows %s", p.Command, strings.Join(commandNames(), ", ")))
}

// run runs a command so that its token can cancel it.
func (s *Server) run(ctx context.Context, c command, call commandCall) (any, error) {
	if string(call.token) == "null" {
		call.token = nil
	}
	ctx, call.cancel = context.WithCancel(ctx)
	defer call.cancel()
	defer s.running.start(call.token, call.cancel)()
	result, err := c.run(s, ctx, call)
	if err != nil {
		s.log.Info("command failed", zap.String("command", c.name), zap.Error(err))
		return nil, rpcError(ctx, err)
	}
	raw, err := json.Marshal(result)
	return json.RawMessage(raw), err
}
