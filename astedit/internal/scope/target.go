package scope

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// target is what one path string means.
type target struct {
	given     string // trimmed and unquoted
	scopePath string // its root for display
	whole     bool   // every folder; place is not set
	place     place
	kind      kind
	glob      string // its own glob below the root; empty = none
}

// kind is what a path leads to, links followed.
type kind int

const (
	kindNone kind = iota
	kindFile
	kindDir
	kindOther
)

// state is how looking up one path string ended.
type state int

const (
	stateFound    state = iota
	stateMissing        // nothing there
	stateOutside        // exists, but outside the workspace
	stateAway           // would be outside the workspace if it existed
	stateInternal       // URL with an internal scheme
	stateURL            // any other URL
)

// exists reports whether there is something at the root, allowed or not.
func (s state) exists() bool { return s == stateFound || s == stateOutside }

// wholeWorkspace is the target of a call without a path: the cwd, which with
// several folders is all of them.
func (r *resolver) wholeWorkspace() target {
	if len(r.folders) == 1 {
		f := r.folders[0]
		return target{scopePath: ".", kind: kindDir, place: place{folder: f, path: f.path, real: f.real}}
	}
	return target{scopePath: ".", whole: true, kind: kindDir}
}

// lookup finds what a path string means. A string with glob characters that
// exists as it is written is taken literally; otherwise its segments from the
// first one with a glob character on are a glob below the others.
func (r *resolver) lookup(given string) (target, state) {
	text := expand(given, r.ws.Home)
	if internalScheme(text) != "" {
		return target{given: given}, stateInternal
	}
	if strings.Trim(text, "/") == "" {
		t := r.wholeWorkspace()
		t.given = given
		return t, stateFound
	}
	t, st := r.find(text)
	if !st.exists() && hasGlob(text) {
		root, glob := splitGlob(text)
		t, st = r.find(root)
		t.glob = glob
	}
	if !st.exists() && isURL(text) {
		st = stateURL
	}
	t.given = given
	return t, st
}

// failure is the error of a lookup that found nothing usable.
func failure(t target, s state) error {
	switch s {
	case stateOutside, stateAway:
		return errors.New(msgOutside + t.given)
	case stateInternal:
		return fmt.Errorf(msgInternal, t.given, internalScheme(strings.TrimPrefix(t.given, "@")))
	case stateURL:
		return errors.New(msgURL + t.given)
	}
	return errors.New(msgNotFound + t.scopePath)
}

// find looks for one path without globs. A relative one is tried in each
// folder in order, then, so that a display path can be given back, with its
// first segment as a folder's name.
func (r *resolver) find(text string) (target, state) {
	if !filepath.IsAbs(text) && filepath.Clean(text) == "." {
		return r.wholeWorkspace(), stateFound
	}
	result, st := target{scopePath: filepath.ToSlash(filepath.Clean(text))}, stateAway
	spellings := r.spellings(text)
	if len(spellings) == 0 {
		return result, stateMissing
	}
	for _, path := range spellings {
		k := r.kindOf(path)
		p, inside := r.locate(path)
		switch {
		case inside && k != kindNone:
			return target{scopePath: r.scopePath(path, p), place: p, kind: k}, stateFound
		case k != kindNone:
			st = stateOutside
		case inside && st == stateAway:
			st = stateMissing
		}
	}
	if len(spellings) == 1 {
		result.scopePath = r.scopePath(spellings[0], place{})
	}
	return result, st
}

// spellings are the absolute paths that text may mean, in order.
func (r *resolver) spellings(text string) []string {
	if filepath.IsAbs(text) {
		return []string{filepath.Clean(text)}
	}
	var paths []string
	for _, f := range r.folders {
		paths = append(paths, filepath.Join(f.path, text))
	}
	if !r.several() {
		return paths
	}
	name, rest, _ := strings.Cut(filepath.ToSlash(filepath.Clean(text)), "/")
	for _, f := range r.folders {
		if f.name == name {
			paths = append(paths, filepath.Join(f.path, filepath.FromSlash(rest)))
		}
	}
	return paths
}

// kindOf follows links. An open document that is not on disk is a file, and
// the directories above it are there.
func (r *resolver) kindOf(path string) kind {
	info, err := os.Stat(path)
	if err == nil {
		switch {
		case info.Mode().IsRegular():
			return kindFile
		case info.IsDir():
			return kindDir
		}
		return kindOther
	}
	real, ok := realPath(path)
	switch {
	case !ok || !errors.Is(err, os.ErrNotExist):
		return kindNone
	case r.open.isOpen(real):
		return kindFile
	case r.open.anyBelow(real):
		return kindDir
	}
	return kindNone
}

// scopePath is path for display: as spelled where that lies below its folder,
// else where it really is.
func (r *resolver) scopePath(path string, p place) string {
	if p.folder == nil {
		if len(r.folders) == 1 {
			if rel, ok := relativeTo(r.folders[0].path, path); ok {
				return filepath.ToSlash(rel)
			}
		}
		return filepath.ToSlash(path)
	}
	rel := p.rel
	if spelled, ok := relativeTo(p.folder.path, path); ok {
		rel = filepath.ToSlash(spelled)
	}
	switch {
	case !r.several() && rel == "":
		return "."
	case !r.several():
		return rel
	case rel == "":
		return p.folder.name
	}
	return p.folder.name + "/" + rel
}
