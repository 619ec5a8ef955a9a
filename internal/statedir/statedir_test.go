package statedir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRoot(t *testing.T) {
	tests := []struct {
		name, goos, home string
		env              map[string]string
		want             string
	}{
		{"default", "linux", "/home/u", nil, "/home/u/.local/state/xcsh-lsp"},
		{"XDG_STATE_HOME", "linux", "/home/u", map[string]string{"XDG_STATE_HOME": "/var/s"}, "/var/s/xcsh-lsp"},
		{"XDG_STATE_HOME without a home", "linux", "", map[string]string{"XDG_STATE_HOME": "/var/s/"}, "/var/s/xcsh-lsp"},
		{"relative XDG_STATE_HOME is ignored", "linux", "/home/u", map[string]string{"XDG_STATE_HOME": "s"}, "/home/u/.local/state/xcsh-lsp"},
		{"empty XDG_STATE_HOME", "freebsd", "/home/u", map[string]string{"XDG_STATE_HOME": ""}, "/home/u/.local/state/xcsh-lsp"},
		{"macOS", "darwin", "/Users/u", nil, "/Users/u/Library/Application Support/xcsh-lsp"},
		{"macOS has no XDG_STATE_HOME", "darwin", "/Users/u", map[string]string{"XDG_STATE_HOME": "/var/s"}, "/Users/u/Library/Application Support/xcsh-lsp"},
		{"Windows", "windows", "", map[string]string{"LocalAppData": "/c/AppData/Local"}, "/c/AppData/Local/xcsh-lsp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Root(func(key string) string { return tt.env[key] }, tt.goos, tt.home)
			if err != nil || filepath.ToSlash(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestRootNeedsAHome(t *testing.T) {
	for goos, variable := range map[string]string{"linux": "$HOME", "darwin": "$HOME", "windows": "%LocalAppData%"} {
		got, err := Root(func(string) string { return "" }, goos, "")
		if err == nil || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s: got %q, %v, want an error that names %s", goos, got, err, variable)
		}
	}
}

func TestWorkspace(t *testing.T) {
	// printf %s /home/u/project | sha256sum | cut -c1-16
	const digits = "4eb6cd28fb98b739"
	if got := Workspace("root", "/home/u/project"); got != filepath.Join("root", digits) {
		t.Errorf("got %q, want %q", got, digits)
	}
	if Workspace("root", "/home/u/project") == Workspace("root", "/home/u/project2") {
		t.Error("two workspaces share a folder")
	}
}

func TestEnsure(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "xcsh-lsp", "workspace")
	for range 2 {
		if err := Ensure(dir); err != nil {
			t.Fatal(err)
		}
	}
	checkMode(t, dir)
	checkMode(t, filepath.Dir(dir))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Ensure(dir); err != nil {
		t.Fatal(err)
	}
	checkMode(t, dir)
}

func TestEnsureInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		if err := Ensure(dir); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("Ensure(%s) = %v, want an error that names the file in the way", dir, err)
		}
	}
}

func checkMode(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != ownerOnly {
		t.Errorf("%s has mode %v", dir, info.Mode())
	}
}
