package match

import (
	"bytes"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// MayMatch reports whether source holds every literal that a match must contain.
// Scanning for them costs a small part of parsing, and most files of a workspace
// lack one. It may say yes where nothing matches, never no where something does.
func (p *Pattern) MayMatch(source []byte) bool {
	for _, r := range p.required {
		if !r.occursIn(source) {
			return false
		}
	}
	for _, e := range p.echoes {
		if !e.mayOccurIn(source) {
			return false
		}
	}
	return true
}

// requiredRuns collects the texts that occur in the source of every match, the
// one with the longest literal, thus likely the rarest, first.
func requiredRuns(root *node, lang *syntax.Language, strictness Strictness) ([]run, []echo, anchors) {
	if strictness == Signature {
		return nil, nil, anchors{} // texts do not count
	}
	c := literalCollector{lang: lang, anonymous: strictness == Smart || strictness == CST, words: strictness != Template && lexesWholeWords(lang)}
	c.collect(root)
	c.end()
	a := c.anchors()
	return distinct(c.found), echoes(c.followers), a
}

func distinct(runs []run) []run {
	slices.SortStableFunc(runs, func(a, b run) int { return len(b.rarest().text) - len(a.rarest().text) })
	return slices.CompactFunc(runs, run.equal)
}

type literalCollector struct {
	lang      *syntax.Language
	anonymous bool // anonymous nodes of the pattern must be in the source
	words     bool // identifiers are whole words
	open      run  // the literals before this point with nothing between them
	found     []run

	// For echoes, slots counted from 1.
	after     int // the variable that ends at this point
	openAfter int // the one that ends where the open run begins
	followers []follower

	// For anchors.
	depth, deepest int   // of braces in the pattern, at this point and at most
	outer          []run // those of found that are outside of all braces
	odd            bool  // some node agrees with any kind
}

// end closes the open run: what comes next need not be adjacent to it.
func (c *literalCollector) end() {
	c.after = 0
	if len(c.open) > 0 {
		c.found = append(c.found, c.open)
		if c.openAfter > 0 {
			c.followers = append(c.followers, follower{c.openAfter, c.open})
		}
		if c.depth == 0 {
			c.outer = append(c.outer, c.open)
		}
		c.open = nil
	}
}

func (c *literalCollector) collect(n *node) {
	switch n.kind {
	case terminal:
		c.terminal(n)
	case variable:
		c.end()
		if !n.mv.isList() {
			c.after = n.slot + 1
		}
	case internal:
		c.odd = c.odd || n.symbol == syntax.ErrorSymbol || c.hidesBlocks(n)
		shape := shapeOf(c.lang, n.symbol)
		if shape == loose || !c.anonymous {
			c.end()
		}
		c.children(n, shape)
		if shape != complete || !c.anonymous {
			c.end()
		}
	}
}

func (c *literalCollector) children(n *node, shape shape) {
	outside := c.depth
	afterList := false
	for i := range n.children {
		child := &n.children[i]
		if c.isIndentedBlock(child) {
			c.indented(child)
			continue
		}
		c.brace(child, outside)
		// Punctuation right after a list is passed over, not looked for.
		if afterList && child.trivial() {
			continue
		}
		afterList = child.kind == variable && child.mv.isList()
		if i > 0 && (shape != complete || !c.anonymous) {
			c.end()
		}
		c.collect(child)
	}
	if c.depth != outside {
		c.end()
		c.depth = outside
	}
}

func (c *literalCollector) terminal(n *node) {
	if !c.isRequired(n) {
		c.end()
		return
	}
	if len(c.open) == 0 {
		c.openAfter = c.after
	}
	c.open = append(c.open, literal{
		text:   n.text,
		rare:   rarestByte(n.text),
		word:   c.words && n.named && isIdentifier(c.lang, n),
		assign: !n.named && string(n.text) == "=" && assignsWithLoneSign(c.lang),
	})
}

func (c *literalCollector) isRequired(n *node) bool {
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
