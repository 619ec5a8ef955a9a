package lsp

import (
	"context"
	"errors"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// resolveArgument is the argument of xcsh.resolve.
type resolveArgument struct {
	Action   resolve.Kind   `json:"action"`
	Reason   *string        `json:"reason"`
	Extra    map[string]any `json:"extra"`
	ID       string         `json:"id"`
	Revision *int           `json:"revision"`
	Agent    *agentMark     `json:"agent"`
}

func (a *resolveArgument) decode(call commandCall) error {
	if err := decodeArgument(call, a, "action"); err != nil {
		return err
	}
	if a.Action != resolve.Apply && a.Action != resolve.Discard {
		return argumentErrorf("action must be %q or %q, not %q", resolve.Apply, resolve.Discard, a.Action)
	}
	if a.Reason != nil && strings.TrimSpace(*a.Reason) == "" {
		return argumentErrorf(textBlankArgument)
	}
	return nil
}

// textBlankArgument is about a reason that is given, and is none.
const textBlankArgument = "reason must not be blank"

// cancelledResult says that a human dismissed the question for a reason.
type cancelledResult struct {
	Cancelled bool `json:"cancelled"`
}

// resolve applies or discards the most recent pending action.
func (s *Server) resolve(ctx context.Context, call commandCall) (any, error) {
	var args resolveArgument
	if err := args.decode(call); err != nil {
		return nil, err
	}
	wanted := s.sessionCall(&args)
	label, err := s.session.Check(wanted)
	if err == nil && args.Reason == nil && label != "" {
		// The human is asked about one action; the answer may come when another is
		// on top.
		wanted.ID = s.meantID(args.ID)
		wanted.Standing = wanted.ID == ""
		label, err = s.session.Check(wanted)
	}
	if err == nil && args.Reason == nil && label != "" {
		reason, err := s.askReason(ctx, reasonQuestion{args.Action, label, wanted.Actor, call.formAnswers})
		if err != nil || reason == nil {
			return cancelledResult{true}, err
		}
		wanted.Params.Reason, wanted.ReasonFrom = reason.text, reason.from
	}
	var result session.Resolved
	ctx, given := withVerbatim(ctx)
	if err == nil {
		done := s.applyProgress(ctx, call, &wanted)
		result, err = s.workspace.decide(ctx, s, wanted)
		done(err)
	}
	s.showOutcome(wanted, label, result, err)
	if given.raw != nil {
		return given.raw, err
	}
	return result, s.noteOutcome(err)
}

// longApply is from how many files on an apply shows its progress: fewer are written
// within a tenth of a second or two.
const longApply = 100

// applyProgress reports how far an apply of many files is, and one for which the
// client gave a token; done ends the report.
func (s *Server) applyProgress(ctx context.Context, call commandCall, wanted *session.Call) (done func(error)) {
	if wanted.Params.Action != resolve.Apply || len(call.token) == 0 && s.fileCount(wanted.ID) < longApply {
		return func(error) {}
	}
	progress := s.startProgress(ctx, call, "xcsh: apply")
	wanted.Progress = progress.report
	return func(err error) {
		if err != nil {
			progress.end("not applied")
			return
		}
		progress.end("applied")
	}
}

// fileCount is how many files the action that a call means would change.
func (s *Server) fileCount(id string) int {
	id = s.meantID(id)
	_, stack := s.session.Pending()
	for _, p := range stack {
		if p.ID == id {
			return len(p.Files)
		}
	}
	return 0
}

func (s *Server) sessionCall(args *resolveArgument) session.Call {
	call := session.Call{
		Params: resolve.Params{Action: args.Action, Extra: args.Extra},
		ID:     args.ID, Actor: s.client.actor(args.Agent), Conn: s.id,
		ReasonFrom: resolve.ReasonArgument,
	}
	if args.Reason != nil {
		call.Params.Reason = *args.Reason
	}
	if args.Revision != nil {
		call.Revision = *args.Revision
	} else {
		call.Revision = s.seen.of(s.meantID(args.ID))
	}
	return call
}

// meantID is the id of the action that a call without one means.
func (s *Server) meantID(id string) string {
	if id != "" {
		return id
	}
	if _, stack := s.session.Pending(); len(stack) > 0 {
		return stack[0].ID
	}
	return ""
}

// noteOutcome remembers what the caller has been shown by the outcome of a
// resolve: the revision in an error, and no head where the one shown is decided.
func (s *Server) noteOutcome(err error) error {
	var tool *resolve.ToolError
	if errors.As(err, &tool) && tool.Context["kind"] == session.KindStale {
		id, _ := tool.Context["id"].(string)
		revision, _ := tool.Context["revision"].(int)
		s.seen.note(id, revision)
		s.seen.noteHead(id)
	}
	if err == nil {
		s.seen.noteHead("")
	}
	return err
}

// showOutcome tells a human how it went; agents read the result.
func (s *Server) showOutcome(call session.Call, label string, result session.Resolved, err error) {
	if call.Actor.Kind != resolve.Human || label == "" || errors.Is(err, context.Canceled) {
		return
	}
	details, ours := result.Details.(resolve.Details)
	if err == nil && !ours {
		return // a standing handler's own result, which its client shows
	}
	if err != nil {
		details = resolve.Details{Action: call.Params.Action, Reason: call.Params.Reason, Label: label}
		s.showMessage(protocol.MessageTypeError, resolve.RenderPlain(details, true)+"\n"+err.Error())
		return
	}
	message := resolve.RenderPlain(details, result.IsError)
	if applied, ok := details.SourceResultDetails.(session.AppliedDetails); ok {
		message = strings.Join(append([]string{message}, applied.Remarks()...), "\n")
	}
	kind := protocol.MessageTypeInfo
	for _, warning := range result.Warnings {
		message, kind = message+"\n"+warning, protocol.MessageTypeWarning
	}
	s.showMessage(kind, message)
}

// seenRevisions are the revisions that the connection was last given, by pending
// id. The zero value is ready for use.
type seenRevisions struct {
	mu   sync.Mutex
	last map[string]int
	head string // the id of the head that was last shown in answer to a command
}

// proposed notes what the answer to a proposal shows.
func (r *seenRevisions) proposed(ref session.PendingRef) {
	r.note(ref.ID, ref.Revision)
	r.noteHead(ref.ID)
}

// noteHead notes which action was shown as the head; "" for none.
func (r *seenRevisions) noteHead(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.head = id
}

func (r *seenRevisions) headID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.head
}

func (r *seenRevisions) note(id string, revision int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		r.last = map[string]int{}
	}
	r.last[id] = revision
}

func (r *seenRevisions) of(id string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[id]
}
