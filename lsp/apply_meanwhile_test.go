package lsp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

func slowly(m lsptest.Manners) lsptest.Manners {
	m.ApplyDelay = 300 * time.Millisecond
	return m
}

func TestApply_DocumentClosedMeanwhile(t *testing.T) {
	t.Parallel()
	q := startQuad(t, slowly(lsptest.Plain()), shortDeadlines)
	done := q.begin(context.Background(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	q.CloseDocument(q.b)
	wantFailure(t, (<-done).failed, "Apply failed: "+q.b+" has changed in the meantime")
	q.checkDisk()
	if q.Text(q.a) != quadA || q.pendingIDs()[0] != q.id {
		t.Errorf("a.ts is %q", q.Text(q.a))
	}
	q.TakeEditsLike(lsptest.Plain())
	q.run("xcsh.resolve", q.applyArgument())
	q.checkApplied()
	if got := q.disk("b.ts"); got != "bar(2);\n" {
		t.Errorf("b.ts is %q", got)
	}
}

func TestApply_FileOpenedMeanwhile(t *testing.T) {
	t.Parallel()
	q := startQuad(t, slowly(lsptest.Plain()), shortDeadlines)
	done := q.begin(context.Background(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	c := q.OpenFile(q.path("c.ts"))
	wantFailure(t, (<-done).failed, "Apply failed: c.ts was opened in the editor meanwhile; try again.")
	q.checkUntouched()
	q.checkRetry()
	if got := q.Text(c); got != "bar(3);\r\n" {
		t.Errorf("c.ts is %q", got)
	}
}

func TestApply_WriteFailsAfterTheEditorHasTheEdit(t *testing.T) {
	for _, file := range []string{"c.ts", "d.ts"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			q := startQuad(t, lsptest.VSCodeLike(), shortDeadlines)
			failed := false
			q.faults.fail(func(op, name string) error {
				if op != "rename" || name != file || failed {
					return nil
				}
				failed = true
				return errDisk
			})
			wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: Failed to write "+file+": "+errDisk.Error())
			if edits := q.Requests(protocol.MethodWorkspaceApplyEdit); len(edits) != 2 {
				t.Errorf("%d edits, want one and its reverse", len(edits))
			}
			// The editor had saved b.ts; it is put back and saved again.
			q.Wait("b.ts to be saved as before", func() bool { return q.disk("b.ts") == "foo(2);\n" })
			q.checkUntouched()
			q.checkRetry()
		})
	}
}

func TestApply_WriteFailsBeforeTheEditorIsAsked(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.VSCodeLike(), shortDeadlines)
	q.faults.fail(func(op, name string) error {
		if op == "stage" && name == "d.ts" {
			return errDisk
		}
		return nil
	})
	wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: Failed to write d.ts: "+errDisk.Error())
	if edits := q.Requests(protocol.MethodWorkspaceApplyEdit); len(edits) != 0 {
		t.Errorf("%d edits", len(edits))
	}
	q.checkUntouched()
	q.checkRetry()
}

// The server ends with its stream, whatever it waits for, and leaves nothing staged.
func TestApply_ConnectionDiesMeanwhile(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.Silent(), lsp.Deadlines{Answer: time.Hour, Verify: time.Hour, Late: time.Hour})
	q.sendApply()
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	_ = q.wire.Close()
	select {
	case shutdown := <-q.ended:
		q.ended <- shutdown
	case <-time.After(callTimeout):
		t.Fatal("the server did not end")
	}
	q.workspace.Close() // as lsp.Serve does
	q.checkDisk()
}

// sendApply asks for the apply without waiting for an answer.
func (q *quad) sendApply() {
	q.t.Helper()
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": "raw", "method": "workspace/executeCommand",
		"params": map[string]any{"command": "xcsh.resolve", "arguments": []any{q.applyArgument()}},
	})
	if err != nil {
		q.t.Fatal(err)
	}
	q.inject(frame(string(body)))
}

// Until the first write a cancelled apply does nothing.
func TestApply_CancelledBeforeTheFirstWrite(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.Plain(), shortDeadlines)
	staging, goOn := make(chan bool), make(chan bool)
	q.faults.fail(func(op, name string) error {
		if op == "stage" && name == "c.ts" {
			staging <- true
			<-goOn
		}
		return nil
	})
	done := q.beginWithToken(context.Background(), "xcsh.resolve", q.applyArgument(), "apply")
	<-staging
	if got := q.run("xcsh.cancel", map[string]any{"token": "apply"}).text(); got != "Cancelled." {
		t.Errorf("xcsh.cancel: %q", got)
	}
	close(goOn)
	wantError(t, (<-done).failed, protocol.CodeRequestCancelled, "cancelled")
	if edits := q.Requests(protocol.MethodWorkspaceApplyEdit); len(edits) != 0 {
		t.Errorf("%d edits", len(edits))
	}
	q.checkUntouched()
	q.checkRetry()
}

// From then on the outcome is the reply.
func TestApply_CancelledAfterTheFirstWrite(t *testing.T) {
	t.Parallel()
	q := startQuad(t, slowly(lsptest.Plain()), shortDeadlines)
	ctx, cancel := context.WithCancel(context.Background())
	done := q.beginWithToken(ctx, "xcsh.resolve", q.applyArgument(), "apply")
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	cancel()
	if got := q.run("xcsh.cancel", map[string]any{"token": "apply"}).text(); got != "Cancelled." {
		t.Errorf("xcsh.cancel: %q", got) // it was, but not in time
	}
	if got := <-done; got.failed != nil {
		t.Errorf("failed: %v", got.failed)
	}
	q.checkApplied()
}

// A human's discard is not held up by anything and asks no writer.
func TestDiscard_WritesNothing(t *testing.T) {
	q := startQuad(t, lsptest.VSCodeLike(), shortDeadlines)
	q.faults.fail(func(op, name string) error { t.Errorf("%s %s", op, name); return nil })
	q.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r"})
	q.checkDisk()
	if edits := q.Requests(protocol.MethodWorkspaceApplyEdit); len(edits) != 0 {
		t.Errorf("%d edits", len(edits))
	}
}
