package astedit

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/OneOfOne/xxhash"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// hashDigits are the sixteen characters of a line hash.
const hashDigits = "ZPMQVRWSNKTXJBYH"

// printHashes lists each change as two lines that name their place by line and hash
// (ast_edit.md 11.3).
func (f *FileEdit) printHashes(p *printer) {
	for i, c := range f.Changes {
		if i > 0 {
			p.print("\n")
		}
		p.print(hashLine("-", c.StartLine, c.Before), "\n", hashLine("+", c.StartLine, c.After))
	}
}

func hashLine(sign string, line int, code string) string {
	return fmt.Sprintf("%s%d#%s:%s", sign, line, lineHash(text.FirstLine(code), line), previewLine(code))
}

// lineHash returns the two characters for a line's text: xxHash32 of it without
// the blanks at its end. A line without a letter or digit, such as a brace, is
// told from others like it by its number, which counts from 1.
func lineHash(code string, line int) string {
	code = strings.TrimRightFunc(code, unicode.IsSpace)
	seed := uint32(line)
	if strings.ContainsFunc(code, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		seed = 0
	}
	b := byte(xxhash.ChecksumString32S(code, seed))
	return string([]byte{hashDigits[b>>4], hashDigits[b&15]})
}
