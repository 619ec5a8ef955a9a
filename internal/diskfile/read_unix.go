//go:build unix

package diskfile

import (
	"io/fs"
	"slices"
	"syscall"
)

// ReadInto returns the content of the file at path, in buffer's memory where that
// is large enough. Errors are those of os.ReadFile, as *fs.PathError.
//
// os.ReadFile takes ten system calls a file, to make the file one that can be
// waited for, and to find its end once more; this takes four.
func ReadInto(path string, buffer []byte) ([]byte, error) {
	fd, err := retried(func() (int, error) { return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if _, err := retried(func() (int, error) { return 0, syscall.Fstat(fd, &info) }); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	buffer = slices.Grow(buffer[:0], int(max(info.Size, 0))+1)
	for {
		if len(buffer) == cap(buffer) { // grows while it is read, or has no size, as in /proc
			buffer = slices.Grow(buffer, smallest)
		}
		rest := buffer[len(buffer):cap(buffer)]
		n, err := retried(func() (int, error) { return syscall.Read(fd, rest) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		buffer = buffer[:len(buffer)+n]
		// A read that stops short at the size that the file has is at its end.
		if n == 0 || n < len(rest) && int64(len(buffer)) == info.Size {
			return buffer, nil
		}
	}
}

// smallest is what a buffer grows by at least.
const smallest = 512

// retried calls f again where a signal interrupted it.
func retried(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); err != syscall.EINTR {
			return n, err
		}
	}
}
