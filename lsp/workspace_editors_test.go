package lsp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// Two editors: each edits the documents that it has open, all or none.
func TestWorkspace_EachEditorEditsItsOwnDocuments(t *testing.T) {
	files := map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n", "c.ts": "foo(3);\n"}
	f := start(t, editorNamed("first"), files)
	second := f.join(editorNamed("second").UTF8(), nil)
	agent := f.join(agentNamed("codex"), nil)
	a, b := f.Open(f.path("a.ts"), "/* é */ foo(1);\n"), second.Open(f.path("b.ts"), "/* é */ foo(2);\n")
	f.arrived()
	second.arrived()
	id, revision := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)

	second.TakeEditsLike(lsptest.Refusing("the buffer is locked"))
	failed := agent.fails("xcsh.resolve", resolveArg("apply", id, revision))
	wantError(t, failed, -32803, "Apply failed: the buffer is locked")
	if f.Text(a) != "/* é */ foo(1);\n" || second.Text(b) != "/* é */ foo(2);\n" || f.disk("c.ts") != files["c.ts"] {
		t.Errorf("not taken back: %q, %q, %q", f.Text(a), second.Text(b), f.disk("c.ts"))
	}
	f.onlyFiles("a.ts", "b.ts", "c.ts")

	second.TakeEditsLike(editorNamed("second"))
	agent.list()
	agent.run("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	if f.Text(a) != "/* é */ bar(1);\n" || second.Text(b) != "/* é */ bar(2);\n" || f.disk("c.ts") != "bar(3);\n" {
		t.Errorf("a.ts %q, b.ts %q, c.ts %q", f.Text(a), second.Text(b), f.disk("c.ts"))
	}
	if f.IsOpen(lsptest.URI(f.path("b.ts"))) || second.IsOpen(lsptest.URI(f.path("a.ts"))) {
		t.Error("an editor was given the other's document")
	}
}

// A document that two editors have open is the first one's; with two texts it is
// edited in neither.
func TestWorkspace_OneDocumentInTwoEditors(t *testing.T) {
	f := start(t, editorNamed("first"), map[string]string{"a.ts": "foo(1);\n"})
	second := f.join(editorNamed("second"), nil)
	mine, theirs := second.OpenFile(f.path("a.ts")), f.Open(f.path("a.ts"), "foo(1); foo(2);\n")
	f.arrived()

	proposed := second.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if want := "# a.ts (2 replacements)\n-1:1 foo(1)\n+1:1 bar(1)\n-1:9 foo(2)\n+1:9 bar(2)"; proposed.text() != want {
		t.Errorf("the preview is not of the first editor's text:\n%s", proposed.text())
	}
	id, revision := proposed.pending(t)
	f.WaitDiagnostics(theirs, func(d []protocol.Diagnostic) bool { return len(d) == 2 })
	const twice = "a.ts is open in two editors with different texts; save it in one and close it in the other."
	wantError(t, second.fails("xcsh.resolve", resolveArg("apply", id, revision)), -32803, "Apply failed: "+twice)
	wantError(t, second.fails("xcsh.pending.preview", object{}), -32803, twice)
	if f.Text(theirs) != "foo(1); foo(2);\n" || second.Text(mine) != "foo(1);\n" || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("changed: %q, %q, %q", f.Text(theirs), second.Text(mine), f.disk("a.ts"))
	}
	if d, _ := second.Diagnostics(mine); len(d) != 0 {
		t.Errorf("diagnostics placed in another text: %v", d)
	}

	second.ChangeFull(mine, "foo(1); foo(2);\n") // the same text: the owner edits it
	second.WaitDiagnostics(mine, func(d []protocol.Diagnostic) bool { return len(d) == 2 })
	second.run("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	if f.Text(theirs) != "bar(1); bar(2);\n" || second.Text(mine) != "foo(1); foo(2);\n" || f.disk("a.ts") != "foo(1);\n" {
		t.Errorf("a.ts %q, %q, %q", f.Text(theirs), second.Text(mine), f.disk("a.ts"))
	}
}

