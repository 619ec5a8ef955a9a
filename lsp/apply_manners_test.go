package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// Editors that take the edit, each in its manner.
func TestApply_EveryHonestManner(t *testing.T) {
	plainChanges := lsptest.Plain()
	plainChanges.DocumentChanges, plainChanges.TakesDocumentChanges = false, false
	formatting := lsptest.FormatOnSave()
	slow := lsptest.Plain()
	slow.ApplyDelay = 200 * time.Millisecond
	unchecked := lsptest.Plain()
	unchecked.Stale = lsptest.StaleApplied
	for name, manners := range map[string]lsptest.Manners{
		"VSCodeLike": lsptest.VSCodeLike(), "NeovimLike": lsptest.NeovimLike(), "Plain": lsptest.Plain(),
		"plain changes": plainChanges, "DebouncedChange": lsptest.DebouncedChange(200 * time.Millisecond),
		"EarlyChange": lsptest.EarlyChange(), "FormatOnSave": formatting, "slow": slow, "no version check": unchecked,
		"Erroring": lsptest.Erroring(), "utf-8": lsptest.VSCodeLike().UTF8(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := startQuad(t, manners, lsp.Deadlines{})
			result := q.run("xcsh.resolve", q.applyArgument())
			q.Wait("the documents", func() bool { return q.Text(q.a) == quadAAfter && q.Text(q.b) == "bar(2);\n" })
			q.checkApplied()
			unsaved := "a.ts, b.ts"
			if manners.SavesRefactorings {
				unsaved = "a.ts" // it had unsaved changes before
			}
			if want := "Applied 4 replacements in 4 files.\nNot saved yet: " + unsaved + "."; result.text() != want {
				t.Errorf("result %q, want %q", result.text(), want)
			}
		})
	}
}

// An editor that formats on save sends the edit and the formatting as one change.
func TestApply_FormattedInTheSameChange(t *testing.T) {
	t.Parallel()
	f := startWith(t, lsptest.FormatOnSave(), map[string]string{"a.ts": "let x = 1;   \nfoo(1);   \n"}, nil, short)
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := f.run("xcsh.resolve", applyNow()).text(); got != "Applied 1 replacement in 1 file." {
		t.Errorf("result %q", got)
	}
	if got := f.Text(uri); got != "let x = 1;\nbar(1);\n" || f.disk("a.ts") != got {
		t.Errorf("the document is %q, the file %q", got, f.disk("a.ts"))
	}
}

func short(cfg *lsp.Config) { cfg.Deadlines = shortDeadlines }

func applyNow() map[string]any { return map[string]any{"action": "apply", "reason": "r"} }

// Editors that do not take the edit: nothing is changed, and a retry in an honest
// editor succeeds.
func TestApply_EveryDishonestManner(t *testing.T) {
	refusing := lsptest.Refusing("the buffer is locked")
	for _, c := range []struct {
		name    string
		manners lsptest.Manners
		want    string
	}{
		{"Refusing", lsptest.Refusing(""), "Apply failed: the client refused the edit."},
		{"Refusing with blanks", lsptest.Refusing("  "), "Apply failed: the client refused the edit."},
		{"Refusing with a reason", refusing, "Apply failed: the buffer is locked"},
		{"Silent", lsptest.Silent(), "Apply failed: the client did not answer within 1s."},
		{"Partial", lsptest.Partial(), "Apply failed: the client says that it made the edit, but these do not show it: b.ts."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := startQuad(t, c.manners, shortDeadlines)
			wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), c.want)
			q.checkUntouched()
			q.checkRetry()
			q.wantNoMessage("taken back")
		})
	}
}

// applyFresh waits until the preview shows what there is, looks at it, and applies.
func (f *fixture) applyFresh() {
	f.t.Helper()
	var list struct{ Actions []struct{ Stale bool } }
	eventually(f.t, "the preview follows", func() bool {
		f.runInto("xcsh.pending.list", map[string]any{}, &list)
		return !list.Actions[0].Stale
	})
	f.run("xcsh.resolve", applyNow())
}

// wantNoMessage fails where a message with this part was shown, now or soon.
func (f *fixture) wantNoMessage(part string) {
	f.t.Helper()
	time.Sleep(100 * time.Millisecond)
	for _, m := range f.Messages() {
		if strings.Contains(m.Text, part) {
			f.t.Errorf("shown: %q", m.Text)
		}
	}
}

