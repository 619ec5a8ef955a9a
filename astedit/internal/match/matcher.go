package match

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Binding is what a metavariable took: one node, or a run of siblings.
type Binding struct {
	bound bool
	first uint32 // index of the first node
	last  uint32 // index of the last node
	count int    // 0 for an empty list
}

// Match is one place where a pattern matches.
type Match struct {
	Node     uint32 // index of the matched node
	Bindings []Binding
}

// Find returns all matches in tree in pre-order, nested ones included. A match
// that holds an ERROR node or lies inside one does not count: what the parser
// could not read is not edited.
func (p *Pattern) Find(tree *syntax.Tree) []Match {
	found, _ := p.FindAround(context.Background(), tree, nil)
	return found
}

// nodesPerCheck is how many candidates are compared between two looks at the
// context: far less than a millisecond's.
const nodesPerCheck = 4096

// FindAround finds the matches in the tree of a source of which holes were left
// out, in order of position. It is sure of them where no hole had to be compared;
// else the source must be parsed whole. What lies in a match is not all there where
// a hole does too. See [Pattern.Anchors] for which holes cannot hide a match. It
// gives up where ctx ends, and then is not sure either.
func (p *Pattern) FindAround(ctx context.Context, tree *syntax.Tree, holes []syntax.Hole) (found []Match, sure bool) {
	m := matcher{pattern: p, tree: tree, holes: holes, bindings: make([]Binding, len(p.names))}
	var bindings []Binding // of all matches: one growing array costs less than many small ones
	errorEnd := uint32(0)  // nodes below this index lie inside an ERROR
	for i := range uint32(len(tree.Nodes)) {
		if i%nodesPerCheck == 0 && ctx.Err() != nil {
			return nil, false
		}
		n := &tree.Nodes[i]
		if n.Symbol == syntax.ErrorSymbol {
			errorEnd = max(errorEnd, n.Next)
		}
		if i < errorEnd || !p.mayStartAt(n) {
			continue
		}
		if m.matchRoot(i) && !(tree.HasError && holdsError(tree, i)) {
			found = append(found, Match{Node: i})
			bindings = append(bindings, m.bindings...)
		}
	}
	for i, size := 0, len(m.bindings); i < len(found); i++ {
		found[i].Bindings = bindings[i*size : (i+1)*size : (i+1)*size]
	}
	return found, !m.unsure
}

// mayStartAt filters candidates by the root's kind, which spares most of them
// the comparison.
func (p *Pattern) mayStartAt(n *syntax.Node) bool {
	if p.selected && n.Symbol != p.rootKind {
		return false
	}
	if p.strictness == Template {
		return true
	}
	switch p.root.kind {
	case variable:
		return true
	case terminal:
		return p.root.symbol == n.Symbol
	}
	return kindsAgree(p.root.symbol, n.Symbol)
}

func holdsError(tree *syntax.Tree, i uint32) bool {
	for c := i; c < tree.Nodes[i].Next; c++ {
		if tree.Nodes[c].Symbol == syntax.ErrorSymbol {
			return true
		}
	}
	return false
}

// matcher compares one pattern with candidates of one tree.
type matcher struct {
	pattern  *Pattern
	tree     *syntax.Tree
	bindings []Binding
	trail    []bindingChange // undoes the bindings of trial matches
	holes    []syntax.Hole
	unsure   bool // a hole had to be compared
}

// reachesOverHole reports whether a hole lies in the text from node first to
// node last.
func (m *matcher) reachesOverHole(first, last uint32) bool {
	if len(m.holes) == 0 {
		return false
	}
	start, end := m.tree.Nodes[first].Start, m.tree.Nodes[last].End
	i, _ := slices.BinarySearchFunc(m.holes, start, func(h syntax.Hole, at uint32) int { return cmp.Compare(h.End, at+1) })
	return i < len(m.holes) && m.holes[i].Start < end
}

type bindingChange struct {
	slot int
	old  Binding
}

func (m *matcher) matchRoot(i uint32) bool {
	clear(m.bindings)
	m.trail = m.trail[:0]
	root := &m.pattern.root
	if root.kind == variable && m.pattern.strictness == Smart {
		// A root metavariable stands for the candidate itself, a comment included.
		return m.bindNode(root, i)
	}
	return m.compare(root, i) == matched
}

