package session_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

func TestDocumentsAndFilesInOneApply(t *testing.T) {
	f := newFixture(t, three())
	f.typed("b.ts", "// unsaved\nfoo(2);\n")
	ref := f.stage(foo())
	f.host.unsaved = true
	result := f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "b.ts": "foo(2);\n", "c/d.ts": "bar(3);\n"})
	f.wantOpen(map[string]string{"b.ts": "// unsaved\nbar(2);\n"})
	if !reflect.DeepEqual(f.host.asked, []string{"b.ts"}) || f.host.label != ref.Label {
		t.Errorf("the editor was asked for %v under %q", f.host.asked, f.host.label)
	}
	if result.Text() != "Applied 3 replacements in 3 files.\nNot saved yet: b.ts." {
		t.Errorf("text %q", result.Text())
	}
	var details struct {
		SourceResultDetails struct{ Unsaved []string }
	}
	decodeJSON(t, result.Details, &details)
	if got := details.SourceResultDetails.Unsaved; !reflect.DeepEqual(got, []string{"b.ts"}) {
		t.Errorf("unsaved %v", got)
	}
	f.wantNoTraces()
}

func TestAnEditorThatIsSlow(t *testing.T) {
	f := newFixture(t, three())
	f.typed("b.ts", "foo(2);\n")
	f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
		time.Sleep(20 * time.Millisecond)
		f.wantDisk(three()) // nothing is renamed before the documents are seen
		return takes(h, docs)
	}
	f.mustApply(f.stage(foo()))
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "c/d.ts": "bar(3);\n"})
}

func TestAnEditorThatDoesNotMakeTheEdit(t *testing.T) {
	for name, tc := range map[string]struct {
		edit    func(*fakeHost, []session.DocumentEdit) error
		want    string
		inDoubt string // display path of a document that shows neither text
	}{
		"without a reason":   {refuses(errRefused), "Apply failed: the client refused the edit.", ""},
		"with its reason":    {refuses(errors.New("read-only buffer")), "Apply failed: read-only buffer", ""},
		"never shows it":     {refuses(errors.New("these do not show it: b.ts.")), "Apply failed: these do not show it: b.ts.", ""},
		"takes a part":       {takesPart("the client took a part."), "Apply failed: the client took a part.", ""},
		"part and typing":    {takesAndTypes("these do not show it: b.ts."), "Apply failed: these do not show it: b.ts. In doubt: b.ts.", "b.ts"},
		"no sentence, typed": {takesAndTypes("connection lost"), "Apply failed: connection lost. In doubt: b.ts.", "b.ts"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "", "c.ts": ""})
			f.typed("b.ts", "foo(2);\n")
			f.typed("c.ts", "foo(3);\n")
			ref := f.stage(foo())
			f.host.edit = tc.edit
			_, err := f.apply(ref)
			wantToolError(t, err, tc.want)
			if !reflect.DeepEqual(f.host.abandoned, []string{"b.ts", "c.ts"}) {
				t.Errorf("abandoned %v", f.host.abandoned)
			}
			f.wantDisk(map[string]string{"a.ts": "foo(1);\n", "b.ts": "", "c.ts": ""})
			f.wantNoTraces()
			if tc.inDoubt == "" {
				f.wantOpen(map[string]string{"b.ts": "foo(2);\n", "c.ts": "foo(3);\n"})
			}
			if got := f.top(); got.ID != ref.ID {
				t.Errorf("pending %q", got.ID)
			}
		})
	}
}

func takesPart(cause string) func(*fakeHost, []session.DocumentEdit) error {
	return func(h *fakeHost, docs []session.DocumentEdit) error {
		if err := takes(h, docs[:1]); err != nil {
			return err
		}
		return errors.New(cause)
	}
}

// takesAndTypes takes the first edit, types into that document, and fails.
func takesAndTypes(cause string) func(*fakeHost, []session.DocumentEdit) error {
	return func(h *fakeHost, docs []session.DocumentEdit) error {
		h.set(docs[0].Path, append([]byte("typed;\n"), docs[0].New...))
		return errors.New(cause)
	}
}

func TestStagedFilesThatCannotBeRemovedAreNamed(t *testing.T) {
	f := newFixture(t, three())
	f.typed("b.ts", "foo(2);\n")
	ref := f.stage(foo())
	f.host.edit = refuses(errRefused)
	f.disk.fail(func(op, path string) error {
		if op == "remove" {
			return errInjected
		}
		return nil
	})
	_, err := f.apply(ref)
	left := f.traces()
	if len(left) != 2 {
		t.Fatalf("left behind %v", left)
	}
	wantToolError(t, err, fmt.Sprintf("Apply failed: the client refused the edit. "+
		"Left behind: could not remove %s: injected failure; could not remove %s: injected failure.", left[0], left[1]))
	f.wantDisk(three())
}

