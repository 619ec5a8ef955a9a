package syntax_test

import (
	"slices"
	"testing"
)

func TestEveryLanguageLoads(t *testing.T) {
	for _, l := range newRegistry(t).Languages() {
		tree := parse(t, newParser(t, l), "x")
		if len(tree.Nodes) == 0 || l.Kind(tree.Nodes[0].Symbol) == "" {
			t.Errorf("%s: root has no kind", l.Name)
		}
		if len(l.Aliases) == 0 || l.Aliases[0] != l.Name {
			t.Errorf("%s: aliases %v do not begin with the name", l.Name, l.Aliases)
		}
	}
}

func TestAliases(t *testing.T) {
	registry := newRegistry(t)
	want := []string{"c", "cjs", "cts", "go", "golang", "h", "java", "javascript", "js", "jsx", "mjs", "mts", "py", "py3", "pyi", "python", "rs", "rust", "ts", "tsx", "typescript"}
	if got := registry.Aliases(); !slices.Equal(got, want) {
		t.Errorf("aliases %q, want %q", got, want)
	}
	for alias, name := range map[string]string{"TypeScript": "typescript", "MTS": "typescript", "jsx": "javascript", "golang": "go", "h": "c", "RS": "rust", "tsx": "tsx"} {
		if l, ok := registry.ByAlias(alias); !ok || l.Name != name {
			t.Errorf("alias %q: %v %v, want %s", alias, l, ok, name)
		}
	}
	for _, alias := range []string{"", "brainfuck", "make", "c++"} {
		if l, ok := registry.ByAlias(alias); ok {
			t.Errorf("alias %q is %s", alias, l.Name)
		}
	}
}

func TestStatement27_FileNames(t *testing.T) {
	registry := newRegistry(t)
	for name, want := range map[string]string{
		"a.bzl": "python", "a.h": "c", "a.c": "c", "dir/b.pyi": "python", "x.d.ts": "typescript", "a.mts": "typescript",
		"a.tsx": "tsx", "a.jsx": "javascript", "a.cjs": "javascript", ".ts": "typescript", "a.rs": "rust", "A.java": "java", "b.go": "go",
		// Languages that the specification knows but no grammar is linked for:
		"Makefile": "", "Dockerfile.dev": "", "dockerfile.c": "", "CMakeLists.txt": "", "Justfile": "", "GNUmakefile": "", "Containerfile": "",
		"A.TS": "", "a.Py": "", "README": "", "a.": "", "": "", "a.txt": "", "go": "",
	} {
		l, ok := registry.ByFileName(name)
		if ok != (want != "") || ok && l.Name != want {
			t.Errorf("%q: %v %v, want %q", name, l, ok, want)
		}
	}
}

func TestNamedSymbol(t *testing.T) {
	l := language(t, "go")
	if s, ok := l.NamedSymbol("call_expression"); !ok || l.Kind(s) != "call_expression" {
		t.Errorf("call_expression is %v %v", s, ok)
	}
	for _, kind := range []string{"", "nope_kind", "(", "func", "(text)"} {
		if s, ok := l.NamedSymbol(kind); ok {
			t.Errorf("%q is symbol %v", kind, s)
		}
	}
	// ast-grep takes ERROR for a kind as well.
	if s, ok := l.NamedSymbol("ERROR"); !ok || l.Kind(s) != "ERROR" {
		t.Errorf("ERROR is %v %v", s, ok)
	}
}
