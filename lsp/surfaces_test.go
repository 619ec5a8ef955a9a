package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

func says(message string) func([]protocol.Diagnostic) bool {
	return func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Message == protocol.String(message) }
}

// shownPreview is as much of xcsh.pending.preview as is looked at here.
type shownPreview struct {
	Revision int
	Hunks    []struct{ URI, Before string }
}

func TestSurfaces_FollowAFileOnDisk(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "other;\n"})
	uri := "file://" + f.path("a.ts")
	_, revision := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	f.WaitDiagnostics(uri, says("foo(1) → bar(1)"))

	f.write("a.ts", "\n\nfoo(22);\n")
	f.Notify("workspace/didChangeWatchedFiles", object{"changes": []any{object{"uri": uri, "type": 2}}})
	at := f.WaitDiagnostics(uri, says("foo(22) → bar(22)"))
	if at[0].Range.Start.Line != 2 {
		t.Errorf("the diagnostic is at %+v", at[0].Range)
	}
	var now shownPreview
	f.runInto("xcsh.pending.preview", object{}, &now)
	if now.Revision != revision+1 || len(now.Hunks) != 1 || now.Hunks[0].Before != "foo(22)" {
		t.Errorf("the preview is %+v after revision %d", now, revision)
	}
}

// Every surface shows the new text after each key, and a request that comes right
// behind the key too.
func TestSurfaces_FollowTyping(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\nclass C {\n  m() { return other(2) }\n}\n"})
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.WaitDiagnostics(uri, says("foo(1) → bar(1)"))
	call := "foo(1)"
	for i := range 12 {
		next := fmt.Sprintf("foo(1%s)", strings.Repeat("0", i+1))
		if i%3 == 2 {
			next = "fo(1 +" // a syntax error, and mended by the next key
			f.Change(uri, f.Edit(uri, call+";", next+";"))
			f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 0 })
			call = next
			continue
		}
		f.Change(uri, f.Edit(uri, call+";", next+";"))
		call = next
		want := strings.Replace(call, "foo", "bar", 1)
		if hover := f.Hover(uri, f.Range(uri, call)); !strings.Contains(hover, "-"+call+"\n+"+want) {
			t.Fatalf("hover right behind a key: %q, want %q", hover, want)
		}
		var now shownPreview
		f.runInto("xcsh.pending.preview", object{}, &now)
		if len(now.Hunks) != 1 || now.Hunks[0].Before != call {
			t.Fatalf("preview right behind a key: %+v, want %q", now, call)
		}
		f.WaitDiagnostics(uri, says(call+" → "+want))
	}
}

// An editor that gets diagnostics because it asked for code actions asks again, for
// ever.
func TestSurfaces_CodeActionsPublishNothing(t *testing.T) {
	f, uri, _, _ := twoPending(t, lsptest.VSCodeLike())
	f.run("xcsh.pending.list", object{})
	_, before := f.Diagnostics(uri)
	for range 30 {
		f.CodeActions(uri, f.Range(uri, "old(2)"))
		f.CodeActions(uri, f.Range(uri, "plain"))
	}
	f.Change(uri, f.Edit(uri, "old(2)", "old(22)"))
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool {
		return len(d) == 2 && strings.Contains(fmt.Sprint(d), "old(22)")
	})
	// One for the key; an own one for each of the two actions where they do not follow
	// within the same moment.
	if _, after := f.Diagnostics(uri); after > before+2 {
		t.Errorf("%d publications after 60 requests and one key", after-before)
	}
}
