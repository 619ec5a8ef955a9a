// Package unified prints known edits of a text as the hunks of a unified diff, as
// `diff -u` and git write them. It compares nothing: what changes is given.
package unified

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// context is how many unchanged lines stand around a change, as in diff and git.
const context = 3

const noNewline = "\\ No newline at end of file\n"

// Hunk is some neighbouring changes with the lines around them.
type Hunk struct {
	old    []byte
	blocks []block
	// Lines from 0 at which the hunk begins, in the old text and in the new one.
	oldLine, newLine int
	start, end       int // in old, with the context
}

// block replaces whole lines: old[start:end] becomes after.
type block struct {
	start, end int
	after      []byte
}

// Hunks yields the hunks of edits, which must be in order and disjoint. Where an edit
// is not one of old it yields the error of [text.Apply] and ends.
func Hunks(old []byte, edits []text.Edit) iter.Seq2[Hunk, error] {
	return func(yield func(Hunk, error) bool) {
		oldLine, shift, counted := 0, 0, 0 // of what lies before the hunk
		var h Hunk
		flush := func() bool {
			if len(h.blocks) == 0 {
				return true
			}
			oldLine += bytes.Count(old[counted:h.start], newline)
			counted = h.start
			h.oldLine, h.newLine = oldLine, oldLine+shift
			for _, b := range h.blocks {
				shift += lines(b.after) - lines(old[b.start:b.end])
			}
			return yield(h, nil)
		}
		for len(edits) > 0 {
			var b block
			var err error
			if b, edits, err = nextBlock(old, edits); err != nil {
				yield(Hunk{}, err)
				return
			}
			if bytes.Equal(b.after, old[b.start:b.end]) {
				continue
			}
			start, end := linesBack(old, b.start), linesOn(old, b.end)
			if len(h.blocks) > 0 && start <= h.end {
				h.blocks, h.end = append(h.blocks, b), end
				continue
			}
			if !flush() {
				return
			}
			h = Hunk{old: old, blocks: []block{b}, start: start, end: end}
		}
		flush()
	}
}

var newline = []byte("\n")

// nextBlock takes from edits those that change neighbouring lines.
func nextBlock(old []byte, edits []text.Edit) (block, []text.Edit, error) {
	var b block
	n := 0
	for {
		for ; n < len(edits) && (n == 0 || edits[n].Start < b.end || lineStart(old, edits[n].Start) <= b.end); n++ {
			e := edits[n]
			if e.Start < 0 || e.End < e.Start || e.End > len(old) {
				return block{}, nil, text.ErrOutOfBounds
			}
			if n == 0 {
				b.start = lineStart(old, e.Start)
				b.end = b.start
			}
			if e.End > b.end || e.Start == e.End && e.End == b.end && !whole(e.New) {
				b.end = e.End
				if lineStart(old, e.End) != e.End || e.Start == e.End {
					b.end = lineEnd(old, e.End)
				}
			}
		}
		within := make([]text.Edit, n)
		for i, e := range edits[:n] {
			within[i] = text.Edit{Span: text.Span{Start: e.Start - b.start, End: e.End - b.start}, New: e.New}
		}
		after, err := text.Apply(old[b.start:b.end], within)
		if err != nil {
			return block{}, nil, err
		}
		if b.end == len(old) || whole(string(after)) {
			b.after = after
			return trim(old, b), edits[n:], nil
		}
		b.end = lineEnd(old, b.end) // the last line goes on with the next one
	}
}

// whole reports whether s is complete lines.
func whole(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }

// trim leaves out equal lines at both ends of a block.
func trim(old []byte, b block) block {
	for b.start < b.end && len(b.after) > 0 {
		was, is := firstLine(old[b.start:b.end]), firstLine(b.after)
		if !bytes.Equal(was, is) {
			break
		}
		b.start, b.after = b.start+len(was), b.after[len(is):]
	}
	for b.start < b.end && len(b.after) > 0 {
		was, is := lastLine(old[b.start:b.end]), lastLine(b.after)
		if !bytes.Equal(was, is) {
			break
		}
		b.end, b.after = b.end-len(was), b.after[:len(b.after)-len(is)]
	}
	return b
}

// String is the hunk as text, its header first.
func (h Hunk) String() string {
	var body strings.Builder
	oldCount, newCount := 0, 0
	put := func(sign byte, part []byte) int {
		n := 0
		for line := range bytes.Lines(part) {
			body.WriteByte(sign)
			body.Write(line)
			if !bytes.HasSuffix(line, newline) {
				body.WriteString("\n" + noNewline)
			}
			n++
		}
		return n
	}
	at := h.start
	for _, b := range h.blocks {
		same := put(' ', h.old[at:b.start])
		oldCount += same + put('-', h.old[b.start:b.end])
		newCount += same + put('+', b.after)
		at = b.end
	}
	same := put(' ', h.old[at:h.end])
	oldCount, newCount = oldCount+same, newCount+same
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", first(h.oldLine, oldCount), oldCount, first(h.newLine, newCount), newCount) + body.String()
}

// Size is about how many bytes String has.
func (h Hunk) Size() int {
	size := h.end - h.start
	for _, b := range h.blocks {
		size += len(b.after)
	}
	return size
}

// first is a line's number in a header: that of the line before where there is none.
func first(line, count int) int {
	if count == 0 {
		return line
	}
	return line + 1
}

// lines counts lines, a last one without an end too.
func lines(s []byte) int {
	n := bytes.Count(s, newline)
	if len(s) > 0 && !bytes.HasSuffix(s, newline) {
		n++
	}
	return n
}

func lineStart(s []byte, at int) int { return bytes.LastIndexByte(s[:at], '\n') + 1 }

// lineEnd is behind the line feed of the line at an offset.
func lineEnd(s []byte, at int) int {
	if i := bytes.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

func linesBack(s []byte, at int) int {
	for range context {
		if at > 0 {
			at = lineStart(s, at-1)
		}
	}
	return at
}

func linesOn(s []byte, at int) int {
	for range context {
		at = lineEnd(s, at)
	}
	return at
}

func firstLine(s []byte) []byte { return s[:lineEnd(s, 0)] }

func lastLine(s []byte) []byte { return s[lineStart(s, max(len(s)-1, 0)):] }
