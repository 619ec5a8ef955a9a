package lsp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// The workspace of the loop tests: a.ts is open, with an unsaved line and an emoji
// before the match; b.ts is not open and has CRLF line ends.
func loopFiles() map[string]string {
	return map[string]string{
		"a.ts": "foo(1, 2);\n",
		"b.ts": "// é😀\r\nlet x = foo(3, 4);\r\n",
	}
}

const (
	loopBuffer      = "const s = \"😀é\"; foo(1, 2); // unsaved\n"
	loopBufferAfter = "const s = \"😀é\"; bar(2, 1); // unsaved\n"
	loopDiskAfter   = "// é😀\r\nlet x = bar(4, 3);\r\n"
	loopLabel       = "AST Edit: 2 replacements in 2 files"
)

// proposeLoop opens a.ts and proposes the edit; it returns a.ts' URI.
func proposeLoop(f *fixture) (uri string, proposed toolResult) {
	f.t.Helper()
	uri = f.Open(f.path("a.ts"), loopBuffer)
	proposed = f.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)"))
	want := "# a.ts (1 replacement)\n-1:17 foo(1, 2)\n+1:17 bar(2, 1)\n\n# b.ts (1 replacement)\n-2:9 foo(3, 4)\n+2:9 bar(4, 3)"
	if got := strings.TrimSuffix(proposed.text(), reminder); got != want {
		f.t.Errorf("preview:\n%s\nwant:\n%s", got, want)
	}
	if f.disk("a.ts") != "foo(1, 2);\n" || f.disk("b.ts") != loopFiles()["b.ts"] || f.Text(uri) != loopBuffer {
		f.t.Error("the dry run changed something")
	}
	return uri, proposed
}

const reminder = "\n\n<system-reminder>\nThis is a preview. Call the `resolve` tool to apply or discard these changes.\n</system-reminder>"

// checkShown looks at the diagnostics, the hover and the code actions.
func checkShown(f *fixture, uri string) []lsptest.Action {
	f.t.Helper()
	where := f.Range(uri, "foo(1, 2)")
	shown := f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	if shown[0].Range != where {
		f.t.Errorf("diagnostic at %v, want %v", shown[0].Range, where)
	}
	if got := shown[0].Message; got != protocol.String("foo(1, 2) → bar(2, 1)") {
		f.t.Errorf("diagnostic %v", got)
	}
	f.WaitDiagnostics(lsptest.URI(f.path("b.ts")), func(d []protocol.Diagnostic) bool {
		return len(d) == 1 && d[0].Range.Start == protocol.Position{Line: 1, Character: 8}
	})
	if got := f.Hover(uri, where); !strings.Contains(got, "```diff\n-foo(1, 2)\n+bar(2, 1)\n```") {
		f.t.Errorf("hover: %q", got)
	}
	actions := f.CodeActions(uri, where, "quickfix")
	var titles []string
	for _, a := range actions {
		titles = append(titles, a.Kind+" "+a.Title)
		if a.Edit != nil {
			f.t.Errorf("%s carries an edit", a.Title)
		}
	}
	want := []string{`quickfix Apply "` + loopLabel + `"…`, `quickfix Discard "` + loopLabel + `"…`}
	if !slices.Equal(titles, want) {
		f.t.Fatalf("code actions %q, want %q", titles, want)
	}
	return actions
}

func checkApplied(f *fixture, uri string, result toolResult, wanted decision) {
	f.t.Helper()
	if got := result.Content[0].Text; got != "Applied 2 replacements in 2 files." {
		f.t.Errorf("result %q", got)
	}
	if got := f.Text(uri); got != loopBufferAfter {
		f.t.Errorf("the buffer is %q", got)
	}
	if got := f.disk("b.ts"); got != loopDiskAfter {
		f.t.Errorf("b.ts is %q", got)
	}
	if got := f.disk("a.ts"); got != "foo(1, 2);\n" {
		f.t.Errorf("the file of an open document was written: %q", got)
	}
	f.Wait("the diagnostics to go", func() bool { d, _ := f.Diagnostics(uri); return len(d) == 0 })
	f.onlyFiles("a.ts", "b.ts")
	checkDecision(f, wanted, 2)
	if ids := f.pendingIDs(); len(ids) != 0 {
		f.t.Errorf("still pending: %v", ids)
	}
}

