package host

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// call is a request to a worker that has not been answered.
type call struct {
	id     int64
	ctx    context.Context  // ends with the call: what the tool asks for within it, too
	host   customtools.Host // serves the tool while the call runs
	answer chan answer      // takes the first answer, or failure
	once   sync.Once
	relay  *relay // of updates, or nil
	// answered hears of the answer before anything that comes after it; may be
	// nil.
	answered func(err error)
}

func (c *call) settle(a answer) {
	c.once.Do(func() {
		if c.answered != nil {
			c.answered(a.err)
		}
		c.answer <- a
	})
}

// patience says how long a call that was given up is waited for.
type patience struct {
	grace time.Duration
	// spare keeps the worker where it still answers, although the call goes on:
	// the call is then only forgotten.
	spare bool
}

// request runs a method in the worker. When ctx ends the call is cancelled; a
// worker that is still busy with it after its grace is ended, unless it still
// serves others.
func (w *worker) request(ctx context.Context, method string, params map[string]any, c *call, wait patience) (json.RawMessage, error) {
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.ctx, c.answer = callCtx, make(chan answer, 1)
	if err := w.begin(c); err != nil {
		return nil, err
	}
	defer w.finish(c)
	params["worker"] = w.id
	if err := w.p.send(method, c.id, params); err != nil {
		if !errors.Is(err, errUnreachable) {
			return nil, err
		}
		<-w.gone // soon: the worker goes with its process
		return c.lost(w)
	}
	select {
	case a := <-c.answer:
		return c.end(a, true)
	case <-w.gone:
		return c.lost(w)
	case <-ctx.Done():
		return w.giveUp(ctx, c, wait)
	}
}

// end is the outcome of a call that was answered. Its updates come before it.
func (c *call) end(a answer, drain bool) (json.RawMessage, error) {
	c.relay.close(drain)
	return a.value, a.err
}

// lost is the outcome of a call whose worker has ended. An answer that it gave
// before counts.
func (c *call) lost(w *worker) (json.RawMessage, error) {
	select {
	case a := <-c.answer:
		return c.end(a, true)
	default:
		return c.end(answer{err: w.loss()}, false)
	}
}

// giveUp cancels a call, and sees to it that it ends.
func (w *worker) giveUp(ctx context.Context, c *call, wait patience) (json.RawMessage, error) {
	answers := w.pinged()
	_ = w.p.send("cancel", 0, map[string]any{"worker": w.id, "id": c.id})
	timer := time.NewTimer(wait.grace)
	defer timer.Stop()
	select {
	case a := <-c.answer:
		return c.end(a, true)
	case <-w.gone:
		return c.lost(w)
	case <-timer.C:
	}
	cause := context.Cause(ctx)
	if !answers() || !wait.spare && !w.servesOthers(c) {
		w.endNow("a call of it did not end when it was cancelled")
	}
	return c.end(answer{err: cause}, false)
}

// requestToEnd is request for a method that the end of ctx does not interrupt.
// Only a worker that has stopped to answer for long after it is ended.
func (w *worker) requestToEnd(ctx context.Context, method string, params map[string]any, c *call) (json.RawMessage, error) {
	done := make(chan struct{})
	defer close(done)
	go w.watchBlocked(ctx, done)
	return w.request(context.WithoutCancel(ctx), method, params, c, patience{})
}

// watchBlocked ends the worker when it does not answer although a call that
// was given up goes on. It returns when done is closed.
func (w *worker) watchBlocked(ctx context.Context, done <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-done:
		return
	}
	ticker := time.NewTicker(w.p.limits.BlockedApply)
	defer ticker.Stop()
	for {
		answers := w.pinged()
		select {
		case <-done:
			answers()
			return
		case <-ticker.C:
		}
		if !answers() {
			w.endNow("it did not answer any more")
			return
		}
	}
}
