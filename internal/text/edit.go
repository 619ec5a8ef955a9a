package text

import (
	"cmp"
	"errors"
	"slices"
)

// The texts of these two errors are shown to users as they are.
var (
	// ErrOverlap says that two edits change the same bytes.
	ErrOverlap = errors.New("Overlapping replacements detected; refine pattern to avoid ambiguous edits")
	// ErrOutOfBounds says that an edit's span is not one of the text.
	ErrOutOfBounds = errors.New("Computed edit range is out of bounds")
)

// Edit replaces the bytes of Span by New. All edits of a text are byte offsets
// in the text as it was before any of them.
type Edit struct {
	Span
	New string
}

// Invert returns the edits that turn what Apply makes of content back into it. edits
// must be in order and those of an Apply that succeeds.
func Invert(content []byte, edits []Edit) []Edit {
	back := make([]Edit, len(edits))
	moved := 0
	for i, e := range edits {
		start := e.Start + moved
		back[i] = Edit{Span: Span{Start: start, End: start + len(e.New)}, New: string(content[e.Start:e.End])}
		moved += len(e.New) - (e.End - e.Start)
	}
	return back
}

// Apply returns content with the edits made; neither argument is changed. The
// edits may come in any order. Insertions (empty spans) at one offset keep
// their order and go in front of what replaces the bytes from there on; an
// insertion where a replacement ends goes behind it. The error is [ErrOverlap]
// or [ErrOutOfBounds].
func Apply(content []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	size := len(content)
	for _, e := range sorted {
		if e.Start < 0 || e.End < e.Start || e.End > len(content) {
			return nil, ErrOutOfBounds
		}
		size += len(e.New) - (e.End - e.Start)
	}
	// Of overlapping edits size can be negative.
	out := make([]byte, 0, max(size, 0))
	done := 0
	for _, e := range sorted {
		if e.Start < done {
			return nil, ErrOverlap
		}
		out = append(out, content[done:e.Start]...)
		out = append(out, e.New...)
		done = e.End
	}
	return append(out, content[done:]...), nil
}
