//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func (f osFile) TakeOwner(of fs.FileInfo) error {
	stat, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	err := f.Chown(int(stat.Uid), int(stat.Gid))
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	// The group alone often may be set: it is one of the user's own.
	return errors.Join(err, f.Chown(-1, int(stat.Gid)))
}

func (osFS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	// Some file systems cannot sync a folder, which is no failure to write.
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
