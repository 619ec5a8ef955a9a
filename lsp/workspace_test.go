package lsp_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// agentNamed is a client on whose connection an agent decides: it edits nothing.
func agentNamed(name string) lsptest.Manners {
	m := lsptest.NoApplyEdit()
	m.Name, m.Agent = "an agent's client", name
	return m
}

// editorNamed is an honest human's editor.
func editorNamed(name string) lsptest.Manners {
	m := lsptest.Plain()
	m.Name = name
	return m
}

// resolveArg is an argument of xcsh.resolve.
func resolveArg(action, id string, revision int) object {
	return object{"action": action, "reason": "because", "id": id, "revision": revision}
}

// listed is an action as xcsh.pending.list gives it.
type listed struct {
	ID           string
	Revision     int
	ProposedBy   map[string]string
	ProposerGone bool
	Stale        bool
	Files        []struct {
		URI          string
		Replacements int
	}
}

func (f *fixture) list() (actions []listed) {
	f.t.Helper()
	var list struct{ Actions []listed }
	f.runInto("xcsh.pending.list", object{}, &list)
	return list.Actions
}

// An agent proposes over what the human has not saved; the human sees it in the
// editor and decides there.
func TestWorkspace_AgentProposesAndTheHumanDecides(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Input, manners.PendingChanged = true, true
	f := start(t, manners, loopFiles())
	uri := f.Open(f.path("a.ts"), loopBuffer)
	f.arrived()
	listening := agentNamed("codex")
	listening.PendingChanged = true
	agent, silent := f.join(listening, nil), f.join(agentNamed("claude"), nil)

	proposed := agent.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)"))
	id, revision := proposed.pending(t)
	want := "# a.ts (1 replacement)\n-1:17 foo(1, 2)\n+1:17 bar(2, 1)\n\n# b.ts (1 replacement)\n-2:9 foo(3, 4)\n+2:9 bar(4, 3)" + reminder
	if proposed.text() != want {
		t.Errorf("preview:\n%s", proposed.text())
	}
	for name, client := range map[string]*fixture{"the editor": f, "the proposer": agent, "another agent": silent} {
		got := client.list()
		if len(got) != 1 || got[0].ID != id || got[0].Revision != revision || got[0].ProposedBy["kind"] != "agent" || got[0].ProposedBy["name"] != "codex" || got[0].ProposerGone {
			t.Errorf("%s sees %+v", name, got)
		}
	}
	f.WaitReceived("xcsh/pendingChanged", 1)
	agent.WaitReceived("xcsh/pendingChanged", 1)

	f.OnInput(func(lsptest.Input) *string { return lsptest.Answer("it is right") })
	if _, failed := f.choose(checkShown(f, uri)[0]); failed != nil {
		t.Fatal(failed)
	}
	if f.Text(uri) != loopBufferAfter || f.disk("b.ts") != loopDiskAfter {
		t.Errorf("a.ts %q, b.ts %q", f.Text(uri), f.disk("b.ts"))
	}
	for _, client := range []*fixture{f, agent, silent} {
		log := client.decisions()
		if len(log) != 1 || log[0].ProposedBy["name"] != "codex" || log[0].DecidedBy["kind"] != "human" || log[0].Reason != "it is right" {
			t.Errorf("decisions %+v", log)
		}
	}
	if shown := agent.Received("window/showMessage"); len(shown) != 0 {
		t.Errorf("the agent was shown the human's outcome: %s", shown[0].Params)
	}
	if asked := silent.Received("xcsh/pendingChanged"); len(asked) != 0 {
		t.Error("a client was told what it did not ask for")
	}
}

