package match

import (
	"bytes"
	"strings"
)

// commonness lists the bytes of source texts from the most common on: sampled from
// Go, Python and TypeScript, which differ little. What is not in it is rarer.
const commonness = " etrnaisolcdpum\nfghy_,b.()\"vx:=w\tkS/-TE0'CI1;A*NPR2>RjMqzFLDB[]O{}843#6759`<!+&@|$HUGVWXKYJQZ"

// rarestByte returns the index of the byte of text that most likely is the rarest
// in source texts. Looking for that one stops least often on the way.
func rarestByte(text []byte) int {
	best, rank := 0, -1
	for i, c := range text {
		r := strings.IndexByte(commonness, c)
		if r < 0 {
			r = len(commonness)
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// find returns the offset of the literal's text in source, at from or later; -1
// for none. It goes from one of its rarest bytes to the next, as long as those are
// rare in this source too.
func (l *literal) find(source []byte, from int) int {
	const (
		worthIt  = 16 // bytes passed for each stop, else comparing everywhere is faster
		freeTill = 8  // stops
	)
	start, stops := from, 0
	for at := from + l.rare; at < len(source); at++ {
		i := bytes.IndexByte(source[at:], l.text[l.rare])
		if i < 0 {
			return -1
		}
		at += i
		if first := at - l.rare; bytes.HasPrefix(source[first:], l.text) {
			return first
		}
		if stops++; stops > freeTill && (at-start)/worthIt < stops {
			from = at - l.rare + 1
			if i := bytes.Index(source[from:], l.text); i >= 0 {
				return from + i
			}
			return -1
		}
	}
	return -1
}
