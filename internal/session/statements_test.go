package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestStatement05_LimitMustBePositive(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\nfoo(2);\n"})
	for _, limit := range []float64{0, -1, 0.5} {
		req := foo()
		req.Limit = &limit
		_, _, err := f.Propose(context.Background(), session.Proposal{Request: req, ProposedBy: human, Conn: conn})
		wantToolError(t, err, "limit must be a positive number")
	}
	f.wantPending()

	limit := 1.9
	req := foo()
	req.Limit = &limit
	result, ref := f.propose(req)
	if ref.Label != "AST Edit: 1 replacement in 1 file" || !strings.Contains(result.Text(), "Limit reached") {
		t.Errorf("limit 1.9: label %q, text %q", ref.Label, result.Text())
	}
}

func TestStatement60_IdentityRewriteLeavesTheFile(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(f.path("a.ts"), past, past); err != nil {
		t.Fatal(err)
	}
	inode := func() uint64 {
		info, err := os.Stat(f.path("a.ts"))
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(past) {
			t.Errorf("modified %v, want %v", info.ModTime(), past)
		}
		return info.Sys().(*syscall.Stat_t).Ino
	}
	before := inode()
	ref := f.stage(rule("foo($A)", "foo($A)"))
	if got := f.mustApply(ref).Text(); got != "Applied 1 replacement in 1 file." {
		t.Errorf("text %q", got)
	}
	if inode() != before {
		t.Error("the file was replaced")
	}
	f.wantPending()
}

func TestStatement61_PreviewOnlyStages(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	result, ref := f.propose(foo())
	if result.Text() != "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)" {
		t.Errorf("text %q", result.Text())
	}
	details := result.Details.(session.ProposalDetails)
	if details.Applied || result.IsWarning || result.IsError {
		t.Errorf("applied %v, warning %v, error %v", details.Applied, result.IsWarning, result.IsError)
	}
	want := session.PendingRef{ID: "pending-action:ast_edit:0", Label: "AST Edit: 1 replacement in 1 file", Revision: 1}
	if *ref != want {
		t.Errorf("pending %+v, want %+v", *ref, want)
	}
	f.wantPending(want)
	top := f.top()
	if top.SourceToolName != "ast_edit" || top.ProposedBy != human || top.Stale || top.CreatedAt.IsZero() {
		t.Errorf("preview %+v", top)
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\n"})
	f.wantNoTraces()
}

func TestReminderIsForAgents(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	result, _ := f.proposeAs(foo(), agent, conn)
	const reminder = "<system-reminder>\nThis is a preview. Call the `resolve` tool to apply or discard these changes.\n</system-reminder>"
	if !strings.HasSuffix(result.Text(), "+1:1 bar(1)\n\n"+reminder) {
		t.Errorf("text %q", result.Text())
	}
	if result, _ := f.proposeAs(rule("nope($A)", ""), agent, conn); strings.Contains(result.Text(), "reminder") {
		t.Errorf("nothing is staged, but text %q", result.Text())
	}
}

func TestStatement62_LabelOfTwoFiles(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	if ref := f.stage(foo()); ref.Label != "AST Edit: 2 replacements in 2 files" {
		t.Errorf("label %q", ref.Label)
	}
}

func TestStatement63_Apply(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "x;\r\n  foo(1);\r\ny"})
	ref := f.stage(foo())
	result := f.mustApply(ref)
	if result.Text() != "Applied 1 replacement in 1 file." || result.IsWarning || result.IsError {
		t.Errorf("result %+v", result)
	}
	details := result.Details.(resolve.Details)
	if details.Label != ref.Label || details.SourceToolName != "ast_edit" || details.Action != resolve.Apply || details.Reason != "why" {
		t.Errorf("details %+v", details)
	}
	var source struct {
		SourceResultDetails map[string]any `json:"sourceResultDetails"`
	}
	decodeJSON(t, details, &source)
	if got := source.SourceResultDetails; got["applied"] != true || got["totalReplacements"] != 1.0 || got["unsaved"] != nil {
		t.Errorf("source details %v", got)
	}
	f.wantDisk(map[string]string{"a.ts": "x;\r\n  bar(1);\r\ny"})
	f.wantPending()
	f.wantNoTraces()
}

func TestStatement64_Discard(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
	f.typed("b.ts", "foo(2);\n")
	f.disk.fail(func(op, path string) error { return errors.New("a discard wrote") })
	req := foo()
	req.Paths = []string{"a.ts"}
	ref := f.stage(req)
	result, err := f.Resolve(context.Background(), call(resolve.Discard, ref))
	if err != nil {
		t.Fatal(err)
	}
	if result.Text() != "Discarded: AST Edit: 1 replacement in 1 file. Reason: why" {
		t.Errorf("text %q", result.Text())
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
	f.wantOpen(map[string]string{"b.ts": "foo(2);\n"})
	f.wantPending()
}

func TestStatement65_NoMatchIsAWarning(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "bar(1);\n"})
	result, ref := f.propose(foo())
	if result.Text() != "No replacements made" || !result.IsWarning || ref != nil {
		t.Errorf("result %+v", result)
	}
	f.wantPending()
	var raw struct {
		Details map[string]json.RawMessage `json:"details"`
	}
	decodeJSON(t, result, &raw)
	if got := string(raw.Details["fileReplacements"]); got != "[]" {
		t.Errorf("fileReplacements %s", got)
	}
	if _, has := raw.Details["pending"]; has {
		t.Error("details name a pending action")
	}
}

