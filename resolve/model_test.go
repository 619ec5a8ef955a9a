package resolve_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// model is the stack as it must be: a slice and a lock. Every push happens under
// the lock; what a resolve changes is noted while the resolve has its turn.
type model struct {
	t     *testing.T
	store *resolve.Store

	mu      sync.Mutex
	stack   []*staged // bottom first
	issued  map[string]bool
	pushed  int
	decided int
	checked int // comparisons of the whole stack
	// failing is the action whose apply has failed and which the store is about to
	// make the head; mu is held meanwhile by whoever set it.
	failing *staged

	running atomic.Int32 // callbacks
}

// staged is an action of the model.
type staged struct {
	id        string
	failures  int // times that apply is still to fail; guarded by the turn
	succeeded int // guarded by model.mu
}

// attempt is one call of resolve, which its context carries into the callbacks.
type attempt struct {
	ran, decided atomic.Int32
}

type attemptKey struct{}

func (a *attempt) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, attemptKey{}, a)
}

func attemptOf(ctx context.Context) *attempt { return ctx.Value(attemptKey{}).(*attempt) }

func newModel(t *testing.T) *model {
	m := &model{t: t, store: resolve.NewStore(), issued: map[string]bool{}}
	m.store.Subscribe(m.requeued)
	return m
}

var errNotYet = errors.New("not yet")

// push stages an action whose apply fails that many times.
func (m *model) push(failures int) {
	a := &staged{failures: failures}
	action := resolve.Action{Label: "L", SourceToolName: "s",
		Apply: func(ctx context.Context, _ string, _ map[string]any) (resolve.Result, error) {
			defer m.enter(ctx, a)()
			if a.failures > 0 {
				a.failures--
				runtime.Gosched() // others push on top of it
				m.mu.Lock()       // until requeued
				m.failing = a
				return resolve.Result{}, errNotYet
			}
			m.succeed(a)
			return resolve.Result{}, nil
		},
		Reject: func(ctx context.Context, _ string, _ map[string]any) (*resolve.Result, error) {
			defer m.enter(ctx, a)()
			m.succeed(a)
			return nil, nil
		},
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a.id = m.store.Push(action)
	if m.issued[a.id] {
		m.t.Errorf("%s issued twice", a.id)
	}
	m.issued[a.id] = true
	m.pushed++
	m.stack = append(m.stack, a)
}

// enter checks that callbacks run one at a time, on what is still pending.
func (m *model) enter(ctx context.Context, a *staged) (leave func()) {
	if n := m.running.Add(1); n != 1 {
		m.t.Errorf("%d callbacks at once", n)
	}
	m.mu.Lock() // Push may not have returned the id yet
	id := a.id
	m.mu.Unlock()
	if _, ok := m.store.Get(id); !ok {
		m.t.Errorf("%s has left the stack before its callback", id)
	}
	attemptOf(ctx).ran.Add(1)
	return func() { m.running.Add(-1) }
}

func (m *model) succeed(a *staged) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.succeeded++; a.succeeded != 1 || !slices.Contains(m.stack, a) {
		m.t.Errorf("%s: callback %d succeeds on what is no longer pending", a.id, a.succeeded)
	}
}

// requeued is the store's listener: after a failed apply, and before anything else
// can happen to the stack, the action is the head.
func (m *model) requeued() {
	a := m.failing // set by this goroutine, or not at all
	if a == nil {
		return
	}
	m.failing = nil
	i := slices.Index(m.stack, a)
	if i < 0 {
		m.t.Errorf("%s is requeued and was not pending", a.id)
	} else {
		m.stack = append(slices.Delete(m.stack, i, i+1), a)
	}
	m.mu.Unlock()
}

// onDecided is called in the turn of the resolve.
func (m *model) onDecided(ctx context.Context, d resolve.Decided) {
	attemptOf(ctx).decided.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decided++
	i := slices.IndexFunc(m.stack, func(a *staged) bool { return a.id == d.Action.ID })
	if i < 0 {
		m.t.Errorf("%s is decided and was not pending", d.Action.ID)
		return
	}
	if a := m.stack[i]; a.succeeded != 1 {
		m.t.Errorf("%s is decided after %d callbacks", a.id, a.succeeded)
	}
	m.stack = slices.Delete(m.stack, i, i+1)
}

// guard compares the whole stack while a resolve has its turn. head may be below
// what was pushed after it was looked at, and no other action may.
func (m *model) guard(head *resolve.Action) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.compare()
	if head != nil && !slices.ContainsFunc(m.stack, func(a *staged) bool { return a.id == head.ID }) {
		m.t.Errorf("the head %s is not pending", head.ID)
	}
	return nil
}

// compare is called with m.mu held, and no resolve under way but the caller's.
func (m *model) compare() {
	m.checked++
	list := m.store.List()
	same := len(list) == len(m.stack)
	for i := 0; same && i < len(list); i++ {
		same = list[i].ID == m.stack[len(m.stack)-1-i].id
	}
	if !same {
		m.t.Errorf("the store has %d actions, the model %d, or in another order", len(list), len(m.stack))
	}
}

func (m *model) depth() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.stack)
}