// compare compares one pattern node with candidate i.
func (m *matcher) compare(goal *node, i uint32) verdict {
	switch goal.kind {
	case terminal:
		return m.pattern.strictness.compareTerminal(goal, m.tree, i)
	case variable:
		if m.pattern.strictness.skipsComments() && m.tree.Nodes[i].Extra() {
			return skipCandidate
		}
		if m.bindNode(goal, i) {
			return matched
		}
		return mismatch
	}
	if m.pattern.strictness != Template && !kindsAgree(goal.symbol, m.tree.Nodes[i].Symbol) {
		return mismatch
	}
	if m.compareChildren(goal.children, i) {
		return matched
	}
	return mismatch
}

// siblings walks the children of one node: at is the current child, end the
// index after the parent's subtree.
type siblings struct{ at, end uint32 }

func (s siblings) done() bool { return s.at >= s.end }

func (m *matcher) step(s *siblings) { s.at = m.tree.Nodes[s.at].Next }

// compareChildren matches goals with the children of parent from left to right.
// Lists are lazy and nothing is tried twice (ast_edit.md 7.5).
func (m *matcher) compareChildren(goals []node, parent uint32) bool {
	s := siblings{parent + 1, m.tree.Nodes[parent].Next}
	if s.done() {
		return false // an internal node never matches a leaf
	}
	for {
		if len(goals) == 0 {
			return true // a pattern node that has no children but missing ones
		}
		if goals[0].kind == variable && goals[0].mv.isList() {
			rest, outcome := m.compareList(goals, &s)
			switch outcome {
			case listFailed:
				return false
			case listTookAll:
				return true
			case listNextIsList:
				goals = rest
				continue
			}
			goals = rest
		}
		rest, ok := m.compareOne(goals, &s)
		if !ok {
			return false
		}
		goals = rest
		if len(goals) == 0 {
			return m.restMayTrail(s)
		}
		if s.done() {
			return false
		}
	}
}

func (m *matcher) restMayTrail(s siblings) bool {
	for ; !s.done(); m.step(&s) {
		if !m.pattern.strictness.mayTrail(&m.tree.Nodes[s.at]) {
			return false
		}
	}
	return true
}

// compareOne matches the first goal with the current sibling, passing over what
// the strictness allows, and consumes both. It returns the goals that are left.
func (m *matcher) compareOne(goals []node, s *siblings) (rest []node, ok bool) {
	for {
		if s.done() {
			for i := range goals {
				if !m.pattern.strictness.mayLack(&goals[i]) {
					return nil, false
				}
			}
			return nil, true
		}
		switch m.compare(&goals[0], s.at) {
		case matched:
			m.step(s)
			return goals[1:], true
		case skipCandidate:
			m.step(s)
		case skipGoal:
			goals = goals[1:]
		case skipBoth:
			m.step(s)
			goals = goals[1:]
		case mismatch:
			return nil, false
		}
		if len(goals) == 0 {
			return nil, true
		}
	}
}

type listOutcome uint8

const (
	listFailed     listOutcome = iota
	listTookAll                // the goals are used up
	listNextIsList             // the next goal is another list
	listFoundNext              // the current sibling matches the next goal
)

// compareList matches the list variable goals[0] and returns the goals after it
// and after the punctuation that directly follows it: that is not looked for in
// the source, but as many nodes are taken off the list's end.
func (m *matcher) compareList(goals []node, s *siblings) ([]node, listOutcome) {
	goal, first := &goals[0], s.at
	rest := goals[1:]
	passed := 0
	for len(rest) > 0 && rest[0].trivial() {
		rest = rest[1:]
		passed++
	}
	if len(rest) == 0 {
		if !m.bindList(goal, siblings{first, s.end}, passed) {
			return nil, listFailed
		}
		return nil, listTookAll
	}
	if rest[0].kind == variable && rest[0].mv.isList() {
		m.step(s)
		if s.done() || !m.bindList(goal, siblings{first, s.at}, passed) {
			return nil, listFailed
		}
		return rest, listNextIsList
	}
	for ; !s.done(); m.step(s) {
		mark := len(m.trail)
		found := m.compare(&rest[0], s.at) == matched
		m.undo(mark)
		if found {
			if !m.bindList(goal, siblings{first, s.at}, passed) {
				return nil, listFailed
			}
			return rest, listFoundNext
		}
	}
	return nil, listFailed
}
