package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// threeFiles returns replacements of three files, each in a folder of its own.
func threeFiles(t *testing.T) (dir string, writes []Write) {
	t.Helper()
	dir = t.TempDir()
	for i, old := range []string{"one\n", "\xEF\xBB\xBFtwo\r\n", "three"} {
		path := filepath.Join(dir, fmt.Sprintf("folder%d", i), "file.txt")
		put(t, path, old, 0o644)
		writes = append(writes, Write{Path: path, Old: []byte(old), New: []byte("new " + old)})
	}
	return dir, writes
}

func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func checkContent(t *testing.T, path string, want []byte) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s holds %q, %v, want %q", path, got, err, want)
	}
}

func checkFiles(t *testing.T, writes []Write, replaced bool) {
	t.Helper()
	for _, w := range writes {
		want := w.Old
		if replaced {
			want = w.New
		}
		checkContent(t, w.Path, want)
	}
}

func hiddenFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), tempPrefix) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func checkNoTemps(t *testing.T, dir string, but ...string) {
	t.Helper()
	if got := hiddenFiles(t, dir); !slices.Equal(got, but) {
		t.Errorf("hidden files %v, want %v", got, but)
	}
}

func checkNamesFile(t *testing.T, err error, writes []Write) {
	t.Helper()
	var writeErr *WriteError
	if !errors.As(err, &writeErr) || !slices.ContainsFunc(writes, func(w Write) bool { return w.Path == writeErr.Path }) {
		t.Errorf("got %v, want a WriteError of one of the files", err)
	}
}

func TestCommitReplacesAll(t *testing.T) {
	dir, writes := threeFiles(t)
	tx, err := stage(OS(), writes)
	if err != nil {
		t.Fatal(err)
	}
	checkFiles(t, writes, false)
	for i, s := range tx.Staged() {
		if s.Path != writes[i].Path || filepath.Dir(s.Temp) != filepath.Dir(s.Real) {
			t.Errorf("staged %+v for %s", s, writes[i].Path)
		}
		checkContent(t, s.Temp, writes[i].New)
	}
	if err := tx.Commit(nil, nil); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, writes, true)
	checkNoTemps(t, dir)
	if left := tx.Leftovers(); left != nil {
		t.Errorf("leftovers %v", left)
	}
}

func TestModeKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	for _, mode := range []fs.FileMode{0o755, 0o600, 0o666, 0o640 | fs.ModeSetgid} {
		path := filepath.Join(t.TempDir(), "script")
		put(t, path, "old", mode)
		if _, err := write(OS(), []Write{{path, []byte("old"), []byte("new")}}); err != nil {
			t.Fatal(err)
		}
		checkContent(t, path, []byte("new"))
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("mode %v, %v, want %v", info.Mode(), err, mode)
		}
	}
}

