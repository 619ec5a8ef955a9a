package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

func TestLocksExcludeEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := filelock.Acquire(path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Acquire(path, time.Millisecond); !errors.Is(err, filelock.ErrBusy) {
		t.Errorf("error %v, want ErrBusy", err)
	}
	release()
	again, err := filelock.Acquire(path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	again()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("lock file %v, %v", info, err)
	}
}

func TestLocksWaitForEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var inside, counter atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				release, err := filelock.Acquire(path, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two have the lock")
				}
				counter.Add(1)
				inside.Add(-1)
				release()
			}
		})
	}
	wg.Wait()
	if counter.Load() != 200 {
		t.Errorf("counted to %d", counter.Load())
	}
}

func TestWhatCannotBeLockedIsAnError(t *testing.T) {
	if _, err := filelock.Acquire(filepath.Join(t.TempDir(), "no folder", "lock"), time.Second); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestTryDoesNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := filelock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Try(path); !errors.Is(err, filelock.ErrBusy) {
		t.Errorf("error %v, want ErrBusy", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := filelock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// Whoever has the lock may end it by removing the file. One who opened that file
// before then has no lock, though the system gave it one.
func TestRemovedLockFilesAreNoLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				lock, err := filelock.Try(path)
				if errors.Is(err, filelock.ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two have the lock")
				}
				inside.Add(-1)
				_ = os.Remove(path) // it may be another's from here on; Windows keeps open files
				if err := lock.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