// An editor goes while others stay: its documents are no longer overlays, the
// previews follow, nothing is applied, and what was seen before is out of date.
func TestWorkspace_EditorGoes(t *testing.T) {
	f := start(t, editorNamed("first"), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
	f.Open(f.path("a.ts"), "foo(1); foo(2); // unsaved\n")
	f.Open(f.path("b.ts"), "foo(1); // unsaved\n")
	agent := f.join(agentNamed("codex"), nil)
	id, revision := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	agent.list()
	f.leave()

	var now listed
	eventually(t, "the preview follows", func() bool {
		now = agent.list()[0]
		return now.ProposerGone && !now.Stale && now.Revision > revision
	})
	if now.ID != id || len(now.Files) != 2 || now.Files[0].Replacements != 1 {
		t.Errorf("pending %+v", now)
	}
	if f.disk("a.ts") != "foo(1);\n" || f.disk("b.ts") != "foo(1);\n" || len(agent.decisions()) != 0 {
		t.Error("something was decided or written")
	}
	failed := agent.fails("xcsh.resolve", resolveArg("apply", id, revision))
	wantStale(t, failed, "Preview is out of date: a.ts, b.ts. It has been refreshed; review it and resolve again.", id, "a.ts", "b.ts")
	if now = agent.list()[0]; len(agent.pendingIDs()) != 1 {
		t.Fatalf("pending %v", agent.pendingIDs())
	}
	agent.run("xcsh.resolve", resolveArg("apply", id, now.Revision))
	if f.disk("a.ts") != "bar(1);\n" || f.disk("b.ts") != "bar(1);\n" { // nobody has it open any more
		t.Errorf("a.ts %q", f.disk("a.ts"))
	}
}

// An editor goes in the middle of an agent's apply.
func TestWorkspace_EditorGoesDuringAnApply(t *testing.T) {
	f := start(t, lsptest.Silent(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	f.OpenFile(f.path("a.ts"))
	f.arrived()
	agent := f.join(agentNamed("codex"), nil)
	id, revision := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	done := agent.begin(context.Background(), "xcsh.resolve", resolveArg("apply", id, revision))
	f.WaitReceived("workspace/applyEdit", 1)
	f.leave()
	wantError(t, (<-done).failed, -32803, "Apply failed: the editor closed its connection.")
	if f.disk("a.ts") != "foo(1);\n" || f.disk("b.ts") != "foo(2);\n" || len(agent.pendingIDs()) != 1 {
		t.Errorf("a.ts %q, b.ts %q, pending %v", f.disk("a.ts"), f.disk("b.ts"), agent.pendingIDs())
	}
	f.onlyFiles("a.ts", "b.ts")
}

// The one that asked for an apply goes in the middle of it: what has begun is
// brought to its end, and kept.
func TestWorkspace_ProposerGoesDuringItsApply(t *testing.T) {
	manners := editorNamed("slow")
	manners.ApplyDelay = 200 * time.Millisecond
	f := start(t, manners, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	f.arrived()
	agent := f.join(agentNamed("codex"), nil)
	id, revision := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	cut := make(chan error, 1)
	go func() {
		_, err := agent.Call(context.Background(), "workspace/executeCommand", object{"command": "xcsh.resolve", "arguments": []any{resolveArg("apply", id, revision)}})
		cut <- err
	}()
	f.WaitReceived("workspace/applyEdit", 1)
	agent.leave()
	if err := <-cut; err == nil {
		t.Error("the agent was answered")
	}
	eventually(t, "the apply ends", func() bool { return len(f.decisions()) == 1 })
	if f.Text(uri) != "bar(1);\n" || f.disk("b.ts") != "bar(2);\n" || len(f.pendingIDs()) != 0 {
		t.Errorf("a.ts %q, b.ts %q, pending %v", f.Text(uri), f.disk("b.ts"), f.pendingIDs())
	}
	if overdue := f.logs.FilterMessage("end of the connection").All(); len(overdue) != 0 {
		t.Errorf("the agent's connection did not end in time: %v", overdue[0].ContextMap())
	}
}

// Settings and folders are the first human's editor's, then the next one's; what
// the last one set stays in force.
func TestWorkspace_Lead(t *testing.T) {
	f := connect(t, agentNamed("early"), map[string]string{"in/a.ts": "foo(1);\n", "out/b.ts": "foo(2);\n"}, nil)
	f.Initialize(object{"resolve.by": "either"}, f.dir)
	early := f
	wantFiles := func(who *fixture, files ...string) (id string, revision int) {
		t.Helper()
		proposed := who.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		id, revision = proposed.pending(t)
		var got []string
		for _, file := range who.list()[0].Files {
			got = append(got, file.URI)
		}
		var want []string
		for _, name := range files {
			want = append(want, lsptest.URI(f.path(name)))
		}
		wantJSON(t, got, want)
		return id, revision
	}
	// An agent that comes first has the say as long as nobody else has.
	wantFiles(early, "in/a.ts", "out/b.ts")
	early.run("xcsh.resolve", object{"action": "discard", "reason": "r"})

	first := f.client(editorNamed("first"), object{"resolve.by": "human"}, f.path("in"))
	second := f.client(editorNamed("second"), object{"resolve.by": "agent"}, f.path("out"))
	id, revision := wantFiles(early, "in/a.ts")
	wantError(t, early.fails("xcsh.resolve", resolveArg("apply", id, revision)), -32803, "Only a human may apply here (setting resolve.by).")
	early.run("xcsh.resolve", resolveArg("discard", id, revision))

	first.leave()
	eventually(t, "the second editor leads", func() bool {
		id, revision := early.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
		files := early.list()[0].Files
		early.run("xcsh.resolve", resolveArg("discard", id, revision))
		return len(files) == 1 && files[0].URI == lsptest.URI(f.path("out/b.ts"))
	})
	id, revision = wantFiles(second, "out/b.ts")
	wantError(t, second.fails("xcsh.resolve", resolveArg("apply", id, revision)), -32803, "Only an agent may apply here (setting resolve.by).")
	second.leave()

	// No human is left: an agent does not take over.
	late := f.client(agentNamed("late"), object{"resolve.by": "human"}, f.dir)
	early.SetSettings(object{"xcsh": object{"resolve.by": "human"}})
	eventually(t, "the editor's documents are gone", func() bool { return late.list()[0].ProposerGone })
	late.run("xcsh.resolve", resolveArg("apply", id, late.list()[0].Revision))
	if f.disk("in/a.ts") != "foo(1);\n" || f.disk("out/b.ts") != "bar(2);\n" {
		t.Errorf("in/a.ts %q, out/b.ts %q", f.disk("in/a.ts"), f.disk("out/b.ts"))
	}
}

// Settings and folders of the lead follow its changes; another's do not count.
func TestWorkspace_LeadChangesItsMind(t *testing.T) {
	f := startWith(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": "human"}, nil)
	agent := f.join(agentNamed("codex"), nil)
	id, revision := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	agent.SetSettings(object{"xcsh": object{"resolve.by": "agent"}})
	agent.Notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{}, "removed": []object{{"uri": lsptest.URI(f.dir), "name": "x"}}}})
	agent.list()
	wantError(t, agent.fails("xcsh.resolve", resolveArg("apply", id, revision)), -32803, "Only a human may apply here (setting resolve.by).")
	f.SetSettings(object{"xcsh": object{"resolve.by": "agent"}})
	eventually(t, "the setting is in force", func() bool {
		_, failed := agent.command("xcsh.resolve", resolveArg("apply", id, revision))
		return failed == nil
	})
	if f.disk("a.ts") != "bar(1);\n" {
		t.Errorf("a.ts %q", f.disk("a.ts"))
	}
}

// arrived returns when the server has all that the client sent: connections are
// not in step with each other.
func (f *fixture) arrived() { f.t.Helper(); f.list() }

// client is one more client of f's workspace, with folders of its own.
func (f *fixture) client(manners lsptest.Manners, options any, folders ...string) *fixture {
	f.t.Helper()
	other := f.joinSilently(manners)
	other.Initialize(options, folders...)
	return other
}

func wantJSON(t *testing.T, got, want any) {
	t.Helper()
	one, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(one) != string(other) {
		t.Errorf("got  %s\nwant %s", one, other)
	}
}
