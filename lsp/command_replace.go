package lsp

import (
	"cmp"
	"context"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// commandReplace is the command that a code action offers on a selection.
const commandReplace = "xcsh.replace"

// unknownLanguage is the language of a file that no grammar is for.
const unknownLanguage = "plaintext"

// Texts of the questions for a structural replace.
const (
	textReplaceTitle  = "Structural replace"
	textAskPattern    = "Pattern: code with $NAME for one node and $$$NAME for any number of them"
	textAskTemplate   = "Replacement; empty deletes what matches"
	textCannotBeAsked = "Pass \"pat\" and \"out\": this client cannot be asked for text."
)

// replaceArgument is the argument of xcsh.replace. Scope is a file, a folder or
// a glob; without it the workspace is searched.
type replaceArgument struct {
	Pat   *string    `json:"pat"`
	Out   *string    `json:"out"`
	Lang  string     `json:"lang"`
	Scope *string    `json:"scope"`
	Agent *agentMark `json:"agent"`
}

// replace asks the human for what is missing of a structural edit, and proposes it.
// Where there is no replacement yet, a pattern that is given is a first draft: the
// selected code, say.
func (s *Server) replace(ctx context.Context, call commandCall) (any, error) {
	var args replaceArgument
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	op, err := s.askForOp(ctx, args)
	if err != nil {
		return nil, err
	}
	if op == nil {
		return cancelledResult{true}, nil
	}
	request := astedit.Request{Ops: []astedit.Op{*op}, Lang: args.Lang, Path: args.Scope}
	return s.proposeEdit(ctx, call, request, s.client.actor(args.Agent))
}

// askForOp returns nil where the human dismissed a question.
func (s *Server) askForOp(ctx context.Context, args replaceArgument) (*astedit.Op, error) {
	if args.Pat != nil && args.Out != nil {
		return &astedit.Op{Pat: *args.Pat, Out: *args.Out}, nil
	}
	if !s.client.input || s.client.actor(args.Agent).Kind != resolve.Human {
		return nil, argumentErrorf(textCannotBeAsked)
	}
	pat, err := s.askForText(ctx, textAskPattern, cmp.Or(args.Pat, new(string)))
	if pat == nil || err != nil {
		return nil, err
	}
	if args.Out != nil {
		return &astedit.Op{Pat: *pat, Out: *args.Out}, nil
	}
	out, err := s.askForText(ctx, textAskTemplate, pat)
	if out == nil || err != nil {
		return nil, err
	}
	return &astedit.Op{Pat: *pat, Out: *out}, nil
}

// askForText returns nil where the question is dismissed.
func (s *Server) askForText(ctx context.Context, prompt string, value *string) (*string, error) {
	var answer *struct {
		Value string `json:"value"`
	}
	params := map[string]any{"title": textReplaceTitle, "prompt": prompt, "value": value}
	if err := protocol.Call(ctx, s.conn, methodInput, params, &answer); err != nil {
		return nil, asked(err)
	}
	if answer == nil {
		return nil, nil
	}
	return &answer.Value, nil
}

// replaceAction offers a structural replace of the selected code, where the user
// asks for actions and can be asked for the rest.
func (s *Server) replaceAction(p *protocol.CodeActionParams, doc *document, selected text.Span) []protocol.CommandOrCodeAction {
	kind := protocol.CodeActionKindRefactorRewrite
	if selected.Start == selected.End || !s.client.input || s.client.agent != "" || !admits(p.Context.Only, kind) ||
		p.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic || s.cfg.Engine.LanguageID(doc.key) == unknownLanguage {
		return nil
	}
	argument, err := rawJSON(map[string]string{"pat": string(doc.text[selected.Start:selected.End])})
	if err != nil {
		return nil
	}
	const title = textReplaceTitle + "…"
	command := protocol.Command{Title: title, Command: commandReplace, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}}
	return []protocol.CommandOrCodeAction{&protocol.CodeAction{Title: title, Kind: &kind, Command: command}}
}
