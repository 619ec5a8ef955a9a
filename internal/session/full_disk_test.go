//go:build linux

package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is really full: nothing is written, the file is named, nothing stays.
func TestStatement67_AFullDiskUndoesAll(t *testing.T) {
	f := newFixture(t, nil)
	mount := f.path("small")
	if err := os.Mkdir(mount, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("cannot mount a small file system: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(mount, syscall.MNT_DETACH) })
	f.write("a.ts", "foo(1);\n")
	f.write("small/b.ts", "foo(2);\n")
	ref := f.stage(foo())
	filler, err := os.Create(filepath.Join(mount, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(bytes.Repeat([]byte("x"), 4096))
	}
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = f.apply(ref)
	if err == nil || !strings.HasPrefix(err.Error(), "Apply failed: Failed to write small/b.ts: ") || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("error %v", err)
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\n", "small/b.ts": "foo(2);\n"})
	f.settled()

	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	f.mustApply(ref)
	f.wantDisk(map[string]string{"a.ts": "bar(1);\n", "small/b.ts": "bar(2);\n"})
	f.settled()
}
