package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// errClosed is the failure of whatever comes after Close.
var errClosed = errors.New(closedReason)

// Options is what a [Runtime] takes.
type Options struct {
	// Find returns the runtimes to try, best first. It is called when a process
	// is to be started.
	Find func() ([]jsruntime.Runtime, error)
	// Log takes what belongs to no module: what the runtime itself says.
	Log    func(customtools.LogEntry)
	Limits Limits
}

// Runtime implements [customtools.Runtime]. Its process is started by the
// first module, and again by the next call after it was lost.
type Runtime struct {
	find   func() ([]jsruntime.Runtime, error)
	log    func(customtools.LogEntry)
	limits Limits

	starting sync.Mutex // held while a process starts
	// ui orders the start of workers and the changes of hasUI.
	ui    sync.RWMutex
	hasUI bool

	mu     sync.Mutex
	proc   *process
	closed bool
}

var _ customtools.Runtime = (*Runtime)(nil)

// New returns a runtime that has started nothing.
func New(o Options) *Runtime {
	if o.Log == nil {
		o.Log = func(customtools.LogEntry) {}
	}
	return &Runtime{find: o.Find, log: o.Log, limits: o.Limits.withDefaults()}
}

// Load implements [customtools.Runtime].
func (r *Runtime) Load(ctx context.Context, spec customtools.ModuleSpec) (customtools.Module, error) {
	started := make(chan error, 1)
	go func() { // beside the bundling
		_, err := r.process(ctx, spec.Cwd)
		started <- err
	}()
	built, err := bundle.Build(spec.Path)
	if startErr := <-started; startErr != nil {
		return nil, startErr
	}
	if err != nil {
		return nil, err
	}
	if spec.CodeSum != "" && spec.CodeSum != customtools.CodeSum(built.Code) {
		return nil, customtools.ErrCodeChanged
	}
	m := &module{rt: r, spec: spec, code: built.Code, inputs: built.Inputs, turn: make(chan struct{}, 1), starts: map[int]sessionStart{}}
	if err := m.start(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// SetUI implements [customtools.Runtime].
func (r *Runtime) SetUI(hasUI bool) {
	r.ui.Lock()
	defer r.ui.Unlock()
	r.hasUI = hasUI
	p := r.running()
	if p == nil {
		return
	}
	p.mu.Lock()
	ids := make([]int64, 0, len(p.workers))
	for id := range p.workers {
		ids = append(ids, id)
	}
	p.mu.Unlock()
	for _, id := range ids {
		_ = p.send("ui", 0, map[string]any{"worker": id, "hasUI": hasUI}) // or the worker is gone
	}
}

// Close implements [customtools.Runtime].
func (r *Runtime) Close() error {
	r.mu.Lock()
	r.closed = true
	p := r.proc
	r.mu.Unlock()
	if p == nil {
		return nil
	}
	p.leave(closedReason)
	return nil
}

// leave lets the process go by itself, and ends it where it does not.
func (p *process) leave(reason string) {
	p.mu.Lock()
	if p.reason == "" {
		p.reason = reason
	}
	p.mu.Unlock()
	_ = p.conn.Close()
	timer := time.NewTimer(closeTimeout)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.end(reason)
		<-p.done
	}
}

// running returns the process if there is one.
func (r *Runtime) running() *process {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.proc == nil || r.proc.isGoing() {
		return nil
	}
	return r.proc
}

// process returns the running process, and starts one where there is none.
func (r *Runtime) process(ctx context.Context, cwd string) (*process, error) {
	r.starting.Lock()
	defer r.starting.Unlock()
	if p := r.running(); p != nil {
		return p, nil
	}
	candidates, err := r.find()
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, candidate := range candidates {
		p, err := startProcess(ctx, candidate, cwd, r.limits, r.log)
		if err == nil {
			return r.keep(p)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		failures = append(failures, err)
	}
	return nil, fmt.Errorf("no JavaScript runtime could be started for custom tools; install Node.js 18 or newer (https://nodejs.org): %w", errors.Join(failures...))
}

// keep makes p the process, unless the runtime was closed meanwhile.
func (r *Runtime) keep(p *process) (*process, error) {
	r.mu.Lock()
	closed := r.closed
	if !closed {
		r.proc = p
	}
	r.mu.Unlock()
	if closed {
		p.leave(closedReason)
		return nil, errClosed
	}
	return p, nil
}
