package text

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// fragments are what random texts are made of: each is a trap for a mapper.
func fragments() []string {
	return []string{
		"", "a", "foo(bar)", "\n", "\r\n", "\r", "\n\r", "\t", BOM,
		"é", "e\u0301", "漢字", "😀", "👩‍👩‍👧", "\U0010FFFF", "\uFFFD",
		"\xff", "\x80", "\xe6\xbc", "\xf0\x9f\x98", "\xed\xa0\x80", "\xc0\xaf", "\x80\x80\x80\x80\x80",
		strings.Repeat("x", 300), strings.Repeat("é😀", 60),
	}
}

func allEncodings() []Encoding { return []Encoding{UTF8, UTF16, CodePoints} }

// border is a place between two characters that a position can name.
type border struct {
	offset int
	pos    Position
}

// naive walks the whole text character by character: what a Mapper must equal.
func naive(content []byte, enc Encoding) (borders []border, ends []int) {
	var pos Position
	for i := 0; i < len(content); {
		borders = append(borders, border{i, pos})
		switch {
		case bytes.HasPrefix(content[i:], []byte("\r\n")):
			ends = append(ends, i)
			i += 2
			pos = Position{Line: pos.Line + 1}
		case content[i] == '\r' || content[i] == '\n':
			ends = append(ends, i)
			i++
			pos = Position{Line: pos.Line + 1}
		default:
			r, size := utf8.DecodeRune(content[i:])
			switch {
			case enc == UTF8:
				pos.Column += size
			case enc == UTF16 && r >= 0x10000:
				pos.Column += 2
			default:
				pos.Column++
			}
			i += size
		}
	}
	return append(borders, border{len(content), pos}), append(ends, len(content))
}

// checkMapper compares a Mapper with the reference at every offset and column.
func checkMapper(t *testing.T, content []byte) {
	t.Helper()
	m := NewMapper(content)
	for _, enc := range allEncodings() {
		borders, ends := naive(content, enc)
		if m.LineCount() != len(ends) {
			t.Fatalf("LineCount of %q = %d, want %d", content, m.LineCount(), len(ends))
		}
		for i, b := range borders {
			next := len(content) + 1
			if i+1 < len(borders) {
				next = borders[i+1].offset
			}
			for offset := b.offset; offset < next; offset++ {
				if got, err := m.Position(offset, enc); err != nil || got != b.pos {
					t.Fatalf("%v: Position(%d) of %.80q = %v, %v, want %v", enc, offset, content, got, err, b.pos)
				}
			}
			units := 1
			if i+1 < len(borders) && borders[i+1].pos.Line == b.pos.Line {
				units = borders[i+1].pos.Column - b.pos.Column
			}
			for inside := range units {
				pos := Position{b.pos.Line, b.pos.Column + inside}
				if got, err := m.Offset(pos, enc); err != nil || got != b.offset {
					t.Fatalf("%v: Offset(%v) of %.80q = %d, %v, want %d", enc, pos, content, got, err, b.offset)
				}
			}
		}
		start := 0
		for line, end := range ends {
			if got := m.LineSpan(line); got != (Span{start, end}) {
				t.Fatalf("LineSpan(%d) of %.80q = %v, want %v", line, content, got, Span{start, end})
			}
			for _, past := range []int{end - start + 1, math.MaxInt32, math.MaxInt} {
				if got, err := m.Offset(Position{line, past}, enc); err != nil || got != end {
					t.Fatalf("%v: Offset past the end of line %d of %.80q = %d, %v, want %d", enc, line, content, got, err, end)
				}
			}
			start = end + 1
			if bytes.HasPrefix(content[end:], []byte("\r\n")) {
				start++
			}
		}
		if got, err := m.Offset(Position{len(ends), 3}, enc); err != nil || got != len(content) {
			t.Fatalf("Offset past the last line of %.80q = %d, %v, want %d", content, got, err, len(content))
		}
	}
}

func randomText(r *rand.Rand, parts int) []byte {
	all := fragments()
	var b strings.Builder
	for range parts {
		b.WriteString(all[r.Intn(len(all))])
	}
	return []byte(b.String())
}

func TestMapperEqualsNaiveReference(t *testing.T) {
	for _, a := range fragments() {
		for _, b := range fragments() {
			checkMapper(t, []byte(a+b))
		}
	}
	r := rand.New(rand.NewSource(1))
	for i := range 60 {
		checkMapper(t, randomText(r, 1+i%25))
	}
}

