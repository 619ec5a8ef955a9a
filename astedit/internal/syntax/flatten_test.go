package syntax_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// reference is one node as the bindings' own node objects tell it.
type reference struct {
	kind                       string
	start, end                 uint32
	named, extra, missing, err bool
}

func walkReference(n *sitter.Node, source []byte, visit func(reference)) {
	visit(reference{n.Type(), n.StartByte() + leadingBlanks(n, source), n.EndByte(), n.IsNamed(), n.IsExtra(), n.IsMissing(), n.IsError()})
	for i := range int(n.ChildCount()) {
		walkReference(n.Child(i), source, visit)
	}
}

// leadingBlanks counts the blanks inside the token that n begins with, which flat
// trees leave out.
func leadingBlanks(n *sitter.Node, source []byte) uint32 {
	for n.ChildCount() > 0 {
		if n.Child(0).StartByte() != n.StartByte() {
			return 0
		}
		n = n.Child(0)
	}
	text := string(source[n.StartByte():n.EndByte()])
	if n.IsNamed() || strings.TrimSpace(n.Type()) == "" || strings.TrimSpace(text) == "" {
		return 0
	}
	return uint32(len(text) - len(strings.TrimLeft(text, " \t\r\n")))
}

// checkFlat compares a flat tree with a walk over the bindings' tree of source.
func checkFlat(t *testing.T, l *syntax.Language, tree *syntax.Tree, source []byte) {
	t.Helper()
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(sitter.NewLanguage(l.Grammar()))
	want, err := parser.ParseCtx(context.Background(), nil, source)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	i, hasError := 0, false
	shed := map[int]bool{} // nodes that end earlier here than there
	for n := range tree.Nodes {
		shed[n] = slices.Contains(l.ShedKinds, l.Kind(tree.Nodes[n].Symbol))
	}
	walkReference(want.RootNode(), source, func(w reference) {
		if l.LineBreaks && w.kind == "\n" {
			return
		}
		for i < len(tree.Nodes) && tree.Nodes[i].Symbol == syntax.HiddenSymbol {
			i++ // ours alone
		}
		hasError = hasError || w.err
		if t.Failed() || i >= len(tree.Nodes) {
			i++
			return
		}
		n := &tree.Nodes[i]
		got := reference{l.Kind(n.Symbol), n.Start, n.End, n.Named(), n.Extra(), n.Missing(), n.Symbol == syntax.ErrorSymbol}
		if shed[i] && got.end < w.end {
			got.end = w.end
		}
		if got != w {
			t.Errorf("node %d is %+v, want %+v", i, got, w)
		}
		i++
	})
	if i < len(tree.Nodes) && tree.Nodes[i].Symbol == syntax.HiddenSymbol {
		i++
	}
	if i != len(tree.Nodes) {
		t.Errorf("%d nodes, want %d", len(tree.Nodes), i)
	}
	if tree.HasError != hasError {
		t.Errorf("HasError is %v, want %v", tree.HasError, hasError)
	}
	checkShape(t, tree)
}

// checkShape checks what a flat tree guarantees by itself: subtrees nest, and
// children lie inside their parents in order.
func checkShape(t *testing.T, tree *syntax.Tree) {
	t.Helper()
	if int(tree.Nodes[0].Next) != len(tree.Nodes) {
		t.Errorf("the root ends at %d of %d", tree.Nodes[0].Next, len(tree.Nodes))
	}
	for i := range uint32(len(tree.Nodes)) {
		n, at, count := &tree.Nodes[i], tree.Nodes[i].Start, 0
		c := i + 1
		for ; c < n.Next; c = tree.Nodes[c].Next {
			child := &tree.Nodes[c]
			if child.Start < at || child.End > n.End || child.End < child.Start || child.Next > n.Next {
				t.Fatalf("child %d [%d,%d) next %d does not fit into %d [%d,%d) next %d after %d", c, child.Start, child.End, child.Next, i, n.Start, n.End, n.Next, at)
			}
			at = child.End
			count++
		}
		if c != n.Next && !tree.IsLeaf(i) || count != tree.ChildCount(i) || (count == 0) != tree.IsLeaf(i) {
			t.Fatalf("node %d: children end at %d, next is %d, count %d", i, c, n.Next, count)
		}
	}
}

