package jshost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

func TestWithoutARuntimeLoadingSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	rt := New(Options{Allowed: func(string) bool { return false }})
	path := filepath.Join(t.TempDir(), "t.ts")
	if err := os.WriteFile(path, []byte("export default () => [];"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := rt.Load(t.Context(), customtools.ModuleSpec{Path: path, Cwd: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "install Node.js 18 or newer") {
		t.Errorf("got %v", err)
	}
	if err := rt.Close(); err != nil {
		t.Error(err)
	}
}