// Lines of several blocks, with characters of every width across each border.
func TestMapperLongLines(t *testing.T) {
	for shift := range 4 {
		for _, unit := range []string{"😀", "é", "漢", "\x80", "\xf0\x9f\x98", "ab😀\xffé"} {
			head := strings.Repeat("x", shift)
			checkMapper(t, []byte("😀\n"+head+strings.Repeat(unit, 5*blockSize/2/len(unit))+"\r\nend"))
		}
	}
}

// A line of ten megabytes, of each kind of character and of all: columns are those of
// a walk over the whole line, at places chosen at random and at its ends.
func TestMapperTenMegabyteLine(t *testing.T) {
	const size = 10 << 20
	units := []string{"e\u0301漢\xff😀a", "x", "é", "😀"}
	if testing.Short() {
		units = units[:1]
	}
	for _, unit := range units {
		head, tail := "a\r\n😀\r", "\r\nlast"
		line := strings.Repeat(unit, size/len(unit))
		content := []byte(head + line + tail)
		m := NewMapper(content)
		r := rand.New(rand.NewSource(3))
		wanted := make([]bool, len(content)+1)
		wanted[len(head)], wanted[len(head)+1], wanted[len(head)+len(line)] = true, true, true
		for range 300 {
			wanted[len(head)+r.Intn(len(line))] = true
		}
		for _, enc := range allEncodings() {
			column := 0
			for i := len(head); i <= len(head)+len(line); {
				size, units := 1, 0
				if i < len(head)+len(line) {
					var c rune
					c, size = utf8.DecodeRune(content[i:])
					switch {
					case enc == UTF8:
						units = size
					case enc == UTF16 && c >= 0x10000:
						units = 2
					default:
						units = 1
					}
				}
				for inside := range size {
					if !wanted[i+inside] {
						continue
					}
					want := Position{2, column}
					if got, err := m.Position(i+inside, enc); err != nil || got != want {
						t.Fatalf("%v, %q: Position(%d) = %v, %v, want %v", enc, unit, i+inside, got, err, want)
					}
					if got, err := m.Offset(want, enc); err != nil || got != i {
						t.Fatalf("%v, %q: Offset(%v) = %d, %v, want %d", enc, unit, want, got, err, i)
					}
				}
				i, column = i+size, column+units
			}
		}
	}
}

func TestMapperColumns(t *testing.T) {
	tests := []struct {
		name, content, at      string
		line                   int
		utf8, utf16, codePoint int
	}{
		{"ascii", "let x = 1", "=", 0, 6, 6, 6},
		{"astral before", "'😀'; f(x)", "f", 0, 8, 6, 5},
		{"combining mark before", "e\u0301 = f", "f", 0, 6, 5, 5},
		{"crlf", "a\r\nbé f", "f", 1, 4, 3, 3},
		{"lone cr", "a\rb\rf", "f", 2, 0, 0, 0},
		{"byte order mark", BOM + "f", "f", 0, 3, 1, 1},
		{"invalid bytes", "\xff\xe6\xbcf", "f", 0, 3, 3, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewMapper([]byte(tt.content))
			want := map[Encoding]int{UTF8: tt.utf8, UTF16: tt.utf16, CodePoints: tt.codePoint}
			for enc, column := range want {
				got, err := m.Position(strings.Index(tt.content, tt.at), enc)
				if err != nil || got != (Position{tt.line, column}) {
					t.Errorf("%v: %v, %v, want %d:%d", enc, got, err, tt.line, column)
				}
			}
		})
	}
}

func TestMapperInsideCharacterRoundsDown(t *testing.T) {
	m := NewMapper([]byte("a😀b"))
	for _, tt := range []struct {
		enc    Encoding
		column int
		want   int
	}{{UTF16, 2, 1}, {UTF16, 3, 5}, {UTF8, 3, 1}, {UTF8, 4, 1}, {UTF8, 5, 5}} {
		if got, err := m.Offset(Position{0, tt.column}, tt.enc); err != nil || got != tt.want {
			t.Errorf("%v: Offset(0:%d) = %d, %v, want %d", tt.enc, tt.column, got, err, tt.want)
		}
	}
}

