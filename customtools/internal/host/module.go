package host

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
)

// module is one generation. It has one worker at a time: one that is lost is
// replaced by the next call, from the same bundle.
type module struct {
	rt     *Runtime
	spec   customtools.ModuleSpec
	code   []byte
	inputs []string

	turn     chan struct{} // holds one token while the worker is replaced
	elements []customtools.Element

	// What follows is read and written by whoever holds the turn.
	worker  *worker
	retired bool
	starts  map[int]sessionStart // by element: what a new worker is told
}

// sessionStart is the start event that a tool has had.
type sessionStart struct {
	event   json.RawMessage
	context customtools.ToolContext
}

// loaded is the answer to the method load; Elements is nil without a factory.
type loaded struct {
	Elements []struct {
		Shape struct {
			HasName, HasDescription, HasParameters, HasExecute bool
		}
		Definition *customtools.Definition
	}
}

// Elements implements [customtools.Module].
func (m *module) Elements() []customtools.Element { return m.elements }

// Inputs are the files that the module was made of: a change of one is a
// reason to load it again.
func (m *module) Inputs() []string { return m.inputs }

// Retire implements [customtools.Module].
func (m *module) Retire() {
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	m.retired = true
	m.worker.endWhenIdle()
}

// start evaluates the module in a worker of its own, the first time.
func (m *module) start(ctx context.Context) error {
	w, made, err := m.evaluate(ctx)
	if err != nil {
		return err
	}
	for i, e := range made.Elements {
		element := customtools.Element{Shape: customtools.Shape(e.Shape)}
		if e.Definition != nil {
			element.Definition = *e.Definition
			element.Tool = &tool{module: m, element: i}
		}
		m.elements = append(m.elements, element)
	}
	m.worker = w
	return nil
}

// evaluate starts a worker and has it load the module. Where that fails the
// worker is ended.
func (m *module) evaluate(ctx context.Context) (*worker, loaded, error) {
	p, err := m.rt.process(ctx, m.spec.Cwd)
	if err != nil {
		return nil, loaded{}, err
	}
	file := filepath.Join(p.dir, fmt.Sprintf("module-%d.mjs", p.next()))
	if err := os.WriteFile(file, m.code, 0o600); err != nil {
		return nil, loaded{}, fmt.Errorf("write the bundle of %s: %w", m.spec.Path, err)
	}
	m.rt.ui.RLock()
	w, err := p.startWorker(m.spec, bundle.FileURL(file), m.rt.hasUI)
	m.rt.ui.RUnlock()
	if err != nil {
		return nil, loaded{}, err
	}
	made, err := w.load(ctx)
	if err != nil {
		w.kill(notLoadedReason)
		return nil, loaded{}, err
	}
	return w, made, nil
}

func (w *worker) load(ctx context.Context) (loaded, error) {
	late := fmt.Errorf("it was not ready within %v", w.p.limits.Load)
	ctx, cancel := context.WithTimeoutCause(ctx, w.p.limits.Load, late)
	defer cancel()
	value, err := w.request(ctx, "load", map[string]any{}, &call{}, patience{grace: w.p.limits.Grace})
	if err != nil {
		return loaded{}, err
	}
	var made loaded
	if err := json.Unmarshal(value, &made); err != nil {
		return loaded{}, fmt.Errorf("what the factory returned cannot be read: %w", err)
	}
	if made.Elements == nil {
		return loaded{}, customtools.ErrNoFactory
	}
	return made, nil
}

// live returns a worker that runs, a new one where it was lost.
func (m *module) live(ctx context.Context) (*worker, error) {
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-m.turn }()
	if m.retired && m.worker.isGone() {
		return nil, fmt.Errorf("the tool cannot be called: %s", reloadedReason)
	}
	if !m.worker.isGone() {
		return m.worker, nil
	}
	w, made, err := m.evaluate(ctx)
	if err != nil {
		return nil, fmt.Errorf("the tool's worker had ended, and could not be started again: %w", err)
	}
	if err := m.sameTools(made); err != nil {
		w.kill(notLoadedReason)
		return nil, err
	}
	m.worker = w
	m.greet(ctx, w)
	return w, nil
}

// sameTools reports whether a new worker has the tools that are registered.
func (m *module) sameTools(made loaded) error {
	for i, e := range m.elements {
		if e.Tool == nil {
			continue
		}
		if i >= len(made.Elements) || made.Elements[i].Definition == nil || made.Elements[i].Definition.Name != e.Definition.Name {
			return fmt.Errorf("the tool %q is no longer what %s returns: reload the tools", e.Definition.Name, m.spec.Path)
		}
	}
	return nil
}

// greet tells the tools of a new worker that a session runs, so that they can
// rebuild what they knew.
func (m *module) greet(ctx context.Context, w *worker) {
	for i := range m.elements {
		start, ok := m.starts[i]
		if !ok {
			continue
		}
		if err := w.session(ctx, i, start.event, start.context, m.spec.Host); err != nil {
			m.spec.Host.Log(customtools.LogEntry{Level: customtools.LogWarn, Message: "onSession after a restart: " + err.Error(), Path: m.spec.Path})
		}
	}
}