func TestSymlinkKept(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "real", "target.txt")
	put(t, target, "old", 0o644)
	link := filepath.Join(dir, "link.txt")
	if err := os.Symlink(filepath.Join("real", "target.txt"), link); err != nil {
		t.Skip(err)
	}
	if _, err := write(OS(), []Write{{link, []byte("old"), []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != filepath.Join("real", "target.txt") {
		t.Errorf("the link is %q, %v", to, err)
	}
	checkContent(t, target, []byte("new"))
	checkNoTemps(t, dir)

	_, err := stage(OS(), []Write{{link, []byte("new"), nil}, {target, []byte("new"), nil}})
	checkNamesFile(t, err, []Write{{Path: target}})
	checkNoTemps(t, dir)
}

func TestStageRefuses(t *testing.T) {
	dir := t.TempDir()
	readOnly, folder, fine := filepath.Join(dir, "read-only"), filepath.Join(dir, "folder"), filepath.Join(dir, "fine")
	put(t, readOnly, "old", 0o444)
	put(t, fine, "old", 0o644)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, reason string }{
		{readOnly, "the file is read-only"},
		{folder, "not a regular file"},
		{filepath.Join(dir, "missing"), "no such file or directory"},
		{filepath.Join(dir, "no", "folder"), "no such file or directory"},
		{fine, "the file is to be written twice at once"},
	}
	for _, tt := range tests {
		_, err := stage(OS(), []Write{{fine, []byte("old"), []byte("new")}, {tt.path, []byte("old"), []byte("new")}})
		if want := "failed to write " + tt.path + ": " + tt.reason; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		checkContent(t, fine, []byte("old"))
		checkNoTemps(t, dir)
	}
	checkContent(t, readOnly, []byte("old"))
}

func TestChangedFileRefused(t *testing.T) {
	other := func(path string) error { return os.WriteFile(path, []byte("other"), 0o644) }
	tests := []struct {
		name   string
		change func(path string) error
	}{
		{"content", other},
		{"shorter", func(path string) error { return os.Truncate(path, 2) }},
		{"gone", os.Remove},
		{"mode", func(path string) error { return os.Chmod(path, 0o600) }},
		{"folder gone", func(path string) error { return os.RemoveAll(filepath.Dir(path)) }},
		{"another file of the same text", func(path string) error {
			return errors.Join(os.Rename(path, path+".other"), os.Symlink(path+".other", path))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, writes := threeFiles(t)
			tx, err := stage(OS(), writes)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.change(writes[2].Path); err != nil {
				t.Fatal(err)
			}
			err = tx.Commit(func() error {
				t.Error("checked although a file has changed")
				return nil
			}, nil)
			var changed *ChangedError
			if !errors.As(err, &changed) || changed.Path != writes[2].Path {
				t.Errorf("got %v, want a ChangedError of %s", err, writes[2].Path)
			}
			checkFiles(t, writes[:2], false)
			checkNoTemps(t, dir)
		})
	}
}

func TestCheckPreventsCommit(t *testing.T) {
	dir, writes := threeFiles(t)
	tx, err := stage(OS(), writes)
	if err != nil {
		t.Fatal(err)
	}
	opened := errors.New("opened meanwhile")
	err = tx.Commit(func() error {
		checkFiles(t, writes, false)
		return opened
	}, nil)
	if err != opened {
		t.Errorf("got %v, want the check's error", err)
	}
	checkFiles(t, writes, false)
	checkNoTemps(t, dir)
}

func TestTransactionEndsOnce(t *testing.T) {
	t.Run("discard", func(t *testing.T) {
		dir, writes := threeFiles(t)
		tx, err := stage(OS(), writes)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := tx.Discard(); err != nil {
				t.Error(err)
			}
		}
		if err := tx.Commit(nil, nil); err != ErrDiscarded {
			t.Errorf("commit after discard: %v", err)
		}
		checkFiles(t, writes, false)
		checkNoTemps(t, dir)
	})
	t.Run("commit", func(t *testing.T) {
		_, writes := threeFiles(t)
		tx, err := write(OS(), writes)
		if err != nil {
			t.Fatal(err)
		}
		put(t, writes[0].Path, "later", 0o644)
		if err := errors.Join(tx.Commit(nil, nil), tx.Discard()); err != nil {
			t.Error(err)
		}
		checkContent(t, writes[0].Path, []byte("later"))
	})
	t.Run("failed commit", func(t *testing.T) {
		_, writes := threeFiles(t)
		tx, err := stage(OS(), writes)
		if err != nil {
			t.Fatal(err)
		}
		first := tx.Commit(func() error { return errInjected }, nil)
		if again := tx.Commit(nil, nil); first != errInjected || again != first {
			t.Errorf("got %v, then %v", first, again)
		}
		checkFiles(t, writes, false)
	})
	t.Run("discard fails, then not", func(t *testing.T) {
		dir, writes := threeFiles(t)
		broken := true
		tx, err := stage(failOps(func(op, _ string) bool { return op == "remove" && broken }), writes)
		if err != nil {
			t.Fatal(err)
		}
		err = tx.Discard()
		for _, s := range tx.Staged() {
			if err == nil || !strings.Contains(err.Error(), s.Temp) {
				t.Errorf("the error does not name %s: %v", s.Temp, err)
			}
		}
		broken = false
		if err := tx.Discard(); err != nil {
			t.Error(err)
		}
		checkNoTemps(t, dir)
	})
}

func TestNothingToWrite(t *testing.T) {
	if _, err := write(OS(), nil); err != nil {
		t.Error(err)
	}
}

func TestOwnerNotKeptIsNoFailure(t *testing.T) {
	dir, writes := threeFiles(t)
	fsys := faultFS{OS(), func(op, path string) error {
		if op == "takeowner" {
			return &fs.PathError{Op: op, Path: path, Err: fs.ErrPermission}
		}
		return nil
	}}
	if _, err := write(fsys, writes); err != nil {
		t.Fatal(err)
	}
	checkFiles(t, writes, true)
	checkNoTemps(t, dir)
}
