package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// onDisk are files that nobody has open; open.ts is open in the editor.
func crashFiles() map[string]string {
	return map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n", "open.ts": "foo(4);\n"}
}

// stepped is a fixture with an edit staged, whose file system counts from now on.
func stepped(t *testing.T, step *stepFS) (*fixture, *session.PendingRef) {
	t.Helper()
	f := newFixture(t, crashFiles())
	f.typed("open.ts", "foo(4);\n")
	ref := f.stage(foo())
	step.FS = atomicfile.OS()
	f.disk.FS = step
	return f, ref
}

// state says which text the files on disk have, and fails where they have not all
// the same.
func (f *fixture) state() (applied bool) {
	f.t.Helper()
	var got []string
	for _, name := range []string{"a.ts", "b.ts", "c/d.ts"} {
		content, err := os.ReadFile(f.path(name))
		if err != nil {
			f.t.Fatal(err)
		}
		got = append(got, string(content))
	}
	switch strings.Join(got, "") {
	case "foo(1);\nfoo(2);\nfoo(3);\n":
		return false
	case "bar(1);\nbar(2);\nbar(3);\n":
		return true
	}
	f.t.Fatalf("neither all old nor all new: %q", got)
	return false
}

// settled fails where the journal, or a transaction, has left anything.
func (f *fixture) settled() {
	f.t.Helper()
	f.wantNoTraces()
	left, err := filepath.Glob(filepath.Join(f.Journal.Dir(), "*"))
	if err != nil || len(left) > 0 {
		f.t.Errorf("left in the journal: %v, %v", left, err)
	}
}

// The process ends at every operation of an apply in turn; then, in the second
// round, once more at every operation of the recovery.
func TestCrashAtEveryOperation(t *testing.T) {
	seen := map[string]bool{}
	applied, undone := 0, 0
	for n := 1; ; n++ {
		step := &stepFS{at: n, crash: true}
		f, ref := stepped(t, step)
		_, err := f.apply(ref)
		if step.hit == "" {
			if err != nil {
				t.Fatalf("without a crash: %v", err)
			}
			f.settled()
			break
		}
		seen[step.hit] = true
		asked := len(f.host.asked) > 0
		f.disk.FS = atomicfile.OS()
		f.restart()
		messages := strings.Join(f.Recover(), "\n")
		f.settled()
		if f.state() {
			applied++
		} else {
			undone++
			if asked && !strings.Contains(messages, f.path("open.ts")) {
				t.Errorf("%d %s: the document in doubt is not named: %q", n, step.hit, messages)
			}
		}
		if again := f.Recover(); again != nil {
			t.Errorf("%d %s: recovered twice: %q", n, step.hit, again)
		}
	}
	if applied == 0 || undone == 0 {
		t.Errorf("%d crashes after the commit point, %d before", applied, undone)
	}
	for _, op := range []string{"lock", "create", "write", "chmod", "sync", "close", "link", "rename", "remove", "syncdir", "readfile", "readdir", "mkdirall"} {
		if !seen[op] {
			t.Errorf("never crashed in %s", op)
		}
	}
}

func TestCrashInTheRecovery(t *testing.T) {
	for n := 1; ; n++ {
		f, _ := cutOff(t)
		step := &stepFS{FS: atomicfile.OS(), at: n, crash: true}
		f.disk.FS = step
		f.Recover()
		f.disk.FS = atomicfile.OS()
		f.restart()
		f.Recover()
		f.settled()
		if f.state() {
			t.Fatalf("crash at %d (%s): applied, but the apply was cut off before its end", n, step.hit)
		}
		if step.hit == "" {
			return
		}
	}
}

// cutOff is a session started again after a crash between the renames of two files.
func cutOff(t *testing.T) (f *fixture, ref *session.PendingRef) {
	t.Helper()
	step := &stepFS{crash: true}
	f, ref = stepped(t, step)
	renamed := 0
	f.disk.fail(func(op, path string) error {
		if op != "rename" || filepath.Ext(path) != ".ts" {
			return nil
		}
		if renamed++; renamed == 3 {
			step.mu.Lock()
			step.at = step.count + 1
			step.mu.Unlock()
		}
		return nil
	})
	if _, err := f.apply(ref); err == nil {
		t.Fatal("applied")
	}
	f.disk.fail(nil)
	f.disk.FS = atomicfile.OS()
	f.restart()
	return f, ref
}

