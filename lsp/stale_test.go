package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// wantStale checks an out-of-date error and returns the revision that it gives.
func wantStale(t *testing.T, failed *jsonrpc2.Error, message, id string, files ...string) (revision int) {
	t.Helper()
	wantError(t, failed, -32803, message)
	if failed == nil {
		return 0
	}
	var data map[string]json.RawMessage
	decodeInto(t, json.RawMessage(failed.Data), &data)
	var got struct {
		Kind, ID string
		Files    []string
		Revision int
	}
	decodeInto(t, json.RawMessage(failed.Data), &got)
	if got.Kind != "stale" || got.ID != id || !slices.Equal(got.Files, files) || len(data) != 4 || string(data["files"]) == "null" {
		t.Errorf("data %s, want files %q of %s", failed.Data, files, id)
	}
	return got.Revision
}

func outOfDate(files string) string {
	return "Preview is out of date: " + files + ". It has been refreshed; review it and resolve again."
}

func TestStale_BufferChanged(t *testing.T) {
	q := startQuad(t, lsptest.Plain(), shortDeadlines)
	q.Change(q.a, q.Edit(q.a, "foo(1)", "foo(11)"))
	revision := wantStale(t, q.fails("xcsh.resolve", q.applyArgument()), outOfDate("a.ts"), q.id, "a.ts")
	if revision != 2 {
		t.Errorf("revision %d", revision)
	}
	q.checkDisk()
	// The old revision stays refused, also once the new one has been given.
	wantStale(t, q.fails("xcsh.resolve", q.applyArgument()), outOfDate("a.ts"), q.id, "a.ts")
	// Without a revision, the one last given is meant: that of the error.
	if got := q.run("xcsh.resolve", applyNow()).Content[0].Text; got != "Applied 4 replacements in 4 files." {
		t.Errorf("result %q", got)
	}
	if got := q.Text(q.a); got != "bar(11); // not saved\n" {
		t.Errorf("a.ts is %q", got)
	}
}

func TestStale_FileChangedOnDisk(t *testing.T) {
	q := startQuad(t, lsptest.Plain(), shortDeadlines)
	q.write("c.ts", "foo(33);\r\n")
	q.write("d.ts", "gone")
	wantStale(t, q.fails("xcsh.resolve", q.applyArgument()), outOfDate("c.ts, d.ts"), q.id, "c.ts", "d.ts")
	if q.Text(q.a) != quadA || len(q.Requests("workspace/applyEdit")) != 0 {
		t.Error("the editor was asked")
	}
	if got := q.run("xcsh.resolve", applyNow()).Content[0].Text; got != "Applied 3 replacements in 3 files." {
		t.Errorf("result %q", got)
	}
	if q.disk("c.ts") != "bar(33);\r\n" || q.disk("d.ts") != "gone" {
		t.Errorf("on disk %q and %q", q.disk("c.ts"), q.disk("d.ts"))
	}
}

func TestStale_NewFileMatches(t *testing.T) {
	q := startQuad(t, lsptest.Plain(), shortDeadlines)
	q.write("e.ts", "foo(5);\n")
	wantStale(t, q.fails("xcsh.resolve", q.applyArgument()), outOfDate("e.ts"), q.id, "e.ts")
	if got := q.run("xcsh.resolve", applyNow()).Content[0].Text; got != "Applied 5 replacements in 5 files." {
		t.Errorf("result %q", got)
	}
}

func TestStale_NothingMatchesAnyMore(t *testing.T) {
	// None is open: of those the preview would follow meanwhile.
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	id, revision := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	f.write("a.ts", "")
	f.write("b.ts", "")
	const message = "Preview is out of date: nothing matches any more. Discard it."
	wantStale(t, f.fails("xcsh.resolve", resolveArg("apply", id, revision)), message, id, "a.ts", "b.ts")
	if got := f.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r"}).text(); got != "Discarded: AST Edit: 0 replacements in 0 files. Reason: r" {
		t.Errorf("result %q", got)
	}
}

func TestStale_NamesAtMostFiveFiles(t *testing.T) {
	for count, want := range map[int]string{
		5: "f0.ts, f1.ts, f2.ts, f3.ts, f4.ts",
		6: "f0.ts, f1.ts, f2.ts, f3.ts, f4.ts and 1 more",
		8: "f0.ts, f1.ts, f2.ts, f3.ts, f4.ts and 3 more",
	} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			files := map[string]string{"kept.ts": "foo(0);\n"}
			var names []string
			for i := range count {
				names = append(names, fmt.Sprintf("f%d.ts", i))
				files[names[i]] = "foo(1);\n"
			}
			f := start(t, lsptest.Plain(), files)
			id, _ := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
			for _, name := range names {
				f.write(name, "foo(2);\n")
			}
			wantStale(t, f.fails("xcsh.resolve", applyNow()), outOfDate(want), id, names...)
		})
	}
}

func TestStale_CodeActionOfAnOldPreview(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Input = true
	q := startQuad(t, manners, shortDeadlines)
	q.OnInput(func(lsptest.Input) *string { return lsptest.Answer("seen") })
	old := q.Action(q.CodeActions(q.a, q.Range(q.a, "foo(1)")), `Apply "`+quadLabel+`"…`)
	q.Change(q.a, q.Edit(q.a, "foo(1)", "foo(11)"))
	eventually(t, "the preview follows", func() bool {
		return len(q.CodeActions(q.a, q.Range(q.a, "foo(11)"), "quickfix")) == 2
	})
	_, failed := q.choose(old)
	wantStale(t, failed, outOfDate("a.ts"), q.id, "a.ts")
	if asked := q.Requests("xcsh/input"); len(asked) != 0 {
		t.Errorf("the human was asked for a reason that is of no use: %s", asked[0].Params)
	}
	if _, failed := q.choose(q.Action(q.CodeActions(q.a, q.Range(q.a, "foo(11)")), `Apply "`+quadLabel+`"…`)); failed != nil {
		t.Error(failed)
	}
}

// What the edit does not change may change.
func TestStale_UnrelatedDocumentDoesNotMatter(t *testing.T) {
	q := startQuad(t, lsptest.Plain(), shortDeadlines)
	q.write("note.ts", "nothing here\n")
	other := q.Open(q.path("other.ts"), "let x = 1;\n")
	q.Change(other, q.Edit(other, "1", "2"))
	q.Change(q.a, q.Edit(q.a, "not saved", "saved")) // and back again
	q.Change(q.a, q.Edit(q.a, "saved", "not saved"))
	var list struct {
		Actions []struct {
			Revision int
			Stale    bool
		}
	}
	eventually(t, "the preview follows", func() bool {
		q.runInto("xcsh.pending.list", map[string]any{}, &list)
		return !list.Actions[0].Stale
	})
	if list.Actions[0].Revision == q.revision {
		q.run("xcsh.resolve", q.applyArgument())
		if q.Text(q.a) != quadAAfter {
			t.Errorf("a.ts is %q", q.Text(q.a))
		}
	} else { // the preview has followed each of the two texts
		q.run("xcsh.resolve", applyNow())
	}
}
