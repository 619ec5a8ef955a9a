package astedit

import (
	"bytes"
	"container/list"
	"slices"
	"sync"
	"unsafe"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// treeCache keeps syntax trees from run to run. An entry counts only for the
// very bytes that it was parsed from: a run reads its files in any case, and
// comparing them costs a thousandth of parsing them. So no answer is ever stale,
// whatever clocks and file systems say, and open documents need no rule of their
// own.
//
// It is safe for concurrent use; trees in it are immutable.
type treeCache struct {
	budget int64

	mu       sync.Mutex
	held     int64
	reserved int64 // of the budget, for others
	run      uint64
	entries  map[cacheKey]*list.Element // of *cacheEntry
	recent   *list.List                 // the most recently used first
}

type cacheKey struct {
	path string
	lang *syntax.Language
}

type cacheEntry struct {
	key   cacheKey
	tree  *syntax.Tree
	holes []syntax.Hole // left out of the parse
	size  int64
	run   uint64 // that used it last
}

// entryOverhead is roughly what an entry takes beside its text and nodes.
const entryOverhead = 512

func newTreeCache(budget int64) *treeCache {
	return &treeCache{budget: budget, entries: map[cacheKey]*list.Element{}, recent: list.New()}
}

// KeepTrees makes the engine keep syntax trees between runs, in at most budget
// bytes, for use where a file has not changed. 0 keeps none, which is the
// default. Trees kept under another budget are dropped; a run that is under way
// goes on with those that it has.
func (e *Engine) KeepTrees(budget int64) {
	e.live.setBudget(int64(float64(max(budget, 0)) * maxLiveShare))
	switch now := e.cache.Load(); {
	case now != nil && now.budget == budget:
	case budget > 0:
		e.cache.Store(newTreeCache(budget))
		e.shareBudget()
	default:
		e.cache.Store(nil)
	}
}

// shareBudget leaves the cache what the live trees do not take.
func (e *Engine) shareBudget() { e.cache.Load().reserve(e.live.size()) }

// begin counts a run.
func (c *treeCache) begin() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run++
}

// get returns the tree of source, which was parsed with the returned holes.
func (c *treeCache) get(path string, lang *syntax.Language, source []byte) (*syntax.Tree, []syntax.Hole, bool) {
	if c == nil {
		return nil, nil, false
	}
	c.mu.Lock()
	element, ok := c.entries[cacheKey{path, lang}]
	if !ok {
		c.mu.Unlock()
		return nil, nil, false
	}
	entry := element.Value.(*cacheEntry)
	c.recent.MoveToFront(element)
	entry.run = c.run
	c.mu.Unlock()
	if !bytes.Equal(entry.tree.Source, source) {
		return nil, nil, false
	}
	return entry.tree, entry.holes, true
}

// reserve leaves so many bytes of the budget to others from here on.
func (c *treeCache) reserve(size int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reserved = size
	for last := c.recent.Back(); last != nil && c.held+c.reserved > c.budget; last = c.recent.Back() {
		c.remove(last)
	}
}

// put keeps a copy of tree where there is room for it.
func (c *treeCache) put(path string, lang *syntax.Language, tree *syntax.Tree, holes []syntax.Hole) {
	if c == nil {
		return
	}
	size := int64(len(tree.Source)) + int64(len(tree.Nodes))*int64(unsafe.Sizeof(syntax.Node{})) + int64(len(holes))*int64(unsafe.Sizeof(syntax.Hole{})) + entryOverhead
	key := cacheKey{path, lang}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.entries[key]; ok {
		c.remove(old)
	}
	if !c.makeRoom(size) {
		return
	}
	entry := &cacheEntry{key: key, tree: tree.Clone(), holes: slices.Clone(holes), size: size, run: c.run}
	c.entries[key] = c.recent.PushFront(entry)
	c.held += size
}

// makeRoom drops the entries that were used longest ago, but none of this run:
// a run goes through the files in order, and where they do not all fit, each
// would push out the one that the next run needs first.
func (c *treeCache) makeRoom(size int64) bool {
	room := c.budget - c.reserved
	if size > room {
		return false
	}
	for c.held+size > room {
		last := c.recent.Back()
		if last == nil || last.Value.(*cacheEntry).run == c.run {
			return false
		}
		c.remove(last)
	}
	return true
}

func (c *treeCache) remove(element *list.Element) {
	entry := element.Value.(*cacheEntry)
	c.recent.Remove(element)
	delete(c.entries, entry.key)
	c.held -= entry.size
}
