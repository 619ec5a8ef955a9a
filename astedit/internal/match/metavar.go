package match

import (
	"strings"
	"unicode/utf8"
)

// form is the sort of a metavariable.
type form uint8

const (
	single   form = iota // $A, $$A: one node, bound
	dropped              // $_, $$_: one node, not bound
	list                 // $$$A: sibling nodes, bound
	anyNodes             // $$$, $$$_: sibling nodes, not bound
)

// metavar is a metavariable as a pattern holds it.
type metavar struct {
	form  form
	named bool   // only a named node will do; lists take any
	name  string // without its sigil; empty where nothing is bound
}

func (v metavar) isList() bool { return v.form == list || v.form == anyNodes }

// parseMetavar reads text as one metavariable whose sigil is expando. The whole
// text must be the metavariable: `prefix$X` is plain code.
func parseMetavar(text string, expando rune) (metavar, bool) {
	sigils := 0
	rest := text
	for sigils < 3 {
		r, size := utf8.DecodeRuneInString(rest)
		if size == 0 || r != expando {
			break
		}
		rest = rest[size:]
		sigils++
	}
	if sigils == 0 || !allNameBytes(rest) {
		return metavar{}, false
	}
	if sigils == 3 {
		if rest == "" || rest[0] == '_' {
			return metavar{form: anyNodes}, true
		}
		return metavar{form: list, name: rest}, true
	}
	if rest == "" || !startsName(rest[0]) {
		return metavar{}, false
	}
	if rest[0] == '_' {
		return metavar{form: dropped, named: sigils == 1}, true
	}
	return metavar{form: single, named: sigils == 1, name: rest}, true
}

func startsName(c byte) bool { return c == '_' || 'A' <= c && c <= 'Z' }

func continuesName(c byte) bool { return startsName(c) || '0' <= c && c <= '9' }

func allNameBytes(s string) bool {
	for i := range len(s) {
		if !continuesName(s[i]) {
			return false
		}
	}
	return true
}

// substituteExpando makes a pattern parseable in a grammar whose identifiers
// cannot hold `$`: the sigils of metavariables become expando. A run of `$`
// counts as sigils when a capital letter or underscore follows, and always when
// it is exactly three long.
func substituteExpando(pattern string, expando rune) string {
	if expando == '$' {
		return pattern
	}
	var b strings.Builder
	for rest := pattern; rest != ""; {
		plain := strings.IndexByte(rest, '$')
		if plain < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:plain])
		rest = rest[plain:]
		run := len(rest) - len(strings.TrimLeft(rest, "$"))
		sigil := '$'
		if run == 3 || run < len(rest) && startsName(rest[run]) {
			sigil = expando
		}
		for range run {
			b.WriteRune(sigil)
		}
		rest = rest[run:]
	}
	return b.String()
}
