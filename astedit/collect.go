package astedit

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/scope"
)

// scanAhead is how many files may be scanned, per worker, before the one whose
// turn it is: enough to keep workers busy beside one slow file, and a bound on
// what is held in memory.
const scanAhead = 64

// collector adds up the outcomes of a run in the order of the files and stops at
// the limits, so that a result does not depend on how the work was spread.
type collector struct {
	result          *Result
	maxReplacements int
	maxFiles        int
	replacements    int
	seenIssues      map[string]bool
	failOnIssue     bool
	failed          error // the first issue, where it fails the run
	progress        func(filesSearched, replacements int)
}

func newCollector(target *scope.Scope, filesSearched int, req *Request, opts Options) *collector {
	maxFiles := opts.MaxFiles
	if maxFiles <= 0 {
		maxFiles = math.MaxInt
	}
	return &collector{
		result: &Result{
			FilesSearched: filesSearched, ScopePath: target.Display, SearchPath: target.SearchPath,
			SingleFile: target.SingleFile, tracked: map[string]candidate{},
		},
		maxReplacements: req.maxReplacements(), maxFiles: maxFiles,
		seenIssues: map[string]bool{}, failOnIssue: opts.FailOnParseError, progress: opts.Progress,
	}
}

// job is one file on its way through the workers.
type job struct {
	file candidate
	done chan outcome
}

// scanAll scans the files on several workers and takes their outcomes in order.
// All workers have ended when it returns.
func (c *collector) scanAll(ctx context.Context, w *Workspace, rules *ruleSet, files []candidate, workers int) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	jobs := make(chan *job)
	inOrder := make(chan *job, scanAhead*workers)
	running.Go(func() {
		defer close(jobs)
		defer close(inOrder)
		for _, file := range files {
			j := &job{file, make(chan outcome, 1)}
			select {
			case inOrder <- j:
			case <-ctx.Done():
				return
			}
			jobs <- j // a worker always comes: they run until jobs is closed
		}
	})
	for range workers {
		running.Go(func() {
			s := newScanner(w, rules)
			defer s.close()
			for j := range jobs {
				j.done <- s.scan(ctx, j.file)
			}
		})
	}
	return c.takeAll(ctx, inOrder)
}

func (c *collector) takeAll(ctx context.Context, inOrder <-chan *job) error {
	count := 0
	for j := range inOrder {
		o := <-j.done
		if o.err != nil {
			return o.err
		}
		if !c.take(j.file, o) {
			return c.failed
		}
		if count++; c.progress != nil {
			c.progress(count, c.replacements)
		}
	}
	return ctx.Err()
}

// take adds one file's outcome; false where a limit or a failure ends the run.
func (c *collector) take(file candidate, o outcome) bool {
	c.addIssues(file.path, o.issues)
	if c.failed != nil {
		return false
	}
	if o.edit == nil {
		return true
	}
	room := c.maxReplacements - c.replacements
	if room <= 0 || len(c.result.Files) == c.maxFiles {
		c.result.LimitReached = true
		return false
	}
	if len(o.edit.Changes) > room {
		o.edit.Changes = o.edit.Changes[:room]
		c.result.LimitReached = true
	}
	c.replacements += len(o.edit.Changes)
	c.result.Files = append(c.result.Files, o.edit)
	c.result.tracked[file.path] = file
	return !c.result.LimitReached
}

func (c *collector) addIssues(path string, issues []string) {
	for _, issue := range issues {
		if c.failOnIssue && c.failed == nil {
			c.failed = &UserError{issue}
		}
		if !c.seenIssues[issue] {
			c.seenIssues[issue] = true
			c.result.Issues = append(c.result.Issues, Issue{path, issue})
		}
	}
}

// Refresh returns prev, the result of an earlier Run of req, with the file at
// path scanned again; the other files are as they were. Where limits were or are
// reached, one file's change moves what others may have, and a file that is gone
// is no candidate any more: then everything is run again.
func (e *Engine) Refresh(ctx context.Context, w Workspace, req Request, opts Options, prev *Result, path string) (*Result, error) {
	file, ok := prev.tracked[path]
	if !ok {
		return prev, nil
	}
	if prev.LimitReached || w.isGone(path) {
		return e.Run(ctx, w, req, opts)
	}
	rules, err := compileRules(ctx, &req, prev.langs, opts.Strictness)
	if err != nil {
		return nil, err
	}
	rules.shortcuts, rules.cache = e.shortcuts, e.cache.Load()
	s := newScanner(&w, rules)
	defer s.close()
	o := s.scan(ctx, file)
	if o.err != nil {
		return nil, o.err
	}
	next := prev.replaceFile(file, o)
	if next.TotalReplacements() > req.maxReplacements() || opts.MaxFiles > 0 && len(next.Files) > opts.MaxFiles {
		return e.Run(ctx, w, req, opts)
	}
	return next, nil
}

func (r *Result) replaceFile(file candidate, o outcome) *Result {
	next := *r
	next.Files = slices.DeleteFunc(slices.Clone(r.Files), func(f *FileEdit) bool { return f.Path == file.path })
	if o.edit != nil {
		at, _ := slices.BinarySearchFunc(next.Files, o.edit, func(a, b *FileEdit) int { return cmp.Compare(a.Display, b.Display) })
		next.Files = slices.Insert(next.Files, at, o.edit)
	}
	next.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i Issue) bool { return i.Path == file.path })
	for _, issue := range o.issues {
		next.Issues = append(next.Issues, Issue{file.path, issue})
	}
	return &next
}
