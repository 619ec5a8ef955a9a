package match

import (
	"bytes"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Strictness says which differences between pattern and source do not count.
type Strictness uint8

// The values, from what users know best. Smart is the default: everything in
// the pattern must be in the source, but not the other way round.
const (
	Smart     Strictness = iota
	CST                  // nothing is passed over
	AST                  // anonymous nodes are passed over on both sides
	Relaxed              // as AST, and comments
	Signature            // as Relaxed, and the text of named terminals does not count
	Template             // kinds do not count, only text; comments are passed over
)

// verdict is what comparing one pattern node with one candidate says.
type verdict uint8

const (
	mismatch verdict = iota
	matched
	skipCandidate
	skipGoal
	skipBoth
)

func (s Strictness) skipsComments() bool { return s != CST && s != AST }

// compareTerminal compares a leaf of the pattern with candidate i. The text of
// an anonymous node is not compared: its kind is its text, and some grammars
// give it a wrong span.
func (s Strictness) compareTerminal(goal *node, tree *syntax.Tree, i uint32) verdict {
	candidate := &tree.Nodes[i]
	sameKind := kindsAgree(goal.symbol, candidate.Symbol)
	if sameKind && (!goal.named || goal.freelySpelled || bytes.Equal(goal.text, tree.Text(i))) {
		return matched
	}
	if s.skipsComments() && candidate.Extra() {
		return skipCandidate
	}
	switch s {
	case CST:
		return mismatch
	case Smart:
		return skip(false, !candidate.Named())
	case Signature:
		if sameKind {
			return matched
		}
	case Template:
		if bytes.Equal(goal.text, tree.Text(i)) {
			return matched
		}
		return skip(false, !candidate.Named())
	}
	return skip(!goal.named, !candidate.Named())
}

func skip(goal, candidate bool) verdict {
	switch {
	case goal && candidate:
		return skipBoth
	case goal:
		return skipGoal
	case candidate:
		return skipCandidate
	}
	return mismatch
}

// kindsAgree: an ERROR in the pattern agrees with every kind.
func kindsAgree(goal, candidate syntax.Symbol) bool {
	return goal == candidate || goal == syntax.ErrorSymbol
}

// mayTrail reports whether candidate may be left over when the goals are used up.
func (s Strictness) mayTrail(candidate *syntax.Node) bool {
	switch s {
	case CST:
		return false
	case Smart:
		return true
	case AST:
		return !candidate.Named()
	case Template:
		return candidate.Extra()
	}
	return !candidate.Named() || candidate.Extra()
}

// mayLack reports whether goal may be left over when the candidates are used up.
func (s Strictness) mayLack(goal *node) bool {
	if goal.kind == variable && goal.mv.isList() {
		return s != CST
	}
	switch s {
	case AST, Relaxed, Signature:
		return goal.kind == terminal && !goal.named || goal.kind == variable && !goal.mv.named
	}
	return false
}
