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
	if !child.trivial() {
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
