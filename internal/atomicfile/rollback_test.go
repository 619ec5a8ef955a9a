package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func stage(fsys FS, writes []Write) (*Transaction, error) {
	tx, err := Plan(fsys, writes)
	if err != nil {
		return nil, err
	}
	return tx, tx.Stage()
}

// write stages and commits.
func write(fsys FS, writes []Write) (*Transaction, error) {
	tx, err := stage(fsys, writes)
	if err != nil {
		return nil, err
	}
	return tx, tx.Commit(nil, nil)
}

// Every operation of a write fails once, in turn: all files are as before, or,
// where the write does not depend on the operation, all are new.
func TestEveryOperationFailsOnce(t *testing.T) {
	tolerated := []string{"link", "remove"}
	failedOps := make(map[string]bool)
	for n := 1; ; n++ {
		dir, writes := threeFiles(t)
		fsys, failed := failNth(n)
		tx, err := write(fsys, writes)
		op := failed()
		if op == "" {
			if err != nil {
				t.Fatalf("without a fault: %v", err)
			}
			break
		}
		failedOps[op] = true
		t.Run(fmt.Sprintf("%d %s", n, op), func(t *testing.T) {
			if err == nil {
				if !slices.Contains(tolerated, op) && !(op == "syncdir" && tx.Left() == HiddenFiles) {
					t.Fatal("the failure was ignored")
				}
				checkFiles(t, writes, true)
				checkNoTemps(t, dir, tx.Leftovers()...)
				if (tx.Left() == Nothing) != (op == "link") {
					t.Errorf("left: %v", tx.Left())
				}
				return
			}
			checkFiles(t, writes, false)
			checkNoTemps(t, dir)
			checkNamesFile(t, err, writes)
			if !errors.Is(err, errInjected) {
				t.Errorf("the error hides its cause: %v", err)
			}
			if strings.Contains(err.Error(), tempPrefix) {
				t.Errorf("the error names a hidden file that is gone: %v", err)
			}
		})
	}
	for _, op := range []string{"evalsymlinks", "stat", "checkwritable", "readfile", "create", "write", "takeowner", "chmod", "sync", "close", "link", "rename", "remove", "syncdir"} {
		if !failedOps[op] {
			t.Errorf("%s never failed", op)
		}
	}
}

// Where no file can be linked to, every operation fails once more: the backups
// are copies then.
func TestEveryOperationFailsOnceWithoutLinks(t *testing.T) {
	for n := 1; ; n++ {
		dir, writes := threeFiles(t)
		inner, failed := failNth(n)
		fsys := faultFS{inner, func(op, _ string) error {
			if op == "link" {
				return errors.New("no links here")
			}
			return nil
		}}
		tx, err := write(fsys, writes)
		if failed() == "" {
			if err != nil {
				t.Fatalf("without a fault: %v", err)
			}
			checkFiles(t, writes, true)
			checkNoTemps(t, dir)
			return
		}
		if err == nil {
			checkFiles(t, writes, true)
			checkNoTemps(t, dir, tx.Leftovers()...)
			continue
		}
		checkFiles(t, writes, false)
		checkNoTemps(t, dir)
		checkNamesFile(t, err, writes)
	}
}

func TestSecondOfThreeFails(t *testing.T) {
	for _, op := range []string{"create", "rename"} {
		t.Run(op, func(t *testing.T) {
			dir, writes := threeFiles(t)
			calls := 0
			_, err := write(failOps(func(o, _ string) bool {
				if o == op {
					calls++
				}
				return o == op && calls == 2
			}), writes)
			var writeErr *WriteError
			if !errors.As(err, &writeErr) || writeErr.Path != writes[1].Path {
				t.Fatalf("got %v, want a WriteError of %s", err, writes[1].Path)
			}
			if want := "failed to write " + writes[1].Path + ": " + errInjected.Error(); err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
			checkFiles(t, writes, false)
			checkNoTemps(t, dir)
		})
	}
}

