package lsp_test

import (
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

func withInput() lsptest.Manners {
	m := lsptest.VSCodeLike()
	m.Input = true
	return m
}

// From selected code to a preview: the pattern is asked with the selection as a
// draft, then the replacement with the pattern as one.
func TestReplace_FromASelection(t *testing.T) {
	f := start(t, withInput(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	action := f.Action(f.CodeActions(uri, f.Range(uri, "foo(1)")), "Structural replace…")
	if action.Kind != "refactor.rewrite" || action.Edit != nil {
		t.Errorf("the action: %s", action.Raw)
	}
	var drafts []string
	answers := []string{"foo($A)", "bar($A)"}
	f.OnInput(func(i lsptest.Input) *string {
		drafts = append(drafts, i.Value)
		return &answers[len(drafts)-1]
	})
	result, failed := f.choose(action)
	if failed != nil || result.text() != "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\n# b.ts (1 replacement)\n-1:1 foo(2)\n+1:1 bar(2)" {
		t.Errorf("got %q, %v", result.text(), failed)
	}
	if !slices.Equal(drafts, []string{"foo(1)", "foo($A)"}) {
		t.Errorf("asked with %q", drafts)
	}
	if len(f.pendingIDs()) != 1 {
		t.Error("nothing is pending")
	}
}

func TestReplace_Dismissed(t *testing.T) {
	for answered := range 2 {
		f := start(t, withInput(), map[string]string{"a.ts": "foo(1);\n"})
		asked := 0
		f.OnInput(func(lsptest.Input) *string {
			if asked++; asked > answered {
				return nil
			}
			pat := "foo($A)"
			return &pat
		})
		if result := f.run("xcsh.replace", object{}); !result.Cancelled || asked != answered+1 {
			t.Errorf("%+v after %d questions", result, asked)
		}
		if ids := f.pendingIDs(); len(ids) != 0 {
			t.Errorf("pending %q", ids)
		}
	}
}

// What is given is not asked for, and who cannot be asked has to give all.
func TestReplace_WhatIsMissing(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	whole := object{"pat": "foo($A)", "out": "bar($A)", "scope": "a.ts"}
	if got := f.run("xcsh.replace", whole).text(); got != "-1:1 foo(1)\n+1:1 bar(1)" {
		t.Errorf("got %q", got)
	}
	const want = `Pass "pat" and "out": this client cannot be asked for text.`
	wantError(t, f.fails("xcsh.replace", object{"pat": "foo($A)"}), -32602, want)
	f = start(t, withInput(), map[string]string{"a.ts": "foo(1);\n"})
	wantError(t, f.fails("xcsh.replace", object{"out": "x", "agent": object{"name": "codex"}}), -32602, want)
	pat, asked := "foo($A)", 0
	f.OnInput(func(lsptest.Input) *string { asked++; return &pat })
	if got := f.run("xcsh.replace", object{"out": "x"}).text(); got != "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 x" || asked != 1 {
		t.Errorf("got %q after %d questions", got, asked)
	}
}

func TestReplace_OfferedWhereItHelps(t *testing.T) {
	f := start(t, withInput(), map[string]string{"a.ts": "foo(1);\n", "notes.txt": "foo(1);\n"})
	uri, notes := f.OpenFile(f.path("a.ts")), f.OpenFile(f.path("notes.txt"))
	selected := f.Range(uri, "foo(1)")
	caret := protocol.Range{Start: selected.Start, End: selected.Start}
	for what, got := range map[string][]lsptest.Action{
		"no selection":     f.CodeActions(uri, caret),
		"not asked for":    f.CodeActionsWith(uri, selected, lsptest.ActionContext{TriggerKind: 2}),
		"other kinds":      f.CodeActions(uri, selected, "quickfix"),
		"another language": f.CodeActions(notes, selected),
	} {
		if len(got) != 0 {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if got := f.CodeActions(uri, selected, "refactor"); len(got) != 1 {
		t.Errorf("asked for refactorings: %+v", got)
	}
	plain := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	uri = plain.OpenFile(plain.path("a.ts"))
	if got := plain.CodeActions(uri, plain.Range(uri, "foo(1)")); len(got) != 0 {
		t.Errorf("a client that cannot be asked: %+v", got)
	}
}
