package mcpserver_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/mcpserver"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

type object = map[string]any

// joinTime is plenty for a server in this process, under the race detector too.
const joinTime = 2 * time.Second

// rig is an agent on a project, and the human's editor beside it where there is one.
type rig struct {
	t       *testing.T
	dir     string
	state   string // the user's, which all servers share
	direct  []customtools.Tool
	agent   *mcp.ClientSession
	alone   *lsp.Workspace
	changed chan struct{} // the tools are others

	mu     sync.Mutex
	editor *lsp.Workspace // nil for none
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigOf(t, rigOptions{})
}

// rigOptions are what a test needs beside the rig's own.
type rigOptions struct {
	find     func(context.Context) (io.ReadWriteCloser, error) // an editor; nil: those that the rig opens
	direct   []customtools.Tool
	progress func(*mcp.ProgressNotificationParams)
}

func newRigOf(t *testing.T, given rigOptions) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, state: t.TempDir(), direct: given.direct, changed: make(chan struct{}, 1)}
	r.write("a.ts", "foo(1);\n")
	r.write("b.ts", "foo(2);\nfoo(3);\n")
	r.alone = r.workspace()
	if given.find == nil {
		given.find = r.joinEditor
	}
	r.agent = r.connect("claude", given)
	return r
}

// anotherAgent is one more beside the rig's own.
func (r *rig) anotherAgent(name string) *mcp.ClientSession {
	r.t.Helper()
	return r.connect(name, rigOptions{find: r.joinEditor})
}

func (r *rig) connect(name string, given rigOptions) *mcp.ClientSession {
	r.t.Helper()
	t := r.t
	server := mcpserver.New(name, "test", []string{r.dir}, mcpserver.Places{
		Editor: given.find, Alone: func() io.ReadWriteCloser { return serveAgent(t, r.alone) }, Log: zap.NewNop(),
		JoinTime: joinTime,
	})
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	ctx, stop := context.WithCancel(context.Background())
	go func() { ended <- server.Run(ctx, theirs) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "a model's client", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case r.changed <- struct{}{}:
			default: // nobody has looked since the last one
			}
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			if given.progress != nil {
				given.progress(req.Params)
			}
		},
	})
	agent, err := client.Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		agent.Close()
		stop()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Error("the server does not end")
		}
	})
	return agent
}

func (r *rig) workspace() *lsp.Workspace {
	r.t.Helper()
	engine, err := astedit.NewEngine()
	if err != nil {
		r.t.Fatal(err)
	}
	w := lsp.NewWorkspace(lsp.Config{
		Engine: engine, Version: "test", StateRoot: r.state, Home: r.dir, Getenv: func(string) string { return "" },
		Now: time.Now, Log: zap.NewNop(), CustomTools: lsp.CustomTools{Direct: r.direct},
	})
	r.t.Cleanup(w.Close)
	return w
}

func serveAgent(t *testing.T, w *lsp.Workspace) net.Conn {
	ours, theirs := net.Pipe()
	go func() {
		if _, err := w.ServeAgent(context.Background(), theirs); err != nil {
			t.Logf("a session: %v", err)
		}
	}()
	return ours
}

func (r *rig) joinEditor(context.Context) (io.ReadWriteCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.editor == nil {
		return nil, errors.New("no editor")
	}
	return serveAgent(r.t, r.editor), nil
}

// open starts the human's editor on the project.
func (r *rig) open(settings any) *lsptest.Editor {
	r.t.Helper()
	w := r.workspace()
	ours, theirs := net.Pipe()
	go w.Serve(context.Background(), theirs)
	e := lsptest.New(r.t, ours, lsptest.VSCodeLike())
	r.t.Cleanup(func() { e.Close() })
	e.Initialize(settings, r.dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.editor = w
	return e
}

func (r *rig) quit() {
	r.mu.Lock()
	w := r.editor
	r.editor = nil
	r.mu.Unlock()
	w.Close()
}

func (r *rig) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) holds(name, want string) {
	r.t.Helper()
	if got, err := os.ReadFile(filepath.Join(r.dir, name)); err != nil || string(got) != want {
		r.t.Errorf("%s is %q, %v; want %q", name, got, err, want)
	}
}

func (r *rig) call(name string, arguments any) (text string, result *mcp.CallToolResult) {
	r.t.Helper()
	result, err := r.agent.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, result
}

// propose stages foo → bar and returns its id.
func (r *rig) propose() (id string) {
	r.t.Helper()
	text, result := r.call("ast_edit", object{"ops": []object{{"pat": "foo($A)", "out": "bar($A)"}}})
	details, _ := result.StructuredContent.(object)
	pending, _ := details["pending"].(object)
	id, _ = pending["id"].(string)
	if result.IsError || id == "" || !strings.Contains(text, "-1:1 foo(1)\n+1:1 bar(1)") || !strings.Contains(text, "resolve") {
		r.t.Fatalf("proposal %q: %s", id, text)
	}
	return id
}

