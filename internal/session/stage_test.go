package session_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

var toolOrigin = session.Origin{
	Label: "Deploy: to staging", SourceToolName: "deploy",
	ProposedBy: resolve.Actor{Kind: resolve.ToolActor, Name: "deploy"}, Conn: conn,
}

func TestAnActionWithoutFiles(t *testing.T) {
	f := newFixture(t, nil)
	var got []any
	ref := f.Stage(toolOrigin, session.Callbacks{
		Apply: func(_ context.Context, reason string, extra map[string]any) (resolve.Result, error) {
			got = append(got, reason, extra)
			return resolve.Result{Content: resolve.TextResult("half of it went", nil).Content, IsError: true}, nil
		},
	})
	if top := f.top(); top.ID != ref.ID || top.Revision != 1 || len(top.Files) != 0 || top.Stale || top.Label != toolOrigin.Label || top.ProposedBy != toolOrigin.ProposedBy {
		t.Errorf("preview %+v", top)
	}
	// There is no preview that could be out of date, or that must have been seen.
	c := call(resolve.Apply, &session.PendingRef{ID: ref.ID})
	c.Params.Extra = map[string]any{"a": 1}
	result, err := f.Resolve(context.Background(), c)
	if err != nil || result.Text() != "half of it went" || !result.IsError {
		t.Fatalf("result %+v, %v", result, err)
	}
	if want := []any{"why", map[string]any{"a": 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("apply got %v, want %v", got, want)
	}
	f.wantPending()
	logged := f.decisions()
	if len(logged) != 1 || logged[0].SourceToolName != "deploy" || !logged[0].IsError || len(logged[0].Files) != 0 || logged[0].ProposedBy != toolOrigin.ProposedBy {
		t.Errorf("decisions %+v", logged)
	}
}

func TestAnActionWithoutFilesIsRejected(t *testing.T) {
	f := newFixture(t, nil)
	fail := errors.New("not now")
	ref := f.Stage(toolOrigin, session.Callbacks{
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			return resolve.Result{}, errors.New("not to be called")
		},
		Reject: func(context.Context, string, map[string]any) (*resolve.Result, error) {
			if fail != nil {
				return nil, fail
			}
			out := resolve.TextResult("cleaned", nil)
			return &out, nil
		},
	})
	if _, err := f.Resolve(context.Background(), call(resolve.Discard, &ref)); err != fail {
		t.Errorf("error %v, want the callback's own", err)
	}
	f.wantPending(ref)
	fail = nil
	result, err := f.Resolve(context.Background(), call(resolve.Discard, &ref))
	if err != nil || result.Text() != "cleaned" {
		t.Errorf("result %q, %v", result.Text(), err)
	}
	f.wantPending()
}

// An action without files is held to id, stack and policy as any other.
func TestGuardsOfAnActionWithoutFiles(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	below := f.stage(foo())
	origin := toolOrigin
	origin.Conn = otherConn
	ref := f.Stage(origin, session.Callbacks{})
	_, err := f.apply(below)
	wantKind(t, err, session.KindNotTop, `Pending action `+below.ID+` is not the most recent one. Resolve "Deploy: to staging" first.`)
	_, err = f.apply(&session.PendingRef{})
	wantKind(t, err, session.KindNotTop, `The most recent pending action "Deploy: to staging" was proposed by another client. Pass its id to resolve it.`)
	f.policy.ResolveBy = session.ByAgent
	_, err = f.apply(&ref)
	wantKind(t, err, session.KindForbidden, "Only an agent may apply here (setting resolve.by).")
}

// swapEdit is a fixed edit that turns the first byte span of each file into new.
func (f *fixture) swapEdit(span text.Span, with string, files map[string]string) session.FixedEdit {
	f.t.Helper()
	e := session.FixedEdit{Applied: "Did %s in %s.", Refused: "Cannot do it: %s changed since."}
	for _, name := range []string{"a.ts", "b.ts"} {
		if old, ok := files[name]; ok {
			file, err := astedit.NewFileEdit(f.path(name), name, []byte(old), []text.Edit{{Span: span, New: with}})
			if err != nil {
				f.t.Fatal(err)
			}
			e.Files = append(e.Files, file)
		}
	}
	return e
}

func (f *fixture) stageEdit(e session.FixedEdit) *session.PendingRef {
	f.t.Helper()
	ref, err := f.StageEdit(context.Background(), toolOrigin, e)
	if err != nil {
		f.t.Fatal(err)
	}
	return &ref
}

