package customtools

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// scriptRuntime is a runtime whose modules are Go functions by their path.
type scriptRuntime struct {
	mu      sync.Mutex
	modules map[string]func(ModuleSpec) ([]Element, error)
	loaded  []string // paths, in order
	retired []string
}

func (r *scriptRuntime) Load(_ context.Context, spec ModuleSpec) (Module, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.loaded = append(r.loaded, spec.Path)
	load := r.modules[spec.Path]
	if load == nil {
		return nil, fmt.Errorf("no such file: %s", spec.Path)
	}
	elements, err := load(spec)
	if err != nil {
		return nil, err
	}
	return &scriptModule{r, spec.Path, elements}, nil
}

func (r *scriptRuntime) SetUI(bool)   {}
func (r *scriptRuntime) Close() error { return nil }

type scriptModule struct {
	runtime  *scriptRuntime
	path     string
	elements []Element
}

func (m *scriptModule) Elements() []Element { return m.elements }

func (m *scriptModule) Retire() {
	m.runtime.mu.Lock()
	defer m.runtime.mu.Unlock()
	m.runtime.retired = append(m.runtime.retired, m.path)
}

// gives is a module with tools of these names.
func gives(names ...string) func(ModuleSpec) ([]Element, error) {
	return func(ModuleSpec) ([]Element, error) {
		var elements []Element
		for _, name := range names {
			elements = append(elements, Tool{
				Definition: Definition{Definition: resolve.Definition{Name: name}},
				Execute: func(context.Context, RuntimeCall) (resolve.Result, error) {
					return resolve.TextResult("from "+name, nil), nil
				},
			}.element())
		}
		return elements, nil
	}
}

// failing is a module that cannot be loaded.
func failing(err error) func(ModuleSpec) ([]Element, error) {
	return func(ModuleSpec) ([]Element, error) { return nil, err }
}

// logHost is a host that only keeps the log.
type logHost struct {
	Host
	mu      sync.Mutex
	entries []string
}

func (h *logHost) Log(e LogEntry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries, e.Level+" "+e.Message+" "+string(e.Context))
}

// recorder writes down what an observer is told.
type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *recorder) ToolStarted(d resolve.Definition, call resolve.ToolCall) {
	r.add("start %s %s %s", call.ID, d.Name, call.Input)
}

func (r *recorder) ToolUpdated(call resolve.ToolCall, partial resolve.Result) {
	r.add("update %s %s", call.ID, partial.Text())
}

func (r *recorder) ToolEnded(call resolve.ToolCall, result resolve.Result) {
	r.add("end %s %s %v", call.ID, result.Text(), result.IsError)
}

// direct loads one tool of the program itself.
func direct(tool Tool, host Host) *LoadedTool {
	loaded := NewLoader(LoaderConfig{Host: host, Direct: []Tool{tool}}).Load(context.Background(), nil)
	return loaded.Tools[0]
}

func named(name, parameters string, execute func(context.Context, RuntimeCall) (resolve.Result, error)) Tool {
	return Tool{
		Definition: Definition{Definition: resolve.Definition{Name: name, Parameters: json.RawMessage(parameters)}},
		Execute:    execute,
	}
}