// Whatever happens to a file between the preview and its rename, its newer text
// stays.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	const newer = "foo(1);\nnewer;\n"
	for name, tc := range map[string]struct {
		when func(f *fixture, change func())
		want string
	}{
		"after the preview": {
			func(f *fixture, change func()) { change() },
			"Preview is out of date: a.ts. It has been refreshed; review it and resolve again.",
		},
		"while staging": {
			func(f *fixture, change func()) {
				f.disk.fail(func(op, path string) error { change(); return nil })
			},
			"Apply failed: a.ts changed on disk meanwhile; try again.",
		},
		"while the editor edits": {
			func(f *fixture, change func()) {
				f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error { change(); return takes(h, docs) }
			},
			"Apply failed: a.ts changed on disk meanwhile; try again.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, three())
			f.typed("b.ts", "foo(2);\n")
			ref := f.stage(foo())
			changed := false
			tc.when(f, func() {
				if !changed {
					changed = true
					f.write("a.ts", newer)
				}
			})
			_, err := f.apply(ref)
			wantToolError(t, err, tc.want)
			f.wantDisk(map[string]string{"a.ts": newer, "b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n"})
			f.wantOpen(map[string]string{"b.ts": "foo(2);\n"})
			f.wantNoTraces()
			if f.top().ID != ref.ID {
				t.Error("not pending any more")
			}
		})
	}
}

func TestAFileThatIsOpenedMeanwhile(t *testing.T) {
	f := newFixture(t, three())
	f.typed("b.ts", "foo(2);\n")
	ref := f.stage(foo())
	f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
		f.typed("c/d.ts", "foo(3);\n")
		return takes(h, docs)
	}
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: c/d.ts was opened in the editor meanwhile; try again.")
	f.wantDisk(three())
	f.wantOpen(map[string]string{"b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n"})
	f.wantNoTraces()
	if !reflect.DeepEqual(f.host.abandoned, []string{"b.ts"}) {
		t.Errorf("abandoned %v", f.host.abandoned)
	}

	f.host.edit = takes
	f.mustApply(ref)
	f.wantOpen(map[string]string{"b.ts": "bar(2);\n", "c/d.ts": "bar(3);\n"})
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "c/d.ts": "foo(3);\n"})
}

// An editor would take edits against an older text as edits of the newer one.
func TestADocumentThatIsEditedMeanwhile(t *testing.T) {
	f := newFixture(t, three())
	f.typed("b.ts", "foo(2);\n")
	ref := f.stage(foo())
	f.disk.fail(func(op, path string) error {
		if op == "stage" {
			f.typed("b.ts", "typed;\nfoo(2);\n")
		}
		return nil
	})
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: b.ts was edited meanwhile; try again.")
	if len(f.host.asked) != 0 {
		t.Errorf("the editor was asked for %v", f.host.asked)
	}
	f.wantDisk(three())
	f.wantOpen(map[string]string{"b.ts": "typed;\nfoo(2);\n"})
	f.wantNoTraces()
}

func TestWriteFailureAfterTheEditor(t *testing.T) {
	f := newFixture(t, three())
	f.typed("a.ts", "foo(1);\n")
	ref := f.stage(foo())
	f.disk.fail(failAt("rename", "d.ts"))
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: Failed to write c/d.ts: injected failure")
	f.wantDisk(three())
	f.wantOpen(map[string]string{"a.ts": "foo(1);\n"})

	f.disk.fail(nil)
	f.mustApply(ref) // its own taken back edits made no new revision
	f.wantOpen(map[string]string{"a.ts": "bar(1);\n"})
}

func TestUnopenedThroughClient(t *testing.T) {
	f := newFixture(t, three())
	f.policy.UnopenedThroughClient = true
	f.typed("b.ts", "foo(2);\n")
	f.mustApply(f.stage(foo()))
	if !reflect.DeepEqual(f.host.asked, []string{"a.ts", "b.ts", "c/d.ts"}) {
		t.Errorf("the editor was asked for %v", f.host.asked)
	}
	f.wantDisk(three())
	f.wantOpen(map[string]string{"a.ts": "bar(1);\n", "b.ts": "bar(2);\n", "c/d.ts": "bar(3);\n"})
}

func TestAClientThatTakesNoEdits(t *testing.T) {
	f := newFixture(t, three())
	f.host.canEdit = false
	f.typed("b.ts", "foo(2);\n")
	f.typed("c/d.ts", "foo(3);\n")
	ref := f.stage(foo())
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: the client cannot be asked to edit open documents (workspace/applyEdit): b.ts, c/d.ts. "+
		"Save and close them, or use a client that can.")
	f.wantDisk(three())
	f.wantNoTraces()
	f.wantPending(*ref)

	f.host.close(f.path("b.ts"))
	f.host.close(f.path("c/d.ts"))
	f.policy.UnopenedThroughClient = true // which this client cannot follow
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "b.ts": "bar(2);\n", "c/d.ts": "bar(3);\n"})
}

func TestAPanickingEditorLeavesAWorkingSession(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n"})
	f.typed("a.ts", "foo(1);\n")
	ref := f.stage(foo())
	f.host.edit = func(*fakeHost, []session.DocumentEdit) error { panic("a bug") }
	_, err := f.apply(ref)
	wantToolError(t, err, "Apply failed: a bug")
	f.wantNoTraces()
	f.typed("a.ts", "foo(2);\n")
	if !f.top().Stale {
		t.Error("the preview does not follow its file any more")
	}
	f.host.edit = takes
	_, err = f.apply(ref)
	if err == nil || !strings.HasPrefix(err.Error(), "Preview is out of date: a.ts.") {
		t.Errorf("error %v", err)
	}
}
