package ignore

import "strings"

// segment is the part of an ignore pattern between two slashes.
type segment struct {
	any     bool // **: any number of path segments
	literal bool // text is the whole of it
	text    string
	tokens  []token
}

// token matches one byte, or any number of them.
type token struct {
	kind tokenKind
	b    byte
	set  *byteSet
}

type tokenKind int8

const (
	tokenByte tokenKind = iota
	tokenAny
	tokenStar
	tokenSet
)

// byteSet is a set of bytes.
type byteSet [256]bool

// parseSegments parses a pattern. whole says that ** means directories. It
// fails for a pattern that can match nothing: an unclosed class, a backslash
// at the end, nothing at all.
func parseSegments(text string, whole bool) ([]segment, bool) {
	if text == "" {
		return nil, false
	}
	var parts []segment
	var tokens []token
	stars := 0 // consecutive * so far, for **
	flush := func() {
		parts = append(parts, newSegment(tokens, whole && stars >= 2 && len(tokens) == 1))
		tokens, stars = nil, 0
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '*' {
			if stars++; stars == 1 {
				tokens = append(tokens, token{kind: tokenStar})
			}
			continue
		}
		if c == '/' {
			flush()
			continue
		}
		switch c {
		case '?':
			tokens = append(tokens, token{kind: tokenAny})
		case '[':
			set, end, ok := parseSet(text, i)
			if !ok {
				return nil, false
			}
			tokens = append(tokens, token{kind: tokenSet, set: set})
			i = end - 1
		case '\\':
			if i++; i == len(text) {
				return nil, false
			}
			if text[i] == '/' {
				flush()
				continue
			}
			tokens = append(tokens, token{kind: tokenByte, b: text[i]})
		default:
			tokens = append(tokens, token{kind: tokenByte, b: c})
		}
		stars = 0
	}
	flush()
	return parts, true
}

// newSegment collects the literal bytes; text is all of the segment where no
// token is anything else.
func newSegment(tokens []token, any bool) segment {
	s := segment{any: any, literal: true, tokens: tokens}
	var b strings.Builder
	for _, t := range tokens {
		if t.kind == tokenByte {
			b.WriteByte(t.b)
		} else {
			s.literal = false
		}
	}
	s.text = b.String()
	return s
}

// matchSegments matches a path against segments. Of several ** only the last
// one tried can need another length (the ones before it are as short as they
// can be), so that one place to go back to is enough.
func matchSegments(parts []segment, path string) bool {
	backPart, backPath := -1, 0
	i, at := 0, 0
	for at <= len(path) {
		if i < len(parts) && parts[i].any {
			if i == len(parts)-1 {
				return true
			}
			backPart, backPath = i, at
			i++
			continue
		}
		end := segmentEnd(path, at)
		if i < len(parts) && parts[i].match(path[at:end]) {
			i++
			at = end + 1
			continue
		}
		if backPart < 0 {
			return false
		}
		backPath = segmentEnd(path, backPath) + 1
		i, at = backPart+1, backPath
	}
	return i == len(parts)
}

func segmentEnd(path string, start int) int {
	if n := strings.IndexByte(path[start:], '/'); n >= 0 {
		return start + n
	}
	return len(path)
}

// match matches one path segment; as in matchSegments, going back to the last
// star is enough.
func (s *segment) match(name string) bool {
	if s.literal {
		return name == s.text
	}
	backToken, backName := -1, 0
	i, at := 0, 0
	for {
		switch {
		case i < len(s.tokens) && s.tokens[i].kind == tokenStar:
			backToken, backName = i, at
			i++
		case at == len(name) && i == len(s.tokens):
			return true
		case at < len(name) && i < len(s.tokens) && s.tokens[i].matches(name[at]):
			i++
			at++
		case backToken >= 0 && backName < len(name):
			backName++
			i, at = backToken+1, backName
		default:
			return false
		}
	}
}

func (t *token) matches(b byte) bool {
	switch t.kind {
	case tokenAny:
		return true
	case tokenSet:
		return t.set[b]
	}
	return t.b == b
}
