package lsp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// pieces are what random documents are made of: each of them is wrong for somebody.
func pieces() []string {
	return []string{"a", "é", "e\u0301", "😀", "👩‍👩‍👧", "\U0010ffff", "\uffff", " ", "\t", "\n", "\r\n", "\r", "x = 1", "foo", "// ", "\u2028", "\u0085", "\v", ""}
}

func randomText(rng *rand.Rand, most int) string {
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteString(pieces()[rng.IntN(len(pieces()))])
	}
	return b.String()
}

// Random edits, several to one change, in each encoding: what the server has is what
// the editor has.
func TestSync_RandomEdits(t *testing.T) {
	for name, manners := range map[string]lsptest.Manners{"utf-16": lsptest.Plain(), "utf-8": lsptest.Plain().UTF8()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoding := text.UTF16
			if name == "utf-8" {
				encoding = text.UTF8
			}
			f := start(t, manners, map[string]string{"b.ts": "foo(0);\n"})
			for seed := range uint64(40) {
				rng := rand.New(rand.NewPCG(seed, 7))
				uri := f.Open(f.path("a.ts"), randomText(rng, 30))
				for range 25 {
					f.Change(uri, randomEdits(rng, f.Text(uri), encoding)...)
				}
				// The last edit makes the text one that a dry run finds.
				f.Change(uri, protocol.TextEdit{NewText: "foo(1);\n"})
				got := f.serverTextByDryRun(uri)
				if got != f.Text(uri) {
					t.Fatalf("seed %d: the server has\n%q\nthe editor\n%q", seed, got, f.Text(uri))
				}
				f.CloseDocument(uri)
			}
		})
	}
}

// serverTextByDryRun asks for the text by a dry run that prefixes each foo.
func (f *fixture) serverTextByDryRun(uri string) string {
	f.t.Helper()
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	defer f.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r"})
	return f.serverText(uri)
}

// randomEdits are disjoint edits of content, in any order.
func randomEdits(rng *rand.Rand, content string, encoding text.Encoding) []protocol.TextEdit {
	mapper := text.NewMapper([]byte(content))
	var edits []protocol.TextEdit
	for at := 0; at <= len(content) && len(edits) < 5; {
		start := at + rng.IntN(8)
		end := start + rng.IntN(6)
		if end > len(content) {
			break
		}
		ends, err := mapper.Positions([]int{start, end}, encoding)
		if err != nil {
			break
		}
		edits = append(edits, protocol.TextEdit{
			Range: protocol.Range{
				Start: protocol.Position{Line: uint32(ends[0].Line), Character: uint32(ends[0].Column)},
				End:   protocol.Position{Line: uint32(ends[1].Line), Character: uint32(ends[1].Column)},
			},
			NewText: randomText(rng, 4),
		})
		at = end + 5 // a place within a character means its start: keep apart
	}
	rng.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	return edits
}

// What a text is like at its edges stays, open or not.
func TestSync_TextsKeepTheirShape(t *testing.T) {
	const bom = "\ufeff"
	for name, c := range map[string]struct{ disk, buffer, after string }{
		"LF":                       {"foo(1);\nx;\n", "foo(1);\nx;\n", "bar(1);\nx;\n"},
		"CRLF":                     {"x;\r\nfoo(1);\r\n", "x;\r\nfoo(1);\r\n", "x;\r\nbar(1);\r\n"},
		"lone CR":                  {"x;\rfoo(1);\ry;", "x;\rfoo(1);\ry;", "x;\rbar(1);\ry;"},
		"mixed":                    {"x;\r\nfoo(1);\ny;\rz;", "x;\r\nfoo(1);\ny;\rz;", "x;\r\nbar(1);\ny;\rz;"},
		"no final newline":         {"foo(1)", "foo(1)", "bar(1)"},
		"mark on disk only":        {bom + "foo(1);\r\n", "foo(1);\r\n", "bar(1);\r\n"},
		"mark on disk and shown":   {bom + "foo(1);\n", bom + "foo(1);\n", bom + "bar(1);\n"},
		"emoji and combining mark": {"/* 😀e\u0301 */ foo(1); foo(2);\n", "/* 😀e\u0301 */ foo(1); foo(2);\n", "/* 😀e\u0301 */ bar(1); bar(2);\n"},
	} {
		for _, manners := range []lsptest.Manners{lsptest.VSCodeLike(), lsptest.VSCodeLike().UTF8()} {
			t.Run(name, func(t *testing.T) {
				f := start(t, manners, map[string]string{"open.ts": c.disk, "closed.ts": c.disk, "empty.ts": ""})
				empty := f.OpenFile(f.path("empty.ts"))
				uri := f.Open(f.path("open.ts"), c.buffer)
				f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
				where := f.Range(uri, "foo(1)")
				f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) > 0 && d[0].Range == where })
				f.run("xcsh.resolve", applyNow())
				if got := f.Text(uri); got != c.after {
					t.Errorf("the document is %q, want %q", got, c.after)
				}
				mark := ""
				if strings.HasPrefix(c.disk, bom) {
					mark = bom
				}
				if got, want := f.disk("closed.ts"), mark+strings.TrimPrefix(c.after, bom); got != want {
					t.Errorf("the file is %q, want %q", got, want)
				}
				if f.Text(empty) != "" || f.disk("empty.ts") != "" {
					t.Error("the empty file was changed")
				}
			})
		}
	}
}
