package match

import (
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// shape says what a grammar allows between the children of a kind, beside
// blanks and comments. The matcher passes over anonymous nodes that the pattern
// lacks, so literals are adjacent in every match only where there are none.
type shape uint8

const (
	loose    shape = iota // unknown: keywords or punctuation may stand between children
	opened                // nothing stands before the first child
	complete              // nothing but the children stands in it, save `?.` in a call
)

// shapeOf knows the kinds that names, calls and operations are made of, in the grammars
// where it was checked.
func shapeOf(lang *syntax.Language, symbol syntax.Symbol) shape {
	if !lexesWholeWords(lang) {
		return loose
	}
	switch lang.Kind(symbol) {
	case "selector_expression", "member_expression", "attribute", "field_expression", "scoped_identifier", "call_expression", "call",
		"binary_expression", "boolean_operator", "binary_operator":
		return complete
	case "argument_list", "arguments":
		return opened
	}
	return loose
}

// lexesWholeWords reports that the grammar reads identifiers with one token that
// takes all letters, digits and underscores there are (tree-sitter's `word`
// rule), and extracts keywords from it: an identifier then never ends inside of
// a run of such characters.
func lexesWholeWords(lang *syntax.Language) bool {
	return slices.Contains(strings.Fields("c go java javascript python rust tsx typescript"), lang.Name)
}

// assignsWithLoneSign reports that `=` is a token of its own only where no longer
// operator can be read: lexers take the longest. (Go's `*=` is no `*` and `=`.)
func assignsWithLoneSign(lang *syntax.Language) bool {
	return slices.Contains(strings.Fields("go javascript typescript tsx"), lang.Name)
}

// isIdentifier reports whether n is a token of the sort that lexesWholeWords
// speaks of. The text of strings and comments is not: in `"\nfoo"` a node `foo`
// follows the n of an escape.
func isIdentifier(lang *syntax.Language, n *node) bool {
	if !strings.HasSuffix(lang.Kind(n.symbol), "identifier") {
		return false
	}
	for i, c := range n.text {
		if !isWordByte(c) || i == 0 && isDigit(c) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool {
	return isDigit(c) || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
