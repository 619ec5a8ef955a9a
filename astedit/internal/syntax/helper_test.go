package syntax_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

func newRegistry(t testing.TB) *syntax.Registry {
	t.Helper()
	r, err := syntax.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func language(t testing.TB, alias string) *syntax.Language {
	t.Helper()
	l, ok := newRegistry(t).ByAlias(alias)
	if !ok {
		t.Fatalf("no language %q", alias)
	}
	return l
}

func newParser(t testing.TB, l *syntax.Language) *syntax.Parser {
	t.Helper()
	p, err := syntax.NewParser(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func parse(t testing.TB, p *syntax.Parser, source string) *syntax.Tree {
	t.Helper()
	tree, err := p.Parse(context.Background(), []byte(source), 0)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// sourceFiles returns our samples of every language and some files of Go's
// library in C, Go and JavaScript.
func sourceFiles(t testing.TB) []string {
	t.Helper()
	samples, err := filepath.Glob("testdata/*")
	if err != nil || len(samples) < 7 {
		t.Fatalf("samples %v: %v", samples, err)
	}
	for _, pattern := range []string{"fmt/*.go", "go/parser/*.go", "runtime/cgo/*.c", "runtime/cgo/*.h", "encoding/json/*.go"} {
		found, err := filepath.Glob(filepath.Join(goroot(t), "src", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("nothing at %s: %v", pattern, err)
		}
		samples = append(samples, found...)
	}
	return samples
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
