package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func (f *fixture) decisionsOf(argument object) []decision {
	f.t.Helper()
	var list struct {
		Decisions []decision `json:"decisions"`
	}
	f.runInto("xcsh.decisions.list", argument, &list)
	return list.Decisions
}

// propose stages an edit of a.ts and returns the pending id.
func (f *fixture) propose(pat, out string) string {
	f.t.Helper()
	id, _ := f.run("xcsh.ast_edit", edit(pat, out)).pending(f.t)
	return id
}

func TestDecisions_Pages(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	for i := range 7 {
		f.propose("foo($A)", "bar($A)")
		f.run("xcsh.resolve", object{"action": "discard", "reason": fmt.Sprint(i)})
	}
	var got []string
	for before := ""; ; {
		argument := object{"limit": 3}
		if before != "" {
			argument["before"] = before
		}
		page := f.decisionsOf(argument)
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			got = append(got, d.Reason)
		}
		before = page[len(page)-1].ID
	}
	if want := []string{"6", "5", "4", "3", "2", "1", "0"}; !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
	wantError(t, f.fails("xcsh.decisions.list", object{"before": "gone"}), -32602, `field "before" names no decision of the log: "gone"`)
}

// Pending ids begin again with each session: whoever asks by one must not be told
// what became of an older session's.
func TestDecisions_ByPendingID(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	id := f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "discard", "reason": "the old one"})
	if got := f.decisionsOf(object{"pendingId": id}); len(got) != 1 || got[0].Reason != "the old one" {
		t.Errorf("decisions %+v", got)
	}
	f = f.restarted(lsptest.Plain(), nil)
	if again := f.propose("foo($A)", "baz($A)"); again != id {
		t.Fatalf("id %s, want %s again", again, id)
	}
	if got := f.decisionsOf(object{"pendingId": id}); len(got) != 0 {
		t.Errorf("still to be decided, and answered with %+v", got)
	}
	f.run("xcsh.resolve", object{"action": "discard", "reason": "the new one"})
	if got := f.decisionsOf(object{"pendingId": id}); len(got) != 1 || got[0].Reason != "the new one" {
		t.Errorf("decisions %+v", got)
	}
	if got := f.decisionsOf(object{}); len(got) != 2 {
		t.Errorf("all decisions %+v", got)
	}
}

func TestRevert_Errors(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	wantError(t, f.fails("xcsh.decisions.revert", object{}), -32602, "id is missing")
	wantError(t, f.fails("xcsh.decisions.revert", object{"id": "gone"}), -32602, `field "id" names no decision of the log: "gone"`)

	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "discard", "reason": "r"})
	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	f.write("a.ts", "bar(2);\n")
	log := f.decisions()
	for id, message := range map[string]string{
		log[0].ID: "Cannot revert: a.ts changed since.",
		log[1].ID: "Cannot revert: it was discarded, so it changed nothing.",
	} {
		failed := f.fails("xcsh.decisions.revert", object{"id": id})
		wantError(t, failed, -32803, message)
		if string(failed.Data) != `{"kind":"ToolError"}` {
			t.Errorf("%s data %s", message, failed.Data)
		}
	}
	// A staged revert is refused as any preview that is out of date.
	f.write("a.ts", "bar(1);\n")
	id, _ := f.run("xcsh.decisions.revert", object{"id": log[0].ID}).pending(t)
	f.write("a.ts", "bar(2);\n")
	wantStale(t, f.fails("xcsh.resolve", applyNow()), "Cannot revert: a.ts changed since.", id, "a.ts")
	wantStale(t, f.fails("xcsh.pending.preview", object{"id": id}), "Cannot revert: a.ts changed since.", id, "a.ts")
}

func TestRevert_ForAnAgent(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	result := f.run("xcsh.decisions.revert", object{"id": f.decisions()[0].ID, "agent": object{"name": "a model"}})
	if !strings.HasSuffix(result.text(), "\n\n"+resolve.Reminder) {
		t.Errorf("result %q", result.text())
	}
	f.run("xcsh.resolve", object{"action": "apply", "reason": "undone"})
	if got := f.decisions()[0]; got.ProposedBy["name"] != "a model" || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("decision %+v, a.ts %q", got, f.disk("a.ts"))
	}
}

func (f *fixture) stored() int {
	f.t.Helper()
	paths, err := filepath.Glob(filepath.Join(f.state, "*", "store", "*.gz"))
	if err != nil {
		f.t.Fatal(err)
	}
	return len(paths)
}

func TestSettings_StoreMB(t *testing.T) {
	const gone = "Cannot revert: what it needs is no longer stored."
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "kept"})
	if f.stored() != 1 {
		t.Fatalf("%d contents stored", f.stored())
	}
	f.SetSettings(object{"xcsh": object{"decisions": object{"storeMB": 0}}})
	f.propose("bar($A)", "baz($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "not kept"})
	if f.stored() != 0 {
		t.Errorf("%d contents stored", f.stored())
	}
	for _, d := range f.decisions() {
		wantError(t, f.fails("xcsh.decisions.revert", object{"id": d.ID}), -32803, gone)
	}
	f = startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"decisions.log": false}, nil)
	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "r"})
	if left, err := os.ReadDir(f.state); err != nil || f.stored() != 0 {
		t.Errorf("%d contents stored, %v, %v", f.stored(), left, err)
	}
}

