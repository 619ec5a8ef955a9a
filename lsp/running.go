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
	byToken map[string]*runningCommand // by tokenKey
}

type runningCommand struct{ cancel context.CancelFunc }

// start lets a token cancel a command until the command has ended; without a
// token it does nothing.
func (r *runningCommands) start(token json.RawMessage, cancel context.CancelFunc) (ended func()) {
	key := tokenKey(token)
	if key == "" {
		return func() {}
	}
	mine := &runningCommand{cancel}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byToken == nil {
		r.byToken = map[string]*runningCommand{}
	}
	r.byToken[key] = mine
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.byToken[key] == mine { // a client may have used the token again
			delete(r.byToken, key)
		}
	}
}

func (r *runningCommands) cancel(token json.RawMessage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	running := r.byToken[tokenKey(token)]
	if running != nil {
		running.cancel()
	}
	return running != nil
}

// tokenKey is the same for all JSON spellings of one token, and "" for none.
func tokenKey(token json.RawMessage) string {
	var text string
	if string(token) != "null" && json.Unmarshal(token, &text) == nil {
		return string(quote(text))
	}
	var number json.Number
	if string(token) != "null" && json.Unmarshal(token, &number) == nil {
		return number.String()
	}
	return ""
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
