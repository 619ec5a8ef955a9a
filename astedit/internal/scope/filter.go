package scope

import "strings"

const nodeModules = "node_modules"

// filter admits the files that one target covers. Paths are relative to the
// search root, with slashes.
type filter struct {
	prefix      string // directory, or file, that the target names; literal; empty = the root
	file        bool   // the target is the file prefix
	glob        *glob  // nil = everything below prefix
	nodeModules bool   // the glob's text asks for node_modules, so they are entered
}

// newFilter makes the filter of a target at prefix, its own glob joined with
// the glob parameter.
func newFilter(prefix string, t target, param string) (filter, error) {
	f := filter{prefix: prefix, file: t.kind == kindFile}
	text, err := joinGlobs(t.glob, param)
	if err != nil {
		return f, err
	}
	if text != "" {
		if f.glob, err = compileGlob(text); err != nil {
			return f, err
		}
	}
	if f.file { // a file is named as it is; a glob is checked, not applied
		f.glob = nil
	}
	f.nodeModules = strings.Contains(prefix, nodeModules) || (f.glob != nil && strings.Contains(text, nodeModules))
	return f, nil
}

// admits reports whether the file rel counts. inModules says that it lies in a
// node_modules directory below the root.
func (f *filter) admits(rel string, inModules bool) bool {
	if f.file {
		return rel == f.prefix
	}
	if inModules && !f.nodeModules {
		return false
	}
	if f.prefix != "" {
		var ok bool
		if rel, ok = below(f.prefix, rel); !ok {
			return false
		}
	}
	return f.glob == nil || f.glob.match(rel)
}

// mayAdmitBelow reports whether a file in the directory dir can count: if not,
// the walk need not enter it.
func (f *filter) mayAdmitBelow(dir string) bool {
	if _, ancestor := below(dir, f.prefix); ancestor {
		return true
	}
	if f.file {
		return false
	}
	if f.prefix == dir {
		return true
	}
	if f.prefix != "" {
		var ok bool
		if dir, ok = below(f.prefix, dir); !ok {
			return false
		}
	}
	return f.glob == nil || f.glob.mayMatchBelow(dir)
}

// below returns path relative to the directory dir, both slash paths.
func below(dir, path string) (string, bool) {
	if len(path) <= len(dir) || path[len(dir)] != '/' || path[:len(dir)] != dir {
		return "", false
	}
	return path[len(dir)+1:], true
}