// Every operation fails once, in turn: the apply is undone and its error says of
// what, or it is done, all of it.
func TestEveryOperationOfAnApplyFailsOnce(t *testing.T) {
	for n := 1; ; n++ {
		step := &stepFS{at: n}
		f, ref := stepped(t, step)
		_, err := f.apply(ref)
		if step.hit == "" {
			return
		}
		applied := f.state()
		if applied != (err == nil) {
			t.Errorf("%d %s: applied %v, but the error is %v", n, step.hit, applied, err)
		}
		if err != nil && !strings.Contains(err.Error(), ".ts") && !strings.Contains(err.Error(), "journal") && !strings.Contains(err.Error(), f.turn) {
			t.Errorf("%d %s: the error names nothing: %v", n, step.hit, err)
		}
		want := map[string]string{"open.ts": "foo(4);\n"}
		if applied {
			want = map[string]string{"open.ts": "bar(4);\n"}
		}
		f.wantOpen(want)
		f.disk.FS = atomicfile.OS()
		f.restart()
		f.Recover()
		f.settled()
		if f.state() != applied {
			t.Errorf("%d %s: the recovery turned it round", n, step.hit)
		}
	}
}

// Whatever fails, and the undoing of it too: the next start undoes it.
func TestEveryOperationFailsAndItsUndoing(t *testing.T) {
	for _, and := range []string{"rename", "remove", "syncdir", "readfile"} {
		for n := 1; ; n++ {
			step := &stepFS{at: n, and: and}
			f, ref := stepped(t, step)
			_, err := f.apply(ref)
			if step.hit == "" {
				break
			}
			f.disk.FS = atomicfile.OS()
			f.restart()
			f.Recover()
			f.settled()
			if f.state() != (err == nil) {
				t.Errorf("%d %s, then every %s: %v", n, step.hit, and, err)
			}
		}
	}
}

func TestRecoveryLeavesAloneWhatWasChangedSince(t *testing.T) {
	f, _ := cutOff(t)
	changed := ""
	for _, name := range []string{"a.ts", "b.ts", "c/d.ts"} {
		if content, _ := os.ReadFile(f.path(name)); strings.HasPrefix(string(content), "bar") {
			changed = name
			f.write(name, "mine\n")
			break
		}
	}
	messages := strings.Join(f.Recover(), "\n")
	f.wantDisk(map[string]string{changed: "mine\n"})
	left := f.traces()
	if len(left) != 1 || !strings.Contains(messages, fmt.Sprintf("Changed since, and left as they are: %s (its old text is in %s).", f.path(changed), left[0])) {
		t.Errorf("left %v, said %q", left, messages)
	}
	for name, content := range crashFiles() {
		if name != changed {
			f.wantDisk(map[string]string{name: content})
		}
	}
}

// What cannot be put back is named, keeps the next apply from writing, and is put
// back when it can be.
func TestRecoveryThatFailsIsTriedAgain(t *testing.T) {
	f, _ := cutOff(t)
	f.disk.fail(func(op, path string) error {
		if op == "put back" {
			return errInjected
		}
		return nil
	})
	if messages := strings.Join(f.Recover(), "\n"); !strings.Contains(messages, "Could not be put back, and will be tried again: ") {
		t.Errorf("said %q", messages)
	}
	ref := f.stage(rule("foo($A)", "baz($A)"))
	if _, err := f.apply(ref); err == nil || !strings.Contains(err.Error(), "an earlier apply was cut off and is not undone yet: ") {
		t.Errorf("error %v", err)
	}
	f.disk.fail(nil)
	if _, err := f.apply(ref); err == nil || !strings.Contains(err.Error(), "Preview is out of date") {
		t.Errorf("error %v: the files are others now", err)
	}
	f.wantDisk(crashFiles())
	f.settled()
}

