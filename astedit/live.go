package astedit

import (
	"context"
	"slices"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Limits on the trees that follow open documents as they are edited. They take a
// multiple of what flat trees do, and few documents are edited at a time.
const (
	maxLiveTrees = 8
	// maxLiveShare is the part of KeepTrees' budget that they may take. What they do
	// not take is the cache's.
	maxLiveShare = 0.25
	// A live tree takes up to so many bytes a node, flat nodes and those of the text
	// before included (measured: 163 to 192), and a text has a node in so many bytes.
	liveNodeSize = 200
	bytesPerNode = 3
)

// liveTrees keeps the trees of open documents that previews show, so that a keystroke
// costs a parse of what it touches. A tree is taken out while it is in use, so nobody
// waits for it and nobody frees it. It is safe for concurrent use.
type liveTrees struct {
	mu     sync.Mutex
	budget int64
	held   int64
	trees  []*liveTree // the most recently used last
}

type liveTree struct {
	path string
	lang *syntax.Language
	live *syntax.Live
	size int64
}

// take returns the live tree of a document, whose text has length bytes, or a new one
// where there is none. The caller puts it back; nil where none are kept, and for a
// text whose tree would hardly fit.
func (l *liveTrees) take(path string, lang *syntax.Language, length int) *liveTree {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, t := range l.trees {
		if t.path == path && t.lang == lang {
			l.trees = slices.Delete(l.trees, i, i+1)
			l.held -= t.size
			return t
		}
	}
	if int64(length/bytesPerNode)*liveNodeSize >= l.budget {
		return nil
	}
	live, err := syntax.NewLive(lang)
	if err != nil {
		return nil // whoever parses the document without it says why
	}
	return &liveTree{path: path, lang: lang, live: live}
}

// put keeps t, and frees what that leaves no room for.
func (l *liveTrees) put(t *liveTree) {
	t.size = int64(t.live.Size()) * liveNodeSize
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trees = append(l.trees, t)
	l.held += t.size
	for len(l.trees) > maxLiveTrees || l.held > l.budget {
		l.remove(0)
	}
}

func (l *liveTrees) setBudget(budget int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.budget = budget
	for len(l.trees) > 0 && l.held > l.budget {
		l.remove(0)
	}
}

// size is how many bytes the trees take.
func (l *liveTrees) size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

// keepOnly frees the trees of the other documents.
func (l *liveTrees) keepOnly(wanted func(path string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.trees) - 1; i >= 0; i-- {
		if !wanted(l.trees[i].path) {
			l.remove(i)
		}
	}
}

func (l *liveTrees) remove(i int) {
	l.held -= l.trees[i].size
	l.trees[i].live.Close()
	l.trees = slices.Delete(l.trees, i, i+1)
}

// follow has the scanner use the live tree of an open document, until the returned
// function is called. A file that is not open has none.
func (s *scanner) follow(trees *liveTrees, file candidate) (end func()) {
	text, open := s.workspace.Documents.OpenText(file.path)
	if !open {
		trees.keepOnly(func(path string) bool { return path != file.path })
		return func() {}
	}
	t := trees.take(file.path, file.lang, len(text))
	if t == nil {
		return func() {}
	}
	s.live = t.live
	return func() {
		s.live = nil
		trees.put(t)
	}
}

// Prepare parses the open documents in which r has changes, so that the first refresh
// after a keystroke is as fast as those that follow. It ends early with ctx.
func (e *Engine) Prepare(ctx context.Context, w Workspace, r *Result) {
	defer e.shareBudget()
	prepared := 0
	for _, f := range r.Files {
		source, open := w.Documents.OpenText(f.Path)
		if !open || unreadableText(source) != "" {
			continue
		}
		if prepared++; prepared > maxLiveTrees || ctx.Err() != nil {
			return
		}
		if t := e.live.take(f.Path, r.tracked[f.Path].lang, len(source)); t != nil {
			_, _ = t.live.Parse(ctx, source, parseTime(len(source))) // a refresh finds out what is wrong with it
			e.live.put(t)
		}
	}
}

// KeepLive frees what the engine keeps to refresh results fast, but for the open
// documents at the absolute paths that are still wanted.
func (e *Engine) KeepLive(wanted func(path string) bool) {
	e.live.keepOnly(wanted)
	e.shareBudget()
}
