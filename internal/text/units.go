package text

import (
	"encoding/binary"
	"slices"
	"sort"
	"unicode/utf8"
)

// blockSize is the distance in bytes between two checkpoints. It bounds the
// walk of a lookup (about a microsecond) while the checkpoints stay below 2 %
// of the content.
const blockSize = 1024

// highBits has the bit of every byte that no ASCII character has.
const highBits = 0x8080808080808080

// checkpoint counts what lies between the start of the content and the last
// character border at or before a multiple of blockSize.
type checkpoint struct {
	runes  int
	astral int // of the runes, those that take two UTF-16 units
}

// units answers how many units lie between two offsets of one line without
// walking more than a block at either end.
type units struct {
	ascii       bool         // offsets are units
	checkpoints []checkpoint // nil where no lookup can need them
}

func newUnits(content []byte, lineStarts []int) units {
	if asciiPrefix(content) == len(content) {
		return units{ascii: true}
	}
	if !hasLongLine(lineStarts, len(content)) {
		return units{}
	}
	checkpoints := make([]checkpoint, 1, len(content)/blockSize+1)
	var total checkpoint
	from := 0
	for next := blockSize; next <= len(content); next += blockSize {
		border := runeStart(content, next)
		total = total.plus(count(content[from:border]))
		checkpoints = append(checkpoints, total)
		from = border
	}
	return units{checkpoints: checkpoints}
}

func hasLongLine(lineStarts []int, size int) bool {
	end := size
	for _, start := range slices.Backward(lineStarts) {
		if end-start > blockSize {
			return true
		}
		end = start
	}
	return false
}

func (c checkpoint) plus(d checkpoint) checkpoint {
	return checkpoint{runes: c.runes + d.runes, astral: c.astral + d.astral}
}

func (c checkpoint) in(enc Encoding) int {
	if enc == UTF16 {
		return c.runes + c.astral
	}
	return c.runes
}

// between counts the units of content[start:end]; both are character borders.
func (u units) between(content []byte, start, end int, enc Encoding) int {
	if enc == UTF8 || u.ascii {
		return end - start
	}
	if end-start <= blockSize {
		return count(content[start:end]).in(enc)
	}
	return u.before(content, end).in(enc) - u.before(content, start).in(enc)
}

// before counts what lies in front of offset, a character border.
func (u units) before(content []byte, offset int) checkpoint {
	block := offset / blockSize
	border := runeStart(content, block*blockSize)
	return u.checkpoints[block].plus(count(content[border:offset]))
}

// advance returns the last character border of line that has at most column
// units in front of it on the line.
func (u units) advance(content []byte, line Span, column int, enc Encoding) int {
	if enc == UTF8 || u.ascii {
		if column >= line.End-line.Start {
			return line.End
		}
		return runeStart(content, line.Start+column)
	}
	from := line.Start
	if line.End-line.Start > blockSize {
		from, column = u.skip(content, line, column, enc)
	}
	return from + prefix(content[from:line.End], column, enc)
}

// skip returns the last checkpoint of a long line that is not past column, and
// the units that are left from there.
func (u units) skip(content []byte, line Span, column int, enc Encoding) (from, left int) {
	first, last := line.Start/blockSize+1, line.End/blockSize
	base := u.before(content, line.Start).in(enc)
	past := sort.Search(last-first+1, func(i int) bool {
		return u.checkpoints[first+i].in(enc)-base > column
	})
	if past == 0 {
		return line.Start, column
	}
	block := first + past - 1
	return runeStart(content, block*blockSize), column - (u.checkpoints[block].in(enc) - base)
}

// prefix returns the length in bytes of the longest prefix of b that ends at a
// character border and has at most limit units.
func prefix(b []byte, limit int, enc Encoding) int {
	i := 0
	for i < len(b) && limit > 0 {
		if ascii := asciiPrefix(b[i:min(len(b), i+min(limit, blockSize))]); ascii > 0 {
			i, limit = i+ascii, limit-ascii
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		width := 1
		if enc == UTF16 && isAstral(r) {
			width = 2
		}
		if width > limit {
			break
		}
		i, limit = i+size, limit-width
	}
	return i
}

func count(b []byte) checkpoint {
	var c checkpoint
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			ascii := asciiPrefix(b[i:])
			c.runes += ascii
			i += ascii
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		c.runes++
		if isAstral(r) {
			c.astral++
		}
		i += size
	}
	return c
}

func isAstral(r rune) bool { return r > 0xFFFF }

// asciiPrefix returns the length of the longest prefix of ASCII characters.
func asciiPrefix(b []byte) int {
	i := 0
	for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&highBits == 0 {
		i += 8
	}
	for i < len(b) && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// runeStart returns the start of the character that offset lies inside, or
// offset where it is a border. Looking at the bytes in front is enough: a valid
// encoding has its leading byte at its start and nowhere else.
func runeStart(content []byte, offset int) int {
	if offset == len(content) || utf8.RuneStart(content[offset]) {
		return offset
	}
	for start := offset - 1; start >= 0 && offset-start < utf8.UTFMax; start-- {
		if !utf8.RuneStart(content[start]) {
			continue
		}
		if _, size := utf8.DecodeRune(content[start:]); start+size > offset {
			return start
		}
		break
	}
	return offset
}
