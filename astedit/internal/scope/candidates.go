package scope

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

// Candidates lists the files in the scope, sorted byte-wise by display path,
// each once. keep is the caller's filter by file name (base name, not path),
// asked about every file that passed the other rules; nil keeps all. The hidden
// files of an apply are never candidates, even where they are named. The only
// errors are the context's and a scope root that cannot be read.
func (s *Scope) Candidates(ctx context.Context, keep func(name string) bool) ([]Candidate, error) {
	if keep == nil {
		keep = func(string) bool { return true }
	}
	report := s.ws.Unreadable
	if report == nil {
		report = func(string, error) {}
	}
	var global ignore.Patterns
	if s.ws.GlobalIgnore != "" {
		reader := ignore.Reader{Report: report}
		global = reader.Read(s.ws.GlobalIgnore)
	}
	var all []Candidate
	for i := range s.roots {
		c := newCollector(ctx, s, &s.roots[i])
		c.keep = func(name string) bool { return !atomicfile.IsTemp(name) && keep(name) }
		c.ignorer = ignore.Reader{Global: global, GlobalBase: c.globalBase(), Report: report}
		if err := c.collect(); err != nil {
			return nil, err
		}
		all = append(all, c.found...)
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		if c := strings.Compare(a.Display, b.Display); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return slices.CompactFunc(all, func(a, b Candidate) bool { return a.Path == b.Path }), nil
}

// collector gathers the candidates of one root.
type collector struct {
	ctx     context.Context
	scope   *Scope
	root    *root
	keep    func(string) bool
	ignorer ignore.Reader
	real    string // root.real with slashes, ending in one
	path    string // root.path with slashes, ending in one
	found   []Candidate
}

func newCollector(ctx context.Context, s *Scope, r *root) *collector {
	return &collector{
		ctx: ctx, scope: s, root: r,
		real: withSlash(filepath.ToSlash(r.real)),
		path: withSlash(filepath.ToSlash(r.path)),
	}
}

// globalBase is the directory that the global excludes are relative to where
// there is no repository: the workspace folder.
func (c *collector) globalBase() int {
	if c.root.folder != nil {
		return len(withSlash(filepath.ToSlash(c.root.folder.real)))
	}
	return len(c.real)
}

func (c *collector) collect() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	alone := len(c.scope.folders) == 0
	switch {
	case alone && (c.root.any || c.root.file):
		c.addOpenAnywhere()
		return nil
	case c.root.file:
		c.addFile()
		return nil
	case hasSegment(c.root.rel, ignore.GitDir):
		return nil
	}
	above := c.ignorer.Above(strings.TrimSuffix(c.real, "/"))
	if err := c.addOpenBelow(above, alone); err != nil || alone {
		return err
	}
	return c.walkRoot(above)
}

// addFile adds a root that is a file: no rule but the caller's applies.
func (c *collector) addFile() {
	path := strings.TrimSuffix(c.path, "/")
	name := path[strings.LastIndexByte(path, '/')+1:]
	if c.keep(name) {
		c.found = append(c.found, Candidate{Path: filepath.FromSlash(path), Display: c.root.label + name})
	}
}

// add adds the file real, an absolute slash path below the root.
func (c *collector) add(real string) {
	rel := real[len(c.real):]
	path := real
	if c.path != c.real {
		path = c.path + rel
	}
	display := rel
	if c.root.label != "" {
		display = c.root.label + rel
	}
	c.found = append(c.found, Candidate{Path: filepath.FromSlash(path), Display: display})
}

// admits reports whether a filter of the root admits rel.
func (c *collector) admits(rel string, inModules bool) bool {
	for i := range c.root.filters {
		if c.root.filters[i].admits(rel, inModules) {
			return true
		}
	}
	return false
}

// enters reports whether the directory rel, named name, is to be searched.
func (c *collector) enters(rel, name string) bool {
	if name == ignore.GitDir {
		return false
	}
	for i := range c.root.filters {
		f := &c.root.filters[i]
		if (name != nodeModules || f.nodeModules) && f.mayAdmitBelow(rel) {
			return true
		}
	}
	return false
}

// hasSegment reports whether a slash path has the segment.
func hasSegment(path, segment string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == segment {
			return true
		}
	}
	return false
}
