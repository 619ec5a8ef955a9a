package astedit

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/blocks"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Parsing takes nearly all of a run's time, and most `{…}` blocks cannot hold a
// match or a part of one. They are left out of the parse as holes, and the file
// is parsed whole where anything casts doubt on that: the lexer is unsure of the
// blocks, or the parse has an error or a made-up node. What a match holds is parsed in
// any case: a template may have to indent it anew. A syntax error inside of a hole goes
// unseen (ast_edit.md 9.3). Where matches hold holes, those are parsed too, and the
// others stay: a callback in one call is no reason to read the file's other functions.
//
// The idea is that of an island grammar: L. Moonen, "Generating robust parsers
// using island grammars", WCRE 2001.

const (
	// A smaller hole costs more than it spares.
	smallestHole = 48
	// Below this share of the source holes spare less than a second parse risks.
	leastHoles = 0.2
	// A pattern that matches in many files is better off without holes: after
	// triedHoles files with holes, at most one in maxFellBack may have been parsed
	// twice.
	triedHoles  = 8
	maxFellBack = 4
)

// dialectOf returns the dialect of the languages for which the property test
// finds no difference between a parse with holes and a whole one.
func dialectOf(lang *syntax.Language) blocks.Dialect {
	switch lang.Name {
	case "go":
		return blocks.Go
	case "javascript", "typescript", "tsx":
		return blocks.JavaScript
	case "python":
		return blocks.Python
	}
	return blocks.None
}

// holeFinder finds the holes of one file after the other.
type holeFinder struct {
	lexer *blocks.Lexer
	marks []mark // by block
	holes []syntax.Hole

	tried, fellBack int
}

// mark is what is known of one block.
type mark struct {
	anchors uint8 // a set: those directly in the block
	reach   int   // of the block and what is inside, the pattern looks into so many levels
	keep    bool  // some pattern may match in it or look into it
}

func newHoleFinder() *holeFinder { return &holeFinder{lexer: blocks.NewLexer()} }

// find returns the holes of source, which cannot hide a match of the rules; none
// where it has to be parsed whole. They are valid until the next call.
func (f *holeFinder) find(lang *syntax.Language, source []byte, rules []rule) []syntax.Hole {
	dialect := dialectOf(lang)
	if dialect == blocks.None || f.tried >= triedHoles && f.fellBack*maxFellBack > f.tried {
		return nil
	}
	for _, r := range rules {
		if _, _, ok := r.pattern.Anchors(); !ok {
			return nil
		}
	}
	found, ok := f.lexer.Blocks(source, dialect)
	if !ok {
		return nil
	}
	f.marks = append(f.marks[:0], make([]mark, len(found))...)
	for _, r := range rules {
		f.keepFor(r.pattern, source, found)
	}
	for i := len(found) - 1; i >= 0; i-- {
		if p := found[i].Parent; f.marks[i].keep && p >= 0 {
			f.marks[p].keep = true
		}
	}
	return f.collect(found, len(source))
}

// keepFor marks the blocks that pattern may match directly in or look into.
func (f *holeFinder) keepFor(pattern *match.Pattern, source []byte, found []blocks.Block) {
	count, depth, _ := pattern.Anchors()
	bracket := pattern.AnchoredByBracket()
	all := uint8(1)<<count - 1
	outermost := uint8(0)
	for i := range f.marks {
		f.marks[i].anchors = 0
	}
	for k := range count {
		last := -1 // the last block that begins before the anchor
		pattern.EachAnchor(source, k, func(at int) {
			for last+1 < len(found) && found[last+1].Start < at {
				last++
			}
			around := last
			for around >= 0 && found[around].End < at {
				around = found[around].Parent
			}
			if around < 0 {
				outermost |= 1 << k
			} else {
				f.marks[around].anchors |= 1 << k
			}
		})
	}
	for i := range found {
		m := &f.marks[i]
		switch p := found[i].Parent; {
		case m.anchors == all:
			m.reach = depth + 1
		case p >= 0:
			m.reach = f.marks[p].reach - 1
		case outermost == all:
			m.reach = depth
		default:
			m.reach = 0
		}
		m.keep = m.keep || m.reach > 0 || bracket && found[i].Enclosed
	}
}

