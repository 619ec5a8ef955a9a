package host

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// patient is how long a test waits for what must happen: it fails then, and
// asserts nothing about the time until.
const patient = 60 * time.Second

// kinds are the runtimes that tools run on.
func kinds() []jsruntime.Kind {
	return []jsruntime.Kind{jsruntime.Node, jsruntime.Bun, jsruntime.Deno}
}

// eachRuntime runs a test on every runtime that is installed.
func eachRuntime(t *testing.T, test func(t *testing.T, rt jsruntime.Runtime)) {
	for _, kind := range kinds() {
		t.Run(string(kind), func(t *testing.T) { test(t, installed(t, kind)) })
	}
}

// installed returns a runtime of this kind: the one that XCSH_TEST_NODE,
// XCSH_TEST_BUN or XCSH_TEST_DENO names, or the one that a search finds.
func installed(t testing.TB, kind jsruntime.Kind) jsruntime.Runtime {
	t.Helper()
	search := jsruntime.OnThisMachine(runtime.GOOS)
	search.Setting = os.Getenv("XCSH_TEST_" + strings.ToUpper(string(kind)))
	found, err := search.Find()
	if err == nil {
		for _, rt := range found {
			if rt.Kind == kind {
				return rt
			}
		}
	}
	t.Skipf("%s is not installed", kind)
	return jsruntime.Runtime{}
}

// tools is a runtime with the modules of an archive.
type tools struct {
	t    testing.TB
	rt   *Runtime
	dir  string
	host *recorder
}

// open starts a runtime on Node.js and writes the archive's files.
func open(t *testing.T, archive string, limits ...Limits) *tools {
	t.Helper()
	return openOn(t, installed(t, jsruntime.Node), archive, limits...)
}

func openOn(t testing.TB, on jsruntime.Runtime, archive string, limits ...Limits) *tools {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := newRecorder()
	o := Options{
		Find: func() ([]jsruntime.Runtime, error) { return []jsruntime.Runtime{on}, nil },
		Log:  h.Log,
	}
	if len(limits) > 0 {
		o.Limits = limits[0]
	}
	s := &tools{t: t, rt: New(o), dir: dir, host: h}
	t.Cleanup(func() { _ = s.rt.Close() })
	s.write(archive)
	return s
}

