package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// editArgument is the argument of xcsh.ast_edit. Stage false asks what the edit
// would change and leaves nothing pending: an editor counts while a rule is typed.
type editArgument struct {
	astedit.Request
	Stage *bool      `json:"stage"`
	Agent *agentMark `json:"agent"`
}

// astEdit dry-runs a structural edit and stages what it would change.
func (s *Server) astEdit(ctx context.Context, call commandCall) (any, error) {
	var args editArgument
	if err := checkOps(call); err != nil {
		return nil, err
	}
	if err := decodeArgument(call, &args, "ops"); err != nil {
		return nil, err
	}
	if args.Stage != nil && !*args.Stage {
		return s.session.DryRun(ctx, args.Request)
	}
	return s.proposeEdit(ctx, call, args.Request, s.client.actor(args.Agent))
}

func (s *Server) proposeEdit(ctx context.Context, call commandCall, request astedit.Request, actor resolve.Actor) (resolve.Result, error) {
	progress := s.startProgress(ctx, call, "xcsh: structural edit")
	result, run, err := s.session.Propose(ctx, session.Proposal{
		Request: request, ProposedBy: actor, Conn: s.id, Progress: progress.report,
	})
	progress.end(endMessage(run, err))
	if err != nil {
		return resolve.Result{}, err
	}
	if details, ok := result.Details.(session.ProposalDetails); ok && details.Pending != nil {
		s.seen.proposed(*details.Pending)
	}
	s.tell(actor, run)
	return result, nil
}

// checkOps finds ops that lack a pattern or a template, which decoding reads as
// empty and thus as something else, and says which op is wrong. An argument
// without ops is left to decodeArgument.
func checkOps(call commandCall) error {
	var argument map[string]json.RawMessage
	if json.Unmarshal(call.argument, &argument) != nil || argument["ops"] == nil {
		return nil
	}
	var ops []json.RawMessage
	if json.Unmarshal(argument["ops"], &ops) != nil || ops == nil {
		return argumentErrorf("ops must be a list of { pat, out }")
	}
	for i, raw := range ops {
		var op map[string]any
		if json.Unmarshal(raw, &op) != nil {
			return argumentErrorf("ops[%d] must be an object", i)
		}
		for _, field := range []string{"pat", "out"} {
			if _, ok := op[field].(string); !ok {
				return argumentErrorf("ops[%d].%s must be a string", i, field)
			}
		}
	}
	return nil
}

func endMessage(run *astedit.Result, err error) string {
	if err != nil {
		return "stopped"
	}
	return astedit.Count(run.TotalReplacements(), "replacement") + " in " + astedit.Count(len(run.Files), "file")
}

// maxWarnings bounds the message to a human; the result has all of it.
const maxWarnings = 5

// textNothingFound is shown where an editor would show nothing at all.
const textNothingFound = "No replacements made, %s searched."

// tell shows the human what the editor would not: editors drop the result of a
// command. What is wrong with the rules comes as one message.
func (s *Server) tell(actor resolve.Actor, run *astedit.Result) {
	var wrong []string
	for _, issue := range run.Issues {
		if issue.Path == "" {
			wrong = append(wrong, issue.Text)
		}
	}
	wrong = append(wrong, run.Warnings...)
	switch more := len(wrong) - maxWarnings; {
	case more > 0:
		s.showMessage(protocol.MessageTypeWarning, strings.Join(wrong[:maxWarnings], "\n")+fmt.Sprintf("\nand %d more", more))
	case len(wrong) > 0:
		s.showMessage(protocol.MessageTypeWarning, strings.Join(wrong, "\n"))
	case len(run.Files) == 0 && actor.Kind == resolve.Human && !s.client.pendingChanged:
		s.showMessage(protocol.MessageTypeInfo, fmt.Sprintf(textNothingFound, astedit.Count(run.FilesSearched, "file")))
	}
}
