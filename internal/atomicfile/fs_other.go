//go:build !unix

package atomicfile

import "io/fs"

// TakeOwner does nothing: a new file inherits its folder's access rules.
func (osFile) TakeOwner(fs.FileInfo) error { return nil }

// SyncDir does nothing: a folder cannot be synced here.
func (osFS) SyncDir(string) error { return nil }
