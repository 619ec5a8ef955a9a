package jsruntime

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNone says that this machine has no runtime, and what to do.
var ErrNone = errors.New("no JavaScript runtime was found for custom tools: install Node.js 18 or newer (https://nodejs.org), Bun or Deno, or set customTools.runtime to the path of one")

// Kind is a family of runtimes.
type Kind string

// The families. Electron is Node.js for whoever starts it as such.
const (
	Node Kind = "node"
	Bun  Kind = "bun"
	Deno Kind = "deno"
)

// Runtime is a runtime as it is to be started.
type Runtime struct {
	Kind Kind
	Path string // absolute
	// AsNode has an Electron program behave as Node.js.
	AsNode bool
}

// Search says where to look. Its functions are those of the system.
type Search struct {
	Setting string // a path, or "" or "auto" for a search
	Editor  string // the path of the editor's own Electron program, or ""
	// Allowed reports whether a program may be run at all; nil allows all.
	Allowed func(path string) bool

	LookPath func(name string) (string, error)
	Exists   func(path string) bool
	Glob     func(pattern string) []string // of files, in any order
	Home     string                        // "" where there is none
	GOOS     string
}

// OnThisMachine returns a search with the functions of this system.
func OnThisMachine(goos string) Search {
	home, _ := os.UserHomeDir() // without one, its folders are not looked at
	return Search{
		LookPath: exec.LookPath,
		Exists: func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.Mode().IsRegular()
		},
		Glob: func(pattern string) []string {
			found, _ := filepath.Glob(pattern) // the patterns are ours, and valid
			return found
		},
		Home: home,
		GOOS: goos,
	}
}

// Find returns the runtimes to try, best first and each once. A path that was
// set is the only one. Where there is none, the error wraps [ErrNone] or names
// the setting.
func (s Search) Find() ([]Runtime, error) {
	if s.Setting != "" && s.Setting != "auto" {
		return s.set()
	}
	var found []Runtime
	add := func(r Runtime) {
		if r.Path != "" && filepath.IsAbs(r.Path) && s.allowed(r.Path) && !contains(found, r.Path) {
			found = append(found, r)
		}
	}
	add(Runtime{Kind: Node, Path: s.onPath(Node)})
	if s.Editor != "" && s.Exists(s.Editor) {
		add(Runtime{Kind: Node, Path: s.Editor, AsNode: true})
	}
	for _, path := range s.usual(Node) {
		add(Runtime{Kind: Node, Path: path})
	}
	for _, kind := range []Kind{Bun, Deno} {
		add(Runtime{Kind: kind, Path: s.onPath(kind)})
		for _, path := range s.usual(kind) {
			add(Runtime{Kind: kind, Path: path})
		}
	}
	if len(found) == 0 {
		return nil, ErrNone
	}
	return found, nil
}

// set returns the runtime that the setting names: by its path, or by its name
// on PATH.
func (s Search) set() ([]Runtime, error) {
	path := s.Setting
	if s.Home != "" && (strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`)) {
		path = filepath.Join(s.Home, path[2:])
	}
	if path == filepath.Base(path) {
		named, err := s.LookPath(path)
		if err != nil {
			return nil, fmt.Errorf("customTools.runtime: %s is not on PATH: set it to the path of Node.js, Bun or Deno", path)
		}
		path = named
	}
	switch {
	case !filepath.IsAbs(path):
		return nil, fmt.Errorf("customTools.runtime: %s is not an absolute path", s.Setting)
	case !s.Exists(path):
		return nil, fmt.Errorf("customTools.runtime: there is no file %s: set it to the path of Node.js, Bun or Deno", path)
	case !s.allowed(path):
		return nil, fmt.Errorf("customTools.runtime: %s lies in a workspace that is not trusted", path)
	}
	kind := kindOf(path)
	// A program with another name may be an editor; Node.js itself ignores the
	// mark of one.
	return []Runtime{{Kind: kind, Path: path, AsNode: kind == Node}}, nil
}

func (s Search) allowed(path string) bool { return s.Allowed == nil || s.Allowed(path) }

// onPath returns the absolute path of a program on PATH, or "". One that is
// found by a relative entry of PATH is none: it depends on the folder.
func (s Search) onPath(kind Kind) string {
	path, err := s.LookPath(string(kind))
	if err != nil {
		return ""
	}
	return path
}

func contains(found []Runtime, path string) bool {
	for _, r := range found {
		if r.Path == path {
			return true
		}
	}
	return false
}

// kindOf tells a runtime by its file's name.
func kindOf(path string) Kind {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	for _, kind := range []Kind{Bun, Deno} {
		if name == string(kind) || strings.HasPrefix(name, string(kind)+"-") {
			return kind
		}
	}
	return Node
}
