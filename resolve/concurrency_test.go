package resolve_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

var steps = flag.Int("steps", 20_000, "steps of the concurrency test; `make soak` takes a million")

const (
	connections = 64
	// maxDepth keeps the comparisons of whole stacks cheap.
	maxDepth = 48
	// phase is how many steps go by until a connection pushes more, or less: the
	// stack is to grow, and to run empty.
	phase = 100
)

// pushShare is how many of a hundred steps push at step i.
func pushShare(i int) int {
	if i/phase%2 == 0 {
		return 55
	}
	return 25
}

// peer is one connection: its calls end with it.
type peer struct {
	m    *model
	tool *resolve.Tool
	rng  *rand.Rand

	ctx        context.Context
	disconnect context.CancelFunc
	counts     *counts
}

// counts say that the test has tested everything.
type counts struct {
	pushes, resolves, failures, aborts, empty, disconnects atomic.Int64
}

// Connections push, resolve, cancel and go away as they like. Whatever the order,
// the stack is the model's: no action is resolved twice, and none is lost.
func TestManyConnectionsOnOneStack(t *testing.T) {
	m, c := newModel(t), &counts{}
	decided := resolve.OnDecided(m.onDecided)
	var wg sync.WaitGroup
	for n := range connections {
		tool := resolve.NewTool(m.store)
		if n == 0 {
			tool = resolve.NewTool(m.store, decided)
		}
		p := &peer{m: m, tool: tool, rng: rand.New(rand.NewPCG(uint64(n), 4)), counts: c}
		p.connect()
		wg.Go(func() {
			defer p.disconnect()
			for i := range max(1, *steps/connections) {
				p.step(pushShare(i))
			}
		})
	}
	wg.Wait()

	// Execute may have left callbacks behind; a call that has its turn is after them.
	last := &peer{m: m, tool: resolve.NewTool(m.store), counts: c}
	last.connect()
	defer last.disconnect()
	for m.store.HasPending() {
		last.dispatch(last.ctx, resolve.Apply, m.guard)
	}
	if err := last.tool.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.compare()
	if m.decided != m.pushed || len(m.stack) != 0 || m.store.Count() != 0 {
		t.Errorf("%d pushed, %d decided, %d left", m.pushed, m.decided, len(m.stack))
	}
	t.Logf("%d pushes, %d resolves, %d failed applies, %d aborts, %d on an empty stack, %d disconnects; %d comparisons",
		c.pushes.Load(), c.resolves.Load(), c.failures.Load(), c.aborts.Load(), c.empty.Load(), c.disconnects.Load(), m.checked)
	for what, n := range map[string]int64{
		"push": c.pushes.Load(), "resolve": c.resolves.Load(), "failed apply": c.failures.Load(),
		"abort": c.aborts.Load(), "call on an empty stack": c.empty.Load(), "disconnect": c.disconnects.Load(), "comparison": int64(m.checked),
	} {
		if n == 0 {
			t.Errorf("not one %s: the test does not test", what)
		}
	}
}

func (p *peer) connect() { p.ctx, p.disconnect = context.WithCancel(context.Background()) }

// step does one thing; of a hundred, pushes are pushes.
func (p *peer) step(pushes int) {
	action := resolve.Apply
	if p.rng.IntN(3) == 0 {
		action = resolve.Discard
	}
	pick := p.rng.IntN(100)
	if pick < pushes && p.m.depth() >= maxDepth {
		pick = 99
	}
	switch {
	case pick < pushes:
		p.counts.pushes.Add(1)
		p.m.push(p.rng.IntN(3) / 2 * (1 + p.rng.IntN(2)))
	case pick < 62:
		p.execute(p.ctx, action)
	case pick < 68:
		ctx, cancel := context.WithCancel(p.ctx)
		go cancel()
		p.execute(ctx, action)
	case pick < 76:
		ctx, cancel := context.WithCancel(p.ctx)
		go cancel()
		p.dispatch(ctx, action, p.m.guard)
	case pick < 78:
		p.goAway(action)
	case pick < 82:
		p.dispatchUnlessMoved(action)
	default:
		p.dispatch(p.ctx, action, p.m.guard)
	}
}

// goAway ends the connection while calls of it are under way, and another comes.
func (p *peer) goAway(action resolve.Kind) {
	p.counts.disconnects.Add(1)
	ctx := p.ctx
	var calls sync.WaitGroup
	for range 3 {
		calls.Go(func() { p.dispatch(ctx, action, p.m.guard) })
	}
	calls.Go(func() { p.execute(ctx, action) })
	p.disconnect()
	calls.Wait()
	p.connect()
}

var errMoved = errors.New("not the one that was seen")

// dispatchUnlessMoved resolves the action that it has seen on top, or nothing.
func (p *peer) dispatchUnlessMoved(action resolve.Kind) {
	seen, ok := p.m.store.Peek()
	p.dispatch(p.ctx, action, func(head *resolve.Action) error {
		if ok != (head != nil) || ok && head.ID != seen.ID {
			return errMoved
		}
		return p.m.guard(head)
	})
}

// dispatch checks that what the call says is what has happened.
func (p *peer) dispatch(ctx context.Context, action resolve.Kind, guard resolve.Guard) {
	a := &attempt{}
	_, err := p.tool.Dispatch(a.in(ctx), resolve.Params{Action: action, Reason: "r"}, guard)
	ran, decided := a.ran.Load(), a.decided.Load()
	var abort *resolve.AbortError
	var wantRan, wantDecided int32
	switch {
	case err == nil && ran == 0 && action == resolve.Discard:
		p.counts.empty.Add(1) // a discard of nothing is a success
	case err == nil:
		p.counts.resolves.Add(1)
		wantRan, wantDecided = 1, 1
	case errors.As(err, &abort):
		p.counts.aborts.Add(1)
	case errors.Is(err, errNotYet):
		p.counts.failures.Add(1)
		wantRan = 1
	case err.Error() == nothingPending:
		p.counts.empty.Add(1)
	case err != errMoved:
		p.m.t.Errorf("dispatch: %v", err)
	}
	if ran != wantRan || decided != wantDecided {
		p.m.t.Errorf("%s with error %v: %d callbacks, %d decisions", action, err, ran, decided)
	}
}

const nothingPending = "No pending action to resolve. Nothing to apply or discard."

// execute leaves its callback behind when it is aborted, so that less can be said.
func (p *peer) execute(ctx context.Context, action resolve.Kind) {
	a := &attempt{}
	_, err := p.tool.Execute(a.in(ctx), resolve.Params{Action: action, Reason: "r"})
	var abort *resolve.AbortError
	switch {
	case errors.As(err, &abort):
		p.counts.aborts.Add(1)
	case err == nil && a.ran.Load() == 0 && action == resolve.Discard:
		p.counts.empty.Add(1)
	case err == nil && (a.ran.Load() != 1 || a.decided.Load() != 1), err != nil && a.decided.Load() != 0:
		p.m.t.Errorf("execute: %d callbacks, %d decisions", a.ran.Load(), a.decided.Load())
	case err == nil:
		p.counts.resolves.Add(1)
	case !errors.Is(err, errNotYet) && err.Error() != nothingPending:
		p.m.t.Errorf("execute: %v", err)
	}
}
