package astedit

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/scope"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Engine runs structural edits. It holds the linked grammars and is safe for
// concurrent use.
type Engine struct {
	registry  *syntax.Registry
	shortcuts shortcuts
	cache     atomic.Pointer[treeCache] // nil for none
	live      liveTrees
}

// shortcuts are the ways to a result that spare work; none may change one. Each
// can be switched off, so that a test can compare with and without it.
type shortcuts struct {
	noPrefilter bool // parse files that lack a literal which every match contains
	noArena     bool // allocate trees block by block
	noHoles     bool // parse files whole
}

// NewEngine links the grammars.
func NewEngine() (*Engine, error) {
	registry, err := syntax.NewRegistry()
	if err != nil {
		return nil, err
	}
	return &Engine{registry: registry}, nil
}

// Options are what a host adds to a request.
type Options struct {
	// MaxFiles caps the files with changes; 0 means no cap.
	MaxFiles int
	// Workers is how many files are scanned at once; 0 means one a processor.
	Workers int
	// Strictness says which differences between pattern and source do not count.
	Strictness Strictness
	// FailOnParseError lets the first parse issue fail the run, as a *UserError.
	FailOnParseError bool
	// Timeout ends the run with ErrTimeout; 0 means no limit.
	Timeout time.Duration
	// Progress, where set, is called after each file, one call at a time. The
	// scan waits for it.
	Progress func(filesSearched, replacements int)
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Strictness says which differences between pattern and source do not count
// (ast_edit.md 7.5, 7.6).
type Strictness = match.Strictness

// The values of Strictness. Smart is the default, and what users know.
const (
	Smart     = match.Smart
	CST       = match.CST
	AST       = match.AST
	Relaxed   = match.Relaxed
	Signature = match.Signature
	Template  = match.Template
)

// ErrTimeout ends a run that took longer than Options.Timeout.
var ErrTimeout = errors.New("Aborted: Timeout")

// Run computes what req changes in w. A request or scope that cannot be run is a
// *UserError; a cancelled run returns ctx's error. Files and rules with problems
// do not fail a run: they become Result.Issues.
func (e *Engine) Run(ctx context.Context, w Workspace, req Request, opts Options) (*Result, error) {
	return e.Each(ctx, w, req, opts, nil)
}

// Each is Run, but hands the files with changes to visit, one after the other and in
// order, and holds none of them: its result has no Files, and cannot be refreshed. An
// error of visit ends the run and is returned.
func (e *Engine) Each(ctx context.Context, w Workspace, req Request, opts Options, visit func(*FileEdit) error) (*Result, error) {
	if opts.Timeout <= 0 {
		return e.run(ctx, w, req, opts, visit)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, opts.Timeout, ErrTimeout)
	defer cancel()
	result, err := e.run(ctx, w, req, opts, visit)
	if err != nil && context.Cause(ctx) == ErrTimeout {
		return nil, ErrTimeout
	}
	return result, err
}

func (e *Engine) run(ctx context.Context, w Workspace, req Request, opts Options, visit func(*FileEdit) error) (*Result, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	lang, err := req.language(e.registry)
	if err != nil {
		return nil, err
	}
	target, err := resolveScope(&w, &req)
	if err != nil {
		return nil, err
	}
	files, err := e.candidates(ctx, target, lang)
	if err != nil {
		return nil, err
	}
	langs := languagesOf(files, lang)
	rules, err := compileRules(ctx, &req, langs, opts.Strictness)
	if err != nil {
		return nil, err
	}
	c := newCollector(target, len(files), &req, opts)
	c.result.langs, c.visit = langs, visit
	rules.shortcuts, rules.cache = e.shortcuts, e.cache.Load()
	rules.cache.begin()
	if len(w.Folders) > 0 {
		c.result.CWD = w.Folders[0].Path
	}
	c.addIssues("", rules.generalIssues())
	c.result.Warnings = rules.warnings()
	if c.failed != nil {
		return nil, c.failed
	}
	if rules.anyUsable() {
		if err := c.scanAll(ctx, &w, rules, files, opts.workers()); err != nil {
			return nil, err
		}
	}
	return c.result, nil
}

// resolveScope: the scope's own errors are all worded for the user.
func resolveScope(w *Workspace, req *Request) (*scope.Scope, error) {
	target, err := scope.Resolve(w.scope(), scope.Params{Path: req.Path, Paths: req.Paths, Glob: req.Glob})
	if err != nil {
		return nil, &UserError{err.Error()}
	}
	return target, nil
}

// candidates lists the files to scan. With a language every file is one;
// without, those whose name tells their language.
func (e *Engine) candidates(ctx context.Context, target *scope.Scope, lang *syntax.Language) ([]candidate, error) {
	listed, err := target.Candidates(ctx, func(name string) bool {
		_, known := e.registry.ByFileName(name)
		return lang != nil || known
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &UserError{err.Error()}
	}
	files := make([]candidate, 0, len(listed))
	for _, l := range listed {
		file := candidate{path: l.Path, display: l.Display, lang: lang}
		if lang == nil {
			file.lang, _ = e.registry.ByFileName(l.Path)
		}
		if file.lang != nil {
			files = append(files, file)
		}
	}
	if len(files) == 0 && lang == nil {
		return nil, userErrorf(textNoSupportedFiles)
	}
	return files, nil
}

// languagesOf returns each language in use once.
func languagesOf(files []candidate, asked *syntax.Language) []*syntax.Language {
	if asked != nil {
		return []*syntax.Language{asked}
	}
	var langs []*syntax.Language
	seen := map[*syntax.Language]bool{}
	for _, f := range files {
		if !seen[f.lang] {
			seen[f.lang] = true
			langs = append(langs, f.lang)
		}
	}
	return langs
}

// reason is err without the path that the operating system's errors repeat.
func reason(err error) string {
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		return inPath.Err.Error()
	}
	return err.Error()
}