// Two servers on one workspace: one does not recover the other's live apply.
func TestALiveApplyIsNotRecovered(t *testing.T) {
	f := newFixture(t, crashFiles())
	f.typed("open.ts", "foo(4);\n")
	ref := f.stage(foo())
	other := journal.New(atomicfile.OS(), f.Journal.Dir(), f.turn, time.Now)
	looked := 0
	f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
		looked++
		recovered, err := other.Recover(journal.Hooks{})
		if len(recovered) > 0 || err != nil || len(f.traces()) == 0 {
			t.Errorf("recovered %+v, %v; staged %v", recovered, err, f.traces())
		}
		return takes(h, docs)
	}
	f.mustApply(ref)
	if looked != 1 || !f.state() {
		t.Errorf("looked %d times", looked)
	}
	f.settled()
}

func TestNothingIsWrittenWithoutAJournal(t *testing.T) {
	f := newFixture(t, crashFiles())
	ref := f.stage(foo())
	if err := os.WriteFile(f.Journal.Dir(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := f.apply(ref)
	if err == nil || !strings.HasPrefix(err.Error(), "Apply failed: cannot keep the journal that undoes the apply after a crash: ") || !strings.Contains(err.Error(), f.Journal.Dir()) {
		t.Errorf("error %v", err)
	}
	f.wantDisk(crashFiles())
	f.wantNoTraces()
	if !slices.Equal(f.pending(), []session.PendingRef{*ref}) {
		t.Error("the action is gone")
	}
}

// A record that cannot be read is nobody's to remove: it is named, and nothing is
// written until it is gone.
func TestADamagedRecordIsNamed(t *testing.T) {
	f := newFixture(t, crashFiles())
	record := filepath.Join(f.Journal.Dir(), "ABC.begun")
	if err := os.WriteFile(record, []byte(`{"version":99}`), 0o600); err != nil {
		if err := os.MkdirAll(f.Journal.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(record, []byte(`{"version":99}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if messages := strings.Join(f.Recover(), "\n"); !strings.Contains(messages, record) {
		t.Errorf("said %q", messages)
	}
	ref := f.stage(foo())
	if _, err := f.apply(ref); err == nil || !strings.Contains(err.Error(), record) {
		t.Errorf("error %v", err)
	}
	f.wantDisk(crashFiles())
	if err := os.Remove(record); err != nil {
		t.Fatal(err)
	}
	f.mustApply(ref)
	f.settled()
}

// What is undone is the file itself, with its mode and its other names.
func TestRecoveryBringsBackTheFilesThemselves(t *testing.T) {
	step := &stepFS{crash: true, FS: atomicfile.OS()}
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n", "c/d.ts": "foo(3);\n"})
	if err := os.Chmod(f.path("a.ts"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(f.path("b.ts"), f.path("b.other")); err != nil {
		t.Skip(err)
	}
	before, err := os.Stat(f.path("b.ts"))
	if err != nil {
		t.Fatal(err)
	}
	ref := f.stage(foo())
	f.disk.FS = step
	renamed := 0
	f.disk.fail(func(op, path string) error { // all three are new, and the record is not done
		if op == "rename" && filepath.Ext(path) == ".done" {
			step.mu.Lock()
			step.at = step.count + 1
			step.mu.Unlock()
		}
		if op == "rename" && filepath.Ext(path) == ".ts" {
			renamed++
		}
		return nil
	})
	if _, err := f.apply(ref); err == nil || renamed != 3 {
		t.Fatalf("error %v after %d renames", err, renamed)
	}
	f.disk.fail(nil)
	f.disk.FS = atomicfile.OS()
	if !f.state() {
		t.Fatal("the files are not new before the recovery")
	}
	f.restart()
	messages := f.Recover()
	if want := `The server was cut off while it applied "` + ref.Label + `": what it had written is undone.`; !slices.Equal(messages, []string{want}) {
		t.Errorf("said %q", messages)
	}
	f.settled()
	if f.state() {
		t.Error("not undone")
	}
	if info, err := os.Stat(f.path("a.ts")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if after, err := os.Stat(f.path("b.ts")); err != nil || !os.SameFile(before, after) {
		t.Errorf("the hard link is cut: %v", err)
	}
}
