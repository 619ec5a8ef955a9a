package match

import (
	"bytes"
	"slices"
)

// A name that a pattern uses twice is the same code in both places, so its last
// token is: in every match of `$A && $A()` some token stands before `&&` and,
// again, before `(`. Most sources have no such token.

// follower is what stands right after a use of a name in every match.
type follower struct {
	slot int
	text run
}

// echo is what follows the uses of one name.
type echo []run

// maxEchoTokens caps how many tokens are looked for again in one source: each is
// a scan.
const maxEchoTokens = 64

// echoes finds the names that are followed by literals more than once.
func echoes(followers []follower) []echo {
	var all []echo
	for i, f := range followers {
		same := func(g follower) bool { return g.slot == f.slot }
		if slices.ContainsFunc(followers[:i], same) {
			continue
		}
		var e echo
		for _, g := range followers[i:] {
			if same(g) && !slices.ContainsFunc(e, g.text.equal) {
				e = append(e, g.text)
			}
		}
		if len(e) > 1 {
			// The longest is likely the rarest, and looked for first.
			slices.SortStableFunc(e, func(a, b run) int { return len(b[0].text) - len(a[0].text) })
			all = append(all, e)
		}
	}
	return all
}

// mayOccurIn reports whether source may have one token before all that follows.
func (e echo) mayOccurIn(source []byte) bool {
	first := e[0]
	var seen [][]byte
	for from := 0; ; from++ {
		if from = first[0].find(source, from); from < 0 {
			return false
		}
		if !first[0].mayStandAt(source, from) || !first[1:].mayStartAt(source, from+len(first[0].text)) {
			continue
		}
		token, ok := tokenBefore(source, from)
		if !ok || len(seen) == maxEchoTokens {
			return true
		}
		if slices.ContainsFunc(seen, func(t []byte) bool { return bytes.Equal(t, token) }) {
			continue
		}
		seen = append(seen, token)
		if e.againAfter(source, token) {
			return true
		}
	}
}

// againAfter reports whether each of the others may follow token somewhere.
func (e echo) againAfter(source, token []byte) bool {
	for _, other := range e[1:] {
		if !mayFollow(source, token, other) {
			return false
		}
	}
	return true
}

func mayFollow(source, token []byte, r run) bool {
	for at := 0; ; at++ {
		next := bytes.Index(source[at:], token)
		if next < 0 {
			return false
		}
		at += next
		if r.mayStartAt(source, at+len(token)) {
			return true
		}
	}
}

// tokenBefore returns the end of the token before source[at]: a word, or the last
// byte of something enclosed. ok is false where what stands there may be a
// comment, or no end of a token can be told.
func tokenBefore(source []byte, at int) (token []byte, ok bool) {
	for at > 0 && isBlank(source[at-1]) {
		if at--; source[at] == '\n' || source[at] == '\r' {
			return nil, false
		}
	}
	start := at
	for start > 0 && isWordByte(source[start-1]) {
		start--
	}
	switch {
	case start < at:
		odd := isDigit(source[start]) || start > 0 && (source[start-1] >= 0x80 || mayBeginToken(source[start-1]))
		return source[start:at], !odd
	case at > 0 && bytes.IndexByte([]byte(")]}\"'`"), source[at-1]) >= 0:
		return source[at-1 : at], true
	}
	return nil, false
}
