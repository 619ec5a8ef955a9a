package syntax_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

func TestArenaChangesNoTree(t *testing.T) {
	registry := newRegistry(t)
	arenas, plains := map[*syntax.Language]*syntax.Parser{}, map[*syntax.Language]*syntax.Parser{}
	for range 2 { // the second time in memory that was used before
		for _, path := range sourceFiles(t) {
			l, ok := registry.ByFileName(path)
			if !ok {
				continue
			}
			if arenas[l] == nil {
				arenas[l], plains[l] = newParser(t, l), newParser(t, l)
				plains[l].WithoutArena()
			}
			source := string(readFile(t, path))
			for _, text := range []string{source, source[:len(source)/2]} {
				got, want := parse(t, arenas[l], text), parse(t, plains[l], text)
				if !slices.Equal(got.Nodes, want.Nodes) || got.HasError != want.HasError {
					t.Errorf("%s (%d bytes): the tree in the arena is another", path, len(text))
				}
			}
		}
	}
}

func TestArenaGivesBackAfterAHugeFile(t *testing.T) {
	const kept = 16 << 20
	p := newParser(t, language(t, "go"))
	huge := "package p\n" + strings.Repeat("func f() { a(1) }\n", 60_000)
	parse(t, p, huge)
	if held := p.ArenaHeld(); held <= kept {
		t.Fatalf("a huge file's tree takes %d bytes only", held)
	}
	parse(t, p, "package p\n")
	if held := p.ArenaHeld(); held > kept {
		t.Errorf("still %d bytes after a small file", held)
	}
	if tree := parse(t, p, huge); tree.HasError || tree.Nodes[0].End != uint32(len(huge)) {
		t.Error("the huge file does not parse a second time")
	}
}

func TestArenaSurvivesAStoppedParse(t *testing.T) {
	p := newParser(t, language(t, "python")) // its scanner has memory of its own
	source := []byte(strings.Repeat("def f(a):\n    return [a, {'b': f\"{a}\"}]\n", 50_000))
	for range 5 {
		if _, err := p.Parse(context.Background(), source, time.Millisecond); err == nil {
			t.Skip("too fast a machine")
		}
		if tree := parse(t, p, "x = 1\n"); tree.HasError {
			t.Fatal("the next file does not parse")
		}
	}
}
