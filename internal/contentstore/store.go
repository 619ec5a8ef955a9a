package contentstore

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

const (
	// Folder is the name of the store's folder in a workspace's state.
	Folder = "store"
	// DefaultMB is the limit where no setting gives another: tens of thousands of
	// edits.
	DefaultMB = 256

	suffix   = ".gz"
	temp     = "new-" // what begins so is being written, or was when a process ended
	lockFile = "lock"

	// lockWait is how long another process is waited for: it writes a file and
	// removes some, so who has the lock for longer has stopped.
	lockWait = 2 * time.Second
)

var (
	// ErrGone says that a content is not, or no longer, in the store.
	ErrGone = errors.New("not in the store any more")
	// ErrTooLarge says that a content alone exceeds the store's limit.
	ErrTooLarge = errors.New("larger than the store may be")
)

// Store is a folder of contents. It is safe for concurrent use, also by several
// processes with stores of their own on one folder.
type Store struct {
	dir string

	mu    sync.Mutex
	limit int64
	total int64 // what the folder held when it was last counted, and what was put since
	due   int   // how many more contents are put before the folder is counted again
}

// New returns the store in dir, which is made when it is needed, for the user only.
// limit is in bytes on disk; 0 means that nothing is kept.
func New(dir string, limit int64) *Store { return &Store{dir: dir, limit: limit} }

// SetLimit changes the limit; what exceeds it goes with the next Put.
func (s *Store) SetLimit(limit int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = limit
}

// Kept is what became of a content and of older ones.
type Kept struct {
	Hash    string // "" where the limit is 0
	Dropped int    // how many older contents had to go
}

// Put keeps a content. Without an error it is on the disk (fsync), unless the limit
// is 0. The error is [ErrTooLarge], or that of the disk.
func (s *Store) Put(content []byte) (Kept, error) {
	packed, err := pack(content)
	if err != nil {
		return Kept{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit == 0 {
		return Kept{Dropped: s.dropAll()}, nil
	}
	if size := onDisk(int64(len(packed))); size > s.limit {
		return Kept{}, fmt.Errorf("%w: %d bytes of %d", ErrTooLarge, size, s.limit)
	}
	kept := Kept{Hash: text.Hash(content)}
	err = s.locked(func() error {
		if err := s.write(kept.Hash+suffix, packed); err != nil {
			return err
		}
		kept.Dropped = s.makeRoom(onDisk(int64(len(packed))), kept.Hash+suffix)
		return nil
	})
	if err != nil {
		return Kept{}, fmt.Errorf("write to the store %s: %w", s.dir, err)
	}
	return kept, nil
}

// dropAll empties a store that is to keep nothing, if there is one.
func (s *Store) dropAll() (dropped int) {
	if _, err := os.Stat(s.dir); err != nil {
		return 0
	}
	_ = s.locked(func() error { dropped, s.total = s.trim(0, ""); return nil }) // the next Put tries again
	return dropped
}

// locked runs f while no other process changes the folder. One that cannot be
// locked is none to write to: a file could be dropped that another process has just
// said to be kept.
func (s *Store) locked(f func() error) error {
	if err := statedir.Ensure(s.dir); err != nil {
		return err
	}
	release, err := filelock.Acquire(filepath.Join(s.dir, lockFile), lockWait)
	if err != nil {
		return err
	}
	defer release()
	return f()
}

// write makes the file name, in place of one that may be there: that one is the
// same, or damaged. It is then the newest.
func (s *Store) write(name string, packed []byte) error {
	path := filepath.Join(s.dir, temp+rand.Text())
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(packed)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(path, filepath.Join(s.dir, name))
	}
	if err != nil {
		_ = os.Remove(path) // else the next trim does
		return err
	}
	return s.syncDir()
}

// syncDir makes a new name last. Windows keeps it without, and has no way to ask.
func (s *Store) syncDir() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Get returns the content with this hash. The error is [ErrGone] where there is
// none or it is damaged, or that of the disk.
func (s *Store) Get(hash string) ([]byte, error) {
	if !isHash(hash) {
		return nil, ErrGone
	}
	packed, err := os.ReadFile(filepath.Join(s.dir, hash+suffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("read from the store: %w", err)
	}
	content, err := unpack(packed)
	if err != nil || text.Hash(content) != hash {
		return nil, fmt.Errorf("%w: %s is damaged", ErrGone, filepath.Join(s.dir, hash+suffix))
	}
	return content, nil
}

// isHash keeps what else stands in a log, which a user can edit, from naming files.
func isHash(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == len(text.Hash(nil))
}

func pack(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
