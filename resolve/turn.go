package resolve

import "context"

// turn lets one resolve run at a time. It is a channel with room for one token,
// not a lock, since a call must be able to stop waiting.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn and returns what gives it back. The end of ctx is an
// [AbortError], and the turn is not taken.
func (t turn) take(ctx context.Context) (release func(), err error) {
	if ctx.Err() != nil { // select picks at random where both are ready
		return nil, newAbortError(ctx)
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, newAbortError(ctx)
	}
}
