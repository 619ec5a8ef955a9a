package match_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

var (
	patternCount = flag.Int("patterns", 300, "generated patterns per language")
	patternSeed  = flag.Uint64("pattern-seed", 1, "seed of the generated patterns")
)

// Bounds of the corpus: each pattern costs a parse of one file by each program.
const (
	corpusFiles   = 40
	minSourceFile = 500
	maxSourceFile = 24 << 10
)

// corpus says where a language's real code is on a machine that has Go and npm.
type corpus struct {
	lang, extension string
	roots           []string
}

func corpora(t *testing.T) []corpus {
	goroot := goEnv(t, "GOROOT")
	bindings := filepath.Join(goEnv(t, "GOMODCACHE"), "github.com", "smacker")
	npm := []string{"/usr/lib/node_modules/npm", "/usr/share/nodejs/npm", "/usr/local/lib/node_modules/npm", filepath.Join(goroot, "lib"), filepath.Join(goroot, "src")}
	samples := "../syntax/testdata"
	pythons, _ := filepath.Glob("/usr/lib/python3*")
	all := []corpus{
		{"go", "go", []string{filepath.Join(goroot, "src")}},
		{"javascript", "js", append(npm, samples)},
		{"typescript", "js", npm}, // JavaScript is TypeScript, and there is more of it
		{"python", "py", append(pythons, samples)},
		{"c", "c", []string{bindings, filepath.Join(goroot, "src"), samples}},
		{"c", "h", []string{"/usr/include", filepath.Join(goroot, "src")}},
		{"json", "json", append(npm, samples)},
		{"markdown", "md", append(npm, bindings, samples)},
		{"bash", "bash", []string{filepath.Join(goroot, "src"), filepath.Join(goroot, "misc"), filepath.Join(goroot, "lib")}},
	}
	real := map[string][]string{ // not on every machine
		"cpp":  {"/usr/include/c++"},
		"css":  {"/usr/share/doc/nodejs", "/usr/share/doc/git"},
		"html": {"/usr/share/doc/nodejs", "/usr/share/doc/git", filepath.Join(goroot, "src")},
		"lua":  {"/usr/share/nvim"},
		"php":  {"/usr/lib/google-cloud-sdk/platform/google_appengine/php"},
		"yaml": {filepath.Join(goEnv(t, "GOMODCACHE"), "go.lsp.dev")},
	}
	for _, of := range [][2]string{
		{"bash", "sh"}, {"cpp", "cpp"}, {"cpp", "hpp"}, {"csharp", "cs"}, {"css", "css"}, {"elixir", "ex"}, {"haskell", "hs"}, {"hcl", "tf"}, {"html", "html"}, {"java", "java"},
		{"kotlin", "kt"}, {"lua", "lua"}, {"php", "php"}, {"ruby", "rb"}, {"rust", "rs"}, {"scala", "scala"}, {"swift", "swift"},
		{"tsx", "tsx"}, {"typescript", "ts"}, {"yaml", "yaml"},
	} {
		all = append(all, corpus{of[0], of[1], append(real[of[0]], samples)})
	}
	return all
}

func goEnv(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// files picks some of the corpus's files.
func (c corpus) files(t *testing.T, r *rand.Rand) []string {
	var paths []string
	for _, root := range c.roots {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != "."+c.extension || strings.HasSuffix(path, ".min.js") {
				return nil
			}
			if info, err := d.Info(); err == nil && info.Size() >= minSourceFile && info.Size() <= maxSourceFile {
				paths = append(paths, path)
			}
			return nil
		})
	}
	if len(paths) == 0 {
		t.Fatalf("no %s file in %v", c.extension, c.roots)
	}
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	return paths[:min(len(paths), corpusFiles)]
}

func TestDifferentialGenerated(t *testing.T) {
	o := newOracle(t)
	for _, c := range corpora(t) {
		t.Run(c.lang+"/"+c.extension, func(t *testing.T) {
			t.Parallel()
			run := &generated{t: t, oracle: &oracle{o.program, t.TempDir()}, rewriter: newRewriter(t, c.lang), lang: c.lang}
			run.extension = run.rewriter.lang.Extensions[0]
			r := rand.New(rand.NewPCG(*patternSeed, uint64(len(c.lang))))
			paths := c.files(t, r)
			per := *patternCount/len(paths) + 1
			if len(paths) == 1 {
				per /= 2 // our samples hold less to choose from
			}
			for _, path := range paths {
				run.file(r, path, per)
			}
			t.Logf("%d files, %d patterns, %d with matches, %d matches; left out: %d patterns refused by both, %d differences of patterns and %d of matches that the grammars explain, %d files that the oracle's literal filter passes over",
				len(paths), run.patterns, run.matching, run.matches, run.refused, run.patternGrammar, run.matchGrammar, run.filtered)
			if run.matching*3 < run.patterns-run.refused {
				t.Errorf("only %d of %d patterns match anything", run.matching, run.patterns)
			}
		})
	}
}

// generated compares both programs on one language's patterns.
type generated struct {
	t               *testing.T
	oracle          *oracle
	rewriter        *rewriter
	lang, extension string

	patterns, matching, matches, refused, patternGrammar, matchGrammar, filtered int
}

