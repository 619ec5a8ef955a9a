package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ErrDiscarded is returned by a commit of a discarded transaction.
var ErrDiscarded = errors.New("the staged files were discarded")

// WriteError says that a file could not be replaced, so none was.
type WriteError struct {
	Path string // as the caller gave it
	Err  error  // the reason, without the path
}

func (e *WriteError) Error() string { return fmt.Sprintf("failed to write %s: %v", e.Path, e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

// ChangedError says that a file is no longer what the edit was computed from,
// so nothing was written.
type ChangedError struct {
	Path string // as the caller gave it
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s changed on disk meanwhile: compute the edit again", e.Path)
}

// InDoubtError says that a commit failed and that some of its files could not
// be put back.
type InDoubtError struct {
	Paths []string // all of those files, as the caller gave them
	Err   error    // why the commit failed, and why each of them was not put back
}

func (e *InDoubtError) Error() string {
	return fmt.Sprintf("could not put back %s: %v", strings.Join(e.Paths, ", "), e.Err)
}

func (e *InDoubtError) Unwrap() error { return e.Err }

func writeError(path string, err error) error {
	return &WriteError{Path: path, Err: reason(err)}
}

// reason removes from a file system error the operation and the path, which is
// often that of a hidden file that means nothing to a user.
func reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		return linkErr.Err
	}
	return err
}

// withCleanup adds to the cause of a failure what could not be tidied up after it.
func withCleanup(cause, cleanup error) error {
	if cleanup == nil {
		return cause
	}
	return fmt.Errorf("%w; then %w", cause, cleanup)
}
