package syntax

/*
#include "flatten.h"
*/
import "C"

import (
	"slices"
	"strings"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

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
	// FoldsKeywords reports that keywords may be written in any case, so that an
	// anonymous node's text need not be its kind's name.
	FoldsKeywords bool
	// TextKinds are the kinds whose text belongs in part to none of their children,
	// as the characters of a string do in older grammars. Without a node for it two
	// strings with different characters would be equal.
	TextKinds []string
	// LineBreaks reports that the grammar makes a token of the line break that ends
	// a statement. Trees leave it out: it would count as the last element of a list.
	LineBreaks bool

	grammar unsafe.Pointer
	names   []string // by symbol
	kinds   []uint8  // by symbol: a set of C.XCSH_KIND_TEXT and so on
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
	for symbol, name := range l.names {
		if slices.Contains(kinds, name) {
			l.kinds[symbol] |= C.XCSH_KIND_TEXT
		}
	}
	return l
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

// withoutLineBreaks sets [Language.LineBreaks].
func (l *Language) withoutLineBreaks() *Language {
	l.LineBreaks = true
	for symbol, name := range l.names {
		if name == "\n" {
			l.kinds[symbol] |= C.XCSH_KIND_DROP
		}
	}
	return l
}
