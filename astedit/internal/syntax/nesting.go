package syntax

import "bytes"

// A scanner has 1024 bytes to save what is open. Some write past them, or call
// abort, and neither can be caught; what they cannot hold is refused before.
const (
	maxKotlinTemplates = 1000 // one byte an open string; the file's number bounds the depth
	maxMarkdownBlocks  = 200  // four bytes an open block
)

// kotlinTooNested: strings nest by `${`.
func kotlinTooNested(source []byte) bool {
	return bytes.Count(source, []byte("${")) > maxKotlinTemplates
}

// markdownTooNested: a block stays open over the lines that repeat its `>` or its
// indentation of two columns or more, so that no more are open than a line begins
// with.
func markdownTooNested(source []byte) bool {
	for line := range bytes.Lines(source) {
		if openBlocks(line) > maxMarkdownBlocks {
			return true
		}
	}
	return false
}

// openBlocks bounds the blocks that are open in a line: its quote and list markers,
// and half the columns of its blanks.
func openBlocks(line []byte) int {
	markers, columns := 0, 0
	for i, c := range line {
		switch {
		case c == ' ':
			columns++
		case c == '\t':
			columns += 4
		case c == '>':
			markers++
		case bytes.IndexByte([]byte("-*+.)"), c) >= 0:
			if i+1 < len(line) && bytes.IndexByte([]byte(" \t\r\n"), line[i+1]) >= 0 {
				markers++
			}
		case '0' <= c && c <= '9':
		default:
			return markers + columns/2
		}
	}
	return markers + columns/2
}
