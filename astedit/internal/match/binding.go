package match

import (
	"bytes"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// bindNode gives node i to the variable; false where it is anonymous and the
// variable wants a named one, or where the name is bound to a different node.
func (m *matcher) bindNode(goal *node, i uint32) bool {
	if goal.mv.isList() {
		return goal.slot < 0 || m.bind(goal.slot, Binding{bound: true, first: i, last: i, count: 1})
	}
	if goal.mv.named && !m.tree.Nodes[i].Named() {
		return false
	}
	return goal.slot < 0 || m.bind(goal.slot, Binding{bound: true, first: i, last: i, count: 1})
}

// bindList gives the siblings of run, less the last passed ones, to the list.
func (m *matcher) bindList(goal *node, run siblings, passed int) bool {
	if goal.slot < 0 {
		return true
	}
	total := 0
	for s := run; !s.done(); m.step(&s) {
		total++
	}
	b := Binding{bound: true, first: run.at, count: max(0, total-passed)}
	for s, k := run, 0; k < b.count; m.step(&s) {
		b.last = s.at
		k++
	}
	return m.bind(goal.slot, b)
}

// bind stores b. A name that is bound already must be equal; the later binding
// then provides the text.
func (m *matcher) bind(slot int, b Binding) bool {
	old := m.bindings[slot]
	if old.bound && !m.equalBindings(slot, old, b) {
		return false
	}
	m.trail = append(m.trail, bindingChange{slot, old})
	m.bindings[slot] = b
	return true
}

func (m *matcher) undo(mark int) {
	for len(m.trail) > mark {
		last := m.trail[len(m.trail)-1]
		m.bindings[last.slot] = last.old
		m.trail = m.trail[:len(m.trail)-1]
	}
}

func (m *matcher) equalBindings(slot int, a, b Binding) bool {
	if a.count > 0 && m.reachesOverHole(a.first, a.last) || b.count > 0 && m.reachesOverHole(b.first, b.last) {
		m.unsure = true
	}
	if !isListName(m.pattern.names[slot]) {
		return equalNodes(m.tree, a.first, b.first)
	}
	left, right := m.namedOf(a), m.namedOf(b)
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if !equalNodes(m.tree, left[i], right[i]) {
			return false
		}
	}
	return true
}

// namedOf returns the named nodes of a list: separators do not count when two
// lists are compared.
func (m *matcher) namedOf(b Binding) []uint32 {
	var named []uint32
	for i, k := b.first, 0; k < b.count; i, k = m.tree.Nodes[i].Next, k+1 {
		if m.tree.Nodes[i].Named() {
			named = append(named, i)
		}
	}
	return named
}

// equalNodes compares by text where one node has no named children, else by kind
// and children: `a.b` equals `a . b`.
func equalNodes(tree *syntax.Tree, a, b uint32) bool {
	if a == b {
		return true
	}
	if !tree.HasNamedChild(a) || !tree.HasNamedChild(b) {
		return bytes.Equal(tree.Text(a), tree.Text(b))
	}
	if tree.Nodes[a].Symbol != tree.Nodes[b].Symbol || tree.ChildCount(a) != tree.ChildCount(b) {
		return false
	}
	c, d := a+1, b+1
	for c < tree.Nodes[a].Next {
		if !equalNodes(tree, c, d) {
			return false
		}
		c, d = tree.Nodes[c].Next, tree.Nodes[d].Next
	}
	return true
}

func isListName(slotName string) bool { return len(slotName) > 3 && slotName[:3] == "$$$" }
