package scope

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

// walkRoot walks the root directory. One that cannot be read is an error where
// nothing else can be found, that is where it is the only one and no open
// document is in it.
func (c *collector) walkRoot(above *ignore.Level) error {
	dir := strings.TrimSuffix(c.real, "/")
	err := c.walk(dir, above, false)
	if err == nil || c.ctx.Err() != nil {
		return err
	}
	if len(c.scope.roots) > 1 || len(c.found) > 0 {
		c.ignorer.Report(c.root.path, err)
		return nil
	}
	if absent(err) {
		return errors.New(msgNotFound + c.scope.Display)
	}
	return fmt.Errorf("cannot read %s: %w", c.root.path, err)
}

// walk adds the files in dir and below. It follows no symbolic link, so it
// never leaves the root, and enters no directory that is ignored, so nothing
// below one can be included again. An unreadable directory below is reported
// and passed over; the error is that of dir itself or the context's.
func (c *collector) walk(dir string, above *ignore.Level, inModules bool) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	entries, err := readDir(dir)
	if err != nil {
		return err
	}
	levels := c.ignorer.Enter(above, dir, lookAt(entries))
	for _, entry := range entries {
		kind := entry.Type()
		if !kind.IsRegular() && !kind.IsDir() {
			continue
		}
		name := entry.Name()
		path := dir + "/" + name
		rel := path[len(c.real):]
		if kind.IsRegular() {
			if name != ignore.GitDir && c.admits(rel, inModules) && !c.ignorer.Ignored(levels, path, false) && c.keep(name) {
				c.add(path)
			}
			continue
		}
		if !c.enters(rel, name) || c.ignorer.Ignored(levels, path, true) {
			continue
		}
		if err := c.walk(path, levels, inModules || name == nodeModules); err != nil {
			if c.ctx.Err() != nil {
				return err
			}
			if !absent(err) { // deleted meanwhile: nothing to report
				c.ignorer.Report(filepath.FromSlash(path), err)
			}
		}
	}
	return nil
}

// readDir lists dir, a slash path without one at the end, in no order: the
// candidates are sorted once, at the end.
func readDir(dir string) ([]os.DirEntry, error) {
	if dir == "" || strings.HasSuffix(dir, ":") {
		dir += "/"
	}
	f, err := os.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if len(entries) > 0 {
		return entries, nil // what could be read counts
	}
	return entries, err
}

// lookAt finds the names among entries that decide what is ignored.
func lookAt(entries []os.DirEntry) ignore.Holds {
	var h ignore.Holds
	for _, entry := range entries {
		switch entry.Name() {
		case ignore.GitDir:
			h.Git = true
		case ignore.GitignoreFile:
			h.Gitignore = true
		case ignore.IgnoreFile:
			h.Ignore = true
		}
	}
	return h
}
