package match

import "strings"

// maxIndentLookBehind bounds how far back an indentation is searched, in bytes:
// in a longer line the code before it is what the line is about. The oracle has
// the same bound.
const maxIndentLookBehind = 512

// lineBreak returns the string that ends lines, a "\r" before it aside, in text
// whose line ending is eol.
func lineBreak(eol string) string {
	if eol == "\r" {
		return eol
	}
	return "\n"
}

// indentAt returns the run of spaces and tabs that begins the line on which
// before ends. It is carried as text, so tabs stay tabs.
func indentAt(before, lineBreak string) string {
	tail := before
	if len(tail) > maxIndentLookBehind {
		tail = tail[len(tail)-maxIndentLookBehind:]
	}
	line := strings.LastIndex(tail, lineBreak)
	if line < 0 && len(tail) < len(before) {
		return ""
	}
	tail = tail[line+1:]
	return tail[:len(tail)-len(strings.TrimLeft(tail, " \t"))]
}

func sourceIndent(source []byte, offset uint32, lineBreak string) string {
	from := uint32(0)
	if offset > maxIndentLookBehind+1 {
		from = offset - maxIndentLookBehind - 1
	}
	return indentAt(string(source[from:offset]), lineBreak)
}

// indentFollowing puts indent before every line but the first, blank ones included.
func indentFollowing(text, indent, lineBreak string) string {
	if indent == "" {
		return text
	}
	return strings.ReplaceAll(text, lineBreak, lineBreak+indent)
}

// moveLine moves a line from one indentation to another. One that is indented
// less keeps what it has.
func moveLine(line, from, to string) string {
	if rest, ok := strings.CutPrefix(line, from); ok {
		return to + rest
	}
	// Less indented than its first line, or differently: only the difference
	// between the two indentations is added or removed.
	if added, ok := strings.CutPrefix(to, from); ok {
		return added + line
	}
	if removed, ok := strings.CutPrefix(from, to); ok {
		rest, _ := strings.CutPrefix(line, removed)
		return rest
	}
	return line
}
