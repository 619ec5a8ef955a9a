package lsp

import (
	"context"
	"encoding/json"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// runningCommands are the commands that can be cancelled by their token. The
// zero value is ready for use.
type runningCommands struct {
	mu      sync.Mutex
	cancels map[string]context.CancelFunc // by the token's JSON
}

// start registers a command under its token, where it has one.
func (r *runningCommands) start(ctx context.Context, token json.RawMessage) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	if len(token) == 0 {
		return ctx, cancel
	}
	key := string(token)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancels == nil {
		r.cancels = map[string]context.CancelFunc{}
	}
	r.cancels[key] = cancel
	return ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.cancels, key)
		cancel()
	}
}

// alias lets another token cancel the command that ctx cancel belongs to.
func (r *runningCommands) alias(token string, cancel context.CancelFunc) (remove func()) {
	key := string(quote(token))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancels == nil {
		r.cancels = map[string]context.CancelFunc{}
	}
	r.cancels[key] = cancel
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.cancels, key)
	}
}

func (r *runningCommands) cancel(token json.RawMessage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	cancel, ok := r.cancels[string(token)]
	if ok {
		cancel()
	}
	return ok
}

// Texts of xcsh.cancel.
const (
	textCancelled    = "Cancelled."
	textNothingToEnd = "No running command has this token."
)

// cancelCommand serves editors whose users cannot cancel a command otherwise.
func (s *Server) cancelCommand(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Token json.RawMessage `json:"token"`
		Agent *agentMark      `json:"agent"`
	}
	if err := decodeArgument(call, &args, "token"); err != nil {
		return nil, err
	}
	if s.running.cancel(args.Token) {
		return resolve.TextResult(textCancelled, nil), nil
	}
	return resolve.TextResult(textNothingToEnd, nil), nil
}

// WorkDoneProgressCancel implements protocol.Server.
func (s *Server) WorkDoneProgressCancel(_ context.Context, p *protocol.WorkDoneProgressCancelParams) error {
	token, err := json.Marshal(p.Token)
	if err != nil {
		return err
	}
	s.running.cancel(token)
	return nil
}

func quote(s string) json.RawMessage {
	quoted, _ := json.Marshal(s) // a string always marshals
	return quoted
}
