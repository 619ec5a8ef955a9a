package lsp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// A byte order mark on disk that the editor hides, shows or never had, with random
// texts before the match: ranges are the editor's, what is written keeps the mark, and
// closing and opening the document changes nothing but whose text counts.
func TestTrap_MarkOpenAndClosed(t *testing.T) {
	const mark = "\ufeff"
	for name, manners := range map[string]lsptest.Manners{"utf-16": lsptest.VSCodeLike(), "utf-8": lsptest.VSCodeLike().UTF8()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t, manners, nil)
			for seed := range uint64(30) {
				rng := rand.New(rand.NewPCG(seed, 11))
				before := "/*" + strings.ReplaceAll(randomText(rng, 12), "*/", "") + "*/ "
				content := before + "foo(1);" + []string{"", "\n", "\r\n", "\r"}[rng.IntN(4)]
				onDisk := []string{"", mark}[rng.IntN(2)]
				shown := []string{"", mark}[rng.IntN(2)]
				f.write("a.ts", onDisk+content)
				uri := f.Open(f.path("a.ts"), shown+content)
				f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
				where := f.Range(uri, "foo(1)")
				f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Range == where })
				f.CloseDocument(uri)
				f.OpenFile(f.path("a.ts")) // which hides the mark
				where = f.Range(uri, "foo(1)")
				f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Range == where })
				f.applyFresh()
				want := strings.Replace(content, "foo(1)", "bar(1)", 1)
				if f.Text(uri) != want {
					t.Fatalf("seed %d: the document is %q, want %q", seed, f.Text(uri), want)
				}
				f.Save(uri)
				f.CloseDocument(uri)
				if got := f.disk("a.ts"); got != onDisk+want {
					t.Fatalf("seed %d: the file is %q, want %q", seed, got, onDisk+want)
				}
			}
		})
	}
}

// Edits at both ends of a line of ten megabytes, and a match at its end.
func TestSync_TenMegabyteLine(t *testing.T) {
	long := "/*" + strings.Repeat("é😀x", 10<<20/7) + "*/"
	for name, manners := range map[string]lsptest.Manners{"utf-16": lsptest.Plain(), "utf-8": lsptest.Plain().UTF8()} {
		t.Run(name, func(t *testing.T) {
			f := start(t, manners, map[string]string{"x.ts": ""})
			uri := f.Open(f.path("a.ts"), long+" foo(1);")
			f.Change(uri, f.Edit(uri, "foo(1)", "foo(22)"), f.Edit(uri, "/*", "/* 😀"))
			f.Change(uri, f.Edit(uri, "foo(22)", "foo(333)"))
			f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
			where := f.Range(uri, "foo(333)")
			f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Range == where })
			f.run("xcsh.resolve", applyNow())
			if got := f.Text(uri); !strings.HasPrefix(got, "/* 😀é") || !strings.HasSuffix(got, "*/ bar(333);") {
				t.Errorf("the document ends with %q", got[len(got)-40:])
			}
		})
	}
}
