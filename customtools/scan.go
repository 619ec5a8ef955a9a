package customtools

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

const nodeModules = "node_modules"

// scanner reads tools directories and collects what is wrong with them.
type scanner struct {
	warnings []string
}

func (s *scanner) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// files lists the items of the files directly in dir that end in one of the
// extensions, ordered by path.
func (s *scanner) files(dir string, extensions ...string) []Item {
	var items []Item
	rules := ignoreRules(dir)
	for _, entry := range entriesOf(dir) {
		path := filepath.Join(dir, entry.Name())
		if !slices.Contains(extensions, strings.TrimPrefix(filepath.Ext(path), ".")) ||
			!isFile(path) || rules.ignores(entry.Name(), false) {
			continue
		}
		if item, ok := s.item(path); ok {
			items = append(items, item)
		}
	}
	return items
}

// folders lists the items of dir's direct sub-directories that hold an index
// module, ordered by path. Their other files are theirs.
func (s *scanner) folders(dir string) []Item {
	var items []Item
	rules := ignoreRules(dir)
	for _, entry := range entriesOf(dir) {
		if !entry.IsDir() || rules.ignores(entry.Name(), true) { // IsDir is false for a link
			continue
		}
		for _, index := range []string{"index.ts", "index.js"} {
			path := filepath.Join(dir, entry.Name(), index)
			if !isFile(path) {
				continue
			}
			if item, ok := s.item(path); ok && !rules.ignores(entry.Name()+"/"+index, false) {
				item.Key = entry.Name()
				item.Description = item.Key + " custom tool"
				items = append(items, item)
			}
			break
		}
	}
	return items
}

func (s *scanner) item(path string) (Item, bool) {
	text, err := readRegular(path)
	if err != nil {
		s.warn("Failed to read file: %s", path)
		return Item{}, false
	}
	item, err := readItem(path, text)
	if err != nil {
		s.warn("Failed to parse %s: %v", path, err)
		return Item{}, false
	}
	return item, true
}

// entriesOf lists what counts in dir by name, in byte order; nothing where it
// cannot be read.
func entriesOf(dir string) []os.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".") || e.Name() == nodeModules
	})
}

// dirRules are the .gitignore files that concern the files in one directory.
type dirRules struct {
	reader ignore.Reader
	levels *ignore.Level
	dir    string // real, with slashes
}

// ignoreRules reads them. Only a pattern that names a file, or a directory
// below dir, counts: one that ignores dir itself or what is above it keeps a
// tool out of the repository, not out of use.
func ignoreRules(dir string) dirRules {
	r := dirRules{reader: ignore.Reader{Report: func(string, error) {}}}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return r
	}
	r.dir = strings.TrimSuffix(filepath.ToSlash(real), "/")
	r.levels = r.enter(r.dir)
	return r
}

func (r *dirRules) enter(dir string) *ignore.Level {
	var above *ignore.Level
	if parent := filepath.ToSlash(filepath.Dir(filepath.FromSlash(dir))); parent != dir && dir != "" {
		above = r.enter(strings.TrimSuffix(parent, "/"))
	}
	return r.reader.Enter(above, dir, ignore.Holds{Git: true, Gitignore: true})
}

// ignores decides about a path below the directory, with slashes.
func (r *dirRules) ignores(rel string, dir bool) bool {
	return r.levels != nil && r.reader.Ignored(r.levels, r.dir+"/"+rel, dir)
}
