package lsp_test

import (
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// An editor counts while a rule is typed: the result is that of a proposal, and
// nothing is pending afterwards.
func TestDryRun_StagesNothing(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\nfoo(2);\n"})
	argument := edit("foo($A)", "bar($A)")
	argument["stage"] = false
	counted := f.run("xcsh.ast_edit", argument)
	if counted.text() != "# a.ts (2 replacements)\n-1:1 foo(1)\n+1:1 bar(1)\n-2:1 foo(2)\n+2:1 bar(2)" || counted.Details["pending"] != nil {
		t.Errorf("got %q, pending %+v", counted.text(), counted.Details["pending"])
	}
	if ids := f.pendingIDs(); len(ids) != 0 {
		t.Errorf("pending %q", ids)
	}
	argument["stage"] = true
	f.run("xcsh.ast_edit", argument)
	if ids := f.pendingIDs(); len(ids) != 1 {
		t.Errorf("pending %q after a proposal", ids)
	}
	if none := f.run("xcsh.ast_edit", map[string]any{"ops": []any{map[string]any{"pat": "nowhere($A)", "out": "x"}}, "stage": false}); !none.IsWarning {
		t.Errorf("a count of nothing is no warning: %q", none.text())
	}
}
