package astedit

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// corpusVariable names folders, separated as in PATH, whose files the shortcuts
// are tried on; without it, a part of Go's library and, where python3 is there, of
// Python's. With corpusEveryVariable = n
// only every n-th file is.
const (
	corpusVariable      = "XCSH_CORPUS"
	corpusEveryVariable = "XCSH_CORPUS_EVERY"
)

// generatedPerFile patterns are made of each file's own nodes and tried on it.
const generatedPerFile = 6

type diskOnly struct{}

func (diskOnly) OpenText(string) ([]byte, bool)       { return nil, false }
func (diskOnly) OpenPaths() []string                  { return nil }
func (diskOnly) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// TestShortcutsChangeNothing compares, file by file and pattern by pattern, the
// edits found with every shortcut on with those of a whole parse of the file. None
// may differ. Only where the whole parse has a syntax error may the shortcuts find
// more: around an error tree-sitter gives up on code that a parse with the error in
// a hole reads well.
func TestShortcutsChangeNothing(t *testing.T) {
	engine, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	every, _ := strconv.Atoi(os.Getenv(corpusEveryVariable))
	listed := 0
	check := &shortcutCheck{t: t, w: &Workspace{Documents: diskOnly{}}, random: rand.New(rand.NewPCG(1, 2)), rules: map[*syntax.Language][]*ruleSet{}}
	for _, root := range corpusRoots(t) {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			if listed++; listed%max(every, 1) != 0 {
				return nil
			}
			if lang, ok := engine.registry.ByFileName(path); ok {
				check.file(candidate{path: path, display: path, lang: lang})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d comparisons, %d with matches, %d with holes of which %d were parsed whole after all; beside syntax errors %d changes more", check.files, check.compared, check.matched, check.holes, check.fellBack, check.beside)
	if check.matched == 0 || check.holes == 0 || check.holes == check.fellBack {
		t.Error("the patterns tried nothing")
	}
}

func corpusRoots(t *testing.T) []string {
	if list := os.Getenv(corpusVariable); list != "" {
		return filepath.SplitList(list)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{filepath.Join(strings.TrimSpace(string(out)), "src", "text"), filepath.Join("internal", "syntax", "testdata")}
	if out, err := exec.Command("python3", "-c", "import json; print(json.__path__[0])").Output(); err == nil {
		roots = append(roots, strings.TrimSpace(string(out)), filepath.Join(strings.TrimSpace(string(out)), "..", "unittest"))
	}
	return roots
}

type shortcutCheck struct {
	t      *testing.T
	w      *Workspace
	random *rand.Rand
	rules  map[*syntax.Language][]*ruleSet

	files, compared, matched, holes, fellBack int
	beside                                    int // changes that only the shortcuts found, beside a syntax error
}

func (c *shortcutCheck) file(file candidate) {
	c.files++
	source, err := os.ReadFile(file.path)
	if err != nil {
		c.t.Fatal(err)
	}
	if unreadableText(source) != "" {
		return
	}
	s := newScanner(c.w, &ruleSet{parseTime: parseTime})
	defer s.close()
	plain := newScanner(c.w, &ruleSet{parseTime: parseTime, shortcuts: shortcuts{noArena: true}})
	defer plain.close()
	whole, err := plain.parse(context.Background(), file.lang, source, nil)
	if err != nil {
		return
	}
	tree := whole.Clone()
	for _, rules := range append(c.fixed(file.lang), c.generated(file.lang, tree)...) {
		c.compare(s, file, tree, rules)
	}
}

func (c *shortcutCheck) compare(s *scanner, file candidate, tree *syntax.Tree, rules *ruleSet) {
	all, _ := s.find(context.Background(), tree, rules.usable[file.lang], nil)
	want, err := s.edit(file, tree, all)
	if err != nil {
		c.t.Fatal(err)
	}
	s.rules = rules
	clear(s.holes) // a pattern that fell back must not spare the next one
	got := s.scan(context.Background(), file)
	if got.err != nil {
		c.t.Fatal(got.err)
	}
	if slices.Contains(got.issues, fmt.Sprintf(issueTimedOut, file.display)) {
		c.t.Logf("%s: pattern %q: timed out", file.path, rules.ops[0].Pat)
		return
	}
	c.compared++
	for _, f := range s.holes {
		c.holes += f.tried
		c.fellBack += f.fellBack
	}
	if want != nil {
		c.matched++
	}
	if tree.HasError && holdsAll(got.edit, want) {
		c.beside += changeCount(got.edit) - changeCount(want)
		return
	}
	if (want == nil) != (got.edit == nil) || want != nil && !(want.sameAs(got.edit) && want.Skipped == got.edit.Skipped) {
		c.t.Errorf("%s: pattern %q: the edit with shortcuts is not the edit without:\n%s\n%s", file.path, rules.ops[0].Pat, describe(got.edit), describe(want))
	}
}

func changeCount(edit *FileEdit) int {
	if edit == nil {
		return 0
	}
	return len(edit.Changes)
}

// holdsAll reports whether edit makes all changes of part.
func holdsAll(edit, part *FileEdit) bool {
	if part == nil {
		return true
	}
	return edit != nil && !slices.ContainsFunc(part.Changes, func(c Change) bool { return !slices.Contains(edit.Changes, c) })
}

func describe(edit *FileEdit) string {
	if edit == nil {
		return "  none"
	}
	var b strings.Builder
	for _, c := range edit.Changes[:min(len(edit.Changes), 8)] {
		fmt.Fprintf(&b, "  %d:%d %q -> %q\n", c.StartLine, c.StartColumn, c.Before[:min(len(c.Before), 80)], c.After[:min(len(c.After), 80)])
	}
	fmt.Fprintf(&b, "  %d changes, %d skipped", len(edit.Changes), edit.Skipped)
	return b.String()
}

func (c *shortcutCheck) compile(lang *syntax.Language, pattern, selector string) *ruleSet {
	req := Request{Ops: []Op{{Pat: pattern, Out: "new $A $$$B"}}, Sel: selector}
	rules, err := compileRules(context.Background(), &req, []*syntax.Language{lang}, Smart)
	if err != nil {
		c.t.Fatal(err)
	}
	return rules
}

// fixed are patterns of every class for one language.
func (c *shortcutCheck) fixed(lang *syntax.Language) []*ruleSet {
	if _, made := c.rules[lang]; !made {
		for _, p := range fixedPatterns(lang.Name) {
			if rules := c.compile(lang, p.pattern, p.selector); rules.anyUsable() {
				c.rules[lang] = append(c.rules[lang], rules)
			}
		}
		if c.rules[lang] == nil {
			c.t.Errorf("%s: no fixed pattern compiles", lang.Name)
		}
	}
	return slices.Clone(c.rules[lang])
}

// generated takes nodes of the file as patterns, with some children replaced by
// metavariables.
func (c *shortcutCheck) generated(lang *syntax.Language, tree *syntax.Tree) []*ruleSet {
	const longest = 400
	var sets []*ruleSet
	for tries := 0; tries < 8*generatedPerFile && len(sets) < generatedPerFile; tries++ {
		i := uint32(c.random.IntN(len(tree.Nodes)))
		n := &tree.Nodes[i]
		if !n.Named() || n.End-n.Start > longest || tree.IsLeaf(i) && c.random.IntN(4) > 0 {
			continue
		}
		selector := ""
		if c.random.IntN(3) == 0 {
			selector = lang.Kind(n.Symbol)
		}
		if rules := c.compile(lang, c.abstract(tree, i), selector); rules.anyUsable() {
			sets = append(sets, rules)
		}
	}
	return sets
}

// abstract is the text of node i with metavariables in place of some nodes.
func (c *shortcutCheck) abstract(tree *syntax.Tree, i uint32) string {
	var b strings.Builder
	at, end := tree.Nodes[i].Start, tree.Nodes[i].Next
	repeated := c.repeated(tree, i)
	for k := i + 1; k < end; {
		n := &tree.Nodes[k]
		again := repeated != "" && string(tree.Text(k)) == repeated
		if !n.Named() || n.Start < at || n.Start == n.End || !again && c.random.IntN(4) > 0 {
			k++
			continue
		}
		b.Write(tree.Source[at:n.Start])
		if again {
			b.WriteString("$SAME")
		} else {
			b.WriteString([]string{"$A", "$B", "$_", "$$$B", "$$$"}[c.random.IntN(5)])
		}
		at, k = n.End, n.Next
	}
	b.Write(tree.Source[at:tree.Nodes[i].End])
	return b.String()
}

// repeated is, now and then, the text of a node that the code of node i has twice.
func (c *shortcutCheck) repeated(tree *syntax.Tree, i uint32) string {
	count := map[string]int{}
	for k := i + 1; k < tree.Nodes[i].Next; k++ {
		if n := &tree.Nodes[k]; n.Named() && n.Start < n.End {
			count[string(tree.Text(k))]++
		}
	}
	for _, text := range slices.Sorted(maps.Keys(count)) {
		if count[text] > 1 && c.random.IntN(3) == 0 {
			return text
		}
	}
	return ""
}

type fixedPattern struct{ pattern, selector string }

func fixedPatterns(lang string) []fixedPattern {
	switch lang {
	case "go":
		return []fixedPattern{
			{"func t() { strings.Replace($S, $OLD, $NEW, -1) }", "call_expression"},
			{"func t() { fmt.Errorf($$$A) }", "call_expression"},
			{"func t() { $F($$$A) }", "call_expression"},
			{"$X, $Y = $Y, $X", ""},
			{"if err != nil { return err }", ""},
			{"if err != nil { return $$$A }", ""},
			{"if $A { $$$B }", ""},
			{"for $A := range $X { $$$B }", ""},
			{"func ($R $T) $N($$$P) error { $$$B }", ""},
			{"func $N($$$P) { $$$B }", ""},
			{"switch $X { $$$B }", ""},
			{"type $A struct { $$$B }", ""},
			{"[]byte{$$$B}", ""},
			{"$A{$$$B}", ""},
			{"defer func() { $$$B }()", ""},
			{"$A := $B", ""},
			{"$A != nil", ""},
			{"import \"fmt\"", ""},
			{"func t() { if err := $A; err != nil { $$$B } }", "if_statement"},
			{"err", ""},
			{"$A && $A()", ""},
			{"$A == nil || $A.$B", ""},
			{"$A != nil && len($A)", ""},
			{"$A[$I], $A[$J] = $A[$J], $A[$I]", ""},
		}
	case "typescript", "tsx", "javascript":
		return []fixedPattern{
			{"console.log($$$A)", ""},
			{"$F($$$A)", ""},
			{"$A && $A()", ""},
			{"$A && $A.$B", ""},
			{"$A || ($A = $B)", ""},
			{"$A.push($A.length)", ""},
			{"$A ?? $B", ""},
			{"if ($A) { $$$B }", ""},
			{"if ($A) return $B;", ""},
			{"() => { $$$B }", ""},
			{"($A) => $B", ""},
			{"async ($$$A) => { $$$B }", ""},
			{"function $N($$$P) { $$$B }", ""},
			{"class $A extends $B { $$$C }", ""},
			{"class $_ { $N($$$A) { $$$B } }", "method_definition"},
			{"import { $$$I } from $M", ""},
			{"import $A from $M", ""},
			{"export const $A = $B", ""},
			{"const $A = $B", ""},
			{"const { $$$A } = $B", ""},
			{"return { $$$A }", ""},
			{"({ $$$A })", "object"},
			{"`$$$A`", ""},
			{"throw new Error($$$A)", ""},
			{"try { $$$A } catch ($E) { $$$B }", ""},
			{"await $A", ""},
			{"$A.length === 0", ""},
			{"switch ($A) { $$$B }", ""},
		}
	case "python":
		return []fixedPattern{
			{"print($$$A)", ""},
			{"$F($$$A)", ""},
			{"os.path.join($$$A)", ""},
			{"self.$A = $A", ""},
			{"if $A is None: $$$B", ""},
			{"def $F($$$A): $$$B", ""},
			{"class $A: $$$B", ""},
			{"$A and $A()", ""},
			{"$A and $A.$B", ""},
			{"$A + $A * $B", ""},
			{"raise ValueError($A)", ""},
			{"$X, $Y = $Y, $X", ""},
			{"{$$$A}", ""},
			{"lambda $A: $B", ""},
			{"from $A import $B", ""},
		}
	}
	return []fixedPattern{{"$F($$$A)", ""}, {"$A = $B", ""}, {"{ $$$A }", ""}, {"return $A;", ""}}
}
