package resolve

import (
	"bytes"
	"io"
	"io/fs"
	"iter"
	"os"
	"runtime"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// logChunk is how much of the log is read at a time, in bytes: a page of
// decisions is seldom more, and a longer line only costs further reads.
const logChunk = 64 << 10

// FileSystem is what the decision log needs of the disk. Its methods are those
// of package os.
type FileSystem interface {
	MkdirAll(path string, perm fs.FileMode) error
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Rename(oldPath, newPath string) error
	// Lock keeps other processes out that lock the same path, until it is
	// released. It gives up after a while, with an error.
	Lock(path string) (release func(), err error)
}

// lockWait is how long a log waits for another process that appends to it: that
// takes an fsync, so who holds the lock for longer has stopped.
const lockWait = 2 * time.Second

// File is an open file of a [FileSystem].
type File interface {
	io.ReaderAt
	io.WriteCloser
	Stat() (fs.FileInfo, error)
	Sync() error
}

type osFiles struct{}

func (osFiles) MkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }

func (osFiles) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // a nil *os.File must not become a non-nil File
	}
	return f, nil
}

func (osFiles) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

func (osFiles) Rename(oldPath, newPath string) error { return os.Rename(oldPath, newPath) }

func (osFiles) Lock(path string) (release func(), err error) {
	return filelock.Acquire(path, lockWait)
}

// fileEnd returns the size of f in bytes, and whether its last line is torn:
// whoever wrote it stopped before the newline. Where another process is in the
// middle of writing it looks torn too, which costs an empty line and no more.
func fileEnd(f File) (size int64, torn bool, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, false, err
	}
	last := make([]byte, 1)
	if n, err := f.ReadAt(last, info.Size()-1); n == 0 {
		return 0, false, err
	}
	return info.Size(), last[0] != '\n', nil
}

// linesBackward yields the lines of f from the last to the first, without
// their newlines and without the empty ones. size is that of f, in bytes; what is
// behind it is not seen.
func linesBackward(f File, size int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var tail []byte // the end of a line that begins before the chunks read so far
		for end := size; end > 0; {
			n := min(end, logChunk)
			buf := make([]byte, n, n+int64(len(tail)))
			if got, err := f.ReadAt(buf, end-n); got < len(buf) {
				yield(nil, err)
				return
			}
			buf = append(buf, tail...)
			end -= n
			for {
				i := bytes.LastIndexByte(buf, '\n')
				if i < 0 {
					break
				}
				if line := buf[i+1:]; len(line) > 0 && !yield(line, nil) {
					return
				}
				buf = buf[:i]
			}
			tail = buf
		}
		if len(tail) > 0 {
			yield(tail, nil)
		}
	}
}

// syncDir makes a new file's name last. Windows keeps it without, and has no
// way to ask.
func syncDir(files FileSystem, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := files.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
