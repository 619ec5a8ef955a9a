package blocks

import "bytes"

// indented finds the blocks of a language in which indentation makes them. A block
// begins at the line break behind its header and ends at the one before the next
// statement that is not in it: comments and empty lines between belong to it.
func (l *Lexer) indented() bool {
	headerEnd, afterColon := -1, false
	for l.at < len(l.source) {
		lineStart := l.at
		indent, ok := l.indentation()
		if !ok {
			return false
		}
		if l.at == len(l.source) || l.source[l.at] == '#' || l.source[l.at] == '\n' {
			l.skipLine()
			continue
		}
		switch top := l.indent(); {
		case indent > top && !afterColon:
			return false
		case indent > top:
			l.blocks = append(l.blocks, Block{Start: headerEnd, Parent: l.top, indent: indent})
			l.top = len(l.blocks) - 1
		default:
			l.dedent(indent, lineStart-1)
			if l.indent() != indent {
				return false
			}
		}
		if afterColon, ok = l.logicalLine(); !ok {
			return false
		}
		headerEnd = l.at - 1
	}
	end := len(l.source)
	if end > 0 && l.source[end-1] == '\n' {
		end--
	}
	l.dedent(0, end)
	return true
}

// indent is that of the open block.
func (l *Lexer) indent() int {
	if l.top < 0 {
		return 0
	}
	return l.blocks[l.top].indent
}

// dedent closes the blocks that are indented by more than indent.
func (l *Lexer) dedent(indent, end int) {
	for l.indent() > indent {
		l.blocks[l.top].End = end
		l.top = l.blocks[l.top].Parent
	}
}

// indentation passes a line's blanks. It is unsure of tabs among spaces, on whose
// width programs differ.
func (l *Lexer) indentation() (columns int, ok bool) {
	tabs, spaces := 0, 0
	for ; l.at < len(l.source); l.at++ {
		switch l.source[l.at] {
		case ' ':
			spaces++
			continue
		case '\t':
			tabs++
			continue
		case '\r', '\f':
			tabs, spaces = 0, 0
			continue
		}
		break
	}
	return tabs + spaces, tabs == 0 || spaces == 0
}

func (l *Lexer) skipLine() {
	if i := bytes.IndexByte(l.source[l.at:], '\n'); i >= 0 {
		l.at += i + 1
	} else {
		l.at = len(l.source)
	}
}

// logicalLine passes the rest of a statement's line and the lines that continue
// it, and reports whether it ends with a colon.
func (l *Lexer) logicalLine() (colon, ok bool) {
	brackets := 0
	for l.at < len(l.source) {
		c := l.source[l.at]
		if l.plainInPython[c] {
			colon = false
			l.at++
			continue
		}
		switch c {
		case '\n':
			if l.at++; brackets == 0 {
				return colon, true
			}
			continue
		case ' ', '\t', '\r', '\f':
			l.at++
			continue
		case '#':
			if i := bytes.IndexByte(l.source[l.at:], '\n'); i >= 0 {
				l.at += i
			} else {
				l.at = len(l.source)
			}
			continue
		case '\\': // with the line break after it
			if l.at++; l.at < len(l.source) && l.source[l.at] == '\r' {
				l.at++
			}
			l.at++
			continue
		case '"', '\'':
			colon = false
			if !l.pythonString(c) {
				return false, false
			}
			continue
		case '(', '[', '{':
			brackets++
		case ')', ']', '}':
			if brackets--; brackets < 0 {
				return false, false
			}
		}
		colon = c == ':'
		l.at++
	}
	l.at = len(l.source)
	return colon, brackets == 0
}

// pythonString passes a string; a raw one may not end after a backslash either.
func (l *Lexer) pythonString(quote byte) bool {
	end := []byte{quote, quote, quote}
	if !bytes.HasPrefix(l.source[l.at:], end) {
		return l.quoted(quote)
	}
	for l.at += len(end); l.at < len(l.source); l.at++ {
		switch c := l.source[l.at]; {
		case c == '\\':
			l.at++
		case c == quote && bytes.HasPrefix(l.source[l.at:], end):
			l.at += len(end)
			return true
		}
	}
	return false
}
