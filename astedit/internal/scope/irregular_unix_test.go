//go:build unix

package scope

import (
	"syscall"
	"testing"
)

func TestIrregularFiles(t *testing.T) {
	dir := tree(t, names("a.ts"))
	if err := syscall.Mkfifo(dir+"/pipe.ts", 0o644); err != nil {
		t.Skip(err)
	}
	if err := syscall.Mkfifo(dir+"/.gitignore", 0o644); err != nil {
		t.Skip(err)
	}
	wantError(t, one(dir), onPath("pipe.ts"), "Search path must be a file or directory: pipe.ts")
	wantError(t, one(dir), onPaths("a.ts", "pipe.ts"), "Search path must be a file or directory: pipe.ts")
	wantList(t, list(t, one(dir), Params{}), "a.ts")
}
