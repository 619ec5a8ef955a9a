package lsp_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// twoPending has foo → bar below and old → fresh, in two files, on top.
func twoPending(t *testing.T, manners lsptest.Manners) (f *fixture, uri, lower, top string) {
	t.Helper()
	f = start(t, manners, map[string]string{"a.ts": "foo(1);\nold(2);\nplain;\n", "b.ts": "old(3);\n"})
	uri = f.OpenFile(f.path("a.ts"))
	lower, _ = f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	top, _ = f.run("xcsh.ast_edit", edit("old($A)", "fresh($A)")).pending(t)
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 2 })
	return f, uri, lower, top
}

const (
	lowerLabel   = "AST Edit: 1 replacement in 1 file"
	topLabel     = "AST Edit: 2 replacements in 2 files"
	resolveFirst = `Resolve "` + topLabel + `" first.`
)

// describe lists actions as `kind title`, with the reason of disabled ones.
func describe(actions []lsptest.Action) []string {
	out := []string{}
	for _, a := range actions {
		line := a.Kind + " " + a.Title
		if a.Disabled != nil {
			line += " (" + a.Disabled.Reason + ")"
		}
		if a.IsPreferred {
			line += " preferred"
		}
		out = append(out, line)
	}
	return out
}

func TestStack_CodeActionsOfTwoPending(t *testing.T) {
	top := []string{`quickfix Apply "` + topLabel + `"… preferred`, `quickfix Discard "` + topLabel + `"…`}
	source := []string{`source.xcsh Apply "` + topLabel + `"…`, `source.xcsh Discard "` + topLabel + `"…`}
	disabled := []string{`quickfix Apply "` + lowerLabel + `"… (` + resolveFirst + ") preferred", `quickfix Discard "` + lowerLabel + `"… (` + resolveFirst + ")"}
	none := []string{}
	for _, c := range []struct {
		name, code string
		plain      bool // a client without disabledSupport
		context    lsptest.ActionContext
		want       []string
	}{
		{"top", "old(2)", false, lsptest.ActionContext{TriggerKind: 1}, top},
		{"top, automatic", "old(2)", false, lsptest.ActionContext{TriggerKind: 2}, top},
		{"top, quickfix only", "old(2)", false, lsptest.ActionContext{Only: []string{"quickfix"}}, top},
		{"top, refactor only", "old(2)", false, lsptest.ActionContext{Only: []string{"refactor"}, TriggerKind: 1}, none},
		{"lower", "foo(1)", false, lsptest.ActionContext{TriggerKind: 1}, disabled},
		{"lower without disabledSupport", "foo(1)", true, lsptest.ActionContext{TriggerKind: 1}, none},
		{"elsewhere", "plain", false, lsptest.ActionContext{TriggerKind: 1}, source},
		{"elsewhere, no trigger kind", "plain", false, lsptest.ActionContext{}, source},
		{"elsewhere, automatic", "plain", false, lsptest.ActionContext{TriggerKind: 2}, none},
		{"elsewhere, automatic and only source.xcsh", "plain", false, lsptest.ActionContext{Only: []string{"source.xcsh"}, TriggerKind: 2}, none},
		{"elsewhere, only source", "plain", false, lsptest.ActionContext{Only: []string{"source"}, TriggerKind: 1}, source},
		{"elsewhere, only source.xcsh", "plain", false, lsptest.ActionContext{Only: []string{"source.xcsh"}}, source},
		{"elsewhere, only source.xcsh.more", "plain", false, lsptest.ActionContext{Only: []string{"source.xcsh.more"}, TriggerKind: 1}, none},
		{"elsewhere, only source.x", "plain", false, lsptest.ActionContext{Only: []string{"source.x"}, TriggerKind: 1}, none},
		{"elsewhere, only quickfix", "plain", false, lsptest.ActionContext{Only: []string{"quickfix"}, TriggerKind: 1}, none},
		{"elsewhere, quickfix or source", "plain", false, lsptest.ActionContext{Only: []string{"quickfix", "source"}, TriggerKind: 1}, source},
	} {
		t.Run(c.name, func(t *testing.T) {
			manners := lsptest.VSCodeLike()
			if c.plain {
				manners = lsptest.Plain()
			}
			f, uri, _, _ := twoPending(t, manners)
			actions := f.CodeActionsWith(uri, f.Range(uri, c.code), c.context)
			if got := describe(actions); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			for _, a := range actions {
				if a.Edit != nil {
					t.Errorf("%s carries an edit", a.Title)
				}
			}
		})
	}
}