// collect makes holes of the outermost blocks that are not kept.
func (f *holeFinder) collect(found []blocks.Block, length int) []syntax.Hole {
	f.holes = f.holes[:0]
	total, end := 0, 0
	for i, b := range found {
		if size := b.End - b.Start - 1; b.Start >= end && !f.marks[i].keep && !b.Whole && size >= smallestHole {
			f.holes = append(f.holes, syntax.Hole{Start: uint32(b.Start + 1), End: uint32(b.End)})
			total += size
			end = b.End
		}
	}
	if float64(total) < leastHoles*float64(length) {
		return nil
	}
	return f.holes
}

// findAround returns the matches in a parse of the file with holes, and its tree. Not
// ok says nothing: the file must be parsed whole.
func (s *scanner) findAround(ctx context.Context, file candidate, source *sourceText, rules []rule) (tree *syntax.Tree, all []found, ok bool) {
	if s.rules.shortcuts.noHoles {
		return nil, nil, false
	}
	cached, around, isCached := s.rules.cache.get(file.path, file.lang, source.bytes)
	if isCached && len(around) == 0 {
		return nil, nil, false // the whole tree is there
	}
	f := s.holes[file.lang]
	if f == nil {
		f = newHoleFinder()
		s.holes[file.lang] = f
	}
	holes := f.find(file.lang, source.bytes, rules)
	if len(holes) == 0 {
		return nil, nil, false
	}
	f.tried++
	if isCached && !slices.ContainsFunc(around, func(h syntax.Hole) bool { return !slices.Contains(holes, h) }) {
		holes = around // an earlier run needed more of the file
	}
	for range 2 { // the second time without the holes that matches hold
		tree = cached
		kept := isCached && slices.Equal(around, holes)
		if !kept {
			var err error
			if tree, err = s.parse(ctx, file.lang, source.own(), holes); err != nil {
				return nil, nil, false
			}
		}
		if tree.HasError || tree.HasMissing() {
			break
		}
		all, sure := s.find(ctx, tree, rules, holes)
		if !sure {
			break
		}
		outside := outsideOf(tree.Source, all, holes)
		if len(outside) == len(holes) {
			if !kept {
				s.rules.cache.put(file.path, file.lang, tree, holes)
			}
			return tree, all, true
		}
		if holes = outside; len(holes) == 0 {
			break
		}
	}
	f.fellBack++
	return nil, nil, false
}

// outsideOf returns the holes that lie in no match nor, in a language without braces,
// at the end of one: the header of a block ends where the hole begins.
func outsideOf(source []byte, all []found, holes []syntax.Hole) []syntax.Hole {
	var held []bool
	for _, m := range all {
		i, _ := slices.BinarySearchFunc(holes, m.span.Start, func(h syntax.Hole, at int) int { return cmp.Compare(int(h.Start), at) })
		for ; i < len(holes); i++ {
			start := int(holes[i].Start)
			if start >= m.span.End && !endsHeader(source[m.span.End:start]) {
				break
			}
			if held == nil {
				held = make([]bool, len(holes))
			}
			held[i] = true
		}
	}
	if held == nil {
		return holes
	}
	var outside []syntax.Hole
	for i, h := range holes {
		if !held[i] {
			outside = append(outside, h)
		}
	}
	return outside
}

// endsHeader reports whether between, the text from a match to the next hole, is
// nothing but the end of a line.
func endsHeader(between []byte) bool {
	rest := bytes.TrimLeft(between, " \t\r\f")
	line, more, _ := bytes.Cut(rest, []byte("\n"))
	return len(more) == 0 && (len(line) == 0 || line[0] == '#')
}
