package scope

import (
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
)

func TestGlob_Match(t *testing.T) {
	cases := []struct {
		glob    string
		yes, no string // paths separated by spaces
	}{
		{"*.ts", "a.ts .ts .a.ts", "s/a.ts a.tsx"},
		{"**/*.ts", "a.ts s/a.ts s/t/.a.ts", "a.tsx"},
		{"**", "a s/a .h/a", ""},
		{"src/**", "src/a src/b/c", "src a/src/b"},
		{"src/**/x.ts", "src/x.ts src/a/x.ts src/a/b/x.ts", "x.ts src/ax.ts"},
		{"**/src/*.ts", "src/a.ts p/src/a.ts", "src/s/a.ts"},
		{"?.ts", "a.ts é.ts", "ab.ts .ts /.ts"},
		{"a?b", "axb a.b", "a/b"},
		{"a[!x]b", "ayb", "a/b axb"},
		{"a[^x]b", "ayb", "a/b axb"},
		{"a[+-9]b", "a.b a0b a-b", "a/b"},
		{"a[/]b", "", "a/b"},
		{"[]]x", "]x", "ax"},
		{"[!]]x", "ax", "]x"},
		{"[a-c-]x", "bx -x", "dx"},
		{"[{]x", "{x", "x"},
		{"{a,b/c}.ts", "a.ts b/c.ts", "b.ts c.ts"},
		{"{src,lib}/**/*.{ts,js}", "src/a.ts lib/x/b.js", "src/a.go other/a.ts"},
		{"{a}", "a", "{a}"},
		{"a{,b}", "a ab", "abb"},
		{"{a,{b,c}d}", "a bd cd", "b d ad"},
		{"{[,],x}y", ",y xy", "y"},
		{"./src/*.ts", "src/a.ts", "a.ts"},
		{`src\*.ts`, "src/a.ts", "a.ts"},
		{"a**b", "ab axb", "a/b"},
		{"plain.ts", "plain.ts", "s/plain.ts"},
		{"s/plain.ts", "s/plain.ts", "plain.ts"},
	}
	for _, c := range cases {
		g, err := compileGlob(tidyGlob(c.glob))
		if err != nil {
			t.Errorf("%q: %v", c.glob, err)
			continue
		}
		for _, path := range strings.Fields(c.yes) {
			if !g.match(path) {
				t.Errorf("%q does not match %q", c.glob, path)
			}
			for i := range path {
				if i > 0 && path[i] == '/' && !g.mayMatchBelow(path[:i]) {
					t.Errorf("%q would not look in %q for %q", c.glob, path[:i], path)
				}
			}
		}
		for _, path := range strings.Fields(c.no) {
			if g.match(path) {
				t.Errorf("%q matches %q", c.glob, path)
			}
		}
	}
}

func TestGlob_SkipsDirectoriesThatCannotMatch(t *testing.T) {
	for glob, dir := range map[string]string{"*.ts": "a", "src/*.ts": "lib", "src/**": "sr", "*/x.ts": "a/b", "{a,b}/*.ts": "c", "a/b/c.ts": "a/c"} {
		g, err := compileGlob(tidyGlob(glob))
		if err != nil {
			t.Fatal(err)
		}
		if g.mayMatchBelow(dir) {
			t.Errorf("%q would look in %q", glob, dir)
		}
	}
}

func FuzzSplitList(f *testing.F) {
	for _, seed := range []string{"a,b", "a b", `"a b",c`, `a\,b,c`, "{a,b},[c,d] (e,f)", "'", `\`, ",,", "é,\xff,b", "a}),b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, separator := range []func(rune) bool{isComma, unicode.IsSpace} {
			parts := splitList(text, separator)
			if !slices.Equal(parts, splitList(text, separator)) {
				t.Fatalf("%q is split in two ways", text)
			}
			rest := text
			for i, part := range parts {
				if part == "" || part != strings.TrimSpace(part) || slices.Contains(parts[:i], part) {
					t.Fatalf("%q: part %q is empty, untrimmed or repeated", text, part)
				}
				at := strings.Index(rest, part)
				if at < 0 {
					t.Fatalf("%q: part %q is not in the text in its order", text, part)
				}
				rest = rest[at+len(part):]
			}
		}
	})
}

func FuzzGlob(f *testing.F) {
	for _, seed := range []string{"*.{ts,tsx", "**/[!a]?", "[z-a]", "[", "[]", "[]]", "{{a,b},{c}}", "a**/b", "{[,],}", "[+-9]", "\\", "/**", "./././"} {
		f.Add(seed, "src/a.ts")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		root, rest := splitGlob(text)
		if hasGlob(root) || (rest != "" && !hasGlob(rest)) {
			t.Fatalf("%q is split into %q and %q", text, root, rest)
		}
		g, err := compileGlob(tidyGlob(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), msgInvalidGlob) {
				t.Fatalf("error %v", err)
			}
			return
		}
		got := g.match(path)
		if got != g.match(path) {
			t.Fatal("two answers")
		}
		for _, a := range g.alternatives {
			if a.form == formPattern && !doublestar.ValidatePattern(a.text) {
				t.Fatalf("%q became the invalid %q", text, a.text)
			}
		}
		for i := range path {
			if got && i > 0 && path[i] == '/' && path[i-1] != '/' && path[0] != '/' && !g.mayMatchBelow(path[:i]) {
				t.Fatalf("%q matches %q but does not look in %q", text, path, path[:i])
			}
		}
	})
}

func FuzzIgnore(f *testing.F) {
	for _, seed := range oddPatterns() {
		f.Add(seed, "d/e/foo.ts")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		list := ignore.Parse(text)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if list.Match(path, name, true) != ignore.Parse(text).Match(path, name, true) {
			t.Fatal("two answers")
		}
	})
}
