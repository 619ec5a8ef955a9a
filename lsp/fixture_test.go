package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap/zaptest/observer"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// callTimeout bounds one call of a test: longer than the server's own deadlines
// (10 s for an answer, 5 s for a document's text, twice where an edit is taken back).
const callTimeout = 45 * time.Second

// fixture is a workspace folder, a server and an editor.
type fixture struct {
	*lsptest.Editor
	t         *testing.T
	workspace *lsp.Workspace
	cfg       lsp.Config
	dir       string
	state     string
	logs      *observer.ObservedLogs
	wire      net.Conn // the editor's end, for what no editor sends
	// ended gets whether shutdown came before the end, once the server has ended.
	ended chan bool
	left  sync.Once
}

// start starts a server over files, by path, and an editor with these manners.
func start(t *testing.T, manners lsptest.Manners, files map[string]string) *fixture {
	t.Helper()
	return startWith(t, manners, files, nil, nil)
}

// startWith is start with initialization options and a changed configuration.
func startWith(t *testing.T, manners lsptest.Manners, files map[string]string, options any, change func(*lsp.Config)) *fixture {
	t.Helper()
	f := connect(t, manners, files, change)
	f.Initialize(options, f.dir)
	return f
}

// connect is startWith without initialize.
func connect(t *testing.T, manners lsptest.Manners, files map[string]string, change func(*lsp.Config)) *fixture {
	t.Helper()
	return connectThrough(t, manners, files, change, func(server net.Conn) net.Conn { return server })
}

// connectThrough is connect with something between the editor and its stream.
func connectThrough(t *testing.T, manners lsptest.Manners, files map[string]string, change func(*lsp.Config), through func(net.Conn) net.Conn) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: t.TempDir(), state: t.TempDir(), ended: make(chan bool, 1)}
	for name, content := range files {
		f.write(name, content)
	}
	core, logs := observer.New(zap.DebugLevel)
	f.logs = logs
	engine, err := astedit.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	cfg := lsp.Config{
		Engine: engine, Version: "test", StateRoot: f.state, Home: f.dir, Getenv: func(string) string { return "" },
		Now: time.Now, Log: zap.New(core),
	}
	if change != nil {
		change(&cfg)
	}
	f.cfg = cfg
	f.workspace = lsp.NewWorkspace(cfg)
	t.Cleanup(f.workspace.Close) // after its connections have ended
	f.serve(manners, through)
	return f
}

// restarted ends the server and its client, and starts both again over the same
// files and state.
func (f *fixture) restarted(manners lsptest.Manners, options any) *fixture {
	f.t.Helper()
	f.leave()
	f.workspace.Close()
	again := &fixture{t: f.t, workspace: lsp.NewWorkspace(f.cfg), cfg: f.cfg, dir: f.dir, state: f.state, logs: f.logs, ended: make(chan bool, 1)}
	f.t.Cleanup(again.workspace.Close)
	again.serve(manners, func(server net.Conn) net.Conn { return server })
	again.Initialize(options, f.dir)
	return again
}

// serve has one more client of the workspace served: f's own.
func (f *fixture) serve(manners lsptest.Manners, through func(net.Conn) net.Conn) {
	ours, theirs := net.Pipe()
	go func() {
		shutdown, err := f.workspace.Serve(context.Background(), theirs)
		if err != nil {
			f.t.Logf("server: %v", err)
		}
		f.ended <- shutdown
	}()
	f.wire = ours
	f.Editor = lsptest.New(f.t, through(ours), manners)
	f.t.Cleanup(func() { f.leave() })
}

// leave ends the client as one that is killed ends, and waits for its connection.
func (f *fixture) leave() {
	f.Close()
	f.left.Do(func() {
		select {
		case <-f.ended:
		case <-time.After(callTimeout):
			f.t.Error("the server did not end with its stream")
		}
	})
}

// join is one more client of f's workspace, with the same folder.
func (f *fixture) join(manners lsptest.Manners, options any) *fixture {
	f.t.Helper()
	other := f.joinSilently(manners)
	other.Initialize(options, f.dir)
	return other
}

// joinSilently is join without initialize.
func (f *fixture) joinSilently(manners lsptest.Manners) *fixture {
	other := &fixture{t: f.t, workspace: f.workspace, dir: f.dir, state: f.state, logs: f.logs, ended: make(chan bool, 1)}
	other.serve(manners, func(server net.Conn) net.Conn { return server })
	return other
}

