package resolve_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Many goroutines use one queue, some of them from its callbacks; each choice that
// was handed out is answered at most once.
func TestQueueUsedByMany(t *testing.T) {
	const workers, steps = 16, 2000
	q := newQueue()
	var handedOut, answered atomic.Int64
	options := func(rng *rand.Rand) resolve.DirectiveOptions {
		outcome := []resolve.RejectOutcome{resolve.Requeue, resolve.Drop, resolve.DropSequence}[rng.IntN(3)]
		return resolve.DirectiveOptions{
			Label: []string{"a", "b"}[rng.IntN(2)], Now: rng.IntN(2) == 0,
			OnResolved: func(resolve.ToolChoice) { answered.Add(1); q.Inspect() },
			OnRejected: func(resolve.ToolChoice, resolve.RejectReason) resolve.RejectOutcome {
				answered.Add(1)
				q.HasInFlight()
				return outcome
			},
		}
	}
	step := func(rng *rand.Rand) {
		switch rng.IntN(10) {
		case 0:
			q.PushOnce(write, options(rng))
		case 1:
			q.PushSequence([]resolve.ToolChoice{write, noTool}, options(rng))
		case 2:
			q.Push(func(yield func(resolve.ToolChoice) bool) {
				for range 3 {
					if !yield(read) {
						return
					}
				}
			}, options(rng))
		case 3, 4, 5:
			if _, ok := q.NextToolChoice(); ok {
				handedOut.Add(1)
			}
		case 6:
			q.Resolve()
		case 7:
			q.Reject(resolve.RejectError)
		case 8:
			if invoke := q.PeekInFlightInvoker(); invoke != nil {
				_, _ = invoke(context.Background(), applyNow)
			}
			q.ConsumeLastServedLabel()
		case 9:
			if rng.IntN(20) == 0 {
				q.Clear()
			} else {
				q.RemoveByLabel("a")
			}
		}
	}
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 7))
			for range steps {
				step(rng)
			}
		})
	}
	wg.Wait()
	q.Clear()
	wantNoNext(t, q)
	if q.HasInFlight() || len(q.Inspect()) != 0 {
		t.Error("something is left after a clear")
	}
	if handedOut.Load() == 0 || answered.Load() > handedOut.Load() {
		t.Errorf("%d choices were handed out, %d answered", handedOut.Load(), answered.Load())
	}
}
