package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// Why a worker ends without a fault.
const (
	reloadedReason = "the module was reloaded"
	closedReason   = "the tools were shut down"
	// notLoadedReason: the error of the load says why.
	notLoadedReason = "it could not be loaded"
)

// worker is the thread of one generation of a module. It ends once.
type worker struct {
	p    *process
	id   int64
	spec customtools.ModuleSpec
	out  *lineLog        // of its console
	ctx  context.Context // ends with the worker
	stop context.CancelFunc
	gone chan struct{} // closed when the worker has ended, after reason is set

	mu     sync.Mutex
	reason string // why it ended, or is being ended
	calls  map[int64]*call
	asks   map[string]context.CancelFunc
	staged map[int64]*staged
	idle   func() // called when the last call or staged action is done; may be nil
}

// startWorker starts a thread that evaluates nothing yet.
func (p *process) startWorker(spec customtools.ModuleSpec, url string, hasUI bool) (*worker, error) {
	w := &worker{
		p:      p,
		id:     p.next(),
		spec:   spec,
		out:    &lineLog{log: spec.Host.Log, path: spec.Path},
		gone:   make(chan struct{}),
		calls:  map[int64]*call{},
		asks:   map[string]context.CancelFunc{},
		staged: map[int64]*staged{},
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	p.mu.Lock()
	p.workers[w.id] = w
	p.mu.Unlock()
	err := p.send("start", 0, map[string]any{
		"worker":    w.id,
		"name":      spec.Path,
		"url":       url,
		"cwd":       spec.Cwd,
		"hasUI":     hasUI,
		"canStage":  spec.CanStage,
		"heapMB":    p.limits.HeapMB,
		"maxAnswer": p.limits.Answer,
	})
	if err != nil || p.isGoing() {
		w.ended("the JavaScript process is gone")
		return nil, errors.Join(w.loss(), err)
	}
	return w, nil
}

func (w *worker) begin(c *call) error {
	c.id = w.p.next()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isGone() {
		return w.lossLocked()
	}
	w.calls[c.id] = c
	w.p.mu.Lock()
	w.p.calls[c.id] = c
	w.p.mu.Unlock()
	w.p.watchMemory()
	return nil
}

func (w *worker) finish(c *call) {
	w.p.mu.Lock()
	delete(w.p.calls, c.id)
	w.p.mu.Unlock()
	w.mu.Lock()
	delete(w.calls, c.id)
	w.mu.Unlock()
	w.checkIdle()
}

// checkIdle reports to whoever retired the worker that nothing holds it.
func (w *worker) checkIdle() {
	w.mu.Lock()
	idle := w.idle
	if len(w.calls) > 0 || len(w.staged) > 0 {
		idle = nil
	}
	w.mu.Unlock()
	if idle != nil {
		idle()
	}
}

// endWhenIdle has the worker ended as soon as nothing holds it.
func (w *worker) endWhenIdle() {
	w.mu.Lock()
	w.idle = func() { w.kill(reloadedReason) }
	w.mu.Unlock()
	w.checkIdle()
}

func (w *worker) isGone() bool {
	select {
	case <-w.gone:
		return true
	default:
		return false
	}
}

// servesOthers reports whether ending the worker would cost more than c.
func (w *worker) servesOthers(c *call) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, running := w.calls[c.id]
	others := len(w.calls)
	if running {
		others--
	}
	return others > 0 || len(w.staged) > 0
}

// pinged asks the worker for a sign of life, and returns whether it has given
// one by then.
func (w *worker) pinged() func() bool {
	id := w.p.next()
	var alive atomic.Bool
	answered := make(chan answer, 1)
	c := &call{id: id, answer: answered}
	w.p.mu.Lock()
	w.p.calls[id] = c
	w.p.mu.Unlock()
	_ = w.p.send("ping", id, map[string]any{"worker": w.id})
	return func() bool {
		w.p.mu.Lock()
		delete(w.p.calls, id)
		w.p.mu.Unlock()
		select {
		case <-answered:
			alive.Store(true)
		default:
		}
		return alive.Load()
	}
}

// kill has the worker's thread ended. It does not wait.
func (w *worker) kill(reason string) {
	w.mu.Lock()
	if w.reason == "" {
		w.reason = reason
	}
	w.mu.Unlock()
	_ = w.p.send("kill", 0, map[string]any{"worker": w.id})
}

// endNow ends the worker and waits until it has. A thread that waits for a child
// process cannot be ended; then the process is.
func (w *worker) endNow(reason string) {
	w.kill(reason)
	timer := time.NewTimer(w.p.limits.Grace)
	defer timer.Stop()
	select {
	case <-w.gone:
	case <-timer.C:
		w.p.end(fmt.Sprintf("the tools' process was ended, since a tool in %s could not be stopped alone", w.spec.Path))
		<-w.gone
	}
}

// ended takes note that the worker is no more: its calls fail, what it asked
// for is given up, its staged actions are lost.
func (w *worker) ended(reason string) {
	w.p.mu.Lock()
	delete(w.p.workers, w.id)
	w.p.mu.Unlock()
	w.mu.Lock()
	if w.isGone() {
		w.mu.Unlock()
		return
	}
	if w.reason == "" {
		w.reason = reason
	}
	reason = w.reason
	lost := w.staged
	w.staged = map[int64]*staged{}
	for _, s := range lost {
		s.lose(reason) // before anyone can see that the worker is gone
	}
	close(w.gone)
	w.mu.Unlock()
	w.stop()
	if reason != reloadedReason && reason != closedReason && reason != notLoadedReason {
		w.spec.Host.Log(customtools.LogEntry{Level: customtools.LogError, Message: "the tools of this module have ended: " + reason, Path: w.spec.Path})
	}
	for _, number := range slices.Sorted(maps.Keys(lost)) { // in the order of staging
		lost[number].tell()
	}
}

// loss says that the worker is gone, and why.
func (w *worker) loss() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lossLocked()
}

func (w *worker) lossLocked() error {
	return fmt.Errorf("the tool's worker has ended: %s", w.reason)
}

// exitReason reads why a thread ended that was not told to.
func exitReason(params json.RawMessage) string {
	var exit struct {
		Code  int
		Error string
	}
	if err := json.Unmarshal(params, &exit); err != nil || exit.Error == "" {
		return fmt.Sprintf("it ended with code %d", exit.Code)
	}
	return exit.Error
}

// runs reports whether a call runs in the worker.
func (w *worker) runs() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.calls) > 0
}