func (s *tools) write(archive string) {
	s.t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(s.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *tools) tryLoad(name string) (customtools.Module, error) {
	return s.rt.Load(s.t.Context(), customtools.ModuleSpec{Path: filepath.Join(s.dir, name), Cwd: s.dir, Host: s.host, CanStage: true})
}

func (s *tools) load(name string) customtools.Module {
	s.t.Helper()
	m, err := s.tryLoad(name)
	if err != nil {
		s.t.Fatalf("load %s: %v", name, err)
	}
	return m
}

// tool loads a module and returns its first tool.
func (s *tools) tool(name string) customtools.RuntimeTool {
	s.t.Helper()
	elements := s.load(name).Elements()
	if len(elements) == 0 || elements[0].Tool == nil {
		s.t.Fatalf("%s gives no tool: %+v", name, elements)
	}
	return elements[0].Tool
}

// call runs a tool and returns what it returned.
func (s *tools) call(ctx context.Context, tool customtools.RuntimeTool, params string) (string, error) {
	value, err := tool.Execute(ctx, customtools.RuntimeCall{
		ToolCallID: "id",
		Params:     json.RawMessage(params),
		Context:    customtools.ToolContext{HasUI: true, ToolNames: []string{"t"}},
		Host:       s.host,
	})
	return string(value), err
}

func (s *tools) mustCall(tool customtools.RuntimeTool, params string) string {
	s.t.Helper()
	value, err := s.call(s.t.Context(), tool, params)
	if err != nil {
		s.t.Fatalf("call: %v", err)
	}
	return value
}

// started runs a call that says "started" by an update, and returns when it has.
func (s *tools) started(ctx context.Context, tool customtools.RuntimeTool, params string) <-chan outcome {
	s.t.Helper()
	begun, done := make(chan struct{}, 64), make(chan outcome, 1)
	go func() {
		value, err := tool.Execute(ctx, customtools.RuntimeCall{
			Params: json.RawMessage(params),
			Host:   s.host,
			Update: func(json.RawMessage) { begun <- struct{}{} },
		})
		done <- outcome{string(value), err}
	}()
	select {
	case <-begun:
	case o := <-done:
		s.t.Fatalf("the call ended before it said that it had begun: %+v", o)
	case <-time.After(patient):
		s.t.Fatal("the call does not begin")
	}
	return done
}

type outcome struct {
	value string
	err   error
}

// factory is a module with one tool named t that runs body.
func factory(body string) string {
	return "export default (pi) => ({ name: 't', label: 'T', description: 'd', parameters: pi.typebox.Type.Object({}), async execute(id, params, onUpdate, ctx, signal) {\n" + body + "\n} });\n"
}

// recorder is a host that keeps what it is told.
type recorder struct {
	mu      sync.Mutex
	changed sync.Cond
	logs    []customtools.LogEntry
	staged  []resolve.Action
	lost    map[string]string
	notes   []string
	aborts  int
	session customtools.Session
	answers map[string]string // of the dialogs, by title
	asked   []string
}

func newRecorder() *recorder {
	r := &recorder{lost: map[string]string{}, answers: map[string]string{}}
	r.changed.L = &r.mu
	return r
}

func (r *recorder) record(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
	r.changed.Broadcast()
}

// await returns when met holds, which is called with the lock held.
func (r *recorder) await(t *testing.T, what string, met func() bool) {
	t.Helper()
	timer := time.AfterFunc(patient, func() { r.record(func() {}) })
	defer timer.Stop()
	deadline := time.Now().Add(patient)
	r.mu.Lock()
	defer r.mu.Unlock()
	for !met() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: does not happen; log: %v", what, r.logs)
		}
		r.changed.Wait()
	}
}

func (r *recorder) awaitLog(t *testing.T, part string) {
	t.Helper()
	r.await(t, "log "+part, func() bool {
		for _, l := range r.logs {
			if strings.Contains(l.Message, part) {
				return true
			}
		}
		return false
	})
}

func (r *recorder) Stage(a resolve.Action) string {
	id := ""
	r.record(func() {
		r.staged = append(r.staged, a)
		id = a.Label
	})
	return id
}

func (r *recorder) Lost(id, reason string) { r.record(func() { r.lost[id] = reason }) }
func (r *recorder) UI() customtools.UI     { return r }
func (r *recorder) Abort()                 { r.record(func() { r.aborts++ }) }
func (r *recorder) Log(e customtools.LogEntry) {
	r.record(func() { r.logs = append(r.logs, e) })
}

func (r *recorder) Session(context.Context) (customtools.Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session, nil
}

func (r *recorder) answer(question string) (text string, ok bool) {
	r.record(func() {
		r.asked = append(r.asked, question)
		text, ok = r.answers[question]
	})
	return text, ok
}

func (r *recorder) Select(_ context.Context, title string, options []string) (string, bool) {
	return r.answer("select " + title + " " + strings.Join(options, ","))
}

func (r *recorder) Confirm(_ context.Context, title, message string) bool {
	_, ok := r.answer("confirm " + title + " " + message)
	return ok
}

func (r *recorder) Input(ctx context.Context, title, placeholder string) (string, bool) {
	text, ok := r.answer("input " + title + " " + placeholder)
	if title == "wait" {
		<-ctx.Done()
	}
	return text, ok
}

func (r *recorder) Editor(_ context.Context, title, prefill string) (string, bool) {
	return r.answer("editor " + title + " " + prefill)
}

func (r *recorder) Notify(message, level string) {
	r.record(func() { r.notes = append(r.notes, level+" "+message) })
}

func (r *recorder) SetStatus(key string, text *string) {
	note := "status " + key + " -"
	if text != nil {
		note = "status " + key + " " + *text
	}
	r.record(func() { r.notes = append(r.notes, note) })
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}