// Diagnostics, their code and their related information, and the hover.
func TestStack_BothAreShown(t *testing.T) {
	f, uri, lower, top := twoPending(t, lsptest.VSCodeLike())
	other := lsptest.URI(f.path("b.ts"))
	codes := map[string]string{}
	for _, d := range f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 2 }) {
		raw, err := json.Marshal(d.Code)
		if err != nil {
			t.Fatal(err)
		}
		codes[string(raw)] = string(d.Message.(protocol.String))
		if strings.Contains(string(raw), top) != (len(d.RelatedInformation) == 1 && string(d.RelatedInformation[0].Location.URI) == other) {
			t.Errorf("related: %+v", d.RelatedInformation)
		}
	}
	if codes[`"`+lower+`"`] != "foo(1) → bar(1)" || codes[`"`+top+`"`] != "old(2) → fresh(2)" {
		t.Errorf("diagnostics %v", codes)
	}
	f.WaitDiagnostics(other, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	for code, want := range map[string]string{
		"foo(1)": lowerLabel + "\n```diff\n-foo(1)\n+bar(1)\n```", "old(2)": topLabel + "\n```diff\n-old(2)\n+fresh(2)\n```", "plain": "",
	} {
		if got := f.Hover(uri, f.Range(uri, code)); got != want {
			t.Errorf("hover of %s: %q", code, got)
		}
	}
}

// Where both would change the same code the hover shows both, top first.
func TestStack_HoverOfOneRangeOfBoth(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), nil)
	uri := f.Open(f.path("a.ts"), "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "one($A)"))
	f.run("xcsh.ast_edit", edit("foo($A)", "two($A)"))
	want := lowerLabel + "\n```diff\n-foo(1)\n+two(1)\n```\n\n" + lowerLabel + "\n```diff\n-foo(1)\n+one(1)\n```"
	if got := f.Hover(uri, f.Range(uri, "foo(1)")); got != want {
		t.Errorf("hover %q", got)
	}
}

func TestStack_LastInFirstOut(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Input = true
	f, uri, lower, top := twoPending(t, manners)
	f.OnInput(func(lsptest.Input) *string { return lsptest.Answer("seen") })

	for _, action := range []string{"apply", "discard"} {
		failed := f.fails("xcsh.resolve", map[string]any{"action": action, "reason": "r", "id": lower, "revision": 1})
		wantNotTop(t, failed.Data, failed.Message, "Pending action "+lower+" is not the most recent one. "+resolveFirst)
	}
	if _, failed := f.choose(f.CodeActions(uri, f.Range(uri, "old(2)"))[0]); failed != nil {
		t.Fatal(failed)
	}
	for _, action := range []string{"apply", "discard"} {
		for _, gone := range []string{top, "pending-action:ast_edit:99"} {
			failed := f.fails("xcsh.resolve", map[string]any{"action": action, "reason": "r", "id": gone})
			wantNotTop(t, failed.Data, failed.Message, "Pending action "+gone+" is no longer pending.")
		}
	}
	if ids := f.pendingIDs(); !slices.Equal(ids, []string{lower}) {
		t.Fatalf("pending %v", ids)
	}
	// The lower one's preview follows what the upper one wrote.
	var actions []lsptest.Action
	eventually(t, "the lower one can be applied", func() bool {
		actions = f.CodeActions(uri, f.Range(uri, "foo(1)"), "quickfix")
		return len(actions) == 2
	})
	if got := describe(actions)[0]; got != `quickfix Apply "`+lowerLabel+`"… preferred` {
		t.Errorf("action %q", got)
	}
	if _, failed := f.choose(actions[0]); failed != nil {
		t.Fatal(failed)
	}
	if got := f.Text(uri); got != "bar(1);\nfresh(2);\nplain;\n" || f.disk("b.ts") != "fresh(3);\n" {
		t.Errorf("a.ts is %q, b.ts %q", got, f.disk("b.ts"))
	}
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 0 })
}

func wantNotTop(t *testing.T, data []byte, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if string(data) != `{"kind":"notTop"}` {
		t.Errorf("data %s", data)
	}
}

// codeAction/resolve gives an action back unchanged.
func TestStack_CodeActionResolveChangesNothing(t *testing.T) {
	f, uri, _, _ := twoPending(t, lsptest.VSCodeLike())
	for _, a := range append(f.CodeActions(uri, f.Range(uri, "old(2)")), f.CodeActions(uri, f.Range(uri, "plain"))...) {
		raw, err := f.Call(context.Background(), "codeAction/resolve", a.Raw)
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		decodeInto(t, a.Raw, &before)
		decodeInto(t, raw, &after)
		if b, a := asJSON(t, before), asJSON(t, after); b != a {
			t.Errorf("before %s\nafter  %s", b, a)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A document outside every folder is no place for actions on the workspace.
func TestStack_NoActionsOutsideTheWorkspace(t *testing.T) {
	f, _, _, _ := twoPending(t, lsptest.VSCodeLike())
	for _, file := range []string{t.TempDir() + "/x.ts", "untitled:Untitled-1", "git:/x.ts?ref=1"} {
		uri := f.Open(file, "plain;\n")
		if got := f.CodeActions(uri, f.Range(uri, "plain")); len(got) != 0 {
			t.Errorf("%s: %q", file, describe(got))
		}
	}
}
