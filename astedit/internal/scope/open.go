package scope

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

// openFiles are the open documents. Each is known by its real path, so that
// two spellings of one file are one document; one whose real path cannot be
// told (a link to nothing) is left out.
type openFiles struct {
	files  []openFile
	byReal map[string]bool
}

type openFile struct {
	path string // as given
	real string
}

func newOpenFiles(paths []string) *openFiles {
	o := &openFiles{byReal: make(map[string]bool, len(paths))}
	for _, path := range paths {
		path = filepath.Clean(path)
		real, ok := realPath(path)
		if !ok || o.byReal[real] {
			continue
		}
		o.byReal[real] = true
		o.files = append(o.files, openFile{path: path, real: real})
	}
	return o
}

func (o *openFiles) isOpen(real string) bool { return o.byReal[real] }

// anyBelow reports whether a document is open below the directory real.
func (o *openFiles) anyBelow(real string) bool {
	for _, f := range o.files {
		if rel, ok := relativeTo(real, f.real); ok && rel != "" {
			return true
		}
	}
	return false
}

// addOpenBelow adds the open documents below the root that the walk does not
// meet: those that are not on disk, and every one where nothing is walked.
// They obey the rules that files obey.
func (c *collector) addOpenBelow(above *ignore.Level, alone bool) error {
	for _, f := range c.scope.open.files {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		real := filepath.ToSlash(f.real)
		rel, inside := strings.CutPrefix(real, c.real)
		if !inside {
			continue
		}
		if _, err := os.Lstat(f.real); !alone && !errors.Is(err, os.ErrNotExist) {
			continue
		}
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		if !c.reaches(above, rel) || !c.keep(name) {
			continue
		}
		if alone {
			c.found = append(c.found, Candidate{Path: f.path, Display: filepath.ToSlash(f.path)})
		} else {
			c.add(real)
		}
	}
	return nil
}

// reaches reports whether a walk would come to the file rel and take it.
func (c *collector) reaches(above *ignore.Level, rel string) bool {
	dir := strings.TrimSuffix(c.real, "/")
	levels, inModules := above, false
	everything := ignore.Holds{Git: true, Gitignore: true, Ignore: true}
	segments := strings.Split(rel, "/")
	last := len(segments) - 1
	for _, name := range segments[:last] {
		levels = c.ignorer.Enter(levels, dir, everything)
		dir += "/" + name
		if !c.enters(dir[len(c.real):], name) || c.ignorer.Ignored(levels, dir, true) {
			return false
		}
		inModules = inModules || name == nodeModules
	}
	levels = c.ignorer.Enter(levels, dir, everything)
	return segments[last] != ignore.GitDir && c.admits(rel, inModules) &&
		!c.ignorer.Ignored(levels, dir+"/"+segments[last], false)
}

// addOpenAnywhere adds open documents where no folder is open: the one that is
// the root, by its base name, or all of them, by their absolute paths. Each
// was opened by hand, so no ignore rule applies.
func (c *collector) addOpenAnywhere() {
	for _, f := range c.scope.open.files {
		path := filepath.ToSlash(f.path)
		display := path
		if c.root.file {
			if f.real != c.root.real {
				continue
			}
			if len(c.scope.roots) == 1 {
				display = filepath.Base(f.real)
			}
		} else if !c.admits(strings.TrimPrefix(path, "/"), false) {
			continue
		}
		if c.keep(filepath.Base(f.path)) {
			c.found = append(c.found, Candidate{Path: f.path, Display: display})
		}
	}
}
