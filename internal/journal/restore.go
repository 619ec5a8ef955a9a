package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// restorer puts the files of one apply back and removes what was hidden beside
// them. Each step looks at what is there: it may have been done before.
type restorer struct {
	fsys      atomicfile.FS
	isOpen    func(path string) bool
	restored  []string
	leftAlone []Kept
	failed    []Kept
	keep      map[string]bool // backups that hold the only old text
	dirs      map[string]bool // to be synced
	errs      []error         // what could not be removed or synced
}

// holds is what the file has now.
type holds uint8

const (
	oldContent holds = iota
	newContent
	otherContent
	noFile
)

// undo puts one file back, if it was replaced and nobody has touched it since.
func (r *restorer) undo(f file) {
	now, err := r.look(f)
	if err != nil {
		r.fail(f, err)
		return
	}
	backup, err := r.backup(f)
	switch {
	case now == oldContent:
	case err != nil:
		r.fail(f, err)
	case now == newContent && backup == oldContent:
		r.putBack(f)
	case now == newContent && backup == noFile:
		r.leftAlone = append(r.leftAlone, Kept{Path: f.Path}) // and its old text is lost
	case backup == noFile || r.sameFile(f): // it was never replaced
	default:
		r.leftAlone = append(r.leftAlone, Kept{Path: f.Path, Backup: f.Backup})
		r.keep[f.Backup] = true
	}
}

func (r *restorer) putBack(f file) {
	if r.isOpen != nil && r.isOpen(f.Path) {
		r.fail(f, errOpen)
		return
	}
	if err := r.fsys.Rename(f.Backup, f.Real); err != nil {
		r.fail(f, err)
		return
	}
	r.restored = append(r.restored, f.Path)
}

func (r *restorer) fail(f file, err error) {
	r.failed = append(r.failed, Kept{Path: f.Path, Backup: f.Backup, Err: err})
	r.keep[f.Backup] = true
}

// look says what the file holds. Another mode than the one that was given to the
// new file, or a link in its place, is somebody's change, as another content is.
func (r *restorer) look(f file) (holds, error) {
	real, err := r.fsys.EvalSymlinks(f.Real)
	switch {
	case isGone(err):
		return noFile, nil
	case err != nil:
		return 0, err
	case real != f.Real:
		return otherContent, nil
	}
	info, err := r.fsys.Stat(f.Real)
	if err != nil || !info.Mode().IsRegular() {
		return otherContent, err
	}
	now, err := r.content(f.Real, f)
	if now == newContent && info.Mode().Perm() != f.Mode.Perm() {
		now = otherContent
	}
	return now, err
}

func (r *restorer) backup(f file) (holds, error) {
	now, err := r.content(f.Backup, f)
	if isGone(err) {
		return noFile, nil
	}
	return now, err
}

func (r *restorer) content(path string, f file) (holds, error) {
	content, err := r.fsys.ReadFile(path)
	if err != nil {
		return 0, err
	}
	switch text.Hash(content) {
	case f.Before:
		return oldContent, nil
	case f.After:
		return newContent, nil
	}
	return otherContent, nil
}

// sameFile reports whether the backup is another name of the file that is there:
// then the file was changed in place and never replaced.
func (r *restorer) sameFile(f file) bool {
	a, errA := r.fsys.Stat(f.Real)
	b, errB := r.fsys.Stat(f.Backup)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// tidy removes the hidden files of one file, but an old text that is needed.
func (r *restorer) tidy(f file) {
	hidden := []string{f.Temp}
	if !r.keep[f.Backup] {
		hidden = append(hidden, f.Backup)
	}
	for _, path := range hidden {
		if err := r.fsys.Remove(path); err != nil && !isGone(err) {
			r.errs = append(r.errs, fmt.Errorf("could not remove %s: %w", path, err))
		}
	}
	r.dirs[filepath.Dir(f.Real)] = true
}

// sync makes last what was put back and removed.
func (r *restorer) sync() {
	for dir := range r.dirs {
		if err := r.fsys.SyncDir(dir); err != nil && !isGone(err) {
			r.errs = append(r.errs, fmt.Errorf("could not sync %s: %w", dir, err))
		}
	}
}

func (r *restorer) left() atomicfile.Left {
	switch {
	case len(r.failed) > 0:
		return atomicfile.InDoubt
	case len(r.errs) > 0:
		return atomicfile.HiddenFiles
	}
	return atomicfile.Nothing
}

// isGone reports whether err says that there is no such file, or no such folder.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
