package ignore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The names that decide what is ignored.
const (
	GitDir        = ".git"
	GitignoreFile = ".gitignore"
	IgnoreFile    = ".ignore"
)

// Level is a directory that has something to say about what is ignored below
// it; the levels above it follow.
type Level struct {
	parent    *Level
	base      int // length of the directory's path with its slash: what a path below is cut by
	gitignore Patterns
	ignore    Patterns
	exclude   Patterns // of .git/info/exclude
	top       bool     // holds .git: no .gitignore above it counts
}

// Reader reads ignore files and decides by them. Paths are real, absolute
// and with slashes.
type Reader struct {
	Global     Patterns // of git's global excludes file
	GlobalBase int      // length of the path, with its slash, that Global is relative to outside a repository
	Report     func(path string, err error)
}

// Holds says which of the names that matter a directory has.
type Holds struct{ Git, Gitignore, Ignore bool }

// Enter adds what the directory dir holds to the levels above it.
func (g *Reader) Enter(above *Level, dir string, h Holds) *Level {
	if h == (Holds{}) {
		return above
	}
	l := &Level{parent: above, base: len(withSlash(dir))}
	if h.Gitignore {
		l.gitignore = g.Read(dir + "/" + GitignoreFile)
	}
	if h.Ignore {
		l.ignore = g.Read(dir + "/" + IgnoreFile)
	}
	if h.Git {
		l.exclude, l.top = g.readGit(dir + "/" + GitDir)
	}
	if !l.top && l.gitignore == nil && l.ignore == nil {
		return above
	}
	return l
}

// Above reads the levels of the directories above dir, up to the root of the
// file system: .ignore files count from there, .gitignore from the top of the
// repository.
func (g *Reader) Above(dir string) *Level {
	parent := slashParent(dir)
	if parent == dir {
		return nil
	}
	return g.Enter(g.Above(parent), strings.TrimSuffix(parent, "/"), Holds{Git: true, Gitignore: true, Ignore: true})
}

// Ignored decides about one path. A .ignore file anywhere above wins over
// every .gitignore, and within each sort the deepest file that says anything.
func (g *Reader) Ignored(l *Level, path string, dir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	var git, exclude Verdict
	globalBase := g.GlobalBase
	inRepository := true
	for ; l != nil; l = l.parent {
		rel := path[l.base:]
		if v := l.ignore.Match(rel, name, dir); v != Undecided {
			return v == Excluded
		}
		if !inRepository {
			continue
		}
		if git == Undecided {
			git = l.gitignore.Match(rel, name, dir)
		}
		if l.top {
			exclude = l.exclude.Match(rel, name, dir)
			globalBase = l.base
			inRepository = false
		}
	}
	if git == Undecided {
		git = exclude
	}
	if git == Undecided {
		git = g.Global.Match(path[globalBase:], name, dir)
	}
	return git == Excluded
}

// Read parses an ignore file; one that is not there, or no file, is empty.
func (g *Reader) Read(path string) Patterns {
	path = filepath.FromSlash(path)
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		if !absent(err) {
			g.Report(path, err)
		}
		return nil
	}
	return Parse(string(text))
}

// readGit reads info/exclude of a repository and reports whether git, a path
// that ends in .git, is one at all. In a linked work tree and in a submodule
// it is a file that names the directory.
func (g *Reader) readGit(git string) (Patterns, bool) {
	info, err := os.Stat(filepath.FromSlash(git))
	if err != nil {
		return nil, false
	}
	if !info.IsDir() {
		git = commonGitDir(git)
	}
	return g.Read(git + "/info/exclude"), true
}

// commonGitDir follows a .git file to the directory that the work trees of
// its repository share.
func commonGitDir(file string) string {
	dir := readPointer(file, "gitdir:", slashParent(file))
	if common := readPointer(dir+"/commondir", "", dir); common != "" {
		return common
	}
	return dir
}

// readPointer reads the path in a file, relative to base; "" where there is
// none.
func readPointer(file, prefix, base string) string {
	path := filepath.FromSlash(file)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // a pipe would make us wait
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(text)), prefix)
	rest = strings.TrimSpace(rest)
	switch {
	case !ok || rest == "":
		return ""
	case filepath.IsAbs(rest):
		return filepath.ToSlash(rest)
	}
	return filepath.ToSlash(filepath.Join(filepath.FromSlash(base), rest))
}

// absent reports an error that means only that nothing is there.
func absent(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func withSlash(dir string) string { return strings.TrimSuffix(dir, "/") + "/" }

// slashParent is the directory above path; a root is its own.
func slashParent(path string) string {
	return filepath.ToSlash(filepath.Dir(filepath.FromSlash(path)))
}
