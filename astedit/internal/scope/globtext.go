package scope

import "strings"

// scanClass returns the end of the class that begins with the [ at start: the
// index after its ], or -1 where it is not closed. A ] that comes first stands
// for itself.
func scanClass(text string, start int) int {
	i := start + 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	end := strings.IndexByte(text[min(i, len(text)):], ']')
	if end < 0 {
		return -1
	}
	return i + end + 1
}

// openBraces counts the { that are not closed.
func openBraces(text string) int {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			if end := scanClass(text, i); end > 0 {
				i = end - 1
			}
		case '{':
			open++
		case '}':
			open = max(open-1, 0)
		}
	}
	return open
}

// checkGlob finds what is wrong with a tidy glob.
func checkGlob(text string) error {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			end := scanClass(text, i)
			if end < 0 {
				return globError("%q: [ is not closed", text)
			}
			if _, err := parseClass(text[i:end]); err != nil {
				return err
			}
			i = end - 1
		case '{':
			open++
		case '}':
			if open--; open < 0 {
				return globError("%q: } without {", text)
			}
		case 0:
			return globError("%q: contains a null character", text)
		}
	}
	return nil
}

// expandBraces multiplies out the {…} of a checked glob.
func expandBraces(text string) ([]string, error) {
	done := []string{}
	pending := []string{text}
	for len(pending) > 0 {
		last := len(pending) - 1
		text, pending = pending[last], pending[:last]
		start, end, commas := firstBraces(text)
		if start < 0 {
			done = append(done, text)
		} else {
			from := start + 1
			for _, to := range append(commas, end) {
				pending = append(pending, text[:start]+text[from:to]+text[end+1:])
				from = to + 1
			}
		}
		if len(done)+len(pending) > maxAlternatives {
			return nil, globError("more than %d alternatives", maxAlternatives)
		}
	}
	return done, nil
}

// firstBraces finds the first {…} and the commas directly in it; start is -1
// where there is none.
func firstBraces(text string) (start, end int, commas []int) {
	start = -1
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			i = scanClass(text, i) - 1
		case '{':
			if depth++; depth == 1 {
				start = i
			}
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		case '}':
			if depth--; depth == 0 {
				return start, i, commas
			}
		}
	}
	return -1, 0, nil
}

// class is a parsed […].
type class struct {
	negated bool
	ranges  []runeRange
}

type runeRange struct{ lo, hi rune }

// parseClass parses text, which scanClass has delimited.
func parseClass(text string) (class, error) {
	runes := []rune(text[1 : len(text)-1])
	var c class
	if len(runes) > 0 && (runes[0] == '!' || runes[0] == '^') {
		c.negated = true
		runes = runes[1:]
	}
	for i := 0; i < len(runes); i++ {
		r := runeRange{runes[i], runes[i]}
		if i+2 < len(runes) && runes[i+1] == '-' {
			r.hi = runes[i+2]
			i += 2
		}
		if r.lo > r.hi {
			return c, globError("%q: the range %c-%c runs backwards", text, r.lo, r.hi)
		}
		c.ranges = append(c.ranges, r)
	}
	return c, nil
}

// toDoublestar writes a brace-free glob in doublestar's syntax. It is false
// for a glob that can match no path: a class is one character and never the
// slash, whatever it lists.
func toDoublestar(text string) (string, bool) {
	var b strings.Builder
	possible := true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '[':
			end := scanClass(text, i)
			parsed, err := parseClass(text[i:end])
			if err != nil || !parsed.write(&b) {
				possible = false
			}
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), possible
}

// write writes the class without the slash. It is false where nothing is left.
func (c class) write(b *strings.Builder) bool {
	b.WriteByte('[')
	if c.negated {
		b.WriteString("!/")
	}
	empty := !c.negated
	for _, r := range c.ranges {
		for _, part := range []runeRange{{r.lo, min(r.hi, '/'-1)}, {max(r.lo, '/'+1), r.hi}} {
			if part.lo > part.hi {
				continue
			}
			empty = false
			b.WriteByte('\\')
			b.WriteRune(part.lo)
			if part.lo != part.hi {
				b.WriteString(`-\`)
				b.WriteRune(part.hi)
			}
		}
	}
	if empty {
		b.WriteByte('/') // keeps the syntax valid
	}
	b.WriteByte(']')
	return !empty
}