func (r *rig) tools() (names []string) {
	r.t.Helper()
	list, err := r.agent.ListTools(context.Background(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations == nil || tool.Annotations.DestructiveHint == nil || tool.Annotations.OpenWorldHint == nil {
			r.t.Errorf("%s has not all annotations: %+v", tool.Name, tool.Annotations)
		}
	}
	slices.Sort(names)
	return names
}

func (r *rig) soonTools(want ...string) {
	r.t.Helper()
	deadline := time.After(20 * time.Second)
	for !slices.Equal(r.tools(), want) {
		select {
		case <-r.changed:
		case <-deadline:
			r.t.Fatalf("the tools are %q, want %q", r.tools(), want)
		}
	}
}

func TestAlone_ProposeAndResolve(t *testing.T) {
	r := newRig(t)
	r.soonTools("ast_edit", "pending")
	id := r.propose()
	r.soonTools("ast_edit", "pending", "resolve")
	if text, _ := r.call("pending", object{}); !strings.Contains(text, id) || !strings.Contains(text, "No editor") {
		t.Errorf("pending: %s", text)
	}
	text, _ := r.call("pending", object{"id": id, "limit": 1})
	want := "AST Edit: 3 replacements in 2 files\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-foo(1);\n+bar(1);\n" +
		"Hunks 1 to 1 of 2. The next ones: pending with offset 1.\n\n" + resolve.Reminder
	if text != want {
		t.Errorf("the diff is\n%s", text)
	}
	want = "AST Edit: 3 replacements in 2 files\n--- a/b.ts\n+++ b/b.ts\n@@ -1,2 +1,2 @@\n-foo(2);\n-foo(3);\n+bar(2);\n+bar(3);\n" +
		"Hunks 2 to 2 of 2.\n\n" + resolve.Reminder
	if text, _ = r.call("pending", object{"id": id, "offset": 1}); text != want {
		t.Errorf("the rest is\n%s", text)
	}
	if text, _ = r.call("pending", object{"id": id, "offset": 9}); !strings.Contains(text, "no more than 2 hunks") {
		t.Errorf("behind the end: %s", text)
	}
	r.holds("a.ts", "foo(1);\n")

	if text, result := r.call("resolve", object{"action": "apply", "reason": "bar is the name now"}); result.IsError {
		t.Fatal(text)
	}
	r.holds("a.ts", "bar(1);\n")
	r.holds("b.ts", "bar(2);\nbar(3);\n")
	r.soonTools("ast_edit", "pending")
	if text, _ := r.call("pending", object{"id": id}); text != "Decided: apply. Reason: bar is the name now" {
		t.Errorf("afterwards: %s", text)
	}
}

// The agent is in the editor's session: over unsaved text, and the human decides.
func TestEditor_TheHumanDecidesAndTheAgentHearsWhy(t *testing.T) {
	r := newRig(t)
	e := r.open(object{"resolve.by": "human"})
	uri := e.Open(filepath.Join(r.dir, "a.ts"), "// not saved\nfoo(1);\n")
	text, result := r.call("ast_edit", object{"ops": []object{{"pat": "foo($A)", "out": "bar($A)"}}})
	if !strings.Contains(text, "-2:1 foo(1)") {
		t.Fatalf("the preview does not have the unsaved text:\n%s", text)
	}
	id := result.StructuredContent.(object)["pending"].(object)["id"].(string)
	if text, _ := r.call("pending", object{}); !strings.Contains(text, "their editor") {
		t.Errorf("pending: %s", text)
	}
	shown, _ := r.call("pending", object{"id": id})
	for _, told := range []string{text, shown} {
		if !strings.Contains(told, "Only the human may apply it (setting resolve.by). They see it in their editor") || !strings.HasSuffix(told, "</system-reminder>") {
			t.Errorf("it does not say how the human decides:\n%s", told)
		}
	}
	if text, result := r.call("resolve", object{"action": "apply", "reason": "I am sure"}); !result.IsError || !strings.Contains(text, "human") {
		t.Errorf("the agent's apply: %s", text)
	}
	if _, failed := e.Command(context.Background(), "xcsh.resolve", object{"action": "discard", "reason": "use baz", "id": id}); failed != nil {
		t.Fatal(failed)
	}
	if text, _ := r.call("pending", object{"id": id}); text != "Decided: discard. Reason: use baz" {
		t.Errorf("the agent hears: %s", text)
	}
	if got := e.Text(uri); got != "// not saved\nfoo(1);\n" {
		t.Errorf("a.ts is %q", got)
	}
}

// When the editor goes, what was pending goes with it, nothing is applied, and the
// agent works on alone.
func TestEditor_Goes(t *testing.T) {
	r := newRig(t)
	r.open(nil)
	id := r.propose()
	r.quit()
	if text, result := r.call("pending", object{"id": id}); !result.IsError {
		t.Errorf("what is gone is still there: %s", text)
	}
	r.holds("a.ts", "foo(1);\n")
	r.propose()
	if text, _ := r.call("pending", object{}); !strings.Contains(text, "No editor") {
		t.Errorf("pending: %s", text)
	}
}

func TestWrongArguments(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		tool      string
		arguments any
		want      string
	}{
		{"pending", object{"id": 1}, "The arguments are { id?, offset?, limit? }"},
		{"pending", object{"limit": 0}, "The arguments are { id?, offset?, limit? }"},
		{"pending", object{"id": "no such id"}, "no longer pending"},
		{"ast_edit", object{}, "ops"},
		{"ast_edit", object{"ops": []object{}}, "`ops` must include at least one op entry"},
	} {
		text, result := r.call(c.tool, c.arguments)
		if !result.IsError || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: error %v, %s", c.tool, c.arguments, result.IsError, text)
		}
	}
}
