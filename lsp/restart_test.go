package lsp_test

import (
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// After a restart nothing is pending, nothing has been applied or discarded by
// itself, and what a client still shows of the old stack is refused by its id.
func TestRestart_WithAPendingStack(t *testing.T) {
	for name, end := range map[string]func(q *quad){
		"in order": func(q *quad) { q.Shutdown() },
		"killed":   func(q *quad) { _ = q.wire.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := startQuad(t, lsptest.VSCodeLike(), shortDeadlines)
			q.run("xcsh.ast_edit", edit("foo($A)", "baz($A)"))
			q.run("xcsh.ast_edit", edit("foo($A)", "qux($A)"))
			old := q.pendingIDs()
			end(q)
			again := q.restarted(lsptest.VSCodeLike(), nil)
			a := again.Open(again.path("a.ts"), quadA) // as a client opens what it had
			if ids := again.pendingIDs(); len(ids) != 0 {
				t.Errorf("pending %v", ids)
			}
			if decided := again.decisions(); len(decided) != 0 {
				t.Errorf("decided %+v", decided)
			}
			for _, action := range []string{"apply", "discard"} {
				failed := again.fails("xcsh.resolve", object{"action": action, "reason": "r", "id": old[0], "revision": 1})
				if failed.Message != "Pending action "+old[0]+" is no longer pending." {
					t.Errorf("%s: %q", action, failed.Message)
				}
			}
			if actions := again.CodeActions(a, again.Range(a, "foo")); len(actions) != 0 {
				t.Errorf("actions %q", describe(actions))
			}
			for _, m := range again.Messages() {
				if strings.Contains(m.Text, "doubt") {
					t.Errorf("shown: %q", m.Text)
				}
			}
			q.checkDisk()
			again.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
			if got := again.run("xcsh.resolve", applyNow()).Content[0].Text; got != "Applied 4 replacements in 4 files." {
				t.Errorf("a new one: %q", got)
			}
		})
	}
}