func TestAFixedEditIsAppliedAsARuleIs(t *testing.T) {
	files := map[string]string{"a.ts": "one\r\n", "b.ts": "one"}
	f := newFixture(t, files)
	f.typed("b.ts", "one")
	ref := f.stageEdit(f.swapEdit(text.Span{Start: 0, End: 3}, "two", files))
	result := f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "two\r\n", "b.ts": "one"})
	f.wantOpen(map[string]string{"b.ts": "two"})
	details := result.Details.(resolve.Details).SourceResultDetails.(session.AppliedDetails)
	if result.Text() != "Did 2 replacements in 2 files." || details.TotalReplacements != 2 || details.FilesTouched != 2 || !details.Applied {
		t.Errorf("result %q, details %+v", result.Text(), details)
	}
	logged := f.decisions()
	if len(logged) != 1 || len(logged[0].Files) != 2 || logged[0].Files[1].Before != hash("one") || logged[0].Files[1].After != hash("two") {
		t.Errorf("decisions %+v", logged)
	}
	f.wantNoTraces()
}

// A fixed edit whose file changes is refused by the file's name, and can be made
// again once the text is back.
func TestAFixedEditDoesNotFollowItsFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := map[string]string{"a.ts": "one\n", "b.ts": "one\n"}
		f := newFixture(t, files)
		f.typed("b.ts", "one\n")
		ref := f.stageEdit(f.swapEdit(text.Span{Start: 0, End: 3}, "two", files))
		f.typed("b.ts", "one more\n")
		settle()
		const refusal = "Cannot do it: b.ts changed since."
		top := f.top()
		if !top.Stale || top.Revision != 1 || len(top.Outdated) != 1 || top.Outdated[0] != top.Files[1] || top.Refused != refusal {
			t.Errorf("preview %+v", top)
		}
		wantStale(t, top.StaleError(), refusal, *ref, "b.ts")
		_, err := f.apply(ref)
		wantStale(t, err, refusal, *ref, "b.ts")
		f.wantDisk(files)
		f.wantPending(*ref)

		f.typed("b.ts", "one\n")
		settle()
		if top := f.top(); top.Stale || top.Outdated != nil || top.Refused != "" {
			t.Errorf("preview %+v is still outdated", top)
		}
		f.mustApply(ref)
		f.wantOpen(map[string]string{"b.ts": "two\n"})
	})
}

// What is seen at the apply counts, whether or not anyone told of the change.
func TestAFixedEditOverAFileThatChangedUnseen(t *testing.T) {
	files := map[string]string{"a.ts": "one\n", "b.ts": "one\n"}
	f := newFixture(t, files)
	ref := f.stageEdit(f.swapEdit(text.Span{Start: 0, End: 3}, "two", files))
	f.write("a.ts", "else\n")
	_, err := f.apply(ref)
	wantStale(t, err, "Cannot do it: a.ts changed since.", *ref, "a.ts")
	f.wantDisk(map[string]string{"a.ts": "else\n", "b.ts": "one\n"})
	f.write("a.ts", "one\n")
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "two\n", "b.ts": "two\n"})
}

// An editor does not show the byte order mark of a file: opening and closing the
// file changes nothing for an edit made against either text.
func TestAFixedEditAndTheByteOrderMark(t *testing.T) {
	const bom = text.BOM
	for name, tc := range map[string]struct {
		old, disk string
		open      bool
		span      text.Span
		want      string
	}{
		"made in the editor, applied on disk": {"one\n", bom + "one\n", false, text.Span{Start: 0, End: 3}, bom + "two\n"},
		"made on disk, applied in the editor": {bom + "one\n", bom + "one\n", true, text.Span{Start: 3, End: 6}, "two\n"},
		"made and applied on disk":            {bom + "one\n", bom + "one\n", false, text.Span{Start: 3, End: 6}, bom + "two\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": tc.disk})
			if tc.open {
				f.typed("a.ts", "one\n")
			}
			f.mustApply(f.stageEdit(f.swapEdit(tc.span, "two", map[string]string{"a.ts": tc.old})))
			if tc.open {
				f.wantOpen(map[string]string{"a.ts": tc.want})
			} else {
				f.wantDisk(map[string]string{"a.ts": tc.want})
			}
		})
	}
}

func TestAFixedEditWithoutChangesIsNotStaged(t *testing.T) {
	f := newFixture(t, nil)
	for _, e := range []session.FixedEdit{{}, {Files: []*astedit.FileEdit{{Path: f.path("a.ts")}}}} {
		if _, err := f.StageEdit(context.Background(), toolOrigin, e); err == nil {
			t.Errorf("%+v was staged", e)
		}
	}
	f.wantPending()
}
