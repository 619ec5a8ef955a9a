package lsp_test

import (
	"context"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// What was seen of real editors that no test starts (docs/editors.md).

// Eglot 1.9 tells of no change before its command is answered, so that the server cannot
// see the edit made: nothing is written, the edit is taken back once it is seen, and the
// human is told both.
func TestTrap_EglotHoldsItsChangesUntilTheAnswer(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.EglotLike(), shortDeadlines)
	wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the client says that it made the edit, but these do not show it: a.ts, b.ts.")
	q.wantMessage("An edit that had been given up was made late, and has been taken back: a.ts.")
	q.wantMessage("An edit that had been given up was made late, and has been taken back: b.ts.")
	q.checkUntouched()
}

// One that does not wait for the command's answer, as docs/editors.md sets it up, is
// served like any other; it is sent no parameter that it does not know.
func TestTrap_EglotThatDoesNotWait(t *testing.T) {
	t.Parallel()
	q := startQuadWith(t, lsptest.EglotLike(), shortDeadlines, object{"apply.save": true})
	raw, err := q.Call(context.Background(), protocol.MethodWorkspaceExecuteCommand, object{"command": "xcsh.resolve", "arguments": []any{q.applyArgument()}})
	if err != nil {
		t.Fatal(err)
	}
	var result toolResult
	decodeInto(t, raw, &result)
	if !strings.HasPrefix(result.text(), "Applied 4 replacements in 4 files.") {
		t.Errorf("result %q", result.text())
	}
	q.checkApplied()
}

// vim-lsp answers every choice but the first as if the human had dismissed the question:
// then nothing happens.
func TestTrap_VimLSPTakesTheFirstChoiceOnly(t *testing.T) {
	t.Parallel()
	f := start(t, lsptest.VimLSPLike(), map[string]string{"a.ts": "foo(1);\n"})
	f.OpenFile(f.path("a.ts"))
	id, _ := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	choose := func(n int) toolResult {
		f.OnMessageRequest(func(q lsptest.MessageRequest) *string { return &q.Titles()[n] })
		return f.run("xcsh.resolve", object{"action": "apply"})
	}
	if got := choose(1); !got.Cancelled || f.pendingIDs()[0] != id {
		t.Errorf("the second choice: %+v, pending %v", got, f.pendingIDs())
	}
	if got := choose(0).text(); !strings.HasPrefix(got, "Applied 1 replacement in 1 file.") {
		t.Errorf("the first choice: %q", got)
	}
}

// vim-lsp counts columns in code points: after an emoji it edits beside the place. The
// server sees that, writes nothing and names the document.
func TestTrap_VimLSPEditsBesideThePlace(t *testing.T) {
	t.Parallel()
	const before = "s = '😀'; foo(1); // and more\n"
	f := startWith(t, lsptest.VimLSPLike(), map[string]string{"a.ts": before, "b.ts": "foo(2);\n"}, nil, short)
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	wantFailure(t, f.fails("xcsh.resolve", applyNow()), "Apply failed: the client says that it made the edit, but these do not show it: a.ts. In doubt: a.ts.")
	if got := f.Text(uri); got == before || strings.Contains(got, " bar(1);") {
		t.Errorf("the editor made it %q: this is no test of one that edits beside the place", got)
	}
	if f.disk("a.ts") != before || f.disk("b.ts") != "foo(2);\n" {
		t.Errorf("on disk: %q and %q", f.disk("a.ts"), f.disk("b.ts"))
	}
	if log := f.decisions(); len(log) != 0 {
		t.Errorf("decisions %+v", log)
	}
}

// wantMessage waits until the human has been shown a text.
func (f *fixture) wantMessage(text string) {
	f.t.Helper()
	f.Wait("the message "+text, func() bool {
		for _, m := range f.Messages() {
			if m.Text == text {
				return true
			}
		}
		return false
	})
}
