package syntax

/*
#include "flatten.h"
*/
import "C"

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// everyKind stands for all kinds in [Language.LayoutKinds].
const everyKind = "*"

// Language is one row of the language table with its linked grammar.
type Language struct {
	// Name is the canonical name.
	Name string
	// Aliases are the values that a `lang` parameter accepts, lower case.
	Aliases []string
	// Extensions are the file name endings after the last dot, case-sensitive.
	Extensions []string
	// Expando stands for `$` in patterns where the grammar has no `$` in its
	// identifiers; '$' means that none is needed.
	Expando rune
	// FreelySpelled reports that a token of this kind may be written in several ways
	// that mean the same: a keyword in any case, a directive with blanks inside.
	// Only its kind is compared. nil: no kind is.
	FreelySpelled func(kind string, named bool) bool
	// TextKinds are the kinds whose text belongs in part to none of their children,
	// as the characters of a string do in older grammars. Without a node for it two
	// strings with different characters would be equal.
	TextKinds []string
	// LineBreaks reports that the grammar makes a token of the line break that ends
	// a statement. Trees leave it out: it would count as the last element of a list.
	LineBreaks bool
	// LayoutKinds, or everyKind, are the kinds of leaves whose line breaks are layout, such as the
	// text of JSX: they move with the code around them. In other leaves, such as
	// strings, line breaks are content.
	LayoutKinds []string
	// ShedKinds are kinds that by the grammar include the blanks and comments behind
	// them. Trees end them before those: replacing an import must not eat the
	// comment of the class that follows.
	ShedKinds []string
	// FragmentPrefix is what must stand before code that is not a whole file, such
	// as a pattern, and does not begin with FragmentMark; see [Parser.ParseFragment].
	FragmentPrefix, FragmentMark string
	// TooNested reports a text that may be nested deeper than the grammar's scanner
	// can hold: it would end the program. nil: no text is.
	TooNested func(source []byte) bool

	grammar unsafe.Pointer
	// dense is grammar with a faster parse table, or grammar; see forParsing.
	dense     unsafe.Pointer
	makeDense sync.Once
	// walks is what is known of the ways to walk the trees; see walk.
	walks atomic.Uint32

	names []string // by symbol
	kinds []uint8  // by symbol: a set of C.XCSH_KIND_TEXT and so on
}

func newLanguage(name string, grammar *sitter.Language, expando rune, aliases, extensions []string) *Language {
	l := &Language{
		Name: name, Aliases: aliases, Extensions: extensions, Expando: expando,
		// The bindings' Language is a struct of this one pointer.
		grammar: *(*unsafe.Pointer)(unsafe.Pointer(grammar)),
	}
	l.names = make([]string, grammar.SymbolCount())
	for i := range l.names {
		l.names[i] = grammar.SymbolName(sitter.Symbol(i))
	}
	l.kinds = make([]uint8, len(l.names))
	for symbol, name := range l.names {
		if name != "" && strings.TrimLeft(name, " \t\r\n") == name {
			l.kinds[symbol] |= C.XCSH_KIND_TRIM
		}
		if bool(C.xcsh_is_named(l.grammar, C.uint16_t(symbol))) {
			l.kinds[symbol] |= C.XCSH_KIND_NAMED
		}
	}
	return l
}

// withText lists kinds for [Language.TextKinds].
func (l *Language) withText(kinds ...string) *Language {
	l.TextKinds = kinds
	l.mark(C.XCSH_KIND_TEXT, kinds...)
	return l
}

// withoutLineBreaks sets [Language.LineBreaks].
func (l *Language) withoutLineBreaks() *Language {
	l.LineBreaks = true
	l.mark(C.XCSH_KIND_DROP, "\n")
	return l
}

// withShed lists kinds for [Language.ShedKinds].
func (l *Language) withShed(kinds ...string) *Language {
	l.ShedKinds = kinds
	l.mark(C.XCSH_KIND_SHED, kinds...)
	return l
}

// refusing sets [Language.TooNested].
func (l *Language) refusing(tooNested func([]byte) bool) *Language {
	l.TooNested = tooNested
	return l
}

// withFragmentPrefix sets [Language.FragmentPrefix] and FragmentMark.
func (l *Language) withFragmentPrefix(prefix, mark string) *Language {
	l.FragmentPrefix, l.FragmentMark = prefix, mark
	return l
}

// spelledFreely sets [Language.FreelySpelled].
func (l *Language) spelledFreely(kinds func(kind string, named bool) bool) *Language {
	l.FreelySpelled = kinds
	return l
}

func (l *Language) mark(flag uint8, kinds ...string) {
	for symbol, name := range l.names {
		if slices.Contains(kinds, name) {
			l.kinds[symbol] |= flag
		}
	}
}

// SpelledFreely reports whether only the kind of such a token counts.
func (l *Language) SpelledFreely(s Symbol, named bool) bool {
	return l.FreelySpelled != nil && l.FreelySpelled(l.Kind(s), named)
}

// Kind returns the kind's name, as `sel` and a grammar's documentation write it.
func (l *Language) Kind(s Symbol) string {
	switch {
	case s == ErrorSymbol:
		return "ERROR"
	case s == HiddenSymbol:
		return "(text)"
	case int(s) < len(l.names):
		return l.names[s]
	}
	return ""
}

// NamedSymbol returns the symbol of a named kind; ok is false where the grammar
// has no such kind.
func (l *Language) NamedSymbol(kind string) (s Symbol, ok bool) {
	if kind == "" {
		return 0, false
	}
	name := []byte(kind)
	s = Symbol(C.xcsh_named_symbol(l.grammar, bytesPointer(name), C.uint32_t(len(name))))
	return s, s != 0
}

// withLayout lists kinds for [Language.LayoutKinds].
func (l *Language) withLayout(kinds ...string) *Language {
	l.LayoutKinds = kinds
	return l
}

// LaysOut reports whether the line breaks in a leaf of this kind are layout.
func (l *Language) LaysOut(s Symbol) bool {
	return slices.Contains(l.LayoutKinds, everyKind) || slices.Contains(l.LayoutKinds, l.Kind(s))
}
