package match

import (
	"bytes"
	"slices"
)

// anchors are literals that tell where in a source's blocks a match can be.
type anchors struct {
	runs  []run
	depth int
	known bool
}

// maxAnchors is enough to tell most blocks; each costs a scan of the source.
const maxAnchors = 3

// anchors chooses among the collected runs.
func (c *literalCollector) anchors() anchors {
	outer := distinct(slices.Clone(c.outer))
	outer = outer[:min(len(outer), maxAnchors)]
	return anchors{runs: outer, depth: c.deepest, known: len(outer) > 0 && !c.odd}
}

// brace follows the braces among a node's children; outside is the depth outside
// of the node. An opening one ends with a brace as `${` does.
func (c *literalCollector) brace(child *node, outside int) {
	if !child.trivial() || c.lang.Name == indentedLanguage {
		return
	}
	depth := c.depth
	switch {
	case bytes.HasSuffix(child.text, []byte("{")):
		depth++
	case bytes.HasSuffix(child.text, []byte("}")):
		depth = max(depth-1, outside)
	default:
		return
	}
	c.end()
	c.depth = depth
	c.deepest = max(c.deepest, depth)
}

// indentedLanguage is the one in which not braces but indentation makes blocks.
const indentedLanguage = "python"

func (c *literalCollector) isIndentedBlock(n *node) bool {
	return c.lang.Name == indentedLanguage && n.kind == internal && c.lang.Kind(n.symbol) == "block"
}

// indented collects a block that is indented, or that stands on its header's line.
func (c *literalCollector) indented(block *node) {
	c.end()
	c.depth++
	c.deepest = max(c.deepest, c.depth)
	c.collect(block)
	c.end()
	c.depth--
}

// hidesBlocks reports whether what n's children are in is not told by blocks: the
// cases of a match statement are indented without one, and a comment belongs to
// a block as its neighbours do.
func (c *literalCollector) hidesBlocks(n *node) bool {
	if c.lang.Name != indentedLanguage {
		return false
	}
	if c.lang.Kind(n.symbol) == "match_statement" {
		return true
	}
	for i := range n.children {
		if child := &n.children[i]; child.kind == terminal && c.lang.Kind(child.symbol) == "comment" {
			return true
		}
	}
	return false
}

// Anchors returns the number of literals that stand outside of all braces in
// every match, and how deep braces are nested in the pattern. Take the innermost
// `{…}` block around a match, or the file: the literals stand in that block and
// in no block inside of it, and the pattern looks no deeper than depth blocks
// into those. ok is false where nothing is known.
func (p *Pattern) Anchors() (count, depth int, ok bool) {
	return len(p.anchors.runs), p.anchors.depth, p.anchors.known
}

// AnchoredByBracket reports that an opening bracket is all that is known, as in
// `$F($$$A)`: whatever stands between brackets then is in a match.
func (p *Pattern) AnchoredByBracket() bool {
	runs := p.anchors.runs
	return len(runs) == 1 && len(runs[0]) == 1 && bytes.Contains([]byte("(["), runs[0][0].text)
}

// EachAnchor calls f with the offset of each occurrence of anchor k in source.
func (p *Pattern) EachAnchor(source []byte, k int, f func(at int)) {
	r := p.anchors.runs[k]
	for at := r.next(source, 0); at >= 0; at = r.next(source, at+1) {
		f(at)
	}
}
