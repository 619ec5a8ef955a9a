package syntax_test

import (
	"cmp"
	"slices"
	"strings"
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
	var want []string
	for name, row := range specified(t) {
		l, ok := registry.ByAlias(name)
		if !ok || l.Name != name {
			t.Errorf("%s: %v %v", name, l, ok)
			continue
		}
		want = append(want, row.aliases...)
		for _, alias := range row.aliases {
			if got, ok := registry.ByAlias(strings.ToUpper(alias)); !ok || got != l {
				t.Errorf("alias %q: %v, want %s", alias, got, name)
			}
		}
		if !slices.Equal(sorted(l.Aliases), sorted(row.aliases)) || !slices.Equal(sorted(l.Extensions), sorted(row.extensions)) || string(l.Expando) != cmp.Or(otherExpandos()[name], row.expando) {
			t.Errorf("%s: aliases %q, extensions %q, expando %q, want %+v", name, l.Aliases, l.Extensions, l.Expando, row)
		}
	}
	if got := registry.Aliases(); !slices.Equal(got, sorted(want)) {
		t.Errorf("aliases %q, want %q", got, sorted(want))
	}
	for alias, name := range map[string]string{"TypeScript": "typescript", "MTS": "typescript", "C#": "csharp", "c++": "cpp", "Terraform": "hcl", "zsh": "bash"} {
		if l, ok := registry.ByAlias(alias); !ok || l.Name != name {
			t.Errorf("alias %q: %v %v, want %s", alias, l, ok, name)
		}
	}
	for _, alias := range []string{"", "brainfuck", "make", "dart", "nix", "solidity", "vue", "xml"} {
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
		"Dockerfile": "dockerfile", "d/Dockerfile.dev": "dockerfile", "dockerfile.c": "dockerfile", "Containerfile": "dockerfile", "a.dockerfile": "dockerfile",
		"a.hh": "cpp", "a.cu": "cpp", "a.c++": "cpp", "a.cs": "csharp", "a.scss": "css", "a.exs": "elixir", "build.gradle": "groovy", "x.tfvars": "hcl", "a.htm": "html",
		"package.json": "json", "a.kts": "kotlin", "README.md": "markdown", "a.mdx": "markdown", "a.gemspec": "ruby", "build.sbt": "scala", ".env": "bash", "a.bats": "bash",
		"a.yml": "yaml", "Cargo.toml": "toml", "a.proto": "protobuf", "a.hs": "haskell", "a.svelte": "svelte", "a.elm": "elm", "a.ml": "ocaml", "a.cue": "cue",
		// Languages that the specification knows but no grammar is linked for:
		"Makefile": "", "CMakeLists.txt": "", "Justfile": "", "GNUmakefile": "", "a.m": "", "a.star": "", "a.dart": "", "a.nix": "", "a.sol": "",
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
