package syntax_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// bigSource takes the parser long enough to be stopped in the middle.
func bigSource() []byte {
	return []byte("package p\n" + strings.Repeat("func f() { if a := g(1, \"x\"); a != nil { return } }\n", 200_000))
}

func wantUsable(t *testing.T, p *syntax.Parser) {
	t.Helper()
	for range 2 {
		tree := parse(t, p, "package q\n")
		if tree.HasError || tree.Nodes[0].End != 10 || len(tree.Nodes) != 4 {
			t.Errorf("after that the parser gives %d nodes, error %v, end %d", len(tree.Nodes), tree.HasError, tree.Nodes[0].End)
		}
	}
}

func TestParseStopsWhenCancelled(t *testing.T) {
	p := newParser(t, language(t, "go"))
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(20*time.Millisecond, cancel)
		_, err := p.Parse(ctx, bigSource(), 0)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		timer.Stop()
		wantUsable(t, p)
	}
}

func TestParseOfAnEndedContextDoesNothing(t *testing.T) {
	p := newParser(t, language(t, "go"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Parse(ctx, []byte("package p"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wantUsable(t, p)
}

// A cancellation after the parse must not reach the next one.
func TestLateCancellationDoesNotReachTheNextParse(t *testing.T) {
	p := newParser(t, language(t, "go"))
	for range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		if _, err := p.Parse(ctx, []byte("package p\n"), 0); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		wantUsable(t, p)
		cancel()
	}
}

func TestParseStopsWhenOutOfTime(t *testing.T) {
	p := newParser(t, language(t, "go"))
	if _, err := p.Parse(context.Background(), bigSource(), 10*time.Millisecond); !errors.Is(err, syntax.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	wantUsable(t, p)
}

func TestParseOfEmptySource(t *testing.T) {
	for _, l := range newRegistry(t).Languages() {
		tree := parse(t, newParser(t, l), "")
		// A .proto file must begin with its syntax; that an empty one is an error is
		// never seen, as it holds no literal of any rule.
		if len(tree.Nodes) != 1 || tree.HasError != (l.Name == "protobuf") || tree.Nodes[0].End != 0 {
			t.Errorf("%s: %d nodes, error %v", l.Name, len(tree.Nodes), tree.HasError)
		}
	}
}

// Flattening must not recurse: a stack would end long before the heap.
func TestParseOfDeepNesting(t *testing.T) {
	const depth = 10_000
	l := language(t, "javascript")
	tree := parse(t, newParser(t, l), strings.Repeat("(", depth)+"1"+strings.Repeat(")", depth)+";")
	if tree.HasError {
		t.Fatal("does not parse")
	}
	nested := 0
	for i := range tree.Nodes {
		if l.Kind(tree.Nodes[i].Symbol) == "parenthesized_expression" {
			nested++
		}
	}
	if nested != depth {
		t.Errorf("%d levels, want %d", nested, depth)
	}
	checkShape(t, tree)
}

func TestParsersRunSideBySide(t *testing.T) {
	source := string(readFile(t, "testdata/sample.ts"))
	l := language(t, "typescript")
	want := len(parse(t, newParser(t, l), source).Nodes)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			p, err := syntax.NewParser(l)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			for range 20 {
				if tree, err := p.Parse(context.Background(), []byte(source), 0); err != nil || len(tree.Nodes) != want {
					t.Errorf("error %v, %d nodes, want %d", err, len(tree.Nodes), want)
				}
			}
		})
	}
	running.Wait()
}

// A grammar whose scanner keeps its state in global variables, as an older one of
// Lua does, cannot be linked.
func TestLuaParsersDoNotDisturbEachOther(t *testing.T) {
	l := language(t, "lua")
	sources := []string{"x = 'a \"b'\n", "y = [==[ a ]] \"b ]==]\n", "z = \"it's\" --[[ \" ]]\n", "w = [["}
	var running sync.WaitGroup
	for _, source := range sources {
		want := parse(t, newParser(t, l), source).Clone()
		running.Go(func() {
			p, err := syntax.NewParser(l)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			for range 300 {
				if tree, err := p.Parse(context.Background(), []byte(source), 0); err != nil || !slices.Equal(tree.Nodes, want.Nodes) {
					t.Errorf("%q: error %v, %d nodes, want %d", source, err, len(tree.Nodes), len(want.Nodes))
					return
				}
			}
		})
	}
	running.Wait()
}

func TestCloneOutlivesTheParser(t *testing.T) {
	l := language(t, "go")
	p, err := syntax.NewParser(l)
	if err != nil {
		t.Fatal(err)
	}
	clone := parse(t, p, "package p\nvar a = \"x\"\n").Clone()
	parse(t, p, "package other\nfunc f() { g(); h(); i(); j(); k(); }\n")
	p.Close()
	p.Close() // a second time does nothing
	checkFlat(t, l, clone, clone.Source)
}
