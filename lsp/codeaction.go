package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// kindSourceXCSH is the kind of actions on what is pending anywhere.
const kindSourceXCSH protocol.CodeActionKind = "source.xcsh"

// textResolveFirst is why an action below the top of the stack is disabled.
const textResolveFirst = "Resolve \"%s\" first."

// CodeAction implements protocol.Server (protocol.md 4.2). The actions carry a
// command and never an edit: editors check no version on those.
func (s *Server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	if s.docs.get(string(p.TextDocument.URI)) == nil {
		return nil, nil
	}
	stack := s.settled(ctx)
	doc := s.docs.get(string(p.TextDocument.URI)) // as the previews have it
	if doc == nil {
		return nil, nil
	}
	span, err := spanOf(doc.positions(), p.Range, s.client.encoding)
	if err != nil {
		return nil, err
	}
	return append(s.decisions(stack, p, doc, span), s.replaceAction(p, doc, span)...), nil
}

// decisions are the actions that apply or discard what is pending.
func (s *Server) decisions(stack []session.Preview, p *protocol.CodeActionParams, doc *document, span text.Span) []protocol.CommandOrCodeAction {
	if len(stack) == 0 {
		return nil
	}
	top, found := stack[0], changesAt(stack, doc, span)
	switch {
	case len(found) > 0 && found[0].preview.ID == top.ID:
		return s.quickFixes(top, p, "")
	case len(found) > 0:
		var actions []protocol.CommandOrCodeAction
		if s.client.disabledActions {
			actions = s.quickFixes(found[0].preview, p, fmt.Sprintf(textResolveFirst, top.Label))
		}
		if len(top.Files) == 0 { // there is no better place to resolve it
			actions = append(actions, s.anywhere(top, p, doc)...)
		}
		return actions
	}
	return s.anywhere(top, p, doc)
}

// anywhere offers apply and discard wherever the user asks for actions.
func (s *Server) anywhere(top session.Preview, p *protocol.CodeActionParams, doc *document) []protocol.CommandOrCodeAction {
	if p.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic || !s.inWorkspace(doc) {
		return nil
	}
	return s.pair(top, kindSourceXCSH, p.Context.Only, nil, "")
}

// quickFixes offers apply and discard for the diagnostics of one action.
func (s *Server) quickFixes(p session.Preview, params *protocol.CodeActionParams, disabled string) []protocol.CommandOrCodeAction {
	var fixes []protocol.Diagnostic
	for _, d := range params.Context.Diagnostics {
		if code, ok := d.Code.(protocol.String); ok && string(code) == p.ID {
			fixes = append(fixes, d)
		}
	}
	return s.pair(p, protocol.CodeActionKindQuickFix, params.Context.Only, fixes, disabled)
}

func (s *Server) pair(p session.Preview, kind protocol.CodeActionKind, only []protocol.CodeActionKind, fixes []protocol.Diagnostic, disabled string) []protocol.CommandOrCodeAction {
	if !admits(only, kind) {
		return nil
	}
	var actions []protocol.CommandOrCodeAction
	for _, action := range []resolve.Kind{resolve.Apply, resolve.Discard} {
		disabled := disabled
		if action == resolve.Apply && p.Lost != "" {
			if !s.client.disabledActions {
				continue
			}
			disabled = p.Lost
		}
		title := actionTitle(action, p.Label) + "…"
		a := &protocol.CodeAction{
			Title: title, Kind: &kind, Diagnostics: fixes, Command: resolveCommandFor(title, action, p),
			Disabled: protocol.CodeActionDisabled{Reason: disabled},
		}
		if preferred := true; action == resolve.Apply && kind == protocol.CodeActionKindQuickFix {
			a.IsPreferred = &preferred
		}
		actions = append(actions, a)
	}
	return actions
}

// resolveCommandFor is the command that resolves what the user saw: its id and
// revision, and no reason.
func resolveCommandFor(title string, action resolve.Kind, p session.Preview) protocol.Command {
	argument, _ := rawJSON(struct { // strings and a number always marshal
		Action   resolve.Kind `json:"action"`
		ID       string       `json:"id"`
		Revision int          `json:"revision"`
	}{action, p.ID, p.Revision})
	return protocol.Command{Title: title, Command: commandResolve, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}}
}

// admits reports whether a filter of kinds lets kind through.
func admits(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// inWorkspace: without a folder every document counts.
func (s *Server) inWorkspace(doc *document) bool {
	folders := s.workspace.currentFolders()
	return len(folders) == 0 || isBelow(folders, doc.key)
}

// CodeActionResolve implements protocol.Server: our actions are whole already.
func (s *Server) CodeActionResolve(_ context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	return a, nil
}
