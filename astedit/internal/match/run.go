package match

import (
	"bytes"
	"slices"
)

// literal is a text that every match contains.
type literal struct {
	text   []byte
	rare   int  // index of the byte to look for: see rarestByte
	word   bool // as a whole word
	assign bool // `=`, not as a part of a longer operator
}

// run is literals that stand one after the other in every match, with only
// blanks and comments between them.
type run []literal

func (r run) rarest() literal { return r[r.rarestIndex()] }

func (r run) rarestIndex() int {
	best := 0
	for i := range r {
		if len(r[i].text) > len(r[best].text) {
			best = i
		}
	}
	return best
}

func (r run) equal(other run) bool {
	return slices.EqualFunc(r, other, func(a, b literal) bool {
		return a.word == b.word && a.assign == b.assign && bytes.Equal(a.text, b.text)
	})
}

func (r run) occursIn(source []byte) bool { return r.next(source, 0) >= 0 }

// next returns the offset of the rarest literal of the first occurrence in which
// that begins at from or later; -1 for none. It looks for the rarest literal and
// then at what is beside it.
func (r run) next(source []byte, from int) int {
	k := r.rarestIndex()
	for ; ; from++ {
		if from = r[k].find(source, from); from < 0 {
			return -1
		}
		if r[k].mayStandAt(source, from) && r[:k].mayEndAt(source, from) && r[k+1:].mayStartAt(source, from+len(r[k].text)) {
			return from
		}
	}
}

// mayStandAt reports whether the literal, whose text is at source[at:], may be a
// token there. A word is not where a longer word is. But one that begins with a
// digit, or follows a character that some tokens begin with, may be two tokens:
// `1foo` where the parser mends an error, `\nfoo` in a string.
func (l literal) mayStandAt(source []byte, at int) bool {
	if l.assign {
		return !partOfOperator(source, at)
	}
	if !l.word {
		return true
	}
	if end := at + len(l.text); end < len(source) && isWordByte(source[end]) {
		return false
	}
	start := at
	for start > 0 && isWordByte(source[start-1]) {
		start--
	}
	return start == at || isDigit(source[start]) || start > 0 && mayBeginToken(source[start-1])
}

// mayBeginToken reports whether some tokens begin with c and go on with letters,
// or end so that what follows is a token of its own.
func mayBeginToken(c byte) bool { return bytes.IndexByte([]byte(`#\'"@$%`), c) >= 0 }

// partOfOperator reports whether the `=` at source[at] belongs to `==`, `:=`,
// `+=`, `=>` and the like. After `>` it may follow a list of type arguments.
func partOfOperator(source []byte, at int) bool {
	if at > 0 && bytes.IndexByte([]byte("=!<:+-*/%&|^?"), source[at-1]) >= 0 {
		return true
	}
	return at+1 < len(source) && (source[at+1] == '=' || source[at+1] == '>')
}

// mayStartAt reports whether the run's literals may follow from at on. Where it
// cannot be told for something passed over, they may.
func (r run) mayStartAt(source []byte, at int) bool {
	for _, l := range r {
		for at < len(source) && isBlank(source[at]) {
			at++
		}
		if !bytes.HasPrefix(source[at:], l.text) {
			return passedOver(source[at:])
		}
		if !l.mayStandAt(source, at) {
			return false
		}
		at += len(l.text)
	}
	return true
}

// mayEndAt is mayStartAt from at backwards. A line break may end a comment.
func (r run) mayEndAt(source []byte, at int) bool {
	for i := len(r) - 1; i >= 0; i-- {
		for at > 0 && isBlank(source[at-1]) {
			if at--; source[at] == '\n' || source[at] == '\r' {
				return true
			}
		}
		if !bytes.HasSuffix(source[:at], r[i].text) {
			return at > 0 && isRare(source[at-1])
		}
		at -= len(r[i].text)
		if !r[i].mayStandAt(source, at) {
			return false
		}
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// passedOver reports whether source may begin with a comment, an odd blank, a
// continued line or the optional `?.` of a call.
func passedOver(source []byte) bool {
	if len(source) == 0 {
		return false
	}
	if c := source[0]; c >= 0x80 || c < ' ' || c == '#' || c == '\\' {
		return true
	}
	for _, begin := range []string{"//", "/*", "<!--", "-->", "?."} {
		if bytes.HasPrefix(source, []byte(begin)) {
			return true
		}
	}
	return false
}

// isRare reports whether c may belong to a comment, an odd blank, a continued
// line or the optional `?.` of a call.
func isRare(c byte) bool {
	return c >= 0x80 || c < ' ' || bytes.IndexByte([]byte(`/#<>-\?.`), c) >= 0
}
