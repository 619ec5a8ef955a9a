package astedit

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/scope"
)

// collector adds up the outcomes of a run in the order of the files and stops at
// the limits, so that a result does not depend on how the work was spread.
type collector struct {
	result          *Result
	maxReplacements int
	maxFiles        int
	taken           int // files
	replacements    int
	seenIssues      map[string]bool
	failOnIssue     bool
	failed          error // the first issue, where it fails the run
	progress        func(filesSearched, replacements int)
	visit           func(*FileEdit) error // takes the files with changes, in place of the result; nil for none
	files           int                   // with changes
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

// takeAndTell is take, and tells of the progress.
func (c *collector) takeAndTell(file candidate, o outcome) bool {
	if !c.take(file, o) {
		return false
	}
	if c.taken++; c.progress != nil {
		c.progress(c.taken, c.replacements)
	}
	return true
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
	if room <= 0 || c.files == c.maxFiles {
		c.result.LimitReached = true
		return false
	}
	if len(o.edit.Changes) > room {
		o.edit.Changes = o.edit.Changes[:room]
		c.result.LimitReached = true
	}
	c.replacements += len(o.edit.Changes)
	c.files++
	if c.visit != nil {
		c.failed = c.visit(o.edit)
		return c.failed == nil && !c.result.LimitReached
	}
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
	defer e.shareBudget()
	defer s.follow(&e.live, file)()
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
