package lsp

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/fileuri"
)

// pathOf returns the absolute path that a file URI names; ok is false for other
// schemes, such as an unsaved buffer's, and for files that are not on this machine.
func pathOf(raw string) (path string, ok bool) { return fileuri.Path(runtime.GOOS, raw) }

// realPath resolves the symbolic links of path, so that two spellings of a file
// are one document. Of a file that does not exist yet the nearest folder that
// does is resolved.
func realPath(path string) string {
	missing := ""
	for dir := path; ; {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(resolved, missing)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return path
		}
		dir, missing = parent, filepath.Join(filepath.Base(dir), missing)
	}
}

// folder is one workspace folder with the URI that the client gave it.
type folder struct {
	name string
	uri  string // byte for byte as the client wrote it
	path string // with symbolic links resolved
}

// uriOf returns the URI of path the way the client would write it: below a
// workspace folder it begins with that folder's own spelling.
func uriOf(folders []folder, path string) string {
	for _, f := range folders {
		if rel, ok := relativeTo(f.path, path); ok {
			return strings.TrimSuffix(f.uri, "/") + "/" + fileuri.Escape(rel)
		}
	}
	return fileuri.Of(runtime.GOOS, path)
}

// isBelow reports whether path is in one of the folders.
func isBelow(folders []folder, path string) bool {
	return slices.ContainsFunc(folders, func(f folder) bool {
		_, inside := relativeTo(f.path, path)
		return inside
	})
}

// relativeTo returns path relative to dir with slashes; ok is false outside dir.
func relativeTo(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