func (g *generated) file(r *rand.Rand, path string, count int) {
	data, err := os.ReadFile(path)
	if err != nil {
		g.t.Fatal(err)
	}
	source := string(data)
	parsed, err := g.rewriter.parser.Parse(context.Background(), data, 0)
	if err != nil {
		g.t.Fatal(err)
	}
	if parsed.HasError {
		return
	}
	tree := parsed.Clone()
	maker := &patternMaker{r, g.rewriter.lang, tree}
	file := g.oracle.write(g.t, "source."+g.extension, source)
	var theirs []spot
	for tries := 0; count > 0 && tries < 40*count+1000; tries++ {
		m, ok := maker.make()
		if !ok {
			continue
		}
		count--
		want, wantRefused, err := g.oracle.rewrites(g.lang, m.pattern, m.out, m.selector, strictnessNames[m.strictness], file)
		if err != nil {
			g.t.Fatalf("%s: %v: %v", path, m, err)
		}
		g.rewriter.strictness = m.strictness
		got, refused := g.rewriter.rewrites(g.t, m.pattern, m.out, m.selector, source)
		g.count(got, refused && wantRefused)
		if strings.ContainsAny(source, "\t\r") { // 16b B1 and B2 change replacements
			got, want = ranges(got), ranges(want)
		}
		got, want = withoutContent(tree, got), withoutContent(tree, want)
		if refused == wantRefused && slices.Equal(got, want) {
			continue
		}
		if theirs == nil {
			if theirs, err = g.oracle.spots(g.lang, source); err != nil {
				g.t.Fatal(err)
			}
		}
		g.explain(path, m, tree, theirs, got, want, refused, wantRefused)
	}
}

func (g *generated) count(got []rewrite, refused bool) {
	g.patterns++
	g.matches += len(got)
	if len(got) > 0 {
		g.matching++
	}
	if refused {
		g.refused++
	}
}

// explain accepts a difference where the two grammars read the pattern or the
// matched text differently, and reports any other.
func (g *generated) explain(path string, m made, tree *syntax.Tree, theirs []spot, got, want []rewrite, refused, wantRefused bool) {
	text := withExpando(m.pattern, g.rewriter.lang.Expando)
	patternTheirs, err := g.oracle.spots(g.lang, text)
	if err != nil {
		g.t.Fatal(err)
	}
	parsed, err := g.rewriter.parser.ParseFragment(context.Background(), text, 0)
	if err != nil {
		g.t.Fatal(err)
	}
	if !slices.Equal(within(g.spots(parsed), 0, len(text)), within(patternTheirs, 0, len(text))) {
		g.patternGrammar++
		return
	}
	if refused != wantRefused {
		g.t.Errorf("%s: %v: refused: we %v, oracle %v", path, m, refused, wantRefused)
		return
	}
	if m.strictness == match.Signature && len(want) == 0 {
		// The program passes over files without the pattern's longest literal, even
		// where by this strictness no text counts.
		g.filtered++
		return
	}
	ours := g.spots(tree)
	for _, d := range symmetricDifference(got, want) {
		// A node without text is one that a parser made up; the oracle does not print it.
		if d.Start < d.End && slices.Equal(within(ours, d.Start, d.End), within(theirs, d.Start, d.End)) {
			g.t.Errorf("%s: %v\n%s", path, m, difference(got, want))
			return
		}
		g.matchGrammar++
	}
}

// spots leaves out kinds that are blank: what the oracle prints for those cannot
// be read.
func (g *generated) spots(tree *syntax.Tree) []spot {
	var spots []spot
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		kind := g.rewriter.lang.Kind(n.Symbol)
		if n.Symbol == syntax.HiddenSymbol {
			kind = hiddenKind
		}
		if strings.TrimSpace(kind) != "" {
			spots = append(spots, spot{kind, int(n.Start), int(n.End), n.Named()})
		}
	}
	return spots
}

// hiddenKind is what the oracle's Go grammar calls the text that ours hides.
const hiddenKind = "interpreted_string_literal_content"

// within returns the nodes of a range in a fixed order.
func within(spots []spot, start, end int) []spot {
	var inside []spot
	for _, s := range spots {
		if s.Start >= start && s.End <= end {
			inside = append(inside, s)
		}
	}
	slices.SortFunc(inside, func(a, b spot) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, strings.Compare(a.Kind, b.Kind))
	})
	return inside
}

func ranges(rewrites []rewrite) []rewrite {
	bare := slices.Clone(rewrites)
	for i := range bare {
		bare[i].Replacement = ""
	}
	return bare
}

// withoutContent leaves out replacements of code that holds a string of several
// lines: the oracle moves its lines, and we do not.
func withoutContent(tree *syntax.Tree, rewrites []rewrite) []rewrite {
	out := slices.Clone(rewrites)
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if !tree.IsLeaf(uint32(i)) || n.Extra() || !bytes.ContainsAny(tree.Text(uint32(i)), "\r\n") {
			continue
		}
		for k := range out {
			if out[k].Start < int(n.End) && int(n.Start) < out[k].End {
				out[k].Replacement = ""
			}
		}
	}
	return out
}

func symmetricDifference(a, b []rewrite) []rewrite {
	var only []rewrite
	for _, x := range a {
		if !slices.Contains(b, x) {
			only = append(only, x)
		}
	}
	for _, x := range b {
		if !slices.Contains(a, x) {
			only = append(only, x)
		}
	}
	return only
}

// withExpando does to a pattern what compiling it does before parsing.
func withExpando(pattern string, expando rune) string {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		run := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], "$"))
		if run == 0 {
			b.WriteByte(pattern[i])
			i++
			continue
		}
		next := byte(0)
		if i+run < len(pattern) {
			next = pattern[i+run]
		}
		sigil := "$"
		if run == 3 || next == '_' || 'A' <= next && next <= 'Z' {
			sigil = string(expando)
		}
		b.WriteString(strings.Repeat(sigil, run))
		i += run
	}
	return b.String()
}
