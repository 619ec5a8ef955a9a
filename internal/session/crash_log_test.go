package session_test

import (
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// logFS is the file system of a decision log whose process ends with step's.
type logFS struct{ step *stepFS }

func (l logFS) MkdirAll(path string, perm fs.FileMode) error {
	if err := l.step.step("log", path); err != nil {
		return err
	}
	return os.MkdirAll(path, perm)
}

func (l logFS) OpenFile(name string, flag int, perm fs.FileMode) (resolve.File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (l logFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (l logFS) Rename(oldPath, newPath string) error       { return os.Rename(oldPath, newPath) }
func (l logFS) Lock(path string) (func(), error)           { return filelock.Acquire(path, time.Second) }

// Wherever the process ends during an apply or its recovery: afterwards the log has
// the decision once where the files are new, and not at all where they are old.
func TestCrashLeavesOneLogLineForWhatIsApplied(t *testing.T) {
	restored := 0
	for n := 1; ; n++ {
		step := &stepFS{at: n, crash: true}
		f, ref := stepped(t, step)
		f.Decisions = resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: f.stateDir, Files: logFS{step}})
		_, _ = f.apply(ref)
		logged := len(f.decisions())
		again := &stepFS{FS: atomicfile.OS(), at: n%7 + 1, crash: true}
		f.disk.FS = again
		f.restart()
		f.Recover() // is cut off as well
		f.disk.FS = atomicfile.OS()
		f.restart()
		f.Recover()
		f.Recover()
		f.settled()
		applied, got := f.state(), f.decisions()
		switch {
		case applied && len(got) != 1, !applied && len(got) != 0:
			t.Fatalf("%d %s: applied %v, %d decisions in the log", n, step.hit, applied, len(got))
		case applied:
			if d := got[0]; d.PendingID != ref.ID || d.Label != ref.Label || d.Reason == "" || d.SourceToolName != "ast_edit" || len(d.Files) != 4 || !d.Files[0].Verified {
				t.Errorf("%d %s: the log has %+v", n, step.hit, d)
			}
			restored += 1 - logged
		}
		if step.hit == "" {
			break
		}
	}
	if restored == 0 {
		t.Error("no crash came between the last rename and the log")
	}
	t.Logf("%d decisions logged by the recovery", restored)
}
