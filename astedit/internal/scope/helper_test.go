package scope

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files into a fresh directory. A name that ends in a slash is a
// directory, content that begins with "-> " a symbolic link.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeTree(t, dir, files)
	return dir
}

func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		parent := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			parent = path
		}
		if err := os.MkdirAll(parent, 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(content, "-> "); ok {
			err = os.Symlink(to, path)
		} else if parent != path {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// names makes a tree of empty files.
func names(list ...string) map[string]string {
	files := make(map[string]string, len(list))
	for _, name := range list {
		files[name] = ""
	}
	return files
}

func with(files map[string]string, more map[string]string) map[string]string {
	for name, content := range more {
		files[name] = content
	}
	return files
}

// one is a workspace of one folder.
func one(dir string) Workspace {
	return Workspace{Folders: []Folder{{Name: "ws", Path: dir}}}
}

func onPath(path string) Params { return Params{Path: &path} }

func onGlob(glob string) Params { return Params{Glob: &glob} }

func onPathGlob(path, glob string) Params { return Params{Path: &path, Glob: &glob} }

func onPaths(paths ...string) Params { return Params{Paths: paths} }

func typescript(name string) bool { return strings.HasSuffix(name, ".ts") }

func mustResolve(t testing.TB, ws Workspace, p Params) *Scope {
	t.Helper()
	s, err := Resolve(ws, p)
	if err != nil {
		t.Fatalf("Resolve: %v", err)
	}
	return s
}

// list resolves and returns the display paths of the TypeScript files.
func list(t testing.TB, ws Workspace, p Params) []string {
	t.Helper()
	return displays(t, mustResolve(t, ws, p))
}

func displays(t testing.TB, s *Scope) []string {
	t.Helper()
	found, err := s.Candidates(context.Background(), typescript)
	if err != nil {
		t.Fatalf("Candidates: %v", err)
	}
	out := []string{}
	for _, c := range found {
		if !filepath.IsAbs(c.Path) || filepath.Clean(c.Path) != c.Path {
			t.Errorf("candidate path %q is not absolute and clean", c.Path)
		}
		out = append(out, c.Display)
	}
	return out
}

func wantList(t testing.TB, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("candidates:\n got %q\nwant %q", got, want)
	}
}

func wantError(t testing.TB, ws Workspace, p Params, want string) {
	t.Helper()
	_, err := Resolve(ws, p)
	if err == nil || err.Error() != want {
		t.Errorf("error:\n got %v\nwant %s", err, want)
	}
}
