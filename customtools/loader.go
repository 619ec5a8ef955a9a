package customtools

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// The texts of what can be wrong with a module (customtools.md 5.2).
const (
	noFactoryText    = "Tool must export a default function"
	loadFailedText   = "Failed to load tool: %v"
	invalidShapeText = "Tool factory returned invalid tool at index %d: expected object with string name, string description, parameters, and execute function"
	conflictText     = `Tool name "%s" conflicts with existing tool`
)

// LoaderConfig is what the tools of a loader have around them.
type LoaderConfig struct {
	Runtime Runtime
	// Host serves the modules outside calls, and calls that bring no host.
	Host     Host
	CanStage bool   // see [ModuleSpec]
	Home     string // what ~ stands for
	BuiltIns []string
	// Direct are tools of the program itself. They are loaded first.
	Direct []Tool
}

// Loader loads modules and keeps them until they are loaded again. It is safe
// for concurrent use.
type Loader struct {
	cfg        LoaderConfig
	validators *validators
	exclusion  *Exclusion // of the calls that bring none

	mu      sync.Mutex // held while loading
	modules map[string]*module
}

// module is a loaded one, with the elements that are tools.
type module struct {
	Module
	elements []Element
}

// NewLoader returns a loader that has loaded nothing.
func NewLoader(cfg LoaderConfig) *Loader {
	return &Loader{cfg: cfg, validators: newValidators(), exclusion: NewExclusion(), modules: map[string]*module{}}
}

// Loaded is the outcome of a load.
type Loaded struct {
	Tools  []*LoadedTool // in the order of the load
	Errors []LoadError
}

// LoadedTool is a tool that can be called. Path is as it was given,
// ResolvedPath absolute; both are empty for a tool of the program itself.
type LoadedTool struct {
	Path, ResolvedPath string
	Source             *resolve.ToolSource
	// Kept: the module could not be loaded again, and this is its old tool.
	Kept bool

	definition Definition // as it was at the load
	tool       RuntimeTool
	host       Host
	validators *validators
	exclusion  *Exclusion
}

// Definition is the tool's as it was when it was loaded.
func (t *LoadedTool) Definition() Definition { return t.definition }

// Load loads the modules one after the other. None fails the others: what is
// wrong becomes an error of the outcome. Modules that are loaded already are
// evaluated again; one that now fails keeps its old tools, beside the error,
// and one that is not in paths any more is retired. Names are given out from
// scratch, to the first that asks.
func (l *Loader) Load(ctx context.Context, paths []ToolPath) Loaded {
	l.mu.Lock()
	defer l.mu.Unlock()
	run := &loading{Loader: l, taken: map[string]bool{}, modules: map[string]*module{}}
	for _, name := range l.cfg.BuiltIns {
		run.taken[name] = true
	}
	for i, tool := range l.cfg.Direct {
		run.addElements(ToolPath{}, "", []Element{tool.element()}, i, false)
	}
	for _, p := range paths {
		run.load(ctx, p)
	}
	for path, old := range l.modules {
		if run.modules[path] != old {
			old.Retire()
		}
	}
	l.modules = run.modules
	return run.loaded
}

// Inputs are the files that the loaded modules were made of, as far as their
// runtime says: a change of one is a reason to load again.
func (l *Loader) Inputs() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var files []string
	for path, m := range l.modules {
		files = append(files, path)
		if known, ok := m.Module.(interface{ Inputs() []string }); ok {
			files = append(files, known.Inputs()...)
		}
	}
	return files
}

// loading is one Load.
type loading struct {
	*Loader
	taken   map[string]bool
	modules map[string]*module
	loaded  Loaded
}

func (r *loading) load(ctx context.Context, p ToolPath) {
	path, err := ResolvePath(p.Path, p.Cwd, r.cfg.Home)
	if err != nil {
		r.fail(p, err.Error(), ErrorPath)
		return
	}
	if isDeclarative(path) {
		r.fail(p, declarativeText, ErrorDeclarative)
		return
	}
	m, err := r.cfg.Runtime.Load(ctx, ModuleSpec{Path: path, CodeSum: p.CodeSum, Cwd: p.Cwd, Host: r.cfg.Host, CanStage: r.cfg.CanStage})
	if err != nil {
		r.failLoad(p, err)
		if old := r.Loader.modules[path]; old != nil && r.modules[path] == nil {
			r.modules[path] = old
			r.addElements(p, path, old.elements, 0, true)
		}
		return
	}
	elements := m.Elements()
	if r.addElements(p, path, elements, 0, false) == 0 || r.modules[path] != nil {
		m.Retire() // nothing in it can be called
		return
	}
	r.modules[path] = &module{m, elements}
}

// addElements adds the elements that are tools whose names are free, and
// returns how many. first is the index of the first, for the errors.
func (r *loading) addElements(p ToolPath, path string, elements []Element, first int, kept bool) int {
	added := 0
	for i, e := range elements {
		name := e.Definition.Name
		switch {
		case !e.Shape.valid():
			if !kept {
				r.fail(p, fmt.Sprintf(invalidShapeText, first+i), ErrorShape)
			}
		case r.taken[name]:
			r.fail(p, fmt.Sprintf(conflictText, name), ErrorConflict)
		default:
			r.taken[name] = true
			added++
			r.loaded.Tools = append(r.loaded.Tools, &LoadedTool{
				Path: p.Path, ResolvedPath: path, Source: p.Source, Kept: kept,
				definition: e.Definition, tool: e.Tool, host: r.cfg.Host, validators: r.validators, exclusion: r.exclusion,
			})
		}
	}
	return added
}

func (r *loading) failLoad(p ToolPath, err error) {
	if errors.Is(err, ErrNoFactory) {
		r.fail(p, noFactoryText, ErrorShape)
		return
	}
	r.fail(p, fmt.Sprintf(loadFailedText, err), ErrorLoad)
}

func (r *loading) fail(p ToolPath, text string, kind ErrorKind) {
	r.loaded.Errors = append(r.loaded.Errors, newLoadError(p, text, kind))
}
