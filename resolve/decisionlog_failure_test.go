package resolve_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestUnwritableDecision(t *testing.T) {
	dir := t.TempDir()
	log := newLog(dir)
	if _, err := log.Append(resolve.Decision{Label: "L", Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil || !strings.Contains(err.Error(), `"L"`) {
		t.Errorf("error %v, want one that names the decision", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "decisions.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// brokenFiles is the real file system with one operation that fails.
type brokenFiles struct{ fail string }

var errBroken = errors.New("no space left on device")

func (b brokenFiles) MkdirAll(path string, perm fs.FileMode) error {
	if b.fail == "mkdir" {
		return errBroken
	}
	return os.MkdirAll(path, perm)
}

func (b brokenFiles) OpenFile(name string, flag int, perm fs.FileMode) (resolve.File, error) {
	if b.fail == "open" || b.fail == "open dir" && !strings.HasSuffix(name, ".jsonl") || b.fail == "open aside" && strings.Contains(name, "decisions-") {
		return nil, errBroken
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if isLog := strings.HasSuffix(name, ".jsonl"); b.fail == "sync" && !isLog || b.fail == "sync dir" && isLog {
		return f, nil
	}
	return brokenFile{f, b.fail}, nil
}

func (b brokenFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	if b.fail == "read dir" {
		return nil, errBroken
	}
	return os.ReadDir(name)
}

func (b brokenFiles) Rename(oldPath, newPath string) error {
	if b.fail == "rename" {
		return errBroken
	}
	return os.Rename(oldPath, newPath)
}

func (b brokenFiles) Lock(path string) (func(), error) {
	if b.fail == "lock" {
		return nil, errBroken
	}
	return func() {}, nil
}

type brokenFile struct {
	*os.File
	fail string
}

func (f brokenFile) Write(p []byte) (int, error) {
	if f.fail == "write" {
		n, err := f.File.Write(p[:len(p)/2])
		return n, errors.Join(errBroken, err)
	}
	return f.File.Write(p)
}

func (f brokenFile) ReadAt(p []byte, off int64) (int, error) {
	if f.fail == "read" {
		return 0, errBroken
	}
	return f.File.ReadAt(p, off)
}

func (f brokenFile) Stat() (fs.FileInfo, error) {
	if f.fail == "stat" {
		return nil, errBroken
	}
	return f.File.Stat()
}

func (f brokenFile) Sync() error {
	if f.fail == "sync" || f.fail == "sync dir" {
		return errBroken
	}
	return f.File.Sync()
}

func (f brokenFile) Close() error {
	err := f.File.Close()
	if f.fail == "close" {
		return errBroken
	}
	return err
}

func TestFailingWriteNamesTheFile(t *testing.T) {
	for _, fail := range []string{"mkdir", "open", "open dir", "stat", "write", "sync", "sync dir", "close"} {
		t.Run(fail, func(t *testing.T) {
			dir := t.TempDir()
			log := resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Now: stoppedClock, Files: brokenFiles{fail}})
			d, err := log.Append(resolve.Decision{Label: "L", Reason: "lost?"})
			if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), filepath.Join(dir, "decisions.jsonl")) {
				t.Errorf("error %v, want one that names the file", err)
			}
			if d.ID == "" {
				t.Error("the decision is not returned")
			}
			// A disk that has room again goes on where it was.
			healed := newLog(dir)
			mustAppend(t, healed, "next")
			if got := reasons(t, healed, 1, "", ""); got != "next" {
				t.Errorf("after the failure %q", got)
			}
		})
	}
}

func TestFailingReadNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, newLog(dir), "a")
	for _, fail := range []string{"open", "read", "stat"} {
		log := resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Files: brokenFiles{fail}})
		if _, err := log.List(0, "", ""); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "decisions.jsonl") {
			t.Errorf("%s: error %v, want one that names the file", fail, err)
		}
	}
	// A folder in the file's place.
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "decisions.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := newLog(dir).Append(resolve.Decision{}); err == nil || !strings.Contains(err.Error(), "decisions.jsonl") {
		t.Errorf("error %v, want one that names the file", err)
	}
}
