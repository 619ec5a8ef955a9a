package host

import (
	"encoding/json"
	"sync"
)

// maxHeld is how many updates wait for a slow receiver; the oldest go first,
// since later ones overtake them.
const maxHeld = 64

// relay passes the updates of one call on, on a goroutine of its own: whoever
// takes them may be slow, and the reader must not be. A nil relay drops them.
type relay struct {
	take func(json.RawMessage)

	mu      sync.Mutex
	held    []json.RawMessage
	running bool
	closed  bool
	idle    sync.Cond
}

func newRelay(take func(json.RawMessage)) *relay {
	if take == nil {
		return nil
	}
	r := &relay{take: take}
	r.idle.L = &r.mu
	return r
}

func (r *relay) put(partials []json.RawMessage) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.held = append(r.held, partials...)
	r.held = r.held[max(0, len(r.held)-maxHeld):]
	if !r.running {
		r.running = true
		go r.run()
	}
}

func (r *relay) run() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.held) > 0 {
		next := r.held[0]
		r.held = r.held[1:]
		r.mu.Unlock()
		r.take(next)
		r.mu.Lock()
	}
	r.running = false
	r.idle.Broadcast()
}

// close returns when no update is being taken any more: with drain all that
// have come are, without it those that wait are dropped.
func (r *relay) close(drain bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if !drain {
		r.held = nil
	}
	for r.running {
		r.idle.Wait()
	}
}
