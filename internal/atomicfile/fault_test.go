package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
)

var errInjected = errors.New("injected failure")

// faultFS is the real file system with a fault that a test decides on before
// every operation. A fault keeps the operation from happening.
type faultFS struct {
	FS
	fault func(op, path string) error
}

type faultFile struct {
	File
	fs   faultFS
	path string
}

// failNth fails the nth operation, counted from 1, and tells which it was.
func failNth(n int) (fsys FS, failed func() string) {
	count, name := 0, ""
	return faultFS{OS(), func(op, path string) error {
		if count++; count != n {
			return nil
		}
		name = op
		return &fs.PathError{Op: op, Path: path, Err: errInjected}
	}}, func() string { return name }
}

// failOps fails every operation for which when holds.
func failOps(when func(op, path string) bool) FS {
	return faultFS{OS(), func(op, path string) error {
		if when(op, path) {
			return &fs.PathError{Op: op, Path: path, Err: errInjected}
		}
		return nil
	}}
}

func (f faultFS) EvalSymlinks(path string) (string, error) {
	if err := f.fault("evalsymlinks", path); err != nil {
		return "", err
	}
	return f.FS.EvalSymlinks(path)
}

func (f faultFS) Stat(path string) (fs.FileInfo, error) {
	if err := f.fault("stat", path); err != nil {
		return nil, err
	}
	return f.FS.Stat(path)
}

func (f faultFS) CheckWritable(path string) error {
	if err := f.fault("checkwritable", path); err != nil {
		return err
	}
	return f.FS.CheckWritable(path)
}

func (f faultFS) ReadFile(path string) ([]byte, error) {
	if err := f.fault("readfile", path); err != nil {
		return nil, err
	}
	return f.FS.ReadFile(path)
}

func (f faultFS) Create(path string) (File, error) {
	if err := f.fault("create", path); err != nil {
		return nil, err
	}
	file, err := f.FS.Create(path)
	if err != nil {
		return nil, err
	}
	return faultFile{file, f, path}, nil
}

func (f faultFS) Link(oldPath, newPath string) error {
	if err := f.fault("link", oldPath); err != nil {
		return err
	}
	return f.FS.Link(oldPath, newPath)
}

func (f faultFS) Rename(oldPath, newPath string) error {
	if err := f.fault("rename", oldPath); err != nil {
		return err
	}
	return f.FS.Rename(oldPath, newPath)
}

func (f faultFS) Remove(path string) error {
	if err := f.fault("remove", path); err != nil {
		return err
	}
	return f.FS.Remove(path)
}

func (f faultFS) SyncDir(dir string) error {
	if err := f.fault("syncdir", dir); err != nil {
		return err
	}
	return f.FS.SyncDir(dir)
}

func (f faultFS) SyncFiles(paths []string) (failed string, err error) {
	return each(paths, func(path string) error {
		if err := f.fault("sync", path); err != nil {
			return err
		}
		_, err := f.FS.SyncFiles([]string{path})
		return err
	})
}

func (f faultFS) SyncDirs(dirs []string) (failed string, err error) { return each(dirs, f.SyncDir) }

// each is done one by one, so that the order of the operations is always the same.
func each(paths []string, do func(path string) error) (failed string, err error) {
	for _, path := range paths {
		if err := do(path); err != nil {
			return path, err
		}
	}
	return "", nil
}

func (f faultFile) Write(b []byte) (int, error) {
	if err := f.fs.fault("write", f.path); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, fmt.Errorf("short write: %w", err)
	}
	return f.File.Write(b)
}

func (f faultFile) TakeOwner(of fs.FileInfo) error {
	if err := f.fs.fault("takeowner", f.path); err != nil {
		return err
	}
	return f.File.TakeOwner(of)
}

func (f faultFile) Chmod(mode fs.FileMode) error {
	if err := f.fs.fault("chmod", f.path); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f faultFile) Sync() error {
	if err := f.fs.fault("sync", f.path); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f faultFile) Close() error {
	err := f.File.Close()
	if fault := f.fs.fault("close", f.path); fault != nil {
		return fault
	}
	return err
}