func checkDecision(f *fixture, want decision, files int) {
	f.t.Helper()
	log := f.decisions()
	if len(log) != 1 {
		f.t.Fatalf("%d decisions, want 1", len(log))
	}
	got := log[0]
	if got.Action != want.Action || got.Reason != want.Reason || got.ReasonFrom != want.ReasonFrom || got.Label != loopLabel || got.DecidedBy["kind"] != want.DecidedBy["kind"] {
		f.t.Errorf("decision %+v, want %+v", got, want)
	}
	if len(got.Files) != files {
		f.t.Errorf("%d files in the decision, want %d", len(got.Files), files)
	}
	for _, file := range got.Files {
		if !file.Verified || file.Before == file.After || len(file.After) != 64 {
			f.t.Errorf("file of the decision: %+v", file)
		}
	}
}

func human() map[string]string { return map[string]string{"kind": "human"} }

// eachEncoding runs a test for an editor in utf-16 and for one in utf-8.
func eachEncoding(t *testing.T, manners lsptest.Manners, test func(t *testing.T, m lsptest.Manners)) {
	t.Run("utf-16", func(t *testing.T) { test(t, manners) })
	t.Run("utf-8", func(t *testing.T) { test(t, manners.UTF8()) })
}

func TestLoop_ClientWithInput(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Input = true
	eachEncoding(t, manners, func(t *testing.T, m lsptest.Manners) {
		f := start(t, m, loopFiles())
		f.OnInput(func(in lsptest.Input) *string {
			if in.Title != `Apply "`+loopLabel+`"` {
				t.Errorf("asked %q", in.Title)
			}
			return lsptest.Answer("bar replaces foo")
		})
		uri, _ := proposeLoop(f)
		result, failed := f.choose(checkShown(f, uri)[0])
		if failed != nil {
			t.Fatal(failed)
		}
		checkApplied(f, uri, result, decision{Action: "apply", Reason: "bar replaces foo", ReasonFrom: "typed", DecidedBy: human()})
		outcome := f.Messages()[len(f.Messages())-1]
		if want := "Accept: 2 replacements in 2 files [AST Edit]\nbar replaces foo\nNot saved yet: a.ts."; outcome.Text != want || outcome.Type != protocol.MessageTypeInfo {
			t.Errorf("outcome shown: %+v", outcome)
		}
	})
}

func TestLoop_PlainClientChoosesAReason(t *testing.T) {
	eachEncoding(t, lsptest.Plain(), func(t *testing.T, m lsptest.Manners) {
		f := start(t, m, loopFiles())
		f.OnMessageRequest(func(r lsptest.MessageRequest) *string {
			if want := []string{"Reviewed: the change is right", "Tests pass with it", "Cancel"}; !slices.Equal(r.Titles(), want) {
				t.Errorf("offered %q", r.Titles())
			}
			return lsptest.Answer("Tests pass with it")
		})
		uri, _ := proposeLoop(f)
		result, failed := f.choose(checkShown(f, uri)[0])
		if failed != nil {
			t.Fatal(failed)
		}
		checkApplied(f, uri, result, decision{Action: "apply", Reason: "Tests pass with it", ReasonFrom: "chosen", DecidedBy: human()})
	})
}

func TestLoop_AgentSendsItsReason(t *testing.T) {
	manners := lsptest.Plain()
	manners.Agent = "codex"
	eachEncoding(t, manners, func(t *testing.T, m lsptest.Manners) {
		f := start(t, m, loopFiles())
		uri, proposed := proposeLoop(f)
		if !strings.HasSuffix(proposed.text(), reminder) {
			t.Errorf("no reminder at the end of %q", proposed.text())
		}
		id, revision := proposed.pending(t)
		if failed := f.fails("xcsh.resolve", map[string]any{"action": "apply", "id": id}); failed.Message != `A reason is required: pass "reason".` {
			t.Errorf("without a reason: %v", failed)
		}
		result := f.run("xcsh.resolve", map[string]any{"action": "apply", "id": id, "revision": revision, "reason": "the codemod is wanted"})
		checkApplied(f, uri, result, decision{Action: "apply", Reason: "the codemod is wanted", ReasonFrom: "argument", DecidedBy: map[string]string{"kind": "agent"}})
		if asked := f.Requests("window/showMessageRequest", "xcsh/input"); len(asked) != 0 {
			t.Errorf("an agent was asked: %v", asked)
		}
		if shown := f.Received("window/showMessage"); len(shown) != 0 {
			t.Errorf("an agent was shown a message: %s", shown[0].Params)
		}
	})
}

