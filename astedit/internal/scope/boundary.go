package scope

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// place is a position inside the workspace, known by its real path.
type place struct {
	folder *folder // nil where the workspace has no folder
	rel    string  // below the folder, with slashes; empty = the folder itself
	path   string  // absolute, below the folder as the client spells it
	real   string  // absolute, symbolic links resolved
}

// locate finds the workspace folder that path really lies in. It compares real
// paths, so that neither ".." nor a symbolic link leads out. Without folders,
// the open documents and the directories above them are the workspace.
func (r *resolver) locate(path string) (place, bool) {
	real, ok := realPath(path)
	if !ok {
		return place{}, false
	}
	if len(r.folders) == 0 {
		return place{path: path, real: real}, r.open.isOpen(real) || r.open.anyBelow(real)
	}
	for _, f := range r.folders {
		if !f.outer {
			continue
		}
		if rel, inside := relativeTo(f.real, real); inside {
			return place{
				folder: f,
				rel:    filepath.ToSlash(rel),
				path:   filepath.Join(f.path, rel),
				real:   real,
			}, true
		}
	}
	return place{}, false
}

// realPath resolves the symbolic links in the part of path that exists and
// keeps the rest as it is. It fails for a link whose target does not exist or
// that leads back to itself: where such a path lies cannot be said.
func realPath(path string) (string, bool) {
	rest := ""
	for cur := path; ; {
		if real, err := filepath.EvalSymlinks(cur); err == nil {
			return filepath.Join(real, rest), true
		}
		if info, err := os.Lstat(cur); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", false
		}
		parent := filepath.Dir(cur)
		if parent == cur {
			return path, true
		}
		rest = filepath.Join(filepath.Base(cur), rest)
		cur = parent
	}
}

// relativeTo returns path below dir ("" for dir itself). It compares text:
// both must be clean.
func relativeTo(dir, path string) (string, bool) {
	if path == dir {
		return "", true
	}
	return strings.CutPrefix(path, withSeparator(dir))
}

// withSeparator ends dir with one separator; a root directory has it already.
func withSeparator(dir string) string {
	if strings.HasSuffix(dir, string(filepath.Separator)) {
		return dir
	}
	return dir + string(filepath.Separator)
}

// withSlash is withSeparator for a slash path.
func withSlash(dir string) string { return strings.TrimSuffix(dir, "/") + "/" }

// absent reports an error that means only that nothing is there.
func absent(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