// An agent applies: the editor edits its document, and the agent's own client,
// which edits nothing, is not asked.
func TestWorkspace_AgentAppliesInTheHumansEditor(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), loopFiles())
	uri := f.Open(f.path("a.ts"), loopBuffer)
	f.arrived()
	agent := f.join(agentNamed("codex"), nil)
	id, revision := f.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)

	// It has seen nothing yet; what it does not name is another client's.
	failed := agent.fails("xcsh.resolve", object{"action": "apply", "reason": "r"})
	wantNotTop(t, failed.Data, failed.Message, `The most recent pending action "`+loopLabel+`" was proposed by another client. Pass its id to resolve it.`)
	failed = agent.fails("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	given := wantStale(t, failed, "Preview is out of date: a.ts, b.ts. It has been refreshed; review it and resolve again.", id, "a.ts", "b.ts")
	if given != revision {
		t.Errorf("revision %d, want %d", given, revision)
	}
	// The error has given it the revision.
	agent.run("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	if f.Text(uri) != loopBufferAfter || f.disk("b.ts") != loopDiskAfter {
		t.Errorf("a.ts %q, b.ts %q", f.Text(uri), f.disk("b.ts"))
	}
	if log := f.decisions(); len(log) != 1 || log[0].DecidedBy["kind"] != "agent" || log[0].ProposedBy["kind"] != "human" {
		t.Errorf("decisions %+v", log)
	}
	if shown := f.Received("window/showMessage"); len(shown) != 0 {
		t.Errorf("the human was shown an agent's outcome: %s", shown[0].Params)
	}
}

// Last seen revisions are each connection's own.
func TestWorkspace_RevisionsAreEachConnectionsOwn(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), nil)
	uri := f.Open(f.path("a.ts"), "foo(1);\n")
	f.arrived()
	one, two := f.join(agentNamed("one"), nil), f.join(agentNamed("two"), nil)
	id, _ := one.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	two.list()
	f.Change(uri, f.Edit(uri, "1", "12"))
	eventually(t, "the preview follows", func() bool { l := one.list(); return len(l) == 1 && l[0].Revision == 2 })
	failed := two.fails("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	wantStale(t, failed, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.", id, "a.ts")
	one.run("xcsh.resolve", object{"action": "apply", "reason": "r", "id": id})
	if f.Text(uri) != "bar(12);\n" {
		t.Errorf("a.ts %q", f.Text(uri))
	}
}

// The setting resolve.by holds for every connection, with its exact texts.
func TestWorkspace_ResolveByAcrossConnections(t *testing.T) {
	const (
		onlyHuman    = "Only a human may apply here (setting resolve.by)."
		onlyAgent    = "Only an agent may apply here (setting resolve.by)."
		onlyProposer = "Only a human or its proposer may discard it here (setting resolve.by)."
	)
	for _, c := range []struct{ by, action, who, want string }{
		{"human", "apply", "editor", ""}, {"human", "apply", "proposer", onlyHuman}, {"human", "apply", "another", onlyHuman},
		{"human", "discard", "editor", ""}, {"human", "discard", "proposer", ""}, {"human", "discard", "another", onlyProposer},
		{"agent", "apply", "editor", onlyAgent}, {"agent", "apply", "proposer", ""}, {"agent", "apply", "another", ""},
		{"agent", "discard", "editor", ""}, {"agent", "discard", "proposer", ""}, {"agent", "discard", "another", ""},
		{"either", "apply", "editor", ""}, {"either", "apply", "proposer", ""}, {"either", "apply", "another", ""},
		{"either", "discard", "editor", ""}, {"either", "discard", "proposer", ""}, {"either", "discard", "another", ""},
	} {
		t.Run(c.by+" "+c.action+" "+c.who, func(t *testing.T) {
			f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": c.by}, nil)
			agents := object{"resolve.by": "either"} // an agent's settings are not the session's
			clients := map[string]*fixture{"editor": f, "proposer": f.join(agentNamed("one"), agents), "another": f.join(agentNamed("two"), agents)}
			id, revision := clients["proposer"].run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
			_, failed := clients[c.who].command("xcsh.resolve", resolveArg(c.action, id, revision))
			if c.want != "" {
				wantError(t, failed, -32803, c.want)
				if failed != nil && string(failed.Data) != `{"kind":"forbidden"}` {
					t.Errorf("data %s", failed.Data)
				}
			} else if failed != nil {
				t.Error(failed)
			}
			if decided := len(f.pendingIDs()) == 0; decided != (c.want == "") || (f.disk("a.ts") == "bar(1);\n") != (decided && c.action == "apply") {
				t.Errorf("decided %v, a.ts %q", decided, f.disk("a.ts"))
			}
		})
	}
}