func TestMapperRejectsOutside(t *testing.T) {
	m := NewMapper([]byte("abc"))
	for _, offset := range []int{-1, 4, math.MinInt, math.MaxInt} {
		if p, err := m.Position(offset, UTF16); err == nil {
			t.Errorf("Position(%d) = %v, want an error", offset, p)
		}
		if p, err := m.Positions([]int{0, offset}, UTF16); err == nil {
			t.Errorf("Positions(0, %d) = %v, want an error", offset, p)
		}
	}
	for _, pos := range []Position{{-1, 0}, {0, -1}, {9, -1}} {
		if o, err := m.Offset(pos, UTF16); err == nil {
			t.Errorf("Offset(%v) = %d, want an error", pos, o)
		}
	}
	if got := m.LineSpan(-1); got != (Span{}) {
		t.Errorf("LineSpan(-1) = %v", got)
	}
	if got := m.LineSpan(1); got != (Span{3, 3}) {
		t.Errorf("LineSpan(1) = %v, want the end", got)
	}
}

func TestPositionsEqualsPosition(t *testing.T) {
	content := randomText(rand.New(rand.NewSource(2)), 60)
	m := NewMapper(content)
	for _, enc := range allEncodings() {
		var offsets []int
		for o := range len(content) + 1 {
			offsets = append(offsets, len(content)-o)
		}
		got, err := m.Positions(offsets, enc)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range offsets {
			if want, _ := m.Position(o, enc); got[i] != want {
				t.Fatalf("%v: position of %d = %v, want %v", enc, o, got[i], want)
			}
		}
	}
}

func TestEncodingNames(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16", "utf-32"} {
		enc, err := ParseEncoding(name)
		if err != nil || enc.String() != name {
			t.Errorf("ParseEncoding(%q) = %v, %v", name, enc, err)
		}
	}
	if enc, err := ParseEncoding("utf-7"); err == nil {
		t.Errorf("ParseEncoding(utf-7) = %v, want an error", enc)
	}
}

func FuzzMapper(f *testing.F) {
	for _, s := range fragments() {
		f.Add([]byte(s))
		f.Add([]byte("x" + s + "\r\n" + s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 3*blockSize {
			t.Skip("the reference is too slow for more")
		}
		checkMapper(t, content)
	})
}

func benchmarkTexts(size int) map[string][]byte {
	repeat := func(s string) []byte { return []byte(strings.Repeat(s, size/len(s))) }
	return map[string][]byte{
		"ascii":    repeat("\treturn compute(left, right)\n"),
		"crlf":     repeat("\treturn compute(left, right)\r\n"),
		"mixed":    repeat("\treturn compute(\"é 😀\", right)\n"),
		"han":      repeat("漢字漢字漢字漢字漢字\n"),
		"one line": repeat("return compute(\"é 😀\", right);"),
	}
}

func BenchmarkNewMapper(b *testing.B) {
	for name, content := range benchmarkTexts(400_000) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				NewMapper(content)
			}
		})
	}
}

func BenchmarkPosition(b *testing.B) {
	for _, size := range []int{400_000, 10_000_000} {
		for name, content := range benchmarkTexts(size) {
			m := NewMapper(content)
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				offset := 0
				for b.Loop() {
					offset = (offset + 7919) % len(content)
					p, err := m.Position(offset, UTF16)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := m.Offset(p, UTF16); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Whatever the order of the offsets, Positions says what Position says of each.
func TestPositionsOfAnyOrder(t *testing.T) {
	content := []byte(strings.Repeat("é😀 x\r\n\n\rab\n", 40) + "end")
	m := NewMapper(content)
	r := rand.New(rand.NewSource(5))
	for round := range 200 {
		offsets := make([]int, 30)
		for i := range offsets {
			offsets[i] = r.Intn(len(content) + 1)
		}
		if round%2 == 0 {
			slices.Sort(offsets)
		}
		got, err := m.Positions(offsets, UTF16)
		if err != nil {
			t.Fatal(err)
		}
		for i, offset := range offsets {
			if want, err := m.Position(offset, UTF16); err != nil || got[i] != want {
				t.Fatalf("offset %d of %v: %v, want %v (%v)", offset, offsets, got[i], want, err)
			}
		}
	}
	for _, offset := range []int{-1, len(content) + 1} {
		if _, err := m.Positions([]int{0, offset}, UTF16); err == nil {
			t.Errorf("offset %d has a position", offset)
		}
	}
}
