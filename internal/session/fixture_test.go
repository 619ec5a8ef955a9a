package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const (
	conn      session.ConnID = 1
	otherConn session.ConnID = 2
)

var (
	human = resolve.Actor{Kind: resolve.Human, Name: "an editor"}
	agent = resolve.Actor{Kind: resolve.Agent, Name: "an agent"}
)

// fixture is a session over a folder, with an editor that has nothing open yet.
type fixture struct {
	*session.Session
	t        *testing.T
	dir      string
	host     *fakeHost
	disk     *faultFS
	logs     *observer.ObservedLogs
	stateDir string
	turn     string // the file that is locked to write
	// policy may be changed while nothing runs.
	policy session.Policy
}

func newFixture(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zapcore.InfoLevel)
	f := &fixture{
		t: t, dir: dir, disk: newFaultFS(), logs: logs, stateDir: filepath.Join(t.TempDir(), "state"), turn: filepath.Join(t.TempDir(), "apply.lock"),
		policy: session.Policy{ResolveBy: session.ByEither, MaxFiles: 1000},
	}
	f.host = &fakeHost{dir: dir, open: map[string][]byte{}, edit: takes, canEdit: true}
	for name, content := range files {
		f.write(name, content)
	}
	f.start(session.Config{
		Engine: engine, Host: f.host, Files: f.disk, Journal: journal.New(f.disk, filepath.Join(t.TempDir(), "journal"), f.turn, time.Now), Now: time.Now, Log: zap.New(core),
		Policy: func() session.Policy { return f.policy },
	})
	t.Cleanup(func() { f.Close() })
	return f
}

func (f *fixture) start(cfg session.Config) {
	cfg.Decisions = resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: f.stateDir})
	cfg.Contents = contentstore.New(filepath.Join(f.stateDir, contentstore.Folder), contentstore.DefaultMB<<20)
	f.Session = session.New(cfg)
	f.host.changed = f.FileChanged
}

// restart ends the session and begins another over the same files and state.
func (f *fixture) restart() {
	f.Close()
	f.start(f.Config)
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// write writes a file on disk, behind the session's back.
func (f *fixture) write(name, content string) {
	f.t.Helper()
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// typed gives a document, which it opens if need be, a new text.
func (f *fixture) typed(name, content string) { f.host.set(f.path(name), []byte(content)) }

func (f *fixture) wantDisk(want map[string]string) {
	f.t.Helper()
	for name, content := range want {
		got, err := os.ReadFile(f.path(name))
		if err != nil || string(got) != content {
			f.t.Errorf("%s on disk: %q, %v; want %q", name, got, err, content)
		}
	}
}

func (f *fixture) wantOpen(want map[string]string) {
	f.t.Helper()
	for name, content := range want {
		if got, open := f.host.text(f.path(name)); !open || string(got) != content {
			f.t.Errorf("%s in the editor: %q, open %v; want %q", name, got, open, content)
		}
	}
}

// wantNoTraces fails where a transaction left a hidden file.
func (f *fixture) wantNoTraces() {
	f.t.Helper()
	if left := f.traces(); len(left) > 0 {
		f.t.Errorf("left behind: %v", left)
	}
}

func (f *fixture) traces() (paths []string) {
	err := filepath.WalkDir(f.dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".xcsh-") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return paths
}

func rule(pat, out string) astedit.Request {
	return astedit.Request{Ops: []astedit.Op{{Pat: pat, Out: out}}}
}

// foo turns calls of foo into calls of bar.
func foo() astedit.Request { return rule("foo($A)", "bar($A)") }

func (f *fixture) propose(req astedit.Request) (resolve.Result, *session.PendingRef) {
	f.t.Helper()
	return f.proposeAs(req, human, conn)
}

func (f *fixture) proposeAs(req astedit.Request, actor resolve.Actor, c session.ConnID) (resolve.Result, *session.PendingRef) {
	f.t.Helper()
	result, _, err := f.Propose(context.Background(), session.Proposal{Request: req, ProposedBy: actor, Conn: c})
	if err != nil {
		f.t.Fatalf("propose: %v", err)
	}
	return result, result.Details.(session.ProposalDetails).Pending
}

// stage proposes what must have replacements.
func (f *fixture) stage(req astedit.Request) *session.PendingRef {
	f.t.Helper()
	_, ref := f.propose(req)
	if ref == nil {
		f.t.Fatal("nothing staged")
	}
	return ref
}

// call is the call of a human who saw ref's preview.
func call(action resolve.Kind, ref *session.PendingRef) session.Call {
	return session.Call{
		Params: resolve.Params{Action: action, Reason: "why"}, ID: ref.ID, Revision: ref.Revision,
		Actor: human, Conn: conn, ReasonFrom: resolve.ReasonTyped,
	}
}

func (f *fixture) apply(ref *session.PendingRef) (session.Resolved, error) {
	return f.Resolve(context.Background(), call(resolve.Apply, ref))
}

func (f *fixture) mustApply(ref *session.PendingRef) session.Resolved {
	f.t.Helper()
	result, err := f.apply(ref)
	if err != nil {
		f.t.Fatalf("apply: %v", err)
	}
	return result
}

// pending returns the stack as references, top first.
func (f *fixture) pending() (refs []session.PendingRef) {
	_, stack := f.Pending()
	for _, p := range stack {
		refs = append(refs, session.PendingRef{ID: p.ID, Label: p.Label, Revision: p.Revision})
	}
	return refs
}

func (f *fixture) wantPending(want ...session.PendingRef) {
	f.t.Helper()
	if got := f.pending(); !reflect.DeepEqual(got, want) {
		f.t.Errorf("pending %+v, want %+v", got, want)
	}
}

// top returns the preview on top of the stack.
func (f *fixture) top() session.Preview {
	f.t.Helper()
	_, stack := f.Pending()
	if len(stack) == 0 {
		f.t.Fatal("nothing pending")
	}
	return stack[0]
}

func wantToolError(t *testing.T, err error, message string) *resolve.ToolError {
	t.Helper()
	var tool *resolve.ToolError
	if !errors.As(err, &tool) {
		t.Fatalf("error %T %v, want a ToolError %q", err, err, message)
	}
	if tool.Message != message {
		t.Errorf("error %q, want %q", tool.Message, message)
	}
	return tool
}

func wantKind(t *testing.T, err error, kind, message string) {
	t.Helper()
	if got := wantToolError(t, err, message).Context["kind"]; got != kind {
		t.Errorf("kind %v, want %q", got, kind)
	}
}

// wantStale checks the error of a call that saw an older preview of ref.
func wantStale(t *testing.T, err error, message string, ref session.PendingRef, files ...string) {
	t.Helper()
	if files == nil {
		files = []string{}
	}
	want := map[string]any{"kind": "stale", "files": files, "id": ref.ID, "revision": ref.Revision}
	if got := wantToolError(t, err, message).Context; !reflect.DeepEqual(got, want) {
		t.Errorf("context %v, want %v", got, want)
	}
}
