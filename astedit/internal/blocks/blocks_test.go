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
		{"indented", Python, "if x:\n  a\n  if y:\n    b\nc\n", []string{"\n  a\n  if y:\n    b\n", "\n    b\n"}},
		{"indented to the end", Python, "if x:\n  a", []string{"\n  a"}},
		{"comments between", Python, "if x: # (\n\n# c\n  a\n # d\nelse:\n  b\n", []string{"\n\n# c\n  a\n # d\n", "\n  b\n"}},
		{"continued lines", Python, "if (x and\n  y) \\\n   and z:\n  a = [1,\n2]\nb", []string{"\n  a = [1,\n2]\n"}},
		{"escaped quote in a raw string", Python, "if x:\n  c = r'#\\'('\nd", []string{"\n  c = r'#\\'('\n"}},
		{"string over lines", Python, "if x:\n  a = \"\"\"\nb: \\\"\"\"\n\"\"\"\n  c = '#('\nd", []string{"\n  a = \"\"\"\nb: \\\"\"\"\n\"\"\"\n  c = '#('\n"}},
		{"on one line", Python, "if x: y\nz\n", []string{}},
		{"tab among spaces", Python, "if x:\n \ta\n", nil},
		{"indented without a header", Python, "a\n  b\n", nil},
		{"dedented to nowhere", Python, "if x:\n    a\n  b\n", nil},
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
				got = append(got, test.source[b.Start:min(b.End+1, len(test.source))])
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("blocks %q, want %q", got, test.want)
			}
		})
	}
}

// Whatever the text, blocks are inside the text and inside of each other.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte("{ `}${ {a} }{` }"), byte(JavaScript))
	f.Add([]byte("{ \"}\" '}' }"), byte(Go))
	f.Add([]byte("if x:\n  if y: # z\n    a = \"\"\"b\n\"\"\"\nc"), byte(Python))
	f.Fuzz(func(t *testing.T, source []byte, dialect byte) {
		l := NewLexer()
		found, ok := l.Blocks(source, Dialect(dialect%(byte(Python)+1)))
		if !ok {
			return
		}
		for i, b := range found {
			indented := source[b.Start] == '\n' && (b.End == len(source) || source[b.End] == '\n')
			if !indented && (source[b.Start] != '{' || source[b.End] != '}') || b.Start >= b.End || b.Parent >= i {
				t.Fatalf("block %+v", b)
			}
			if b.Parent >= 0 && (found[b.Parent].Start >= b.Start || found[b.Parent].End < b.End) {
				t.Fatalf("block %+v is not inside of %+v", b, found[b.Parent])
			}
		}
	})
}
