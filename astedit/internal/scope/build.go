package scope

import (
	"errors"
	"path/filepath"
	"strings"
)

// root is one directory or file to search, and what below it counts.
type root struct {
	path    string   // absolute, as the client spells it
	real    string   // with symbolic links resolved
	folder  *folder  // nil = the workspace has no folder
	rel     string   // of the folder, with slashes
	label   string   // what display paths begin with
	file    bool     // the root is this one file
	any     bool     // no folders and no path: every open document
	filters []filter // a file counts if one of them admits it
}

// build turns targets into the roots of a scope.
func (r *resolver) build(found selection, glob string) (*Scope, error) {
	s := &Scope{Missing: found.missing, ws: r.ws, folders: r.folders, open: r.open}
	targets := found.targets
	names := make([]string, len(targets))
	for i, t := range targets {
		if t.kind == kindOther {
			return nil, errors.New(msgIrregular + t.scopePath)
		}
		names[i] = strings.ReplaceAll(t.given, `\`, "/")
	}
	s.Display = strings.Join(names, ", ")
	if len(targets) == 1 {
		s.Display = targets[0].scopePath
	}
	var err error
	switch {
	case len(r.folders) == 0:
		s.roots, err = loneRoots(targets, glob)
	case len(targets) == 1 && !targets[0].whole:
		s.roots, err = r.singleRoot(targets[0], glob)
	default:
		s.roots, err = r.unionRoots(targets, glob)
	}
	if err != nil {
		return nil, err
	}
	if len(s.roots) == 1 {
		s.SearchPath = s.roots[0].path
		s.SingleFile = s.roots[0].file
	}
	return s, nil
}

// label is what display paths in a folder begin with.
func (r *resolver) label(f *folder) string {
	if r.several() {
		return f.name + "/"
	}
	return ""
}

func (r *resolver) singleRoot(t target, glob string) ([]root, error) {
	f, err := newFilter("", t, glob)
	if err != nil {
		return nil, err
	}
	return []root{{
		path: t.place.path, real: t.place.real, folder: t.place.folder, rel: t.place.rel,
		label: r.label(t.place.folder), file: t.kind == kindFile, filters: []filter{f},
	}}, nil
}

// unionRoots searches several targets from their deepest common directory,
// and from the folders themselves where the targets lie in several folders: a
// file that two targets cover is then met once.
func (r *resolver) unionRoots(targets []target, glob string) ([]root, error) {
	byFolder := make(map[*folder][]target, len(r.folders))
	for _, t := range targets {
		if !t.whole {
			byFolder[t.place.folder] = append(byFolder[t.place.folder], t)
			continue
		}
		for _, f := range r.folders {
			if f.outer {
				part := t
				part.place = place{folder: f, path: f.path, real: f.real}
				byFolder[f] = append(byFolder[f], part)
			}
		}
	}
	var roots []root
	for _, f := range r.folders {
		group := byFolder[f]
		if len(group) == 0 {
			continue
		}
		common := ""
		if len(byFolder) == 1 {
			common = commonDirectory(group)
		}
		ro := root{
			path:   filepath.Join(f.path, filepath.FromSlash(common)),
			real:   filepath.Join(f.real, filepath.FromSlash(common)),
			folder: f, rel: common, label: r.label(f),
		}
		for _, t := range group {
			prefix := strings.TrimPrefix(strings.TrimPrefix(t.place.rel, common), "/")
			one, err := newFilter(prefix, t, glob)
			if err != nil {
				return nil, err
			}
			ro.filters = append(ro.filters, one)
		}
		roots = append(roots, ro)
	}
	return roots, nil
}

// loneRoots are the roots where no folder is open: only open documents below
// them count, and their display paths are absolute.
func loneRoots(targets []target, glob string) ([]root, error) {
	var roots []root
	for _, t := range targets {
		f, err := newFilter("", t, glob)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root{
			path: t.place.path, real: t.place.real, any: t.whole,
			file: t.kind == kindFile, filters: []filter{f},
		})
	}
	return roots, nil
}

// parentOf is the directory of a slash path, "" where that is the folder.
func parentOf(rel string) string {
	return rel[:max(strings.LastIndexByte(rel, '/'), 0)]
}

// commonDirectory is the deepest directory, relative to the targets' folder,
// that holds all of them.
func commonDirectory(targets []target) string {
	var common []string
	for i, t := range targets {
		dir := t.place.rel
		if t.kind == kindFile {
			dir = parentOf(dir)
		}
		segments := strings.Split(dir, "/")
		if dir == "" {
			segments = nil
		}
		if i == 0 {
			common = segments
			continue
		}
		n := 0
		for n < len(common) && n < len(segments) && common[n] == segments[n] {
			n++
		}
		common = common[:n]
	}
	return strings.Join(common, "/")
}
