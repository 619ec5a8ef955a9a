package match_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// patternMaker makes patterns of real code: it takes a subtree and puts
// metavariables in place of some of its nodes.
type patternMaker struct {
	rand *rand.Rand
	lang *syntax.Language
	tree *syntax.Tree
}

// Bounds of the subtrees: smaller ones match everywhere, larger ones nowhere else.
const (
	maxPatternBytes = 400
	maxPatternNodes = 120
)

// made is one pattern, with a template that shows all that it can bind.
type made struct {
	pattern, selector, out string
	strictness             match.Strictness
}

// strictnessNames are the oracle's names of our values.
var strictnessNames = [...]string{"smart", "cst", "ast", "relaxed", "signature", "template"}

// names that a pattern uses; few, so that some repeat.
const variableNames = "ABCD"

func (p *patternMaker) make() (made, bool) {
	i := uint32(p.rand.IntN(len(p.tree.Nodes)))
	n := p.tree.Nodes[i]
	if !n.Named() || n.Missing() || n.End-n.Start > maxPatternBytes || n.Next-i > maxPatternNodes || n.Next-i < 2 || n.Symbol == syntax.HiddenSymbol {
		return made{}, false
	}
	m := made{out: "<$A|$B|$C|$D|$$$A|$$$B|$$$C|$$$D>"}
	if p.rand.IntN(5) == 0 {
		m.selector = p.inner(i)
	}
	if p.rand.IntN(4) == 0 {
		m.strictness = match.Strictness(p.rand.IntN(len(strictnessNames)))
	}
	m.pattern = p.text(i, true)
	return m, strings.TrimSpace(m.pattern) != ""
}

// inner returns the kind of some named node in the subtree of i.
func (p *patternMaker) inner(i uint32) string {
	for range 8 {
		c := i + uint32(p.rand.IntN(int(p.tree.Nodes[i].Next-i)))
		if n := p.tree.Nodes[c]; n.Named() && n.Symbol != syntax.HiddenSymbol {
			return p.lang.Kind(n.Symbol)
		}
	}
	return ""
}

// text writes the subtree of i with some nodes replaced.
func (p *patternMaker) text(i uint32, root bool) string {
	n := p.tree.Nodes[i]
	if !root {
		switch roll := p.rand.IntN(100); {
		case n.Named() && roll < 22:
			return "$" + p.name()
		case n.Named() && roll < 24, !n.Named() && roll < 3:
			return "$$" + p.name()
		}
	}
	if p.tree.IsLeaf(i) {
		return string(p.tree.Text(i))
	}
	var b strings.Builder
	at := n.Start
	from, to := p.listRun(i)
	for c := i + 1; c < n.Next; c = p.tree.Nodes[c].Next {
		child := p.tree.Nodes[c]
		if from != 0 && c > from && c <= to {
			at = child.End
			continue
		}
		b.Write(p.tree.Source[at:child.Start])
		if c == from {
			b.WriteString("$$$" + p.name())
		} else {
			b.WriteString(p.text(c, false))
		}
		at = child.End
	}
	b.Write(p.tree.Source[at:n.End])
	return b.String()
}

// listRun picks a run of i's children, named at both ends, to become one list
// variable; 0 for none.
func (p *patternMaker) listRun(i uint32) (from, to uint32) {
	if p.rand.IntN(100) >= 20 {
		return 0, 0
	}
	var named []uint32
	for c := i + 1; c < p.tree.Nodes[i].Next; c = p.tree.Nodes[c].Next {
		if p.tree.Nodes[c].Named() {
			named = append(named, c)
		}
	}
	if len(named) == 0 {
		return 0, 0
	}
	a, b := p.rand.IntN(len(named)), p.rand.IntN(len(named))
	return named[min(a, b)], named[max(a, b)]
}

func (p *patternMaker) name() string {
	switch p.rand.IntN(8) {
	case 0:
		return "_"
	case 1:
		return "_X"
	}
	return string(variableNames[p.rand.IntN(len(variableNames))])
}

func (m made) String() string {
	return fmt.Sprintf("pattern %q selector %q strictness %s", m.pattern, m.selector, strictnessNames[m.strictness])
}
