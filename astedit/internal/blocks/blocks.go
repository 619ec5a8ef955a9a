// Package blocks finds the `{…}` blocks of a source text, or the indented ones of
// Python, without parsing it: a lexer that knows strings, comments and brackets, and says so when it is unsure.
//
// It is for leaving blocks out of a parse. It is not a parser: what it finds is
// only right where the text is; a caller checks that the parse has no error.
package blocks

import "bytes"

// Dialect is a family of languages that share strings and comments.
type Dialect uint8

// The families. The zero value knows no blocks.
const (
	None       Dialect = iota
	Go                 // raw strings, runes
	JavaScript         // template strings, regular expressions, JSX
	Python             // blocks by indentation
)

// Block is a `{…}` block, or one that is indented.
type Block struct {
	Start, End int // offsets of its braces, or of the line breaks before and in the end of it
	Parent     int // index of the block around it; -1 for none
	// Enclosed reports that it lies between parentheses or square brackets, which
	// may be outside of the blocks around it.
	Enclosed bool
	// Whole reports that the block must not be left out: it is, or lies in, a
	// substitution of a template string.
	Whole bool

	parens, squares int // open in the parent when the block begins
	template        bool
	indent          int // columns
}

// Lexer finds blocks. It reuses its memory and belongs to one goroutine.
type Lexer struct {
	plain   [256]bool // bytes that begin nothing that the lexer knows
	source  []byte
	dialect Dialect
	at      int
	blocks  []Block
	top     int // the open block

	parens, squares int // open in the open block

	// The last comment, to tell what is before it.
	commentEnd, beforeComment int

	plainInPython [256]bool
}

// NewLexer returns a lexer.
func NewLexer() *Lexer {
	l := &Lexer{}
	for i := range l.plain {
		l.plain[i] = bytes.IndexByte([]byte("{}()[]\"'`/"), byte(i)) < 0
		l.plainInPython[i] = bytes.IndexByte([]byte("{}()[]\"'#:\\ \t\r\f\n"), byte(i)) < 0
	}
	return l
}

// Blocks returns source's blocks in order of Start; ok is false where the lexer
// is unsure of them. They are valid until the next call.
func (l *Lexer) Blocks(source []byte, dialect Dialect) (found []Block, ok bool) {
	if dialect == None {
		return nil, false
	}
	l.source, l.dialect, l.at, l.blocks, l.top = source, dialect, 0, l.blocks[:0], -1
	l.parens, l.squares, l.commentEnd = 0, 0, -1
	if dialect == Python {
		return l.blocks, l.indented()
	}
	for l.at < len(source) {
		c := source[l.at]
		if l.plain[c] {
			l.at++
			continue
		}
		if !l.token(c) {
			return nil, false
		}
	}
	return l.blocks, l.top < 0 && l.parens == 0 && l.squares == 0
}

func (l *Lexer) token(c byte) bool {
	switch c {
	case '{':
		l.open(l.at, false)
		l.at++
		return true
	case '}':
		return l.close()
	case '(':
		l.parens++
	case ')':
		l.parens--
	case '[':
		l.squares++
	case ']':
		l.squares--
	case '/':
		return l.slash()
	case '`':
		l.at++
		if l.dialect == JavaScript {
			return l.template()
		}
		return l.skipPast("`")
	default:
		return l.quoted(c)
	}
	l.at++
	return l.parens >= 0 && l.squares >= 0
}

func (l *Lexer) open(start int, template bool) {
	whole := template || l.top >= 0 && l.blocks[l.top].Whole
	enclosed := l.parens+l.squares > 0 || l.top >= 0 && l.blocks[l.top].Enclosed
	l.blocks = append(l.blocks, Block{Start: start, Parent: l.top, Enclosed: enclosed, Whole: whole, parens: l.parens, squares: l.squares, template: template})
	l.top = len(l.blocks) - 1
	l.parens, l.squares = 0, 0
}

func (l *Lexer) close() bool {
	if l.top < 0 || l.parens != 0 || l.squares != 0 {
		return false
	}
	b := &l.blocks[l.top]
	b.End = l.at
	l.at++
	l.top, l.parens, l.squares = b.Parent, b.parens, b.squares
	return !b.template || l.template()
}

// quoted passes a string that may not hold a line break.
func (l *Lexer) quoted(quote byte) bool {
	for l.at++; l.at < len(l.source); l.at++ {
		switch l.source[l.at] {
		case quote:
			l.at++
			return true
		case '\\':
			l.at++ // JavaScript may continue the string on the next line
		case '\n':
			return false
		}
	}
	return false
}

func (l *Lexer) skipPast(end string) bool {
	i := bytes.Index(l.source[l.at:], []byte(end))
	l.at += i + len(end)
	return i >= 0
}

// template passes a template string's characters up to its end or to a
// substitution.
func (l *Lexer) template() bool {
	for ; l.at < len(l.source); l.at++ {
		switch l.source[l.at] {
		case '`':
			l.at++
			return true
		case '\\':
			l.at++
		case '$':
			if l.at+1 < len(l.source) && l.source[l.at+1] == '{' {
				l.open(l.at+1, true)
				l.at += 2
				return true
			}
		}
	}
	return false
}

func (l *Lexer) slash() bool {
	next := byte(0)
	if l.at+1 < len(l.source) {
		next = l.source[l.at+1]
	}
	switch {
	case next == '/':
		return l.comment("\n")
	case next == '*':
		return l.comment("*/")
	case l.dialect == JavaScript && next != '>' && l.beginsOperand(): // "/>" ends a JSX tag
		return l.regexp()
	}
	l.at++
	return true
}

func (l *Lexer) comment(end string) bool {
	before := l.before(l.at)
	l.at += 2
	closed := l.skipPast(end)
	if !closed && end == "\n" {
		l.at, closed = len(l.source), true
	}
	l.commentEnd, l.beforeComment = l.at, before
	return closed
}

// before returns the offset of the last byte before at that is neither blank nor
// in a comment; -1 for none.
func (l *Lexer) before(at int) int {
	for at--; at >= 0; at-- {
		if at+1 == l.commentEnd {
			return l.beforeComment
		}
		switch l.source[at] {
		case ' ', '\t', '\n', '\r':
		default:
			return at
		}
	}
	return -1
}

// beginsOperand reports whether a slash here begins a regular expression, as far
// as what stands before it tells. Where that is wrong, the lexer soon is unsure.
func (l *Lexer) beginsOperand() bool {
	i := l.before(l.at)
	if i < 0 {
		return true
	}
	if !isNameByte(l.source[i]) {
		return bytes.IndexByte([]byte("(,=:[!&|?{};+-*%~^>"), l.source[i]) >= 0
	}
	start := i
	for start > 0 && isNameByte(l.source[start-1]) {
		start--
	}
	switch string(l.source[start : i+1]) {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "await", "yield", "instanceof":
		return true
	}
	return false
}

func (l *Lexer) regexp() bool {
	inClass := false
	for l.at++; l.at < len(l.source); l.at++ {
		switch c := l.source[l.at]; {
		case c == '\\':
			l.at++
		case c == '\n':
			return false
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			l.at++
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
