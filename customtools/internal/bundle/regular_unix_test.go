//go:build unix

package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestBuild_WaitsForNoPipe: the test's own timeout is what fails it.
func TestBuild_WaitsForNoPipe(t *testing.T) {
	for _, name := range []string{"lib.ts", "data.json", "package.json", "tsconfig.json"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			entry := filepath.Join(dir, "tool.ts")
			if err := os.WriteFile(entry, []byte("import lib from './lib'; import data from './data.json'; export default () => [lib, data];"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, other := range []string{"lib.ts", "data.json"} {
				if err := os.WriteFile(filepath.Join(dir, other), []byte("{}"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_ = os.Remove(filepath.Join(dir, name))
			if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
				t.Skip("no pipes here:", err)
			}
			if _, err := Build(entry); err == nil || !strings.Contains(err.Error(), name+" is no regular file") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBuild_TakesNoHugeFile(t *testing.T) {
	entry := filepath.Join(t.TempDir(), "tool.ts")
	f, err := os.Create(entry)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(maxFileBytes + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(entry); err == nil || !strings.Contains(err.Error(), "tool.ts has more than") {
		t.Errorf("got %v", err)
	}
}
