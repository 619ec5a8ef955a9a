package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// FS is exactly what a transaction and its journal do with a file system.
type FS interface {
	// EvalSymlinks returns the absolute path of the file behind path.
	EvalSymlinks(path string) (string, error)
	Stat(path string) (fs.FileInfo, error)
	// CheckWritable fails where the file cannot be opened for writing. It
	// changes nothing.
	CheckWritable(path string) error
	ReadFile(path string) ([]byte, error)
	// Create creates a file that only its owner can read; it fails where path
	// exists.
	Create(path string) (File, error)
	// Link makes newPath another name of the file oldPath; it fails where
	// newPath exists.
	Link(oldPath, newPath string) error
	// Rename makes oldPath the file newPath, in place of what that was.
	Rename(oldPath, newPath string) error
	Remove(path string) error
	// SyncDir forces the folder's entries to disk, where the system has that.
	SyncDir(dir string) error
	// SyncFiles forces the contents of files to disk, SyncDirs the entries of folders.
	// Either does many in the time of a few. An error comes with the path that it is
	// about.
	SyncFiles(paths []string) (failed string, err error)
	SyncDirs(dirs []string) (failed string, err error)

	// MkdirAll makes a folder and its parents, as far as they are missing, so that
	// only the user can open them.
	MkdirAll(dir string) error
	// ReadDir returns the names of what is in a folder.
	ReadDir(dir string) ([]string, error)
	// Lock locks the file path until the lock is closed or the process ends, without
	// waiting ([filelock.Try]).
	Lock(path string) (io.Closer, error)
}

// File is a new file that is being written.
type File interface {
	io.WriteCloser
	// TakeOwner gives the file the owner and group of another, as far as the
	// system has them. Where it may set the group only, it does and fails with
	// [fs.ErrPermission].
	TakeOwner(of fs.FileInfo) error
	Chmod(mode fs.FileMode) error
	Sync() error
}

// OS returns the file system of the operating system.
func OS() FS { return osFS{} }

type osFS struct{}

type osFile struct{ *os.File }

func (osFS) EvalSymlinks(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

func (osFS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

func (osFS) CheckWritable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func (osFS) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

func (osFS) Create(path string) (File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFS) SyncFiles(paths []string) (failed string, err error) { return syncAll(paths, syncFile) }

func (fsys osFS) SyncDirs(dirs []string) (failed string, err error) {
	return syncAll(dirs, fsys.SyncDir)
}

// syncFile opens the file again: what the system could not write since it was made is
// told to whoever syncs it next.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (osFS) Link(oldPath, newPath string) error   { return os.Link(oldPath, newPath) }
func (osFS) Rename(oldPath, newPath string) error { return os.Rename(oldPath, newPath) }
func (osFS) Remove(path string) error             { return os.Remove(path) }

func (osFS) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o700) }

func (osFS) ReadDir(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, nil
}

func (osFS) Lock(path string) (io.Closer, error) { return filelock.Try(path) }
