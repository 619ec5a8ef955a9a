package customtools

import (
	"os"
	"syscall"
	"testing"
)

// TestInsideFolders_ASecondNameOfAFolder: a folder that is mounted twice stands
// for every file system that takes several spellings for one folder.
func TestInsideFolders_ASecondNameOfAFolder(t *testing.T) {
	p := newPlace(t, blank("CWD/lib/in.ts", "HOME/out.ts"))
	second := p.expand("HOME/second")
	if err := os.Mkdir(second, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(p.cwd, second, "", syscall.MS_BIND, ""); err != nil {
		t.Skip("mounting needs root:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(second, 0); err != nil {
			t.Error(err)
		}
	})
	for path, want := range map[string]bool{"HOME/second/lib/in.ts": true, "HOME/second/new/file.ts": true, "HOME/out.ts": false} {
		if got := InsideFolders(p.expand(path), []string{p.cwd}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