func TestApply_ClientWithoutApplyEditFailsBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.NoApplyEdit(), shortDeadlines)
	q.faults.fail(func(op, name string) error { t.Errorf("%s %s", op, name); return errDisk })
	wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the client cannot be asked to edit open documents (workspace/applyEdit): a.ts, b.ts. Save and close them, or use a client that can.")
	q.checkUntouched()
	q.faults.fail(nil)
	q.CloseDocument(q.a)
	q.CloseDocument(q.b)
	q.applyFresh()
	for name, want := range map[string]string{"a.ts": "bar(0);\n", "b.ts": "bar(2);\n", "c.ts": "bar(3);\r\n", "d.ts": "bar(4)"} {
		if got := q.disk(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// typingMeanwhile applies in an editor in which the human types before it gets to
// the edit.
func typingMeanwhile(q *quad) answer {
	done := q.begin(context.Background(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	q.Change(q.a, q.Edit(q.a, "// not", "// still not"))
	return <-done
}

// Each editor's way with an edit for an older version; the words are the editor's.
func TestApply_TypedInBeforeTheEditorGetsToIt(t *testing.T) {
	for name, c := range map[string]struct {
		manners lsptest.Manners
		want    string // %s: the URI of a.ts
	}{
		"VSCodeLike": {lsptest.VSCodeLike(), "Apply failed: %s has changed in the meantime. In doubt: a.ts."},
		"Erroring":   {lsptest.Erroring(), "Apply failed: edits on %s require version 1. In doubt: a.ts."},
		"skips a stale document and says applied": {skipping(), "Apply failed: the client says that it made the edit, but these do not show it: a.ts. In doubt: a.ts."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.manners.ApplyDelay = 300 * time.Millisecond
			q := startQuad(t, c.manners, shortDeadlines)
			got := typingMeanwhile(q)
			want := c.want
			if strings.Contains(want, "%s") {
				want = fmt.Sprintf(want, q.a)
			}
			wantFailure(t, got.failed, want)
			q.checkDisk()
			q.Wait("b.ts to be put back", func() bool { return q.Text(q.b) == "foo(2);\n" })
			if text := q.Text(q.a); text != "foo(1); // still not saved\n" {
				t.Errorf("a.ts is %q", text)
			}
			q.TakeEditsLike(lsptest.VSCodeLike())
			q.applyFresh()
			if text := q.Text(q.a); text != "bar(1); // still not saved\n" {
				t.Errorf("a.ts is %q", text)
			}
		})
	}
}

// skipping is Neovim's way, with versions that begin at 1: it takes 0 for none.
func skipping() lsptest.Manners {
	m := lsptest.NeovimLike()
	m.FirstVersion = 1
	return m
}

// An edit that is made after the server has given it up is taken back, and the
// human is told.
func TestApply_LateEditIsTakenBack(t *testing.T) {
	t.Parallel()
	late := lsptest.Plain()
	late.ApplyDelay = 1500 * time.Millisecond
	q := startQuad(t, late, shortDeadlines)
	wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the client did not answer within 1s.")
	q.TakeEditsLike(lsptest.Plain())
	q.Wait("the messages", func() bool {
		text := ""
		for _, m := range q.Messages() {
			text += m.Text
		}
		return strings.Contains(text, "An edit that had been given up was made late, and has been taken back: a.ts.") &&
			strings.Contains(text, "An edit that had been given up was made late, and has been taken back: b.ts.")
	})
	q.checkUntouched()
	q.TakeEditsLike(lsptest.VSCodeLike())
	q.applyFresh() // the preview may have followed the late edit there and back
	q.checkApplied()
}

// What the human types after an editor has refused is the human's.
func TestApply_HandTypedAfterARefusalStays(t *testing.T) {
	t.Parallel()
	q := startQuad(t, lsptest.Refusing(""), shortDeadlines)
	q.fails("xcsh.resolve", q.applyArgument())
	q.TakeEditsLike(lsptest.Plain())
	q.Change(q.a, q.Edit(q.a, "foo", "bar"))
	q.wantNoMessage("taken back")
	if q.Text(q.a) != quadAAfter {
		t.Errorf("the human's text was taken back: %q", q.Text(q.a))
	}
}

func decodeInto(t *testing.T, raw json.RawMessage, target any) {
	t.Helper()
	if err := json.Unmarshal(raw, target); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
}