func TestFlattenEqualsTheBindingsTree(t *testing.T) {
	registry := newRegistry(t)
	seen := map[string]bool{}
	for _, path := range sourceFiles(t) {
		l, ok := registry.ByFileName(path)
		if !ok {
			t.Fatalf("no language for %s", path)
		}
		seen[l.Name] = true
		source := readFile(t, path)
		t.Run(path, func(t *testing.T) {
			checkFlat(t, l, parse(t, newParser(t, l), string(source)), source)
		})
	}
	for _, l := range registry.Languages() {
		if !seen[l.Name] {
			t.Errorf("no source of %s", l.Name)
		}
	}
}

// Broken text gives ERROR and missing nodes, which must be flattened alike.
func TestFlattenEqualsTheBindingsTreeOfBrokenText(t *testing.T) {
	registry, r := newRegistry(t), rand.New(rand.NewPCG(1, 2))
	for _, path := range samples(t) {
		l, _ := registry.ByFileName(path)
		p := newParser(t, l)
		whole := readFile(t, path)
		for range 12 {
			from := r.IntN(len(whole))
			source := append(append([]byte(nil), whole[:from]...), whole[min(len(whole), from+1+r.IntN(9)):]...)
			checkFlat(t, l, parse(t, p, string(source)), source)
			if t.Failed() {
				t.Fatalf("%s with bytes lost at %d", path, from)
			}
		}
	}
}

// Whatever the text, the tree is one that can be walked.
func TestFlattenOfRandomText(t *testing.T) {
	tokens := strings.Fields("( ) [ ] { } < > ; , . : \" ' ` ${ // /* */ # if else for func class def return => -> = == a b 1 é 😀 \\ </ />")
	tokens = append(tokens, " ", "\n", "\t", "\r\n", "\ufeff")
	r := rand.New(rand.NewPCG(7, 8))
	for _, l := range newRegistry(t).Languages() {
		p := newParser(t, l)
		for range 60 {
			var b strings.Builder
			for range r.IntN(80) {
				b.WriteString(tokens[r.IntN(len(tokens))])
			}
			source := []byte(b.String())
			tree, err := p.Parse(context.Background(), source, time.Second)
			if errors.Is(err, syntax.ErrTimeout) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			checkFlat(t, l, tree, source)
			if t.Failed() {
				t.Fatalf("%s: %q", l.Name, source)
			}
		}
	}
}

// A string's characters are no node of the Go grammar; ours has one.
func TestFlattenAddsHiddenText(t *testing.T) {
	l := language(t, "go")
	tree := parse(t, newParser(t, l), "package p\nvar a, b, c = \"x y\", \"\", \" \\n z\"\n")
	var texts []string
	for i := range uint32(len(tree.Nodes)) {
		if n := &tree.Nodes[i]; n.Symbol == syntax.HiddenSymbol {
			texts = append(texts, string(tree.Text(i)))
			if !n.Named() || !tree.IsLeaf(i) || n.Extra() || n.Missing() {
				t.Errorf("hidden node %+v", n)
			}
		}
	}
	if got := strings.Join(texts, "|"); got != "x y| | z" {
		t.Errorf("hidden texts %q", got)
	}
	checkShape(t, tree)
}

// In this grammar a bracket holds the blanks before it.
func TestFlattenLeavesBlanksOutOfTokens(t *testing.T) {
	l := language(t, "tsx")
	source := "x = <A>\n  <B />\n  {c}\n</A>;"
	tree := parse(t, newParser(t, l), source)
	for i := range uint32(len(tree.Nodes)) {
		if text := string(tree.Text(i)); strings.TrimLeft(text, " \n") != text && l.Kind(tree.Nodes[i].Symbol) != "jsx_text" {
			t.Errorf("%s is %q", l.Kind(tree.Nodes[i].Symbol), text)
		}
	}
	checkShape(t, tree)
}

func TestFlattenLeavesOutLineBreaks(t *testing.T) {
	l := language(t, "go")
	tree := parse(t, newParser(t, l), "package p\ntype T struct {\n\tA int\n\tB int\n}\n")
	for i := range uint32(len(tree.Nodes)) {
		if strings.TrimSpace(string(tree.Text(i))) == "" {
			t.Errorf("node %d %q is %q", i, l.Kind(tree.Nodes[i].Symbol), tree.Text(i))
		}
	}
	checkShape(t, tree)
}
