package session_test

import (
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
)

var errCrashed = errors.New("the process is gone")

// stepFS counts the operations of the real file system; one of them fails, or is
// where the process ends: then nothing happens any more and its locks are free.
type stepFS struct {
	atomicfile.FS
	at    int // which operation, from 1; 0 for none
	crash bool
	and   string // operations of this name fail as well, after that one

	mu    sync.Mutex
	count int
	hit   string // the operation's name
	dead  bool
	locks []io.Closer
}

func (f *stepFS) step(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	switch {
	case f.dead:
		return errCrashed
	case f.count != f.at && (f.hit == "" || op != f.and):
		return nil
	case f.count == f.at:
		f.hit = op
	}
	if !f.crash {
		return &fs.PathError{Op: op, Path: path, Err: errInjected}
	}
	f.dead = true
	for _, lock := range f.locks {
		_ = lock.Close()
	}
	return errCrashed
}

func (f *stepFS) EvalSymlinks(path string) (string, error) {
	if err := f.step("evalsymlinks", path); err != nil {
		return "", err
	}
	return f.FS.EvalSymlinks(path)
}

func (f *stepFS) Stat(path string) (fs.FileInfo, error) {
	if err := f.step("stat", path); err != nil {
		return nil, err
	}
	return f.FS.Stat(path)
}

func (f *stepFS) CheckWritable(path string) error {
	if err := f.step("checkwritable", path); err != nil {
		return err
	}
	return f.FS.CheckWritable(path)
}

func (f *stepFS) ReadFile(path string) ([]byte, error) {
	if err := f.step("readfile", path); err != nil {
		return nil, err
	}
	return f.FS.ReadFile(path)
}

func (f *stepFS) ReadDir(path string) ([]string, error) {
	if err := f.step("readdir", path); err != nil {
		return nil, err
	}
	return f.FS.ReadDir(path)
}

func (f *stepFS) MkdirAll(path string) error {
	if err := f.step("mkdirall", path); err != nil {
		return err
	}
	return f.FS.MkdirAll(path)
}

func (f *stepFS) Link(from, to string) error {
	if err := f.step("link", from); err != nil {
		return err
	}
	return f.FS.Link(from, to)
}

func (f *stepFS) Rename(from, to string) error {
	if err := f.step("rename", from); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f *stepFS) Remove(path string) error {
	if err := f.step("remove", path); err != nil {
		return err
	}
	return f.FS.Remove(path)
}

func (f *stepFS) SyncDir(path string) error {
	if err := f.step("syncdir", path); err != nil {
		return err
	}
	return f.FS.SyncDir(path)
}

func (f *stepFS) SyncFiles(paths []string) (failed string, err error) {
	return each(paths, func(path string) error {
		if err := f.step("sync", path); err != nil {
			return err
		}
		_, err := f.FS.SyncFiles([]string{path})
		return err
	})
}

func (f *stepFS) SyncDirs(dirs []string) (failed string, err error) { return each(dirs, f.SyncDir) }

// each is done one by one, so that the order of the operations is always the same.
func each(paths []string, do func(path string) error) (failed string, err error) {
	for _, path := range paths {
		if err := do(path); err != nil {
			return path, err
		}
	}
	return "", nil
}

func (f *stepFS) Lock(path string) (io.Closer, error) {
	if err := f.step("lock", path); err != nil {
		return nil, err
	}
	lock, err := f.FS.Lock(path)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.locks = append(f.locks, lock)
	return lock, nil
}

func (f *stepFS) Create(path string) (atomicfile.File, error) {
	if err := f.step("create", path); err != nil {
		return nil, err
	}
	file, err := f.FS.Create(path)
	return stepFile{file, f, path}, err
}

type stepFile struct {
	atomicfile.File
	fs   *stepFS
	path string
}

func (f stepFile) Write(b []byte) (int, error) {
	if err := f.fs.step("write", f.path); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f stepFile) Chmod(mode fs.FileMode) error {
	if err := f.fs.step("chmod", f.path); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f stepFile) Sync() error {
	if err := f.fs.step("sync", f.path); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f stepFile) Close() error { return errors.Join(f.fs.step("close", f.path), f.File.Close()) }
