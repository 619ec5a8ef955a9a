package blocks

import (
	"slices"
	"testing"
)

func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name    string
		dialect Dialect
		source  string
		want    []string // the blocks' texts; nil where the lexer is unsure
	}{
		{"nested", Go, "a {b {c} d} {e}", []string{"{b {c} d}", "{c}", "{e}"}},
		{"strings and runes", Go, "{ \"}\" '}' '\\'' `}\"` }", []string{"{ \"}\" '}' '\\'' `}\"` }"}},
		{"comments", Go, "{ // }\n /* } ' */ }", []string{"{ // }\n /* } ' */ }"}},
		{"string without end", Go, "{ \"\n }", nil},
		{"open", Go, "{ {", nil},
		{"closed twice", Go, "{ } }", nil},
		{"parentheses apart", Go, "{ ( } )", nil},
		{"template", JavaScript, "{ `}${ {a} }{` }", []string{"{ `}${ {a} }{` }", "{ {a} }", "{a}"}},
		{"template in a template", JavaScript, "`${ `${a}}` }{`", []string{"{ `${a}}` }", "{a}"}},
		{"regular expression", JavaScript, "{ a = /[/}]\\/}/ }", []string{"{ a = /[/}]\\/}/ }"}},
		{"regular expression after a comment", JavaScript, "{ a = // b\n /}/ }", []string{"{ a = // b\n /}/ }"}},
		{"regular expression after a keyword", JavaScript, "{ return /}/ }", []string{"{ return /}/ }"}},
		{"division", JavaScript, "{ a / b } { c / d }", []string{"{ a / b }", "{ c / d }"}},
		{"JSX", JavaScript, "<a b={c} /> // }", []string{"{c}"}},
		{"no dialect", None, "{}", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := NewLexer()
			found, ok := l.Blocks([]byte(test.source), test.dialect)
			if ok != (test.want != nil) {
				t.Fatalf("sure: %v", ok)
			}
			if !ok {
				return
			}
			var got []string
			for _, b := range found {
				got = append(got, test.source[b.Start:b.End+1])
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("blocks %q, want %q", got, test.want)
			}
		})
	}
}

// Whatever the text, blocks are inside the text and inside of each other.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("{ `}${ {a} }{` }"), true)
	f.Add([]byte("{ \"}\" '}' }"), false)
	f.Fuzz(func(t *testing.T, source []byte, script bool) {
		dialect := Go
		if script {
			dialect = JavaScript
		}
		l := NewLexer()
		found, ok := l.Blocks(source, dialect)
		if !ok {
			return
		}
		for i, b := range found {
			if source[b.Start] != '{' || source[b.End] != '}' || b.Start >= b.End || b.Parent >= i {
				t.Fatalf("block %+v", b)
			}
			if b.Parent >= 0 && (found[b.Parent].Start >= b.Start || found[b.Parent].End <= b.End) {
				t.Fatalf("block %+v is not inside of %+v", b, found[b.Parent])
			}
		}
	})
}
