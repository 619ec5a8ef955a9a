package customtools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// insideTest says whether a path lies in one of some folders, by its real path
// or by the way it is written: neither a link in the workspace to a module
// elsewhere nor a link elsewhere into the workspace hides whose it is.
// Nor does another spelling, where the file system takes several for one folder
// (by case, by Unicode form, by a second mount): folders are also compared by
// what they are.
type insideTest struct {
	folders []string // as given and real, clean
	infos   []os.FileInfo
}

func newInsideTest(folders []string) insideTest {
	var t insideTest
	for _, f := range folders {
		t.folders = append(t.folders, filepath.Clean(f))
		if real, err := filepath.EvalSymlinks(f); err == nil {
			t.folders = append(t.folders, real)
		}
		if info, err := os.Stat(f); err == nil {
			t.infos = append(t.infos, info)
		}
	}
	return t
}

func (t insideTest) has(path string) bool {
	path = filepath.Clean(path)
	if t.hasText(path) {
		return true
	}
	real, ok := realPath(path)
	return !ok || t.hasText(real) || t.below(real)
}

// below reports whether path, or what it lies in, is one of the folders.
func (t insideTest) below(path string) bool {
	for {
		if info, err := os.Stat(path); err == nil && slices.ContainsFunc(t.infos, func(f os.FileInfo) bool { return os.SameFile(f, info) }) {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}

func (t insideTest) hasText(path string) bool {
	for _, f := range t.folders {
		if path == f || strings.HasPrefix(path, strings.TrimSuffix(f, string(filepath.Separator))+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// InsideFolders reports whether path, absolute, lies in one of the folders, by
// its real path or as it is written: whether it is project-level, that is.
func InsideFolders(path string, folders []string) bool {
	return newInsideTest(folders).has(path)
}

// realPath resolves the links in the part of path that exists. It fails for a
// link to nothing: where that leads cannot be said.
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