func TestLoop_AgentMarksItsCallInAHumansEditor(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), loopFiles())
	arg := edit("foo($A, $B)", "bar($B, $A)")
	arg["agent"] = map[string]any{"name": "claude", "model": "m"}
	proposed := f.run("xcsh.ast_edit", arg)
	if !strings.HasSuffix(proposed.text(), reminder) {
		t.Errorf("no reminder for an agent: %q", proposed.text())
	}
	f.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "wrong rule", "agent": map[string]any{"name": "claude"}})
	got := f.decisions()[0]
	want := map[string]string{"kind": "agent", "name": "claude"}
	if got.ProposedBy["kind"] != want["kind"] || got.ProposedBy["name"] != want["name"] || got.DecidedBy["name"] != want["name"] {
		t.Errorf("decision %+v", got)
	}
}

func TestLoop_ClientWithForms(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Forms = true
	f := start(t, manners, loopFiles())
	uri, _ := proposeLoop(f)
	actions := checkShown(f, uri)

	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	if _, failed := f.ExecuteWithForm(ctx, actions[0], "  ", "seen and right"); failed != nil { // the blank answer is asked again
		t.Fatal(failed)
	}
	if f.Text(uri) != loopBufferAfter || f.disk("b.ts") != loopDiskAfter {
		t.Error("not applied")
	}
	checkDecision(f, decision{Action: "apply", Reason: "seen and right", ReasonFrom: "typed", DecidedBy: human()}, 2)
}

func TestLoop_DiscardedAndDismissed(t *testing.T) {
	f := start(t, lsptest.Plain(), loopFiles())
	uri, _ := proposeLoop(f)
	actions := checkShown(f, uri)

	for _, answer := range []*string{nil, lsptest.Answer("Cancel")} {
		f.OnMessageRequest(func(lsptest.MessageRequest) *string { return answer })
		for _, action := range actions {
			if result, failed := f.choose(action); failed != nil || !result.Cancelled {
				t.Errorf("dismissed %s: %+v, %v", action.Title, result, failed)
			}
		}
	}
	if len(f.pendingIDs()) != 1 || len(f.decisions()) != 0 {
		t.Fatal("a dismissed question decided something")
	}

	f.OnMessageRequest(func(lsptest.MessageRequest) *string { return lsptest.Answer("Not the change I want") })
	result, failed := f.choose(actions[1])
	if failed != nil {
		t.Fatal(failed)
	}
	if want := "Discarded: " + loopLabel + ". Reason: Not the change I want"; result.text() != want {
		t.Errorf("result %q", result.text())
	}
	if f.Text(uri) != loopBuffer || f.disk("b.ts") != loopFiles()["b.ts"] {
		t.Error("a discard changed something")
	}
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 0 })
	checkDecision(f, decision{Action: "discard", Reason: "Not the change I want", ReasonFrom: "chosen", DecidedBy: human()}, 0)
}

func TestLoop_PositionsAreInTheEncodingOfTheClient(t *testing.T) {
	for _, enc := range []text.Encoding{text.UTF8, text.UTF16} {
		manners := lsptest.VSCodeLike()
		if enc == text.UTF8 {
			manners = manners.UTF8()
		}
		f := start(t, manners, nil)
		uri := f.Open(f.path("e.ts"), "/* 😀é */ foo(1);\n")
		f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		want := map[text.Encoding]uint32{text.UTF8: 13, text.UTF16: 10}[enc]
		f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Range.Start.Character == want })
	}
}
