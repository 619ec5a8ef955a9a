package match

import (
	"bytes"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// MayMatch reports whether source holds every literal that a match must contain.
// Scanning for them costs a small part of parsing, and most files of a workspace
// lack one.
func (p *Pattern) MayMatch(source []byte) bool {
	for _, literal := range p.literals {
		if !bytes.Contains(source, literal) {
			return false
		}
	}
	return true
}

// requiredLiterals collects the texts that occur in the source of every match,
// the longest, thus likely the rarest, first.
func requiredLiterals(root *node, lang *syntax.Language, strictness Strictness) [][]byte {
	if strictness == Signature {
		return nil // texts do not count
	}
	c := literalCollector{lang: lang, anonymous: strictness == Smart || strictness == CST}
	c.collect(root)
	slices.SortStableFunc(c.found, func(a, b []byte) int { return len(b) - len(a) })
	return slices.CompactFunc(c.found, bytes.Equal)
}

type literalCollector struct {
	lang      *syntax.Language
	anonymous bool // anonymous nodes of the pattern must be in the source
	found     [][]byte
}

func (c *literalCollector) collect(n *node) {
	switch n.kind {
	case terminal:
		if c.required(n) {
			c.found = append(c.found, n.text)
		}
	case internal:
		afterList := false
		for i := range n.children {
			child := &n.children[i]
			// Punctuation right after a list is passed over, not looked for.
			if !(afterList && child.trivial()) {
				afterList = child.kind == variable && child.mv.isList()
				c.collect(child)
			}
		}
	}
}

func (c *literalCollector) required(n *node) bool {
	if len(n.text) == 0 || n.symbol == syntax.ErrorSymbol {
		return false
	}
	if n.freelySpelled {
		return false
	}
	if n.named {
		return true
	}
	if isCloser(n.text) {
		return false
	}
	// Only an anonymous node whose kind is spelled like its text has that text
	// wherever the kind occurs.
	return c.anonymous && c.lang.Kind(n.symbol) == string(n.text)
}

// isCloser reports whether text is punctuation that ends something: a parser
// makes up a missing one, and then the pattern's matches without the source
// having it. Nearly every file has them all, so looking for them spares nothing.
func isCloser(text []byte) bool {
	return len(text) == 1 && bytes.Contains([]byte(")]}>;,\"'`"), text)
}
