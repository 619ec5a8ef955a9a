package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// pipes are a process's standard streams as one connection.
type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Close() error                { return p.in.Close() }

// editor starts `xcsh-lsp serve` as an editor does.
func (s *shell) editor() *lsptest.Editor {
	s.t.Helper()
	cmd := s.command("serve")
	in, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	e := lsptest.New(s.t, pipes{out, in}, lsptest.VSCodeLike())
	s.t.Cleanup(func() {
		e.Close()
		_ = cmd.Wait()
	})
	return e
}

// The programs as they are built: an editor has an unsaved buffer, a model's client by
// the TypeScript SDK proposes over it, the human discards with a reason, and the
// client reads it.
func TestMCP_WithTheTypeScriptSDK(t *testing.T) {
	modules := os.Getenv("XCSH_NPM")
	if modules == "" {
		t.Skip("XCSH_NPM does not name a node_modules folder with @modelcontextprotocol/sdk (make test sets it)")
	}
	script, err := filepath.Abs("testdata/mcp-client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	state, err := os.MkdirTemp("/tmp", "xs") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(state) })
	s.env["XDG_STATE_HOME"] = state
	s.write("a.ts", "foo(1);\n")
	e := s.editor()
	e.Initialize(nil, s.dir)
	uri := e.Open(filepath.Join(s.dir, "a.ts"), "// not saved\nfoo(1);\n")

	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	agent := exec.CommandContext(ctx, "node", script, modules, os.Getenv(programEnv))
	agent.Dir, agent.Env = s.dir, s.command().Env
	var stdout, stderr strings.Builder
	agent.Stdout, agent.Stderr = &stdout, &stderr
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	// What an editor shows at its diagnostics, and the human's no.
	e.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	raw, failed := e.Command(ctx, "xcsh.pending.list", map[string]any{})
	if failed != nil {
		t.Fatal(failed)
	}
	var list struct {
		Actions []struct {
			ID         string
			ProposedBy struct{ Kind, Name string }
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil || len(list.Actions) != 1 || list.Actions[0].ProposedBy.Kind != "agent" || list.Actions[0].ProposedBy.Name != "claude" {
		t.Fatalf("%v: the editor sees %s", err, raw)
	}
	discard := map[string]any{"action": "discard", "reason": "use baz", "id": list.Actions[0].ID}
	if _, failed := e.Command(ctx, "xcsh.resolve", discard); failed != nil {
		t.Fatal(failed)
	}
	if err := agent.Wait(); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
	want := "tools ast_edit pending\npreview \"# a.ts (1 replacement)\\n-2:1 foo(1)\\n+2:1 bar(1)\"\nheard Decided: discard. Reason: use baz\n"
	if stdout.String() != want {
		t.Errorf("the agent says\n%s\nwant\n%s", stdout.String(), want)
	}
	s.holds("a.ts", "foo(1);\n")
}
