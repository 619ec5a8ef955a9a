package syntax_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

func samples(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("samples %v: %v", paths, err)
	}
	return paths
}

func TestEveryLanguageHasASampleThatParses(t *testing.T) {
	registry, seen := newRegistry(t), map[string]bool{}
	for _, path := range samples(t) {
		l, ok := registry.ByFileName(path)
		if !ok {
			t.Errorf("%s is of no language", path)
			continue
		}
		seen[l.Name] = true
		tree := parse(t, newParser(t, l), string(readFile(t, path)))
		for i := range uint32(len(tree.Nodes)) {
			if n := &tree.Nodes[i]; n.Symbol == syntax.ErrorSymbol || n.Missing() {
				t.Errorf("%s: %s at byte %d: %q", path, l.Kind(n.Symbol), n.Start, tree.Text(i))
			}
		}
	}
	for _, l := range registry.Languages() {
		if !seen[l.Name] {
			t.Errorf("no sample of %s", l.Name)
		}
	}
}

// uncovered lists the kinds that may hold text which no leaf covers: separators
// that say nothing.
func uncovered() map[string][]string {
	return map[string][]string{
		"kotlin": {"class_body"},         // `;` after the entries of an enum
		"rust":   {"raw_string_literal"}, // `r#"` and its end, in the oracle's grammar too
	}
}

// Matching compares leaves. Text that is in none of them would be equal to any
// other, so each kind that hides some is in its row's TextKinds.
func TestEveryCharacterIsInALeaf(t *testing.T) {
	registry := newRegistry(t)
	for _, path := range samples(t) {
		l, _ := registry.ByFileName(path)
		tree := parse(t, newParser(t, l), string(readFile(t, path)))
		for i := range uint32(len(tree.Nodes)) {
			kind := l.Kind(tree.Nodes[i].Symbol)
			if tree.IsLeaf(i) || slices.Contains(uncovered()[l.Name], kind) {
				continue
			}
			at := tree.Nodes[i].Start
			for c := i + 1; ; c = tree.Nodes[c].Next {
				to := tree.Nodes[i].End
				if c < tree.Nodes[i].Next {
					to = tree.Nodes[c].Start
				}
				if text := string(tree.Source[at:to]); strings.TrimSpace(text) != "" {
					t.Errorf("%s: %s hides %q", path, kind, text)
				}
				if c >= tree.Nodes[i].Next {
					break
				}
				at = tree.Nodes[c].End
			}
		}
	}
}

// spelledOtherwise lists the anonymous kinds whose text is not their name, where
// the difference says nothing: matching does not see it.
func spelledOtherwise() map[string][]string {
	return map[string][]string{
		"lua":  {"[["},
		"ruby": {`"`, ")", "/"},
		"rust": {`"`},
		"yaml": {">", "|"},
	}
}

// An anonymous node is compared by its kind alone, and its kind's name is looked
// for in a source before parsing it. Where the text can be another, the row says so.
func TestAnonymousNodesAreSpelledLikeTheirKind(t *testing.T) {
	registry := newRegistry(t)
	for _, path := range samples(t) {
		l, _ := registry.ByFileName(path)
		tree := parse(t, newParser(t, l), string(readFile(t, path)))
		for i := range uint32(len(tree.Nodes)) {
			kind := l.Kind(tree.Nodes[i].Symbol)
			if tree.Nodes[i].Named() || !tree.IsLeaf(i) || kind == string(tree.Text(i)) {
				continue
			}
			if l.SpelledFreely(tree.Nodes[i].Symbol, false) || slices.Contains(spelledOtherwise()[l.Name], kind) {
				continue
			}
			t.Errorf("%s: %q is spelled %q", path, kind, tree.Text(i))
		}
	}
}