// What a connection that ended has proposed stays, marked; one of the same name
// may take it back.
func TestWorkspace_ProposalsStayWhenTheirProposerGoes(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": "human"}, nil)
	manners := agentNamed("codex")
	agent := f.join(manners, nil)
	id, revision := agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	agent.leave()
	eventually(t, "the proposal is marked", func() bool { l := f.list(); return len(l) == 1 && l[0].ProposerGone })

	other := f.join(agentNamed("claude"), nil)
	failed := other.fails("xcsh.resolve", resolveArg("discard", id, revision))
	wantError(t, failed, -32803, "Only a human or its proposer may discard it here (setting resolve.by).")
	again := f.join(manners, nil)
	failed = again.fails("xcsh.resolve", object{"action": "discard", "reason": "r"})
	wantNotTop(t, failed.Data, failed.Message, `The most recent pending action "`+lowerLabel+`" was proposed by another client. Pass its id to resolve it.`)
	again.run("xcsh.resolve", resolveArg("discard", id, revision))
	if len(f.pendingIDs()) != 0 || f.disk("a.ts") != "foo(1);\n" {
		t.Error("not discarded")
	}
}

// The agent's mark in a human's editor is as good as a connection of its own.
func TestWorkspace_MarkedCallsAreTheAgents(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": "human"}, nil)
	arg := edit("foo($A)", "bar($A)")
	arg["agent"] = object{"name": "claude", "model": "m"}
	id, revision := f.run("xcsh.ast_edit", arg).pending(t)
	for _, c := range []struct {
		mark any
		want string
	}{
		{object{"name": "codex"}, "Only a human or its proposer may discard it here (setting resolve.by)."},
		{object{}, "Only a human or its proposer may discard it here (setting resolve.by)."},
		{object{"name": "claude"}, ""},
	} {
		discard := resolveArg("discard", id, revision)
		discard["agent"] = c.mark
		_, failed := f.command("xcsh.resolve", discard)
		if c.want == "" && failed != nil {
			t.Error(failed)
		} else if c.want != "" {
			wantError(t, failed, -32803, c.want)
		}
	}
	if log := f.decisions(); len(log) != 1 || log[0].DecidedBy["name"] != "claude" {
		t.Errorf("decisions %+v", log)
	}
}

// A closed workspace takes nobody.
func TestWorkspace_Closed(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	agent := f.join(agentNamed("codex"), nil)
	agent.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.workspace.Close()
	for _, client := range []*fixture{f, agent} {
		client.leave()
	}
	ours, theirs := net.Pipe()
	defer ours.Close()
	if _, err := f.workspace.Serve(context.Background(), theirs); !errors.Is(err, lsp.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := theirs.Write([]byte("x")); err == nil {
		t.Error("the stream is still open")
	}
	if f.disk("a.ts") != "foo(1);\n" {
		t.Error("something was applied")
	}
}

// Diagnostics go to an agent that says that it shows them, and to no other.
func TestWorkspace_DiagnosticsForAgents(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	uri := lsptest.URI(f.path("a.ts"))
	mute := agentNamed("mute")
	mute.Capabilities = object{"textDocument": object{"publishDiagnostics": nil}}
	shows, hides := f.join(agentNamed("shows"), nil), f.join(mute, nil)
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	one := func(d []protocol.Diagnostic) bool { return len(d) == 1 }
	f.WaitDiagnostics(uri, one)
	shows.WaitDiagnostics(uri, one)
	hides.list()
	late := f.join(agentNamed("late"), nil) // comes when something is pending already
	late.WaitDiagnostics(uri, one)
	if got := hides.Received("textDocument/publishDiagnostics"); len(got) != 0 {
		t.Errorf("diagnostics: %s", got[0].Params)
	}
	if !slices.Equal(late.pendingIDs(), f.pendingIDs()) {
		t.Error("another stack")
	}
}
