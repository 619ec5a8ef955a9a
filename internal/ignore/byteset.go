package ignore

import "strings"

// parseSet parses the […] of an ignore pattern at start and returns the index
// after it. It fails for a class that is not closed or names an unknown POSIX
// class: git then matches nothing.
func parseSet(text string, start int) (*byteSet, int, bool) {
	set := new(byteSet)
	i := start + 1
	negated := i < len(text) && (text[i] == '!' || text[i] == '^')
	if negated {
		i++
	}
	previous := -1 // byte that a range may start with
	for first := true; ; first = false {
		if i >= len(text) {
			return nil, 0, false
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			if negated {
				for b := range set {
					set[b] = !set[b]
				}
			}
			return set, i + 1, true
		case c == '-' && previous >= 0 && i+1 < len(text) && text[i+1] != ']':
			i++
			if text[i] == '\\' {
				i++
			}
			if i >= len(text) {
				return nil, 0, false
			}
			for b := previous; b <= int(text[i]); b++ {
				set[b] = true
			}
			previous = -1
			i++
		case c == '[' && i+1 < len(text) && text[i+1] == ':':
			name, end, named := posixName(text, i)
			if end < 0 {
				return nil, 0, false
			}
			if !named { // an ordinary [
				set[c], previous = true, int(c)
				i++
				continue
			}
			if !set.addPosix(name) {
				return nil, 0, false
			}
			previous = -1
			i = end
		default:
			if c == '\\' {
				if i++; i >= len(text) {
					return nil, 0, false
				}
				c = text[i]
			}
			set[c], previous = true, int(c)
			i++
		}
	}
}

// posixName reads "[:name:]" at start. end is the index after it, -1 where no
// ] follows at all; without the closing colon it is no POSIX class.
func posixName(text string, start int) (name string, end int, ok bool) {
	from := start + 2
	n := strings.IndexByte(text[from:], ']')
	if n < 0 {
		return "", -1, false
	}
	name, ok = strings.CutSuffix(text[from:from+n], ":")
	return name, from + n + 1, ok
}

// addPosix adds the ASCII bytes of a POSIX class.
func (s *byteSet) addPosix(name string) bool {
	add := func(ranges string) bool {
		for i := 0; i < len(ranges); i += 2 {
			for b := int(ranges[i]); b <= int(ranges[i+1]); b++ {
				s[b] = true
			}
		}
		return true
	}
	switch name {
	case "alnum":
		return add("09AZaz")
	case "alpha":
		return add("AZaz")
	case "blank":
		return add("  \t\t")
	case "cntrl":
		return add("\x00\x1f\x7f\x7f")
	case "digit":
		return add("09")
	case "graph":
		return add("!~")
	case "lower":
		return add("az")
	case "print":
		return add(" ~")
	case "punct":
		return add("!/:@[`{~")
	case "space":
		return add("\t\n\r\r  ") // as git: no vertical tab, no form feed
	case "upper":
		return add("AZ")
	case "xdigit":
		return add("09AFaf")
	}
	return false
}
