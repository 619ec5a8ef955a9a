package lsp

import (
	"context"
	"errors"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const (
	// defaultAwait is how long xcsh.pending.await waits where nothing else is asked.
	defaultAwait = 30 * time.Second
	// maxAwait bounds it: an hour is longer than any client keeps a request open on
	// purpose, and whoever still wants to know asks again.
	maxAwait = time.Hour
)

// awaited is the result of xcsh.pending.await.
type awaited struct {
	Decided bool            `json:"decided"` // true
	Action  resolve.Kind    `json:"action"`
	Reason  string          `json:"reason"`
	Result  *resolve.Result `json:"result"`
}

// undecided is the result where nobody has decided in time.
type undecided struct {
	Decided bool `json:"decided"` // false
}

// pendingAwait answers xcsh.pending.await.
func (s *Server) pendingAwait(ctx context.Context, call commandCall) (any, error) {
	var args struct {
		ID        string     `json:"id"`
		TimeoutMS *int64     `json:"timeoutMs"`
		Agent     *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args, "id"); err != nil {
		return nil, err
	}
	if args.ID == "" {
		return nil, argumentErrorf("id must not be empty")
	}
	timeout, err := awaitTime(args.TimeoutMS)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	outcome, err := s.session.Await(waiting, args.ID)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return undecided{}, nil
	}
	if err != nil {
		return nil, err
	}
	return awaited{true, outcome.Action, outcome.Reason, &outcome.Result}, nil
}

func awaitTime(ms *int64) (time.Duration, error) {
	if ms == nil {
		return defaultAwait, nil
	}
	if *ms < 0 || *ms > maxAwait.Milliseconds() {
		return 0, argumentErrorf("timeoutMs must be from 0 to %d, not %d", maxAwait.Milliseconds(), *ms)
	}
	return time.Duration(*ms) * time.Millisecond, nil
}
