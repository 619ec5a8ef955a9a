package match_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/match"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// minCases is what issue 3 asks for, and more.
const minCases = 1000

// differentialCase is one rewrite that both programs do.
type differentialCase struct{ name, pattern, out, selector, source string }

// readCases reads one language's cases: sections NAME/pat, /out, /sel and /src.
// A case without a source has that of the case before it.
func readCases(t *testing.T, file string) []differentialCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []differentialCase
	for _, section := range archive.Files {
		name, part := path.Split(section.Name)
		name = strings.TrimSuffix(name, "/")
		if len(cases) == 0 || cases[len(cases)-1].name != name {
			next := differentialCase{name: name}
			if len(cases) > 0 {
				next.source = cases[len(cases)-1].source
			}
			cases = append(cases, next)
		}
		c, data := &cases[len(cases)-1], string(section.Data)
		switch part {
		case "pat":
			c.pattern = strings.TrimSuffix(data, "\n")
		case "out":
			c.out = strings.TrimSuffix(data, "\n")
		case "sel":
			c.selector = strings.TrimSpace(data)
		case "src":
			c.source = data
		case "src.crlf":
			c.source = strings.ReplaceAll(data, "\n", "\r\n")
		default:
			t.Fatalf("%s: unknown section %q", file, section.Name)
		}
	}
	return cases
}

func TestDifferentialCases(t *testing.T) {
	oracle := newOracle(t)
	files, err := filepath.Glob("testdata/differential/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	left, total := explained(), 0
	for _, file := range files {
		lang := strings.TrimSuffix(filepath.Base(file), ".txtar")
		r := newRewriter(t, lang)
		extension := r.lang.Extensions[0]
		for _, c := range readCases(t, file) {
			total++
			name := lang + "/" + c.name
			reason, listed := left[name]
			delete(left, name)
			t.Run(name, func(t *testing.T) {
				want, wantRefused, err := oracle.rewrites(lang, c.pattern, c.out, c.selector, "smart", oracle.write(t, "source."+extension, c.source))
				if err != nil {
					t.Fatal(err)
				}
				got, refused := r.rewrites(t, c.pattern, c.out, c.selector, c.source)
				same := refused == wantRefused && slices.Equal(got, want)
				switch {
				case same && listed:
					t.Errorf("both agree now; take the case out of the table (%s)", reason)
				case !same && !listed:
					t.Errorf("pattern %q\nrefused: got %v, want %v\n%s", c.pattern, refused, wantRefused, difference(got, want))
				}
			})
		}
	}
	for name := range left {
		t.Errorf("%s is listed as explained but there is no such case", name)
	}
	if total < minCases {
		t.Errorf("only %d cases", total)
	}
}

// rewrites is what our matcher makes of what oracle.rewrites does.
func (r *rewriter) rewrites(t testing.TB, pattern, out, selector, source string) (found []rewrite, refused bool) {
	t.Helper()
	p, err := r.compile(pattern, selector)
	if invalid := (*match.CompileError)(nil); errors.As(err, &invalid) {
		return nil, true
	}
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.parser.Parse(context.Background(), []byte(source), 0)
	if err != nil {
		t.Fatal(err)
	}
	template, eol := match.CompileTemplate(out), text.LineEnding([]byte(source))
	for _, m := range p.Find(tree) {
		n := tree.Nodes[m.Node]
		found = append(found, rewrite{int(n.Start), int(n.End), template.Fill(p, tree, m, eol)})
	}
	if len(found) > 0 && !p.MayMatch([]byte(source)) {
		t.Errorf("pattern %q matches although the source lacks a literal that it requires", pattern)
	}
	return found, false
}

// maxListed keeps the report of a pattern that matches everywhere readable.
const maxListed = 8

// difference lists what only one of the two found.
func difference(got, want []rewrite) string {
	var lines []string
	for _, g := range got {
		if !slices.Contains(want, g) {
			lines = append(lines, fmt.Sprintf("only we:     %v\n", g))
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			lines = append(lines, fmt.Sprintf("only oracle: %v\n", w))
		}
	}
	if more := len(lines) - maxListed; more > 0 {
		lines = append(lines[:maxListed], fmt.Sprintf("and %d more\n", more))
	}
	return strings.Join(lines, "")
}
