package jsruntime

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// machine is a search over a list of files, of which those in /path are on PATH.
func machine(files ...string) Search {
	return Search{
		LookPath: func(name string) (string, error) {
			if path := "/path/" + name; slices.Contains(files, path) {
				return path, nil
			}
			return "", exec.ErrNotFound
		},
		Exists: func(path string) bool { return slices.Contains(files, path) },
		Glob: func(pattern string) []string {
			var found []string
			for _, file := range files {
				if ok, _ := filepath.Match(pattern, file); ok {
					found = append(found, file)
				}
			}
			return found
		},
		Home: "/home/u",
		GOOS: "linux",
	}
}

func TestOrder(t *testing.T) {
	s := machine(
		"/path/node", "/path/bun", "/path/deno", "/opt/editor", "/usr/bin/node", "/home/u/.bun/bin/bun",
		"/home/u/.nvm/versions/node/v9.1.0/bin/node", "/home/u/.nvm/versions/node/v18.2.0/bin/node", "/home/u/.nvm/versions/node/v18.10.0/bin/node",
	)
	s.Editor = "/opt/editor"
	want := []Runtime{
		{Kind: Node, Path: "/path/node"},
		{Kind: Node, Path: "/opt/editor", AsNode: true},
		{Kind: Node, Path: "/home/u/.nvm/versions/node/v18.10.0/bin/node"},
		{Kind: Node, Path: "/home/u/.nvm/versions/node/v18.2.0/bin/node"},
		{Kind: Node, Path: "/home/u/.nvm/versions/node/v9.1.0/bin/node"},
		{Kind: Node, Path: "/usr/bin/node"},
		{Kind: Bun, Path: "/path/bun"},
		{Kind: Bun, Path: "/home/u/.bun/bin/bun"},
		{Kind: Deno, Path: "/path/deno"},
	}
	for _, setting := range []string{"", "auto"} {
		s.Setting = setting
		if got, err := s.Find(); err != nil || !slices.Equal(got, want) {
			t.Errorf("setting %q: got %v, %v, want %v", setting, got, err, want)
		}
	}
}

func TestNoneSaysWhatToInstall(t *testing.T) {
	_, err := machine().Find()
	if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "install Node.js 18 or newer") {
		t.Errorf("got %v", err)
	}
}

func TestSetting(t *testing.T) {
	s := machine("/path/node", "/path/bun", "/opt/x/bun", "/home/u/n/node", "/opt/Code")
	for setting, want := range map[string]Runtime{
		"/opt/x/bun": {Kind: Bun, Path: "/opt/x/bun"},
		"~/n/node":   {Kind: Node, Path: "/home/u/n/node", AsNode: true},
		"bun":        {Kind: Bun, Path: "/path/bun"},
		"/opt/Code":  {Kind: Node, Path: "/opt/Code", AsNode: true},
	} {
		s.Setting = setting
		if got, err := s.Find(); err != nil || !slices.Equal(got, []Runtime{want}) {
			t.Errorf("%s: got %v, %v", setting, got, err)
		}
	}
	for _, setting := range []string{"/no/such", "deno", "./node", "x/node"} {
		s.Setting = setting
		if got, err := s.Find(); err == nil || !strings.HasPrefix(err.Error(), "customTools.runtime: ") {
			t.Errorf("%s: got %v, %v, want an error that names the setting", setting, got, err)
		}
	}
}

func TestWhatIsNotAllowedIsNotFound(t *testing.T) {
	s := machine("/path/node", "/usr/bin/node")
	s.Allowed = func(path string) bool { return !strings.HasPrefix(path, "/path") }
	if got, err := s.Find(); err != nil || !slices.Equal(got, []Runtime{{Kind: Node, Path: "/usr/bin/node"}}) {
		t.Errorf("got %v, %v", got, err)
	}
	s.Setting = "/path/node"
	if got, err := s.Find(); err == nil {
		t.Errorf("a set path that is not allowed: got %v", got)
	}
}

func TestARelativeEntryOfPathIsIgnored(t *testing.T) {
	s := machine()
	s.LookPath = func(name string) (string, error) { return "bin/" + name, exec.ErrDot }
	if got, err := s.Find(); err == nil {
		t.Errorf("got %v", got)
	}
}
