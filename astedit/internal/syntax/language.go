package syntax

/*
#include "flatten.h"
*/
import "C"

import (
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

	grammar unsafe.Pointer
	names   []string // by symbol
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
