package text

import (
	"bytes"
	"fmt"
	"slices"
)

// Position is a place in a text as an editor names it. Line and Column count
// from 0; the unit of Column is that of the [Encoding] it goes with.
type Position struct {
	Line, Column int
}

// Span is a range of byte offsets; End is exclusive.
type Span struct {
	Start, End int
}

// Mapper converts between byte offsets and positions of one content. It is
// immutable and safe for concurrent use; it neither copies nor changes the
// content, which nobody may change while the Mapper is in use.
//
// A line ends with "\n", "\r\n" or a lone "\r", as in the Language Server
// Protocol. A byte order mark is a character like any other: for an editor that
// hides it, map the content without it (see [HasBOM]).
//
// A lookup costs a binary search over the lines and at most a walk of
// blockSize bytes, however long the line is.
type Mapper struct {
	content []byte
	starts  []int // byte offset of each line's first byte; starts[0] == 0
	units   units
}

// NewMapper indexes content.
func NewMapper(content []byte) *Mapper {
	starts := lineStarts(content)
	return &Mapper{content: content, starts: starts, units: newUnits(content, starts)}
}

// lineStarts returns the offset behind each terminator, and 0.
func lineStarts(content []byte) []int {
	starts := make([]int, 1, bytes.Count(content, []byte{'\n'})+1)
	nextCR := indexFrom(content, 0, '\r')
	for i := 0; ; {
		lf := indexFrom(content, i, '\n')
		for nextCR < lf {
			if nextCR+1 < lf || lf == len(content) {
				starts = append(starts, nextCR+1)
			}
			nextCR = indexFrom(content, nextCR+1, '\r')
		}
		if lf == len(content) {
			return starts
		}
		starts = append(starts, lf+1)
		i = lf + 1
	}
}

// indexFrom returns the offset of the first c at or after from, or
// len(content) where there is none.
func indexFrom(content []byte, from int, c byte) int {
	if i := bytes.IndexByte(content[from:], c); i >= 0 {
		return from + i
	}
	return len(content)
}

// Content returns the content that the Mapper indexes. It must not be changed.
func (m *Mapper) Content() []byte { return m.content }

// LineCount returns the number of lines. It is at least 1: what follows the
// last terminator is a line even where it is empty.
func (m *Mapper) LineCount() int { return len(m.starts) }

// LineSpan returns the bytes of a line, counted from 0, without its terminator.
// Of a line outside the content it is the empty span at the near end.
func (m *Mapper) LineSpan(line int) Span {
	if line < 0 {
		return Span{}
	}
	if line >= len(m.starts) {
		return Span{Start: len(m.content), End: len(m.content)}
	}
	start := m.starts[line]
	if line == len(m.starts)-1 {
		return Span{Start: start, End: len(m.content)}
	}
	end := m.starts[line+1] - 1
	if end > start && m.content[end] == '\n' && m.content[end-1] == '\r' {
		end--
	}
	return Span{Start: start, End: end}
}

// Position returns the position of a byte offset. Inside a character it is that
// of the character's start, inside "\r\n" that of the line's end. An offset
// outside [0, len(content)] is an error.
func (m *Mapper) Position(offset int, enc Encoding) (Position, error) {
	if offset < 0 || offset > len(m.content) {
		return Position{}, fmt.Errorf("byte offset %d is outside the text of %d bytes", offset, len(m.content))
	}
	line, found := slices.BinarySearch(m.starts, offset)
	if !found {
		line--
	}
	return m.positionIn(line, offset, enc), nil
}

// positionIn is the position of an offset of the line.
func (m *Mapper) positionIn(line, offset int, enc Encoding) Position {
	if offset == m.starts[line] {
		return Position{Line: line}
	}
	span := m.LineSpan(line)
	offset = runeStart(m.content, min(offset, span.End))
	return Position{Line: line, Column: m.units.between(m.content, span.Start, offset, enc)}
}

// Positions returns the position of each offset, as [Mapper.Position] does. The
// offsets may come in any order, those close to the one before cost least; many of
// them on one long line cost no more than as many on short ones.
func (m *Mapper) Positions(offsets []int, enc Encoding) ([]Position, error) {
	const near = 8 // lines further on are searched for
	positions := make([]Position, len(offsets))
	line := 0 // of the offset before
	for i, offset := range offsets {
		ahead := 0
		for ahead < near && line+1 < len(m.starts) && m.starts[line+1] <= offset {
			line++
			ahead++
		}
		if offset >= m.starts[line] && offset <= len(m.content) && ahead < near {
			positions[i] = m.positionIn(line, offset, enc)
			continue
		}
		p, err := m.Position(offset, enc)
		if err != nil {
			return nil, err
		}
		positions[i], line = p, p.Line
	}
	return positions, nil
}

// Offset returns the byte offset of a position. A column past the line's end
// means the line's end, before its terminator; a column inside a character
// means the character's start; a line past the last one means the end of the
// content. A negative line or column is an error.
func (m *Mapper) Offset(pos Position, enc Encoding) (int, error) {
	if pos.Line < 0 || pos.Column < 0 {
		return 0, fmt.Errorf("position %d:%d is negative", pos.Line, pos.Column)
	}
	if pos.Line >= len(m.starts) {
		return len(m.content), nil
	}
	return m.units.advance(m.content, m.LineSpan(pos.Line), pos.Column, enc), nil
}
