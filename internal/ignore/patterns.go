package ignore

import "strings"

// Verdict is what ignore patterns say about one path.
type Verdict int8

// The verdicts.
const (
	Undecided Verdict = iota
	Excluded
	Included // by a negated pattern
)

// Patterns are the parsed lines of one ignore file (gitignore(5), as git
// reads it), in their order. Matching is a pure function of them.
type Patterns []pattern

// pattern is one line. Bytes are compared, as git does: ? is one byte.
type pattern struct {
	negated bool
	dirOnly bool
	whole   bool // compared with the whole path below the ignore file, not with the name alone
	shape   shape
	text    string    // for the shapes that compare text
	parts   []segment // for shapePattern; a name pattern has one
}

// shape is how a pattern is compared; all but the last need no backtracking.
type shape int8

const (
	shapeEqual shape = iota
	shapeSuffix
	shapePrefix
	shapePattern
)

// Parse parses an ignore file. A byte order mark, CRLF and a missing
// final newline are no part of any pattern. A line that can match nothing is
// left out.
func Parse(text string) Patterns {
	text = strings.TrimPrefix(text, "\ufeff")
	var list Patterns
	for line := range strings.SplitSeq(text, "\n") {
		if p, ok := parsePattern(strings.TrimSuffix(line, "\r")); ok {
			list = append(list, p)
		}
	}
	return list
}

func parsePattern(line string) (pattern, bool) {
	var p pattern
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	line = trimTrailingSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	p.whole = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	parts, ok := parseSegments(line, p.whole)
	if !ok {
		return p, false
	}
	p.parts = parts
	p.shape, p.text = shapeOf(parts)
	return p, true
}

// trimTrailingSpaces removes spaces at the end, but one that a backslash
// escapes and what is before it. Only spaces: a tab is part of the name.
func trimTrailingSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return line[:min(end, len(line))]
}

// shapeOf recognizes the patterns that need no backtracking.
func shapeOf(parts []segment) (shape, string) {
	texts := make([]string, len(parts))
	for i, part := range parts {
		if part.any || !part.literal {
			if len(parts) != 1 {
				return shapePattern, ""
			}
			return shapeOfName(part)
		}
		texts[i] = part.text
	}
	return shapeEqual, strings.Join(texts, "/")
}

func shapeOfName(part segment) (shape, string) {
	stars, other := 0, 0
	for _, t := range part.tokens {
		switch t.kind {
		case tokenStar:
			stars++
		case tokenByte:
		default:
			other++
		}
	}
	if part.any || stars != 1 || other != 0 {
		return shapePattern, ""
	}
	switch last := len(part.tokens) - 1; {
	case part.tokens[0].kind == tokenStar:
		return shapeSuffix, part.text
	case part.tokens[last].kind == tokenStar:
		return shapePrefix, part.text
	}
	return shapePattern, ""
}

// Match gives the verdict of the last pattern that matches. path is relative
// to the directory of the ignore file, with slashes; name is its last segment.
func (list Patterns) Match(path, name string, dir bool) Verdict {
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		if p.dirOnly && !dir {
			continue
		}
		subject := name
		if p.whole {
			subject = path
		}
		if !p.matches(subject) {
			continue
		}
		if p.negated {
			return Included
		}
		return Excluded
	}
	return Undecided
}

func (p *pattern) matches(subject string) bool {
	switch p.shape {
	case shapeEqual:
		return subject == p.text
	case shapeSuffix:
		return strings.HasSuffix(subject, p.text) && (!p.whole || !strings.Contains(subject, "/"))
	case shapePrefix:
		return strings.HasPrefix(subject, p.text) && (!p.whole || !strings.Contains(subject, "/"))
	}
	if !p.whole {
		return p.parts[0].match(subject)
	}
	return matchSegments(p.parts, subject)
}
