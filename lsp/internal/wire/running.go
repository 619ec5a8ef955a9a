package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// running are the handlers that run now.
type running struct {
	mu      sync.Mutex
	calls   map[*call]bool
	byID    map[jsonrpc2.ID]*call
	stopped bool
	idle    chan struct{} // closed once it is stopped and the last handler has returned
}

// call is one handler at work.
type call struct {
	method string
	cancel context.CancelFunc
}

func newRunning() *running {
	return &running{calls: map[*call]bool{}, byID: map[jsonrpc2.ID]*call{}, idle: make(chan struct{})}
}

// start registers a handler and returns its context; ok is false once stopped.
// The id is the zero one for a notification. finish must be called when the
// handler has returned.
func (r *running) start(parent context.Context, id jsonrpc2.ID, method string) (ctx context.Context, finish func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(parent)
	c := &call{method: method, cancel: cancel}
	r.calls[c] = true
	if id.IsValid() {
		r.byID[id] = c
	}
	return ctx, func() { r.finish(id, c) }, true
}

func (r *running) finish(id jsonrpc2.ID, c *call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.cancel()
	delete(r.calls, c)
	if r.byID[id] == c { // a client may have used the id again
		delete(r.byID, id)
	}
	if r.stopped && len(r.calls) == 0 {
		close(r.idle)
	}
}

// cancel cancels the request that the params of `$/cancelRequest` name. One that
// has ended meanwhile, or never was, is no error.
func (r *running) cancel(params json.RawMessage) error {
	id, err := cancelID(params)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.byID[id]; c != nil {
		c.cancel()
	}
	return nil
}

func cancelID(params json.RawMessage) (jsonrpc2.ID, error) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return jsonrpc2.ID{}, fmt.Errorf("the params are not an object with an id: %w", err)
	}
	var number int64
	if string(p.ID) != "null" && json.Unmarshal(p.ID, &number) == nil {
		return jsonrpc2.NewNumberID(number), nil
	}
	var text string
	if string(p.ID) != "null" && json.Unmarshal(p.ID, &text) == nil {
		return jsonrpc2.NewStringID(text), nil
	}
	return jsonrpc2.ID{}, fmt.Errorf("the id must be an integer or a string, not %q", p.ID)
}

// stop cancels every handler and lets no other start.
func (r *running) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	for c := range r.calls {
		c.cancel()
	}
	if len(r.calls) == 0 {
		close(r.idle)
	}
}

// methods returns the methods of the handlers that run now.
func (r *running) methods() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var methods []string
	for c := range r.calls {
		methods = append(methods, c.method)
	}
	slices.Sort(methods)
	return methods
}
