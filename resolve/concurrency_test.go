package resolve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// model counts what became of each staged action, whatever the order.
type model struct {
	t         *testing.T
	mu        sync.Mutex
	staged    map[string]bool
	succeeded map[*int]int // successful callbacks by action
	decided   map[string]int
	running   atomic.Int32
}

// action fails failures times when it is applied, then succeeds.
func (m *model) action(failures int) resolve.Action {
	key := new(int)
	enter := func() {
		if n := m.running.Add(1); n != 1 {
			m.t.Errorf("%d callbacks run at once", n)
		}
	}
	success := func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.succeeded[key]++
	}
	return resolve.Action{Label: "L", SourceToolName: "s",
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			enter()
			defer m.running.Add(-1)
			if failures--; failures >= 0 {
				return resolve.Result{}, errors.New("not yet")
			}
			success()
			return resolve.Result{}, nil
		},
		Reject: func(context.Context, string, map[string]any) (*resolve.Result, error) {
			enter()
			defer m.running.Add(-1)
			success()
			return nil, nil
		},
	}
}

func (m *model) stage(store *resolve.Store, failures int) {
	id := store.Push(m.action(failures))
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.staged[id] {
		m.t.Errorf("id %q issued twice", id)
	}
	m.staged[id] = true
}

// Many goroutines push, resolve and give up; every action is resolved exactly
// once, and none is lost.
func TestConcurrentCallsResolveEachActionOnce(t *testing.T) {
	const workers, steps = 16, 400
	m := &model{t: t, staged: map[string]bool{}, succeeded: map[*int]int{}, decided: map[string]int{}}
	store := resolve.NewStore()
	tool := resolve.NewTool(store, resolve.OnDecided(func(_ context.Context, d resolve.Decided) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.decided[d.Action.ID]++
	}))
	var changes atomic.Int64
	store.Subscribe(func() { changes.Add(1) })

	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 1))
			for range steps {
				step(rng, m, store, tool)
			}
		})
	}
	wg.Wait()
	// Execute may have left callbacks behind.
	if err := tool.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	for store.HasPending() {
		_, err := tool.Dispatch(context.Background(), applyNow, nil)
		var toolErr *resolve.ToolError
		if err != nil && (!errors.As(err, &toolErr) || err.Error() != "Apply failed: not yet") {
			t.Fatal(err)
		}
	}

	if len(m.staged) == 0 || len(m.decided) != len(m.staged) || len(m.succeeded) != len(m.staged) {
		t.Errorf("staged %d, decided %d, succeeded %d", len(m.staged), len(m.decided), len(m.succeeded))
	}
	for id, n := range m.decided {
		if n != 1 || !m.staged[id] {
			t.Errorf("%q decided %d times", id, n)
		}
	}
	for _, n := range m.succeeded {
		if n != 1 {
			t.Errorf("an action succeeded %d times", n)
		}
	}
	if got := store.Version(); got != uint64(changes.Load()) {
		t.Errorf("version %d after %d notified changes", got, changes.Load())
	}
}

func step(rng *rand.Rand, m *model, store *resolve.Store, tool *resolve.Tool) {
	p := resolve.Params{Action: resolve.Apply, Reason: "r"}
	if rng.IntN(3) == 0 {
		p.Action = resolve.Discard
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	switch rng.IntN(6) {
	case 0, 1:
		m.stage(store, rng.IntN(3))
	case 2:
		_, _ = tool.Execute(ctx, p)
	case 3:
		go cancel()
		_, _ = tool.Execute(ctx, p)
	case 4:
		go cancel()
		_, _ = tool.Dispatch(ctx, p, nil)
	default:
		head, ok := store.Peek()
		_, _ = tool.Dispatch(ctx, p, func(now *resolve.Action) error {
			if ok && (now == nil || now.ID != head.ID) {
				return errors.New("not the one that was seen")
			}
			return nil
		})
	}
}
