package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// methodStanding hands a resolve that found nothing pending to the client whose
// standing handler is set (resolve.md 15).
const methodStanding = "xcsh/standing"

// Texts of a standing handler.
const (
	textStands         = "Standing handler \"%s\" is set."
	textNoLongerStands = "No standing handler of this client is set."
	textNoStandAnswer  = "The standing handler \"%s\" did not answer."
	textNoStandResult  = "The standing handler \"%s\" did not answer with a tool result."
)

// ownStanding is the standing handler that this client has set. The zero value is
// ready for use.
type ownStanding struct {
	mu      sync.Mutex
	release func() // nil where none was set
}

// replace ends the handler set before and keeps how to end the present one.
func (o *ownStanding) replace(release func()) {
	if o.release != nil {
		o.release()
	}
	o.release = release
}

// standingSet answers xcsh.standing.set. The null of one client does not end the
// handler that another has set since.
func (s *Server) standingSet(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Name  *string    `json:"name"`
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args, "name"); err != nil {
		return nil, err
	}
	if args.Name != nil && *args.Name == "" {
		return nil, argumentErrorf("name must not be empty; null clears")
	}
	s.standing.mu.Lock()
	defer s.standing.mu.Unlock()
	if s.background.Err() != nil { // the connection's end has emptied the slot, or will
		return nil, s.background.Err()
	}
	s.standing.replace(nil)
	if args.Name == nil {
		return resolve.TextResult(textNoLongerStands, nil), nil
	}
	s.standing.replace(s.session.Standing.Set(*args.Name, s.standingHandler(*args.Name)))
	return resolve.TextResult(fmt.Sprintf(textStands, *args.Name), nil), nil
}

// endStanding empties the slot when the connection has ended.
func (s *Server) endStanding() {
	s.standing.mu.Lock()
	defer s.standing.mu.Unlock()
	s.standing.replace(nil)
}

// standingHandler asks this client, on whatever connection the call came.
func (s *Server) standingHandler(name string) resolve.Invoker {
	return func(ctx context.Context, p resolve.Params) (resolve.Result, error) {
		params, err := rawJSON(standingParams{name, p}) // the library would quote extra's numbers
		if err != nil {
			return resolve.Result{}, err
		}
		waiting, cancel := context.WithTimeout(ctx, s.cfg.Deadlines.Answer)
		defer cancel()
		defer context.AfterFunc(s.background, cancel)()
		var raw json.RawMessage
		if err := protocol.Call(waiting, s.conn, methodStanding, params, &raw); err != nil {
			return resolve.Result{}, standingError(ctx, name, err)
		}
		var result resolve.Result
		if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' || json.Unmarshal(raw, &result) != nil || result.Content == nil {
			return resolve.Result{}, toolErrorf(textNoStandResult, name)
		}
		keepVerbatim(ctx, raw)
		return result, nil
	}
}

type standingParams struct {
	Name string `json:"name"`
	resolve.Params
}

// standingError passes on what the client answered, or that ctx, the call's, ended.
func standingError(ctx context.Context, name string, err error) error {
	var answered *jsonrpc2.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &answered):
		return &resolve.ToolError{Message: answered.Message}
	}
	return toolErrorf(textNoStandAnswer, name)
}

// verbatim holds the result that a standing handler gave for a call, byte for
// byte: fields that we do not know are the handler's own.
type verbatim struct{ raw json.RawMessage }

type verbatimKey struct{}

func withVerbatim(ctx context.Context) (context.Context, *verbatim) {
	v := &verbatim{}
	return context.WithValue(ctx, verbatimKey{}, v), v
}

func keepVerbatim(ctx context.Context, raw json.RawMessage) {
	if v, ok := ctx.Value(verbatimKey{}).(*verbatim); ok {
		v.raw = raw
	}
}