// real returns the folder with symbolic links resolved, as the server names it.
func (f *fixture) real() string {
	f.t.Helper()
	dir, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	return dir
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *fixture) write(name, content string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) disk(name string) string {
	f.t.Helper()
	content, err := os.ReadFile(f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(content)
}

// onlyFiles fails the test where the workspace holds anything but these files:
// nothing staged may be left behind.
func (f *fixture) onlyFiles(names ...string) {
	f.t.Helper()
	known := map[string]bool{}
	for _, name := range names {
		known[f.path(name)] = true
	}
	err := filepath.WalkDir(f.dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !known[path] {
			f.t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// toolResult is a tool result as a client sees it.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Details   map[string]any `json:"details"`
	IsWarning bool           `json:"isWarning"`
	IsError   bool           `json:"isError"`
	Cancelled bool           `json:"cancelled"`
}

func (r toolResult) text() string {
	text := ""
	for i, block := range r.Content {
		if i > 0 {
			text += "\n"
		}
		text += block.Text
	}
	return text
}

// pending returns the id and revision in a proposal's details.
func (r toolResult) pending(t *testing.T) (id string, revision int) {
	t.Helper()
	pending, ok := r.Details["pending"].(map[string]any)
	if !ok {
		t.Fatalf("nothing is pending after: %s", r.text())
	}
	return pending["id"].(string), int(pending["revision"].(float64))
}

// run calls a command that must succeed.
func (f *fixture) run(name string, arg any) toolResult {
	f.t.Helper()
	var result toolResult
	f.runInto(name, arg, &result)
	return result
}

func (f *fixture) runInto(name string, arg, result any) {
	f.t.Helper()
	raw, failed := f.command(name, arg)
	if failed != nil {
		f.t.Fatalf("%s: %v", name, failed)
	}
	if err := json.Unmarshal(raw, result); err != nil {
		f.t.Fatalf("%s: %v in %s", name, err, raw)
	}
}

// fails calls a command that must fail.
func (f *fixture) fails(name string, arg any) *jsonrpc2.Error {
	f.t.Helper()
	raw, failed := f.command(name, arg)
	if failed == nil {
		f.t.Fatalf("%s did not fail: %s", name, raw)
	}
	return failed
}

func (f *fixture) command(name string, arg any) (json.RawMessage, *jsonrpc2.Error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return f.Command(ctx, name, arg)
}

// choose runs the command of a code action as a user's choice.
func (f *fixture) choose(action lsptest.Action) (toolResult, *jsonrpc2.Error) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	raw, failed := f.Execute(ctx, action)
	var result toolResult
	if failed == nil && raw != nil {
		if err := json.Unmarshal(raw, &result); err != nil {
			f.t.Fatalf("%v in %s", err, raw)
		}
	}
	return result, failed
}

// edit is the argument of xcsh.ast_edit with one rule.
func edit(pat, out string) map[string]any {
	return map[string]any{"ops": []map[string]string{{"pat": pat, "out": out}}}
}

// pendingIDs lists the ids on the stack, top first.
func (f *fixture) pendingIDs() []string {
	f.t.Helper()
	var list struct {
		Actions []struct {
			ID string `json:"id"`
		} `json:"actions"`
	}
	f.runInto("xcsh.pending.list", map[string]any{}, &list)
	ids := []string{}
	for _, action := range list.Actions {
		ids = append(ids, action.ID)
	}
	return ids
}

// decision is a row of the decision log as a client sees it.
type decision struct {
	ID         string            `json:"id"`
	PendingID  string            `json:"pendingId"`
	Action     string            `json:"action"`
	Label      string            `json:"label"`
	Reason     string            `json:"reason"`
	ReasonFrom string            `json:"reasonFrom"`
	ProposedBy map[string]string `json:"proposedBy"`
	DecidedBy  map[string]string `json:"decidedBy"`
	Files      []struct {
		URI      string `json:"uri"`
		Before   string `json:"before"`
		After    string `json:"after"`
		Verified bool   `json:"verified"`
	} `json:"files"`
	Declined json.RawMessage `json:"declined"`
}

func (f *fixture) decisions() []decision {
	f.t.Helper()
	var list struct {
		Decisions []decision `json:"decisions"`
	}
	f.runInto("xcsh.decisions.list", map[string]any{}, &list)
	return list.Decisions
}

// inject writes bytes to the server as they are; the editor must be idle.
func (f *fixture) inject(raw string) {
	f.t.Helper()
	if _, err := f.wire.Write([]byte(raw)); err != nil {
		f.t.Fatal(err)
	}
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// eventually polls for what no message tells of.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(callTimeout); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", callTimeout, what)
		}
	}
}

func callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), callTimeout)
}
