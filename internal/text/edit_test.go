package text

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func edit(start, end int, s string) Edit { return Edit{Span: Span{start, end}, New: s} }

func TestApply(t *testing.T) {
	tests := []struct {
		name, content string
		edits         []Edit
		want          string
	}{
		{"none", "abc", nil, "abc"},
		{"replace", "abc", []Edit{edit(1, 2, "XY")}, "aXYc"},
		{"delete all", "abc", []Edit{edit(0, 3, "")}, ""},
		{"any order", "abcdef", []Edit{edit(4, 5, "2"), edit(0, 1, "1")}, "1bcd2f"},
		{"insertions keep their order", "ab", []Edit{edit(1, 1, "1"), edit(1, 1, "2"), edit(1, 1, "3")}, "a123b"},
		{"insertion before a replacement listed first", "abc", []Edit{edit(1, 2, "X"), edit(1, 1, "i")}, "aiXc"},
		{"insertion where a replacement ends", "abc", []Edit{edit(2, 2, "i"), edit(1, 2, "X")}, "aXic"},
		{"adjacent", "abcd", []Edit{edit(2, 4, "2"), edit(0, 2, "1")}, "12"},
		{"insert into nothing", "", []Edit{edit(0, 0, "x")}, "x"},
		{"insert at the end", "ab", []Edit{edit(2, 2, "x")}, "abx"},
		{"crlf, bom and no final newline stay", BOM + "a\r\nb\rc", []Edit{edit(3, 4, "x")}, BOM + "x\r\nb\rc"},
		{"invalid bytes stay", "\xffa\xfe", []Edit{edit(1, 2, "b")}, "\xffb\xfe"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := []byte(tt.content)
			given := append([]Edit(nil), tt.edits...)
			got, err := Apply(content, tt.edits)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
			if string(content) != tt.content {
				t.Errorf("the content was changed to %q", content)
			}
			for i := range given {
				if given[i] != tt.edits[i] {
					t.Errorf("the edits were reordered: %v", tt.edits)
				}
			}
		})
	}
}

func TestApplyErrors(t *testing.T) {
	tests := []struct {
		name  string
		edits []Edit
		want  error
		text  string
	}{
		{"overlap", []Edit{edit(0, 2, ""), edit(1, 3, "")}, ErrOverlap, "Overlapping replacements detected; refine pattern to avoid ambiguous edits"},
		{"same span twice", []Edit{edit(0, 2, "a"), edit(0, 2, "a")}, ErrOverlap, ErrOverlap.Error()},
		{"nested", []Edit{edit(0, 3, "a"), edit(1, 2, "a")}, ErrOverlap, ErrOverlap.Error()},
		{"insertion inside a replacement", []Edit{edit(1, 1, "a"), edit(0, 2, "a")}, ErrOverlap, ErrOverlap.Error()},
		{"removals longer than the text", []Edit{edit(0, 3, ""), edit(0, 3, ""), edit(0, 3, "")}, ErrOverlap, ErrOverlap.Error()},
		{"past the end", []Edit{edit(2, 4, "")}, ErrOutOfBounds, "Computed edit range is out of bounds"},
		{"insertion past the end", []Edit{edit(4, 4, "")}, ErrOutOfBounds, ErrOutOfBounds.Error()},
		{"negative", []Edit{edit(-1, 1, "")}, ErrOutOfBounds, ErrOutOfBounds.Error()},
		{"reversed", []Edit{edit(2, 1, "")}, ErrOutOfBounds, ErrOutOfBounds.Error()},
		{"extreme", []Edit{edit(math.MinInt, math.MaxInt, "")}, ErrOutOfBounds, ErrOutOfBounds.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply([]byte("abc"), tt.edits)
			if !errors.Is(err, tt.want) || err.Error() != tt.text || got != nil {
				t.Errorf("got %q, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// naiveApply asks of every gap and byte of the old text what the edits say.
func naiveApply(content []byte, edits []Edit) ([]byte, bool) {
	owner := make([]int, len(content))
	for i, e := range edits {
		for at := e.Start; at < e.End; at++ {
			if owner[at] != 0 {
				return nil, false
			}
			owner[at] = i + 1
		}
	}
	var out []byte
	for at := range len(content) + 1 {
		for _, e := range edits {
			if e.Start != at || e.End != at {
				continue
			}
			if at > 0 && at < len(content) && owner[at] != 0 && owner[at-1] == owner[at] {
				return nil, false
			}
			out = append(out, e.New...)
		}
		for _, e := range edits {
			if e.Start == at && e.End > at {
				out = append(out, e.New...)
			}
		}
		if at < len(content) && owner[at] == 0 {
			out = append(out, content[at])
		}
	}
	return out, true
}

func checkApply(t *testing.T, content []byte, edits []Edit) {
	t.Helper()
	got, err := Apply(content, edits)
	want, ok := naiveApply(content, edits)
	if !ok {
		if !errors.Is(err, ErrOverlap) {
			t.Fatalf("Apply(%q, %v) = %q, %v, want ErrOverlap", content, edits, got, err)
		}
		return
	}
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("Apply(%q, %v) = %q, %v, want %q", content, edits, got, err, want)
	}
}

// editsFrom makes edits within a text of size bytes from arbitrary bytes.
func editsFrom(script []byte, size int) []Edit {
	var edits []Edit
	for len(script) >= 3 && len(edits) < 50 {
		start := int(script[0]) % (size + 1)
		end := min(size, start+int(script[1])%4)
		edits = append(edits, edit(start, end, strings.Repeat(string('A'+rune(len(edits)%26)), int(script[2])%4)))
		script = script[3:]
	}
	return edits
}

func TestApplyEqualsNaiveReference(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 5000 {
		content := randomText(r, r.Intn(4))
		script := make([]byte, 3*r.Intn(5))
		r.Read(script)
		checkApply(t, content, editsFrom(script, len(content)))
	}
}

func FuzzApply(f *testing.F) {
	f.Add([]byte("héllo\r\n"), []byte{1, 0, 2, 1, 2, 1})
	f.Add([]byte(BOM+"a\rb"), []byte{3, 1, 1, 0, 0, 3, 3, 0, 2})
	f.Fuzz(func(t *testing.T, content, script []byte) {
		checkApply(t, content, editsFrom(script, len(content)))
	})
}

func TestInvert(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	inverted := 0
	for range 5000 {
		content := randomText(r, r.Intn(4))
		script := make([]byte, 3*r.Intn(5))
		r.Read(script)
		edits := editsFrom(script, len(content))
		slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
		after, err := Apply(content, edits)
		if err != nil {
			continue
		}
		inverted++
		back, err := Apply(after, Invert(content, edits))
		if err != nil || !bytes.Equal(back, content) {
			t.Fatalf("%v of %q gives %q, and back %q, %v", edits, content, after, back, err)
		}
	}
	if inverted < 1000 {
		t.Errorf("only %d edits were tried", inverted)
	}
}
