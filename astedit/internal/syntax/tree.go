package syntax

// Symbol is a node kind's number within one grammar.
type Symbol uint16

// ErrorSymbol is the kind of every ERROR node, in every grammar.
const ErrorSymbol Symbol = 0xffff

// HiddenSymbol is the kind of a named leaf that flattening adds in the kinds that
// Language.TextKinds lists.
const HiddenSymbol Symbol = 0xfffd

type flags uint16

const (
	flagNamed flags = 1 << iota
	flagExtra
	flagMissing
)

// Node is one node of a flattened tree. Its layout is that of xcsh_node in
// flatten.h.
type Node struct {
	// Start and End are byte offsets into the source, End exclusive.
	Start, End uint32
	// Next is the index of the first node that is not in this node's subtree:
	// children are at i+1, then at each child's Next, while below this Next.
	Next   uint32
	Symbol Symbol
	flags  flags
}

// Named reports whether the grammar names this kind of node, as opposed to
// punctuation and keywords.
func (n *Node) Named() bool { return n.flags&flagNamed != 0 }

// Extra reports whether the node may stand anywhere, as comments do.
func (n *Node) Extra() bool { return n.flags&flagExtra != 0 }

// Missing reports whether the parser made the node up to mend an error; it has
// no text.
func (n *Node) Missing() bool { return n.flags&flagMissing != 0 }

// Hole is a part of a source that is left out of its parse, in bytes, End
// exclusive.
type Hole struct{ Start, End uint32 }

// Tree is a source text and its nodes in pre-order; node 0 is the root.
//
// A Tree from [Parser.Parse] borrows the parser's memory: it is valid until that
// parser parses again or is closed. [Tree.Clone] makes one that lasts.
type Tree struct {
	Source []byte
	Nodes  []Node
	// HasError reports whether some node is an ERROR.
	HasError bool
}

// HasMissing reports whether some node was made up to mend an error.
func (t *Tree) HasMissing() bool {
	for i := range t.Nodes {
		if t.Nodes[i].Missing() {
			return true
		}
	}
	return false
}

// Text returns the source of node i.
func (t *Tree) Text(i uint32) []byte {
	n := &t.Nodes[i]
	return t.Source[n.Start:n.End]
}

// IsLeaf reports whether node i has no children.
func (t *Tree) IsLeaf(i uint32) bool { return t.Nodes[i].Next == i+1 }

// ChildCount returns the number of children of node i.
func (t *Tree) ChildCount(i uint32) int {
	count := 0
	for c := i + 1; c < t.Nodes[i].Next; c = t.Nodes[c].Next {
		count++
	}
	return count
}

// HasNamedChild reports whether some child of node i is named.
func (t *Tree) HasNamedChild(i uint32) bool {
	for c := i + 1; c < t.Nodes[i].Next; c = t.Nodes[c].Next {
		if t.Nodes[c].Named() {
			return true
		}
	}
	return false
}

// Clone returns a copy that does not borrow from a parser.
func (t *Tree) Clone() *Tree {
	return &Tree{Source: t.Source, Nodes: append([]Node(nil), t.Nodes...), HasError: t.HasError}
}
