package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestSyncAllSyncsEveryPathAndNamesTheFirstThatFails(t *testing.T) {
	var paths []string
	for i := range 10 * syncedAtOnce {
		paths = append(paths, fmt.Sprintf("f%03d", i))
	}
	var running, most, calls atomic.Int32
	failed, err := syncAll(paths, func(path string) error {
		calls.Add(1)
		for now, seen := running.Add(1), most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
		}
		defer running.Add(-1)
		if strings.HasSuffix(path, "7") {
			return errInjected
		}
		return nil
	})
	if failed != "f007" || !errors.Is(err, errInjected) || int(calls.Load()) != len(paths) {
		t.Errorf("failed %q, error %v, %d calls", failed, err, calls.Load())
	}
	if most.Load() > syncedAtOnce {
		t.Errorf("%d at once", most.Load())
	}
}

func TestSyncFilesNeedsWritePermissionAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("x"), 0o200); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(t.TempDir(), "gone")
	if failed, err := OS().SyncFiles([]string{path, gone}); failed != gone || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("failed %q: %v", failed, err)
	}
}

// What was staged is on disk before the editor or any file is touched.
func TestStagedFilesAreSyncedBeforeStageReturns(t *testing.T) {
	dir := t.TempDir()
	var ops []string
	fsys := faultFS{OS(), func(op, path string) error {
		ops = append(ops, op)
		return nil
	}}
	var writes []Write
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		writes = append(writes, Write{path, []byte("old"), []byte("new")})
	}
	tx, err := Plan(fsys, writes)
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Stage(); err != nil {
		t.Fatal(err)
	}
	if last := ops[len(ops)-3:]; !slices.Equal(last, []string{"sync", "sync", "sync"}) {
		t.Errorf("staging ends with %v", last)
	}
	if err := tx.Discard(); err != nil {
		t.Error(err)
	}
}

func BenchmarkReplace1000Files(b *testing.B) {
	dir := b.TempDir()
	old, changed := []byte(strings.Repeat("old text\n", 500)), []byte(strings.Repeat("new text\n", 500))
	var writes []Write
	for i := range 1000 {
		folder := filepath.Join(dir, fmt.Sprintf("d%02d", i%50))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(folder, fmt.Sprintf("f%d", i))
		if err := os.WriteFile(path, old, 0o644); err != nil {
			b.Fatal(err)
		}
		writes = append(writes, Write{path, old, changed})
	}
	for b.Loop() {
		tx, err := Plan(OS(), writes)
		if err == nil {
			err = tx.Stage()
		}
		if err == nil {
			err = tx.Commit(nil, nil)
		}
		if err != nil {
			b.Fatal(err)
		}
		for i := range writes {
			writes[i].Old, writes[i].New = writes[i].New, writes[i].Old
		}
	}
}
