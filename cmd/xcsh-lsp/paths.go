package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// textNotFound is the engine's text for the same failure (ast_edit.md 4.3).
const textNotFound = "Path not found: "

// workspace is what the PATHs of a command line mean.
type workspace struct {
	folders []astedit.Folder
	paths   []string // what to search, for the engine; none = the folders
	missing []string // PATHs that do not exist, where others do
}

// readPaths turns PATHs into a workspace. Those below the current folder belong
// to it, so that a project has one decision log wherever in it one works, and
// their names stay relative. Elsewhere each folder given, or the folder of a file
// given, is a workspace folder of its own.
//
// Whether a PATH stays in its folder is left to the engine, which refuses one
// that a symbolic link leads out.
func readPaths(args []string) (workspace, error) {
	here, err := currentFolder()
	if err != nil {
		return workspace{}, err
	}
	if len(args) == 0 {
		return workspace{folders: []astedit.Folder{{Path: here}}}, nil
	}
	places := make([]place, len(args))
	var missing []string
	outside := false
	for i, arg := range args {
		if places[i], err = locate(here, arg); err != nil {
			return workspace{}, err
		}
		if !places[i].found {
			missing = append(missing, arg)
		}
		outside = outside || places[i].folder != here
	}
	if len(missing) == len(args) {
		return workspace{}, errors.New(textNotFound + strings.Join(missing, ", "))
	}
	if !outside {
		return workspace{folders: []astedit.Folder{{Path: here}}, paths: args, missing: missing}, nil
	}
	w := workspace{missing: missing}
	var folders []string
	for _, p := range places {
		if p.found {
			folders, w.paths = append(folders, p.folder), append(w.paths, p.path)
		}
	}
	for _, f := range outermost(folders) {
		w.folders = append(w.folders, astedit.Folder{Path: f})
	}
	return w, nil
}

func currentFolder() (string, error) {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return "", fmt.Errorf("find the current folder: %w", err)
	}
	return here, nil
}

// place is one PATH.
type place struct {
	path   string // absolute, a glob perhaps
	folder string // the workspace folder it belongs to, symbolic links resolved
	found  bool
}

// locate finds out where a PATH lies. It joins relative ones to the real current
// folder, as the system does, not to the shell's $PWD.
func locate(here, arg string) (place, error) {
	if isForEngine(arg) {
		return place{path: arg, folder: here, found: true}, nil
	}
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(here, path)
	}
	path = filepath.Clean(path)
	root, below, isDir, found := searchRoot(path)
	switch {
	case isEnteredFrom(here, path), !found:
		return place{path, here, found}, nil
	case !isDir:
		root, below = filepath.Dir(root), filepath.Base(root)
	}
	folder, err := filepath.EvalSymlinks(root)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", arg, err)
	}
	return place{filepath.Join(folder, below), folder, true}, nil
}

// isForEngine: a blank PATH is the engine's to refuse, and the spellings that
// only tools know are its to read.
func isForEngine(arg string) bool {
	return strings.TrimSpace(arg) == "" || strings.ContainsAny(arg[:1], `@~"`) && !exists(arg) || strings.Contains(arg, "://")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// searchRoot splits path into what exists and the glob below it: a name with glob
// characters that exists is no glob.
func searchRoot(path string) (root, glob string, isDir, found bool) {
	root = path
	info, err := os.Stat(path)
	if at := strings.IndexAny(path, "*?[{"); err != nil && at >= 0 {
		end := strings.LastIndexByte(path[:at], filepath.Separator)
		root, glob = path[:end+1], path[end+1:]
		info, err = os.Stat(root)
	}
	if err != nil {
		return "", "", false, false
	}
	return root, glob, info.IsDir(), true
}

// isEnteredFrom reports whether the way along path leads through the folder here,
// and be it that a symbolic link leads out of it again.
func isEnteredFrom(here, path string) bool {
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && isWithin(here, real) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// isWithin compares text: both paths must be clean.
func isWithin(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// outermost returns the folders that lie in none of the others, each once and in
// their order: nested ones would only make names longer.
func outermost(folders []string) []string {
	var out []string
	for i, f := range folders {
		nested := false
		for j, other := range folders {
			nested = nested || isWithin(other, f) && (other != f || j < i)
		}
		if !nested {
			out = append(out, f)
		}
	}
	return out
}
