package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Texts of the errors that compiling a pattern gives (ast_edit.md 7.2, 7.3, D14).
const (
	textNoRoot        = "No AST root is detected. Please check the pattern source `%s`."
	textMultipleRoots = "Multiple AST nodes are detected. Please check the pattern source `%s`."
	textInvalidKind   = "Kind `%s` is invalid."
	textNoSelector    = "Fails to create Contextual pattern: selector `%s` matches no node in the context `%s`."
	textNUL           = "A pattern cannot hold a NUL byte: no source that is searched has one."
	textTimedOut      = "Parsing the pattern ran out of time."
	textTooNested     = "The pattern is nested too deeply."
	textRootList      = "Standalone multi meta variable `%s` is invalid. Use `$VAR` or wrap `$$$VAR` in a larger pattern."
)

// maxPatternParseTime is far more than a pattern needs: some grammars take for
// ever on text that is not of their language.
const maxPatternParseTime = 5 * time.Second

// CompileError says in the user's words why a pattern does not compile.
type CompileError struct{ Detail string }

func (e *CompileError) Error() string { return e.Detail }

// Pattern is a compiled pattern of one language. It is immutable.
type Pattern struct {
	lang       *syntax.Language
	root       node
	rootKind   syntax.Symbol // candidates must have it, where selected
	selected   bool          // a selector chose the root
	strictness Strictness
	names      []string // bound metavariables by slot: single ones, then lists
	required   []run
	echoes     []echo
	anchors    anchors
}

type nodeKind uint8

const (
	terminal nodeKind = iota
	internal
	variable
)

// node is one node of the pattern tree.
type node struct {
	kind     nodeKind
	named    bool          // terminal
	symbol   syntax.Symbol // terminal, internal
	text     []byte        // terminal
	children []node        // internal

	freelySpelled bool    // terminal: its text does not count
	mv            metavar // variable
	slot          int     // variable: where its binding goes; -1 for none
}

// trivial nodes are punctuation and keywords, which a list before them passes over.
func (n *node) trivial() bool { return n.kind == terminal && !n.named }

// Compile parses source as a pattern of parser's language. With a selector, the
// whole source is context and the first node of that kind is the pattern.
// A pattern that cannot be used gives a *CompileError.
func Compile(ctx context.Context, lang *syntax.Language, parser *syntax.Parser, source, selector string, strictness Strictness) (*Pattern, error) {
	if strings.ContainsRune(source, 0) {
		return nil, &CompileError{textNUL}
	}
	tree, err := parser.ParseFragment(ctx, substituteExpando(source, lang.Expando), maxPatternParseTime)
	switch {
	case errors.Is(err, syntax.ErrTimeout):
		return nil, &CompileError{textTimedOut}
	case errors.Is(err, syntax.ErrTooNested):
		return nil, &CompileError{textTooNested}
	case err != nil:
		return nil, fmt.Errorf("parse pattern: %w", err)
	}
	p := &Pattern{lang: lang, strictness: strictness}
	root, err := p.findRoot(lang, tree, source, selector)
	if err != nil {
		return nil, err
	}
	c := compiler{lang: lang, tree: tree, slots: map[metavar]int{}}
	p.root = c.convert(root)
	p.names = c.names
	if p.root.kind == variable && p.root.mv.isList() {
		return nil, &CompileError{fmt.Sprintf(textRootList, source)}
	}
	p.required, p.echoes, p.anchors = requiredRuns(&p.root, lang, strictness)
	return p, nil
}

func (p *Pattern) findRoot(lang *syntax.Language, tree *syntax.Tree, source, selector string) (uint32, error) {
	if selector == "" {
		return singleRoot(lang, tree, source)
	}
	kind, ok := lang.NamedSymbol(selector)
	if !ok {
		return 0, &CompileError{fmt.Sprintf(textInvalidKind, selector)}
	}
	for i := range tree.Nodes {
		if tree.Nodes[i].Symbol == kind {
			p.rootKind, p.selected = kind, true
			return uint32(i), nil
		}
	}
	return 0, &CompileError{fmt.Sprintf(textNoSelector, selector, source)}
}

// singleRoot descends while there is only one child: `foo($A)` means the call,
// not the statement or the file around it.
func singleRoot(lang *syntax.Language, tree *syntax.Tree, source string) (uint32, error) {
	if tree.IsLeaf(0) {
		return 0, &CompileError{fmt.Sprintf(textNoRoot, source)}
	}
	if !hasSingleChild(lang, tree, 0) {
		return 0, &CompileError{fmt.Sprintf(textMultipleRoots, source)}
	}
	i := uint32(0)
	for hasSingleChild(lang, tree, i) {
		i++
	}
	return i, nil
}

// hasSingleChild ignores a second child that some grammars add at the end: one
// the parser made up, or one whose kind has no name.
func hasSingleChild(lang *syntax.Language, tree *syntax.Tree, i uint32) bool {
	switch tree.ChildCount(i) {
	case 1:
		return true
	case 2:
		second := &tree.Nodes[tree.Nodes[i+1].Next]
		return second.Missing() || lang.Kind(second.Symbol) == ""
	}
	return false
}

// compiler turns a syntax tree into pattern nodes and hands out binding slots.
type compiler struct {
	lang  *syntax.Language
	tree  *syntax.Tree
	slots map[metavar]int // keyed without the named flag: $A and $$A share one
	names []string
}

func (c *compiler) convert(i uint32) node {
	n := &c.tree.Nodes[i]
	text := c.tree.Text(i)
	if mv, ok := parseMetavar(string(text), c.lang.Expando); ok {
		return node{kind: variable, mv: mv, slot: c.slot(mv)}
	}
	if c.tree.IsLeaf(i) {
		return node{
			kind: terminal, symbol: n.Symbol, named: n.Named(), text: append([]byte(nil), text...),
			freelySpelled: c.lang.SpelledFreely(n.Symbol, n.Named()),
		}
	}
	out := node{kind: internal, symbol: n.Symbol}
	for child := i + 1; child < n.Next; child = c.tree.Nodes[child].Next {
		if !c.tree.Nodes[child].Missing() {
			out.children = append(out.children, c.convert(child))
		}
	}
	return out
}

// slot returns where mv's binding goes. One name used as $A and as $$$A has two
// bindings, as two variables would.
func (c *compiler) slot(mv metavar) int {
	if mv.name == "" {
		return -1
	}
	key := metavar{form: mv.form, name: mv.name}
	if slot, ok := c.slots[key]; ok {
		return slot
	}
	slot := len(c.names)
	c.slots[key] = slot
	c.names = append(c.names, slotName(mv.name, mv.form == list))
	return slot
}

// slotName keeps single and list bindings of one name apart.
func slotName(name string, isList bool) string {
	if isList {
		return "$$$" + name
	}
	return "$" + name
}
