package syntax

import (
	"context"
	"strings"
	"time"
)

// ParseFragment parses code that is not a whole file, such as a pattern: where the
// language needs something before code ([Language.FragmentPrefix]) and source does
// not begin with it, the tree is that of source behind it, and the prefix and its
// nodes are left out. It fails as [Parser.Parse] does.
func (p *Parser) ParseFragment(ctx context.Context, source string, timeout time.Duration) (*Tree, error) {
	prefix := p.lang.FragmentPrefix
	if prefix == "" || strings.HasPrefix(source, p.lang.FragmentMark) {
		return p.Parse(ctx, []byte(source), timeout)
	}
	tree, err := p.Parse(ctx, []byte(prefix+source), timeout)
	if err != nil {
		return nil, err
	}
	return tree.cutPrefix(uint32(len(prefix))), nil
}

// cutPrefix leaves out the first size bytes and the nodes that lie in them, which
// must be the root's first children.
func (t *Tree) cutPrefix(size uint32) *Tree {
	cut := uint32(0)
	for int(1+cut) < len(t.Nodes) && t.Nodes[1+cut].Start < size && t.Nodes[1+cut].End <= size {
		cut++
	}
	nodes := append([]Node{t.Nodes[0]}, t.Nodes[1+cut:]...)
	for i := range nodes {
		n := &nodes[i]
		n.Start, n.End, n.Next = max(n.Start, size)-size, max(n.End, size)-size, n.Next-cut
	}
	return &Tree{Source: t.Source[size:], Nodes: nodes, HasError: t.HasError}
}