func TestStatement66_NestedMatchIsSkipped(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(foo(1));\n"})
	result, ref := f.propose(foo())
	details := result.Details.(session.ProposalDetails)
	if details.TotalReplacements != 1 || details.Skipped != 1 {
		t.Errorf("%d replacements, %d skipped", details.TotalReplacements, details.Skipped)
	}
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "bar(foo(1));\n"})
}

func TestStatement68_ChangedAfterThePreview(t *testing.T) {
	t.Run("nothing matches any more", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		ref := f.stage(foo())
		f.write("a.ts", "other(1);\n")
		_, err := f.apply(ref)
		now := session.PendingRef{ID: ref.ID, Label: "AST Edit: 0 replacements in 0 files", Revision: 2}
		wantStale(t, err, "Preview is out of date: nothing matches any more. Discard it.", now, "a.ts")
		f.wantPending(now)
		f.wantDisk(map[string]string{"a.ts": "other(1);\n"})
		_, err = f.apply(&now)
		wantStale(t, err, "Preview is out of date: nothing matches any more. Discard it.", now)
	})
	t.Run("one of two still matches", func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\nfoo(2);\n", "b.ts": "foo(3);\n"})
		ref := f.stage(foo())
		f.write("a.ts", "foo(1);\nother(2);\n")
		_, err := f.apply(ref)
		now := session.PendingRef{ID: ref.ID, Label: "AST Edit: 2 replacements in 2 files", Revision: 2}
		wantStale(t, err, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.", now, "a.ts")
		f.wantPending(now)
		if top := f.top(); top.Stale || len(top.File(f.path("a.ts")).Changes) != 1 {
			t.Errorf("preview %+v", top)
		}
		f.wantDisk(map[string]string{"a.ts": "foo(1);\nother(2);\n", "b.ts": "foo(3);\n"})

		f.mustApply(&now)
		f.wantDisk(map[string]string{"a.ts": "bar(1);\nother(2);\n", "b.ts": "bar(3);\n"})
	})
}

func TestOutOfDateTextNamesAtMostFiveFiles(t *testing.T) {
	files, changed := map[string]string{}, map[string]string{}
	for _, name := range []string{"a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts", "g.ts"} {
		files[name], changed[name] = "foo(1);\n", "foo(2);\n"
	}
	f := newFixture(t, files)
	ref := f.stage(foo())
	for name, content := range changed {
		f.write(name, content)
	}
	_, err := f.apply(ref)
	wantStale(t, err,
		"Preview is out of date: a.ts, b.ts, c.ts, d.ts, e.ts and 2 more. It has been refreshed; review it and resolve again.",
		session.PendingRef{ID: ref.ID, Revision: 2}, "a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts", "g.ts")
	f.wantDisk(changed)
}

func TestStatement74_AbortedProposalStagesNothing(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	for name, during := range map[string]bool{"before": false, "during the run": true} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			if during {
				f.host.workspace = cancel
			} else {
				cancel()
			}
			_, _, err := f.Propose(ctx, session.Proposal{Request: foo(), ProposedBy: human, Conn: conn})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			f.wantPending()
		})
	}
}

// An engine's failure in an apply is a failed apply (12.2), not the call's own.
func TestEngineErrorInAnApply(t *testing.T) {
	f := newFixture(t, map[string]string{"src/a.ts": "foo(1);\n"})
	req := foo()
	req.Paths = []string{"src"}
	ref := f.stage(req)
	if err := os.RemoveAll(f.path("src")); err != nil {
		t.Fatal(err)
	}
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: Path not found: src")
	var user *astedit.UserError
	if !errors.As(err, &user) {
		t.Error("the cause is lost")
	}
	f.wantPending(*ref)
}

func TestPendingIsTopFirst(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\nbaz(1);\n"})
	changes := 0
	f.Subscribe(func() {
		f.Pending() // no lock is held
		changes++
	})
	before, _ := f.Pending()
	first, second := f.stage(foo()), f.stage(rule("baz($A)", "qux($A)"))
	f.wantPending(*second, *first)
	after, _ := f.Pending()
	if changes != 2 || after <= before {
		t.Errorf("%d notifications, version %d after %d", changes, after, before)
	}
	if first.ID != "pending-action:ast_edit:0" || second.ID != "pending-action:ast_edit:1" {
		t.Errorf("ids %q, %q", first.ID, second.ID)
	}
	// Not an apply: the preview of the other would follow the file, sooner or later.
	if _, err := f.Resolve(context.Background(), call(resolve.Discard, second)); err != nil {
		t.Fatal(err)
	}
	if changes != 3 {
		t.Errorf("%d notifications", changes)
	}
}

func decodeJSON(t *testing.T, v, into any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