// A file that cannot be put back is named, and its old text stays beside it.
func TestRollbackFails(t *testing.T) {
	_, writes := threeFiles(t)
	renames := 0
	_, err := write(failOps(func(op, path string) bool {
		if op != "rename" {
			return false
		}
		renames++
		isThird := renames == 3
		return isThird || strings.HasSuffix(path, backupSuffix) && filepath.Dir(path) == filepath.Dir(writes[0].Path)
	}), writes)
	var inDoubt *InDoubtError
	if !errors.As(err, &inDoubt) || !slices.Equal(inDoubt.Paths, []string{writes[0].Path}) {
		t.Fatalf("got %v, want only %s in doubt", err, writes[0].Path)
	}
	var cause *WriteError
	if !errors.As(err, &cause) || cause.Path != writes[2].Path {
		t.Errorf("got %v, want the cause: a WriteError of %s", err, writes[2].Path)
	}
	checkContent(t, writes[0].Path, writes[0].New)
	checkFiles(t, writes[1:], false)
	temps := hiddenFiles(t, filepath.Dir(writes[0].Path))
	if len(temps) != 1 || !strings.Contains(err.Error(), temps[0]) {
		t.Fatalf("hidden files %v: want one backup that the error names: %v", temps, err)
	}
	checkContent(t, temps[0], writes[0].Old)
}

// Nobody's work is overwritten by putting a file back.
func TestRollbackKeepsForeignChange(t *testing.T) {
	_, writes := threeFiles(t)
	foreign := []byte("written by somebody else\n")
	renamed := false
	_, err := write(failOps(func(op, path string) bool {
		renamed = renamed || op == "rename"
		if op != "syncdir" || !renamed {
			return false
		}
		if err := os.WriteFile(writes[1].Path, foreign, 0o644); err != nil {
			t.Error(err)
		}
		return true
	}), writes)
	var inDoubt *InDoubtError
	if !errors.As(err, &inDoubt) || !slices.Equal(inDoubt.Paths, []string{writes[1].Path}) {
		t.Fatalf("got %v, want only %s in doubt", err, writes[1].Path)
	}
	checkContent(t, writes[1].Path, foreign)
	checkContent(t, writes[0].Path, writes[0].Old)
	checkContent(t, writes[2].Path, writes[2].Old)
}

// A folder that cannot be synced after the files were put back is named.
func TestRollbackIsSynced(t *testing.T) {
	for _, failing := range []bool{false, true} {
		dir, writes := threeFiles(t)
		renamed, synced := 0, 0
		tx, err := stage(failOps(func(op, path string) bool {
			switch {
			case op == "rename":
				renamed++
				return renamed == 3
			case op == "syncdir" && renamed > 0:
				synced++
				return failing
			}
			return false
		}), writes)
		if err != nil {
			t.Fatal(err)
		}
		err = tx.Commit(nil, nil)
		checkNamesFile(t, err, writes[2:])
		if said := strings.Contains(err.Error(), "could not make sure that "+writes[0].Path); said != failing {
			t.Errorf("got %v", err)
		}
		if (tx.Left() == HiddenFiles) != failing || synced == 0 || !failing && synced != 3 {
			t.Errorf("left %v after %d synced folders", tx.Left(), synced)
		}
		checkFiles(t, writes, false)
		checkNoTemps(t, dir)
	}
}

// The commit is final only when done says so.
func TestDoneUndoesTheCommit(t *testing.T) {
	dir, writes := threeFiles(t)
	tx, err := stage(OS(), writes)
	if err != nil {
		t.Fatal(err)
	}
	err = tx.Commit(nil, func() error {
		checkFiles(t, writes, true)
		return errInjected
	})
	if err != errInjected || tx.Left() != Nothing {
		t.Errorf("got %v, left %v", err, tx.Left())
	}
	checkFiles(t, writes, false)
	checkNoTemps(t, dir)
}

