package scope

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	gitDir        = ".git"
	gitignoreFile = ".gitignore"
	ignoreFile    = ".ignore"
	nodeModules   = "node_modules"
)

// level is a directory that has something to say about what is ignored below
// it; the levels above it follow.
type level struct {
	parent    *level
	base      int // length of the directory's path with its slash: what a path below is cut by
	gitignore patterns
	ignore    patterns
	exclude   patterns // of .git/info/exclude
	top       bool     // holds .git: no .gitignore above it counts
}

// ignorer reads ignore files and decides by them. Paths are real, absolute
// and with slashes.
type ignorer struct {
	global     patterns // of git's global excludes file
	globalBase int      // as level.base, where there is no repository
	report     func(path string, err error)
}

// holds says which of the names that matter a directory has.
type holds struct{ git, gitignore, ignore bool }

// enter adds what the directory dir holds to the levels above it.
func (g *ignorer) enter(above *level, dir string, h holds) *level {
	if h == (holds{}) {
		return above
	}
	l := &level{parent: above, base: len(withSlash(dir))}
	if h.gitignore {
		l.gitignore = g.read(dir + "/" + gitignoreFile)
	}
	if h.ignore {
		l.ignore = g.read(dir + "/" + ignoreFile)
	}
	if h.git {
		l.exclude, l.top = g.readGit(dir + "/" + gitDir)
	}
	if !l.top && l.gitignore == nil && l.ignore == nil {
		return above
	}
	return l
}

// above reads the levels of the directories above dir, up to the root of the
// file system: .ignore files count from there, .gitignore from the top of the
// repository.
func (g *ignorer) above(dir string) *level {
	parent := slashParent(dir)
	if parent == dir {
		return nil
	}
	return g.enter(g.above(parent), strings.TrimSuffix(parent, "/"), holds{git: true, gitignore: true, ignore: true})
}

// ignored decides about one path. A .ignore file anywhere above wins over
// every .gitignore, and within each sort the deepest file that says anything.
func (g *ignorer) ignored(l *level, path string, dir bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	var git, exclude verdict
	globalBase := g.globalBase
	inRepository := true
	for ; l != nil; l = l.parent {
		rel := path[l.base:]
		if v := l.ignore.match(rel, name, dir); v != undecided {
			return v == excluded
		}
		if !inRepository {
			continue
		}
		if git == undecided {
			git = l.gitignore.match(rel, name, dir)
		}
		if l.top {
			exclude = l.exclude.match(rel, name, dir)
			globalBase = l.base
			inRepository = false
		}
	}
	if git == undecided {
		git = exclude
	}
	if git == undecided {
		git = g.global.match(path[globalBase:], name, dir)
	}
	return git == excluded
}

// read parses an ignore file; one that is not there, or no file, is empty.
func (g *ignorer) read(path string) patterns {
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
			g.report(path, err)
		}
		return nil
	}
	return parseIgnore(string(text))
}

// readGit reads info/exclude of a repository and reports whether git, a path
// that ends in .git, is one at all. In a linked work tree and in a submodule
// it is a file that names the directory.
func (g *ignorer) readGit(git string) (patterns, bool) {
	info, err := os.Stat(filepath.FromSlash(git))
	if err != nil {
		return nil, false
	}
	if !info.IsDir() {
		git = commonGitDir(git)
	}
	return g.read(git + "/info/exclude"), true
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
	text, err := os.ReadFile(filepath.FromSlash(file))
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