// An action that knows of no files is offered everywhere, and shown nowhere else.
func TestAnActionWithoutFiles(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\nrest();\n"})
	uri := f.OpenFile(f.path("a.ts"))
	below := f.propose("foo($A)", "bar($A)")
	f.Wait("diagnostics", func() bool { shown, _ := f.Diagnostics(uri); return len(shown) == 1 })

	fail := errors.New("the server is down")
	const label = "Deploy: to staging"
	ref := f.workspace.Session().Stage(session.Origin{
		Label: label, SourceToolName: "deploy", ProposedBy: resolve.Actor{Kind: resolve.ToolActor, Name: "deploy"}, Conn: 1,
	}, session.Callbacks{Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
		if fail != nil {
			return resolve.Result{}, fail
		}
		return resolve.TextResult("deployed", nil), nil
	}})

	var list json.RawMessage
	f.runInto("xcsh.pending.list", object{}, &list)
	if want := `"sourceToolName":"deploy","proposedBy":{"kind":"tool","name":"deploy"}`; !strings.Contains(string(list), want) || !strings.Contains(string(list), `"files":[]`) {
		t.Errorf("list %s", list)
	}
	var preview struct {
		Label string
		Edit  json.RawMessage
		Hunks []any
	}
	f.runInto("xcsh.pending.preview", object{"id": ref.ID}, &preview)
	if preview.Label != label || string(preview.Edit) != "{}" || preview.Hunks == nil || len(preview.Hunks) != 0 {
		t.Errorf("preview %+v", preview)
	}
	if shown, _ := f.Diagnostics(uri); len(shown) != 1 {
		t.Errorf("diagnostics %+v", shown)
	}
	kinds := func(code string) (kinds []string) {
		for _, a := range f.CodeActions(uri, f.Range(uri, code)) {
			kinds = append(kinds, a.Kind+" "+a.Title)
		}
		return kinds
	}
	anywhere := []string{`source.xcsh Apply "` + label + `"…`, `source.xcsh Discard "` + label + `"…`}
	if got := kinds("rest"); !slices.Equal(got, anywhere) {
		t.Errorf("actions %q, want %q", got, anywhere)
	}
	// Also where only an action below it would change something.
	if got := kinds("foo"); len(got) != 4 || !slices.Equal(got[2:], anywhere) || !strings.HasPrefix(got[0], "quickfix Apply") {
		t.Errorf("actions %q", got)
	}

	actions := f.CodeActions(uri, f.Range(uri, "rest"))
	answer := "it is time"
	f.OnMessageRequest(func(lsptest.MessageRequest) *string { answer := "Tests pass with it"; return &answer })
	f.OnInput(func(lsptest.Input) *string { return &answer })
	if _, failed := f.choose(actions[0]); failed == nil || failed.Message != "Apply failed: the server is down" {
		t.Errorf("error %v", failed)
	}
	fail = nil
	if result, failed := f.choose(actions[0]); failed != nil || result.text() != "deployed" {
		t.Errorf("result %q, %v", result.text(), failed)
	}
	if got := f.pendingIDs(); !slices.Equal(got, []string{below}) {
		t.Errorf("pending %v", got)
	}
	got := f.decisions()[0]
	if got.PendingID != ref.ID || got.Action != "apply" || got.ProposedBy["kind"] != "tool" || got.DecidedBy["kind"] != "human" || len(got.Files) != 0 {
		t.Errorf("decision %+v", got)
	}
}

// An agent beside the editor proposes to revert what a human applied; the human
// sees it in the editor and decides, and the agent is told why.
func TestRevert_ByAnAgentBesideTheEditor(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	f.propose("foo($A)", "bar($A)")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "renamed"})
	beside := f.join(agentNamed("a model"), nil)
	id, _ := beside.run("xcsh.decisions.revert", object{"id": beside.decisions()[0].ID}).pending(t)

	f.Wait("diagnostics", func() bool { shown, _ := f.Diagnostics(uri); return len(shown) == 1 })
	f.OnMessageRequest(func(lsptest.MessageRequest) *string { reason := "Not the change I want"; return &reason })
	actions := f.CodeActions(uri, f.Range(uri, "bar"))
	if _, failed := f.choose(actions[1]); failed != nil {
		t.Fatal(failed)
	}
	got := beside.decisionsOf(object{"pendingId": id})
	if len(got) != 1 || got[0].Action != "discard" || got[0].Reason != "Not the change I want" || got[0].ReasonFrom != "chosen" || got[0].ProposedBy["name"] != "a model" {
		t.Errorf("decisions %+v", got)
	}
	if text := f.Text(uri); text != "bar(1);\n" {
		t.Errorf("a.ts is %q", text)
	}
}
