package resolve

import "context"

type outcome struct {
	result Result
	err    error
}

// untilAborted runs call, and answers with an [AbortError] as soon as ctx ends
// without interrupting it: call then finishes on its own goroutine. A ctx that
// has ended already runs nothing, one that cannot end is no reason for a
// goroutine.
func untilAborted(ctx context.Context, call func() (Result, error)) (Result, error) {
	if ctx.Done() == nil {
		return call()
	}
	if ctx.Err() != nil {
		return Result{}, newAbortError(ctx)
	}
	done := make(chan outcome, 1) // buffered: nobody may be left to receive
	go func() {
		result, err := call()
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // both at once: what happened says more than the abort
		return o.result, o.err
	default:
		return Result{}, newAbortError(ctx)
	}
}