// A program that changes a file while others are being replaced does not lose what
// it wrote: in the file's place, or into the old file that it had open.
func TestChangedWhileOthersAreReplaced(t *testing.T) {
	foreign := []byte("written by somebody else\n")
	tests := map[string]func(file string) error{
		"before its turn": func(file string) error { return os.WriteFile(file, foreign, 0o644) },
		"by a rename": func(file string) error {
			return errors.Join(os.WriteFile(file+".other", foreign, 0o644), os.Rename(file+".other", file))
		},
		"while it is replaced": nil,
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			dir, writes := threeFiles(t)
			target := writes[1].Path
			open, err := os.OpenFile(target, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer open.Close()
			renamed := 0
			_, err = write(failOps(func(op, path string) bool {
				if op != "rename" {
					return false
				}
				renamed++
				if change != nil && renamed == 1 {
					err = change(target)
				}
				if change == nil && renamed == 3 {
					_, err = open.Write(foreign)
				}
				if err != nil {
					t.Error(err)
				}
				return false
			}), writes)
			var changed *ChangedError
			if !errors.As(err, &changed) || changed.Path != target {
				t.Fatalf("got %v, want a ChangedError of %s", err, target)
			}
			want := foreign
			if change == nil {
				want = slices.Concat(writes[1].Old, foreign)
			}
			checkContent(t, target, want)
			checkFiles(t, []Write{writes[0], writes[2]}, false)
			checkNoTemps(t, dir)
		})
	}
}

// A rename can be reported as failed although it happened.
func TestRenameHappenedAlthoughItFailed(t *testing.T) {
	dir, writes := threeFiles(t)
	renames := 0
	fsys := faultFS{OS(), nil}
	fsys.fault = func(op, path string) error {
		if op != "rename" {
			return nil
		}
		if renames++; renames != 2 {
			return nil
		}
		if err := os.Rename(path, writes[1].Path); err != nil {
			t.Error(err)
		}
		return errInjected
	}
	if _, err := write(fsys, writes); !errors.Is(err, errInjected) {
		t.Fatalf("got %v", err)
	}
	checkFiles(t, writes, false)
	checkNoTemps(t, dir)
}

// The file whose rename failed cannot be read: nobody knows what it holds, so
// its old text is not removed.
func TestRenameFailedAndFileUnreadable(t *testing.T) {
	_, writes := threeFiles(t)
	failed := false
	_, err := write(failOps(func(op, path string) bool {
		if op == "rename" && filepath.Dir(path) == filepath.Dir(writes[1].Path) {
			failed = true
			return true
		}
		return failed && op == "readfile" && path == writes[1].Path
	}), writes)
	var inDoubt *InDoubtError
	if !errors.As(err, &inDoubt) || !slices.Equal(inDoubt.Paths, []string{writes[1].Path}) {
		t.Fatalf("got %v, want only %s in doubt", err, writes[1].Path)
	}
	checkFiles(t, writes, false)
	backups := hiddenFiles(t, filepath.Dir(writes[1].Path))
	if len(backups) != 1 || !strings.Contains(err.Error(), backups[0]) {
		t.Errorf("hidden files %v: want one backup that the error names: %v", backups, err)
	}
}

// What cannot be removed after a failure is named; nothing else is left.
func TestCleanupFails(t *testing.T) {
	dir, writes := threeFiles(t)
	_, err := stage(failOps(func(op, path string) bool {
		return op == "remove" || op == "create" && strings.HasPrefix(path, filepath.Dir(writes[2].Path)+string(filepath.Separator))
	}), writes)
	checkNamesFile(t, err, writes[2:])
	checkFiles(t, writes, false)
	left := hiddenFiles(t, dir)
	if len(left) != 2 {
		t.Fatalf("left %v, want the first two temporary files", left)
	}
	for _, path := range left {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("the error does not name %s: %v", path, err)
		}
	}
}
