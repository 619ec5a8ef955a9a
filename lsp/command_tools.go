package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// toolsList answers xcsh.tools.list.
func (s *Server) toolsList(ctx context.Context, call commandCall) (any, error) {
	var args struct {
		IncludeHidden bool       `json:"includeHidden"`
		Agent         *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	s.workspace.toolbox.refresh(ctx)
	return s.listTools(args.IncludeHidden), nil
}

func (s *Server) listTools(includeHidden bool) ToolList {
	tools, loadErrors := s.tools(toolCaller{})
	resolvable := s.canResolve()
	tools = slices.DeleteFunc(tools, func(t resolve.RegisteredTool) bool {
		return t.Hidden && !includeHidden && !(t.Name == resolve.ToolName && resolvable)
	})
	return newToolList(tools, loadErrors)
}

// canResolve reports whether a call of the resolve tool would find an invoker.
func (s *Server) canResolve() bool {
	_, standing := s.session.Standing.Peek()
	return standing != nil || s.meantID("") != ""
}

// toolsCall answers xcsh.tools.call. Only a cancelled call and a malformed
// argument are errors; everything else is a result.
func (s *Server) toolsCall(ctx context.Context, call commandCall) (any, error) {
	var args struct {
		Name       string          `json:"name"`
		Params     json.RawMessage `json:"params"`
		ToolCallID string          `json:"toolCallId"`
		Agent      *agentMark      `json:"agent"`
	}
	if err := decodeArgument(call, &args, "name", "params"); err != nil {
		return nil, err
	}
	if args.Name == "" {
		return nil, argumentErrorf("name must not be empty")
	}
	if !bytes.HasPrefix(bytes.TrimSpace(args.Params), []byte("{")) {
		return nil, argumentErrorf("params must be an object")
	}
	ctx, given := withVerbatim(ctx)
	s.workspace.toolbox.ensure()
	caller := toolCaller{call, s.client.actor(args.Agent)}
	ctx = s.withToolEnv(ctx, caller, args.Agent.model())
	if args.ToolCallID == "" {
		args.ToolCallID = fmt.Sprintf("call-%d", s.workspace.callSeq.Add(1))
	}
	tools, _ := s.tools(caller)
	result, err := tools.Call(ctx, s.cfg.Hooks, resolve.ToolCall{ID: args.ToolCallID, Name: args.Name, Input: args.Params})
	if err == nil && given.raw != nil && len(s.cfg.Hooks.After) == 0 {
		return given.raw, nil
	}
	return result, err
}

// toolCaller is who calls a tool, within which command.
type toolCaller struct {
	command commandCall
	actor   resolve.Actor
}

// tools are the tools that can be called here: built-ins, then those that the
// workspace has loaded, and resolve at the end.
func (s *Server) tools(caller toolCaller) (resolve.Tools, []resolve.ToolLoadError) {
	builtIns, decide := s.cfg.builtInTools(), decideTool()
	for i := range builtIns {
		builtIns[i].Execute = s.builtIn(caller, s.callAstEdit) // there is no other one
	}
	decide.Execute = s.builtIn(caller, s.callResolve)
	loaded, loadErrors := s.workspace.loaded.Loaded()
	return append(append(builtIns, loaded...), decide), loadErrors
}

// builtIn makes a tool of a function. Its failures carry the data of an error.
func (s *Server) builtIn(caller toolCaller, run func(context.Context, toolCaller, json.RawMessage) (resolve.Result, error)) resolve.ToolFunc {
	return func(ctx context.Context, call resolve.ToolCall) (resolve.Result, error) {
		result, err := run(ctx, caller, call.Input)
		if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return result, err
		}
		result = resolve.ErrorResult(err)
		result.Details = errorData(err)
		return result, nil
	}
}

func (s *Server) callAstEdit(ctx context.Context, caller toolCaller, params json.RawMessage) (resolve.Result, error) {
	caller.command.argument = params
	var request astedit.Request
	if err := checkOps(caller.command); err != nil {
		return resolve.Result{}, err
	}
	if err := decodeArgument(caller.command, &request, "ops"); err != nil {
		return resolve.Result{}, err
	}
	return s.proposeEdit(ctx, caller.command, request, caller.actor)
}

// callResolve decides on the head that the connection was last shown: what is on
// top by now may be another.
func (s *Server) callResolve(ctx context.Context, caller toolCaller, params json.RawMessage) (resolve.Result, error) {
	p, err := resolve.ParseParams(params)
	if err != nil {
		return resolve.Result{}, err
	}
	if strings.TrimSpace(p.Reason) == "" {
		return resolve.Result{}, argumentErrorf(textBlankArgument)
	}
	call := session.Call{
		Params: p, ID: s.seen.headID(), Actor: caller.actor, Conn: s.id, ReasonFrom: resolve.ReasonArgument,
	}
	call.Revision = s.seen.of(s.meantID(call.ID))
	label, _ := s.session.Check(call)
	result, err := s.workspace.decide(ctx, s, call)
	s.showOutcome(call, label, result, err)
	if tool := (*resolve.ToolError)(nil); errors.As(err, &tool) && tool.Context["kind"] == session.KindNotTop {
		return s.showHead(err), nil
	}
	return result.Result, s.noteOutcome(err)
}

// textNowOnTop says what a call that meant another action can decide on now.
const textNowOnTop = "The most recent pending action is \"%s\" (%s)."

// showHead is the result of a call that was not about the head; it shows the head,
// so that the next call can be.
func (s *Server) showHead(err error) resolve.Result {
	result, data := resolve.ErrorResult(err), errorData(err)
	result.Details = data
	_, stack := s.session.Pending()
	if len(stack) == 0 {
		s.seen.noteHead("")
		return result
	}
	head := stack[0]
	s.seen.noteHead(head.ID)
	text := resolve.TextResult(fmt.Sprintf(textNowOnTop, head.Label, head.ID), nil)
	result.Content = append(result.Content, text.Content...)
	data["pending"] = map[string]any{"id": head.ID, "label": head.Label}
	return result
}
