// Package filelock keeps processes that share a file from getting in each other's
// way. The lock is the system's own (package flock), so it ends with its process,
// however that ends.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy says that somebody else had the lock for as long as the caller would
// wait.
var ErrBusy = errors.New("locked by another process")

// retryDelay is how often a lock that somebody has is asked for again: a holder
// writes a line or a small file, which takes milliseconds.
const retryDelay = 2 * time.Millisecond

// Acquire locks the file at path, which it creates for the user only, and which
// stays. It waits for at most wait; then the error is [ErrBusy]. Locks of one
// process exclude each other too.
func Acquire(path string, wait time.Duration) (release func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	lock := flock.New(path, flock.SetPermissions(0o600))
	_, err = lock.TryLockContext(ctx, retryDelay)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("lock %s: %w", path, ErrBusy)
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = lock.Unlock() }, nil // what is closed is unlocked
}

// Try locks the file at path, which it creates for the user only, without waiting:
// the error is [ErrBusy] where somebody else has the lock, or has just removed the
// file, as whoever has the lock may. Closing the lock gives it back; so does the end
// of the process: on Unix flock(2) ends with the open file, on Windows LockFileEx
// with the handle.
func Try(path string) (io.Closer, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", path, err)
	case !got || !isAt(lock, path):
		return nil, errors.Join(ErrBusy, lock.Close())
	}
	return lock, nil
}

// isAt reports whether the file that is locked is still the one at path: a lock on
// a file that was removed keeps nobody out.
func isAt(lock *flock.Flock, path string) bool {
	mine, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there)
}
