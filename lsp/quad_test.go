package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// shortDeadlines are long enough for an editor in the same process.
var shortDeadlines = lsp.Deadlines{Answer: time.Second, Verify: 500 * time.Millisecond, Late: 20 * time.Second}

// quad is a workspace of four files in which one edit is pending: a.ts is open with
// an unsaved text, b.ts is open as it is on disk, c.ts and d.ts are not open.
type quad struct {
	*fixture
	a, b     string // URIs
	faults   *faultFS
	id       string
	revision int
}

func quadFiles() map[string]string {
	return map[string]string{"a.ts": "foo(0);\n", "b.ts": "foo(2);\n", "c.ts": "foo(3);\r\n", "d.ts": "foo(4)"}
}

const (
	quadA      = "foo(1); // not saved\n"
	quadAAfter = "bar(1); // not saved\n"
	quadLabel  = "AST Edit: 4 replacements in 4 files"
)

func startQuad(t *testing.T, manners lsptest.Manners, deadlines lsp.Deadlines) *quad {
	t.Helper()
	return startQuadWith(t, manners, deadlines, nil)
}

// startQuadWith is startQuad with initialization options.
func startQuadWith(t *testing.T, manners lsptest.Manners, deadlines lsp.Deadlines, options any) *quad {
	t.Helper()
	q := &quad{faults: &faultFS{FS: atomicfile.OS()}}
	q.fixture = startWith(t, manners, quadFiles(), options, func(cfg *lsp.Config) {
		cfg.Deadlines, cfg.Files = deadlines, q.faults
	})
	q.a, q.b = q.Open(q.path("a.ts"), quadA), q.OpenFile(q.path("b.ts"))
	q.id, q.revision = q.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).pending(t)
	return q
}

func (q *quad) applyArgument() map[string]any {
	return map[string]any{"action": "apply", "reason": "r", "id": q.id, "revision": q.revision}
}

// answer is what a command that runs beside the test came to.
type answer struct {
	raw    json.RawMessage
	failed *jsonrpc2.Error
}

// begin runs a command beside the test.
func (f *fixture) begin(ctx context.Context, name string, arg any) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		raw, failed := f.Command(ctx, name, arg)
		done <- answer{raw, failed}
	}()
	return done
}

// beginWithToken is begin with a work done token.
func (f *fixture) beginWithToken(ctx context.Context, name string, arg, token any) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		raw, failed := f.CommandWithToken(ctx, name, arg, token)
		done <- answer{raw, failed}
	}()
	return done
}

// wantFailure checks a failure that is no special kind.
func wantFailure(t *testing.T, failed *jsonrpc2.Error, message string) {
	t.Helper()
	wantError(t, failed, -32803, message)
	var data struct{ Kind string }
	if failed != nil && (json.Unmarshal(failed.Data, &data) != nil || data.Kind != "ToolError") {
		t.Errorf("data %s", failed.Data)
	}
}

func wantError(t *testing.T, failed *jsonrpc2.Error, code jsonrpc2.Code, message string) {
	t.Helper()
	switch {
	case failed == nil:
		t.Errorf("no error, want %q", message)
	case failed.Code != code || failed.Message != message:
		t.Errorf("error %d %q\nwant  %d %q", failed.Code, failed.Message, code, message)
	}
}

// checkDisk: nothing was written, nothing staged is left.
func (q *quad) checkDisk() {
	q.t.Helper()
	for name, content := range quadFiles() {
		if got := q.disk(name); got != content {
			q.t.Errorf("%s on disk is %q", name, got)
		}
	}
	q.onlyFiles("a.ts", "b.ts", "c.ts", "d.ts")
}

// checkUntouched: all is as before the apply, and the action is still pending.
func (q *quad) checkUntouched() {
	q.t.Helper()
	q.checkDisk()
	q.Wait("the documents to be as before", func() bool { return q.Text(q.a) == quadA && q.Text(q.b) == "foo(2);\n" })
	if ids := q.pendingIDs(); len(ids) != 1 || ids[0] != q.id {
		q.t.Errorf("pending %v, want %s", ids, q.id)
	}
}

// checkRetry applies again in an honest editor.
func (q *quad) checkRetry() {
	q.t.Helper()
	q.TakeEditsLike(lsptest.VSCodeLike())
	q.faults.fail(nil)
	result := q.run("xcsh.resolve", q.applyArgument())
	if got := result.Content[0].Text; got != "Applied 4 replacements in 4 files." {
		q.t.Errorf("retry: %q", got)
	}
	q.checkApplied()
}

func (q *quad) checkApplied() {
	q.t.Helper()
	if q.Text(q.a) != quadAAfter || q.IsOpen(q.b) && q.Text(q.b) != "bar(2);\n" {
		q.t.Errorf("documents %q and %v", q.Text(q.a), q.IsOpen(q.b))
	}
	for name, want := range map[string]string{"a.ts": "foo(0);\n", "c.ts": "bar(3);\r\n", "d.ts": "bar(4)"} {
		if got := q.disk(name); got != want && !(name != "a.ts" && q.IsOpen(lsptest.URI(q.path(name)))) {
			q.t.Errorf("%s on disk is %q", name, got)
		}
	}
	q.onlyFiles("a.ts", "b.ts", "c.ts", "d.ts")
	if ids := q.pendingIDs(); len(ids) != 0 {
		q.t.Errorf("still pending: %v", ids)
	}
}

// faultFS is the real file system on which a test may have operations fail.
type faultFS struct {
	atomicfile.FS
	mu    sync.Mutex
	fault func(op, name string) error
}

var errDisk = errors.New("no space left on device")

// fail has operations fail from now on. op is "stage" or "rename"; name is the
// base name of the file that is to be written.
func (f *faultFS) fail(fault func(op, name string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = fault
}

func (f *faultFS) check(op, path string) error {
	f.mu.Lock()
	fault := f.fault
	f.mu.Unlock()
	if fault == nil {
		return nil
	}
	return fault(op, filepath.Base(path))
}

func (f *faultFS) CheckWritable(path string) error {
	if err := f.check("stage", path); err != nil {
		return err
	}
	return f.FS.CheckWritable(path)
}

func (f *faultFS) Rename(from, to string) error {
	if err := f.check("rename", to); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}
