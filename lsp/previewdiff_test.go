package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

type previewDiff struct {
	ResolveBy string
	Diff      struct {
		Text  string
		Hunks int
		Next  int
	}
}

// The diff is over unsaved text, in pages of hunks that leave nothing out.
func TestPreviewDiff_Pages(t *testing.T) {
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "foo(%d, 0)\n\n\n\n\n\n\n\n", i)
	}
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1, 2)\n", "b.ts": long.String()})
	f.Open(f.path("a.ts"), "// unsaved\nfoo(1, 2)\n")
	id, _ := f.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)

	var page previewDiff
	f.runInto("xcsh.pending.preview", object{"id": id, "diff": object{"limit": 1}}, &page)
	want := "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n // unsaved\n-foo(1, 2)\n+bar(2, 1)\n"
	if page.Diff.Text != want || page.Diff.Hunks != 41 || page.Diff.Next != 1 || page.ResolveBy != "either" {
		t.Errorf("the first page is %+v", page)
	}
	var whole previewDiff
	f.runInto("xcsh.pending.preview", object{"id": id, "diff": object{}}, &whole)
	if whole.Diff.Next != 0 || strings.Count(whole.Diff.Text, "@@ -") != 41 {
		t.Errorf("the whole is %+v", whole)
	}
	got, at, pages := "", 0, 0
	for ; pages == 0 || at > 0; pages++ {
		page = previewDiff{}
		f.runInto("xcsh.pending.preview", object{"id": id, "diff": object{"offset": at, "limit": 7}}, &page)
		got, at = got+page.Diff.Text, page.Diff.Next
	}
	header := "--- a/b.ts\n+++ b/b.ts\n" // each page names its files
	if pages != 6 || strings.ReplaceAll(got, header, "") != strings.ReplaceAll(whole.Diff.Text, header, "") {
		t.Errorf("%d pages are\n%s\nwant\n%s", pages, got, whole.Diff.Text)
	}
}

// A page has a size that a model can take, however long a line is.
func TestPreviewDiff_IsNotTooLarge(t *testing.T) {
	line := "foo(1, 2); // " + strings.Repeat("x", 20<<10) + "\n" + strings.Repeat("\n", 8)
	f := start(t, lsptest.Plain(), map[string]string{
		"a.ts": strings.Repeat(line, 5), "b.ts": "foo(3, 4); //" + strings.Repeat("y", 60<<10) + "\n",
	})
	id, _ := f.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)
	hunks := 0
	for at, pages := 0, 0; pages == 0 || at > 0; pages++ {
		var page previewDiff
		f.runInto("xcsh.pending.preview", object{"id": id, "diff": object{"offset": at}}, &page)
		if len(page.Diff.Text) > 50<<10 {
			t.Errorf("page %d has %d bytes", pages, len(page.Diff.Text))
		}
		at = page.Diff.Next
		hunks += strings.Count(page.Diff.Text, "@@ ")
		if at == 0 && !strings.Contains(page.Diff.Text, "of b.ts change too closely together to be shown") {
			t.Errorf("the last page is %.300s", page.Diff.Text)
		}
	}
	if hunks != 6 {
		t.Errorf("%d hunks", hunks)
	}
}

func TestPreviewDiff_WrongArguments(t *testing.T) {
	f := start(t, lsptest.Plain(), loopFiles())
	id, _ := f.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)
	for _, c := range []struct {
		diff object
		want string
	}{{object{"offset": -1}, "diff.offset"}, {object{"limit": 0}, "diff.limit"}} {
		if failed := f.fails("xcsh.pending.preview", object{"id": id, "diff": c.diff}); failed.Code != -32602 || !strings.Contains(failed.Message, c.want) {
			t.Errorf("%v: %+v", c.diff, failed)
		}
	}
}
