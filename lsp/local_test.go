package lsp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/localsocket"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// withSocket has the workspace listen below a folder whose path is short enough.
func withSocket(t *testing.T) (root string, change func(*lsp.Config)) {
	t.Helper()
	root, err := os.MkdirTemp("/tmp", "xs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	return root, func(cfg *lsp.Config) {
		cfg.ListenLocal = func(first string) (lsp.LocalListener, error) { return localsocket.Listen(root, first) }
	}
}

// beside is a client that comes by the socket of f's workspace.
func (f *fixture) beside(root string, manners lsptest.Manners) *fixture {
	f.t.Helper()
	conn, err := localsocket.Dial(context.Background(), root, f.real())
	if err != nil {
		f.t.Fatal(err)
	}
	other := &fixture{t: f.t, workspace: f.workspace, dir: f.dir, state: f.state, logs: f.logs, wire: conn}
	other.Editor = lsptest.New(f.t, conn, manners)
	f.t.Cleanup(func() { other.Close() })
	return other
}

// An agent that comes by the socket is in the editor's session. It is an agent
// whatever it says: under resolve.by "human" it decides nothing but its own discard.
func TestLocal_AnAgentJoinsTheEditorsSession(t *testing.T) {
	root, change := withSocket(t)
	f := startWith(t, lsptest.VSCodeLike(), loopFiles(), object{"resolve.by": "human"}, change)
	uri := f.Open(f.path("a.ts"), loopBuffer)
	f.arrived()
	unmarked := editorNamed("codex") // without the agent's mark
	agent := f.beside(root, unmarked)
	agent.Initialize(nil, f.dir)

	id, revision := agent.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)
	if got := f.list(); len(got) != 1 || got[0].ID != id || got[0].ProposedBy["kind"] != "agent" || got[0].ProposedBy["name"] != "codex" {
		t.Fatalf("the editor sees %+v", got)
	}
	if failed := agent.fails("xcsh.resolve", resolveArg("apply", id, revision)); !strings.Contains(failed.Message, "human") {
		t.Errorf("the agent's apply: %q", failed.Message)
	}
	f.run("xcsh.resolve", resolveArg("apply", id, revision))
	if f.Text(uri) != loopBufferAfter {
		t.Errorf("a.ts is %q", f.Text(uri))
	}
	var outcome struct {
		Decided        bool
		Action, Reason string
	}
	agent.runInto("xcsh.pending.await", object{"id": id}, &outcome)
	if !outcome.Decided || outcome.Action != "apply" || outcome.Reason != "because" {
		t.Errorf("the agent hears %+v", outcome)
	}
}

// Whoever sends garbage is hung up on, alone.
func TestLocal_GarbageHarmsNobody(t *testing.T) {
	root, change := withSocket(t)
	f := startWith(t, lsptest.Plain(), loopFiles(), nil, change)
	agent := f.beside(root, agentNamed("claude"))
	agent.Initialize(nil, f.dir)
	for _, garbage := range garbageMessages() {
		conn, err := localsocket.Dial(context.Background(), root, f.real())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, garbage) // fails where it is hung up on already
		conn.Close()
	}
	if got := agent.list(); len(got) != 0 {
		t.Errorf("pending: %+v", got)
	}
	if got := f.list(); len(got) != 0 {
		t.Errorf("pending: %+v", got)
	}
}

// garbageMessages are what no client should send: broken frames, JSON that is no message,
// messages that make no sense, and bytes at random.
func garbageMessages() []string {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	call := func(method, params string) string {
		return frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	}
	list := []string{
		"", "\x00\xff\xfe", "GET / HTTP/1.1\r\n\r\n", "Content-Length: 99999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n",
		"Content-Length: 3\r\n\r\n{{{", "Content-Length: 100\r\n\r\n{\"jsonrpc\"", strings.Repeat("X-Header: y\r\n", 10_000),
		frame("null"), frame("[]"), frame("7"), frame(`{}`), frame(`{"jsonrpc":"2.0"}`), frame(strings.Repeat("[", 100_000)),
		frame(`{"jsonrpc":"2.0","id":{},"method":[],"params":"?"}`), frame(`{"jsonrpc":"2.0","id":1,"result":{}}`),
		call("initialize", `7`), call("initialize", `{"initializationOptions":{"agent":7},"capabilities":[]}`),
		call("workspace/executeCommand", `{"command":"xcsh.resolve","arguments":[{"action":"apply","reason":"r"}]}`), // not initialized
		call("textDocument/didOpen", `{"textDocument":{"uri":"a.ts","text":7}}`), call("exit", `null`), call("shutdown", `null`) + call("exit", `null`),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		junk := make([]byte, random.IntN(2000))
		for i := range junk {
			junk[i] = byte(random.Uint32())
		}
		list = append(list, string(junk), frame(string(junk)))
	}
	return list
}

// The editor's end is the agents' end: they are told by the end of the stream, nothing
// is applied, and the socket is gone.
func TestLocal_EndsWithTheWorkspace(t *testing.T) {
	root, change := withSocket(t)
	f := startWith(t, lsptest.Plain(), loopFiles(), nil, change)
	before := f.disk("b.ts")
	agent := f.beside(root, agentNamed("claude"))
	agent.Initialize(nil, f.dir)
	agent.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		f.workspace.Close()
	}()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("the workspace does not end while an agent is there")
	}
	if _, err := localsocket.Dial(context.Background(), root, f.real()); !errors.Is(err, localsocket.ErrNone) {
		t.Errorf("the socket is still there: %v", err)
	}
	if f.disk("b.ts") != before {
		t.Error("something was applied")
	}
}

// What an agent proposed stays when the agent has gone, marked.
func TestLocal_AnAgentThatGoesLeavesItsProposal(t *testing.T) {
	root, change := withSocket(t)
	f := startWith(t, lsptest.Plain(), loopFiles(), nil, change)
	agent := f.beside(root, agentNamed("claude"))
	agent.Initialize(nil, f.dir)
	agent.run("xcsh.ast_edit", edit("foo($A, $B)", "bar($B, $A)")).pending(t)
	agent.Close()
	eventually(t, "the proposer is gone", func() bool {
		got := f.list()
		return len(got) == 1 && got[0].ProposerGone
	})
}
