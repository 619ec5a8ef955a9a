package astedit_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// memory is a workspace of one open document and no disk.
type memory struct {
	path string
	text []byte
}

func (m memory) OpenText(path string) ([]byte, bool)   { return m.text, path == m.path }
func (m memory) OpenPaths() []string                   { return []string{m.path} }
func (m memory) ReadFile(path string) ([]byte, error)  { panic("reads " + path + ", which is open") }
func (m memory) workspace() astedit.Workspace          { return astedit.Workspace{Documents: m} }
func newMemory(extension string, source []byte) memory { return memory{"/w/a." + extension, source} }

// fuzzTimeout: a file has more time than this (5 s); a fuzz input needs none of it.
const fuzzTimeout = 20 * time.Second

var fuzzExtensions = []string{"ts", "tsx", "js", "py", "go", "rs", "java", "c"}

func addSeeds(f *testing.F) {
	for i, seed := range []struct{ pattern, out, source string }{
		{"foo($A)", "bar($A)", "foo(1); foo(foo(2));\n"},
		{"foo($$$A)", "bar(\n  $$$A\n)", "\tfoo(1,\r\n\t  2);\r\n"},
		{"$A", "<$A>", "\ufeffx = `a ${b}`;"},
		{"$A && $A()", "$A?.()", "x && x(); /* é😀 */ y && z()"},
		{"print($$$A)", "", "print(1)\nif x:\n  print(\"a\")"},
		{"func t() { f($A) }", "$A", "package p\nfunc t() { f(\"x\") ; f( }"},
		{"\"$S\"", "'$S'", "f(\"a\\n\", \"b\")"},
		{"$A $$OP $B", "$B $$OP $A", "fn f() { a + b * c }"},
		{"$$$A", "x", "x"},
		{"foo(", "x", "foo("},
		{"", "", ""},
	} {
		f.Add(byte(i%len(fuzzExtensions)), seed.pattern, seed.out, []byte(seed.source))
	}
}

// FuzzRewrite: what a preview shows is what applying its edits gives, bytes
// outside them stay, and nothing crashes.
func FuzzRewrite(f *testing.F) {
	addSeeds(f)
	engine := newEngine(f)
	f.Fuzz(func(t *testing.T, language byte, pattern, out string, source []byte) {
		m := newMemory(fuzzExtensions[int(language)%len(fuzzExtensions)], source)
		result, err := rewriteOne(t, engine, m, request(pattern, out))
		if err != nil {
			if pattern != "" {
				t.Fatal(err)
			}
			return
		}
		if !utf8.Valid(source) && len(result.Files) > 0 {
			t.Fatal("a file that is not UTF-8 is edited")
		}
		for _, file := range result.Files {
			if !bytes.Equal(file.Old, source) {
				t.Fatal("Old is not the source")
			}
			checkEdit(t, file)
		}
		if again, err := rewriteOne(t, engine, m, request(pattern, out)); err != nil || len(again.Differences(result)) > 0 || again.Text() != result.Text() {
			t.Fatalf("a second run differs (%v)", err)
		}
	})
}

// FuzzCompile: patterns and selectors never crash, in any language.
func FuzzCompile(f *testing.F) {
	addSeeds(f)
	engine := newEngine(f)
	f.Fuzz(func(t *testing.T, _ byte, pattern, selector string, source []byte) {
		if pattern == "" {
			return
		}
		for _, extension := range fuzzExtensions {
			req := request(pattern, "$A$$$A")
			req.Sel = selector
			result, err := rewriteOne(t, engine, newMemory(extension, source), req)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(result.Issues, func(i astedit.Issue) bool { return i.Text == "" }) {
				t.Fatal("an issue says nothing")
			}
		}
	})
}

func rewriteOne(t *testing.T, engine *astedit.Engine, m memory, req astedit.Request) (*astedit.Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), fuzzTimeout)
	defer cancel()
	return engine.Run(ctx, m.workspace(), req, astedit.Options{Workers: 1})
}
