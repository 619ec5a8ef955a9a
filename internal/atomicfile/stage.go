package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Hidden names: the prefix is what a person who finds such a file after a crash
// can search for; the rest is random, so that no two transactions collide.
const (
	tempPrefix   = ".xcsh-"
	backupSuffix = ".old"
)

// IsTemp reports whether a file of this base name is one of a transaction's, or
// was left by one that was cut off: walks and watchers pass it over.
func IsTemp(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// anyWriteBit is set where somebody may write the file. Without it the file is
// meant to stay as it is, even if the system would let us (as root) write it.
const anyWriteBit = 0o222

// Write is the replacement of one file's content.
type Write struct {
	// Path names an existing regular file, or a symbolic link to one.
	Path string
	// Old is the content that must still be on disk when the file is replaced.
	Old []byte
	// New is the content after it. Neither may be changed before the
	// transaction has ended.
	New []byte
}

// Staged names what a transaction has made for one file.
type Staged struct {
	Path   string // the file, as the caller gave it
	Real   string // the file that is replaced: Path with symbolic links followed
	Temp   string // holds the new text until the commit
	Backup string // holds the old file during the commit
	Mode   fs.FileMode
}

type staged struct {
	Staged
	write    Write
	info     fs.FileInfo
	backedUp bool // Backup may exist
	linked   bool // Backup is another name of the old file, not a copy
	tried    bool // the rename was tried, so it may have happened
	replaced bool // it has happened for certain
}

// Plan checks that every file can be replaced and gives the names of what is going
// to be made for it. It changes nothing. The error is a [*WriteError] that names
// the file. A plan of no files at all gives a transaction that does nothing.
func Plan(fsys FS, writes []Write) (*Transaction, error) {
	tx := &Transaction{fsys: fsys}
	seen := make(map[string]bool, len(writes))
	for _, w := range writes {
		s, err := tx.plan(w, seen)
		if err != nil {
			return nil, writeError(w.Path, err)
		}
		tx.files = append(tx.files, s)
	}
	return tx, nil
}

// Stage writes the new text of every file beside it. The error is a
// [*WriteError] that names the file; nothing is left behind then, unless the
// error says so, and the transaction has ended.
func (tx *Transaction) Stage() error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if tx.state != planned {
		return ErrDiscarded
	}
	tx.state = open
	if len(tx.files) > 0 {
		tx.left = HiddenFiles
	}
	if err := tx.stageAll(); err != nil {
		tx.state = discarded
		return withCleanup(err, tx.removeTemps())
	}
	return nil
}

// stageAll forces the files to disk when all are written: together that takes a
// fraction of the time.
func (tx *Transaction) stageAll() error {
	temps := make([]string, len(tx.files))
	for i, s := range tx.files {
		if err := tx.writeFile(s.Temp, s.write.New, s.info); err != nil {
			return writeError(s.Path, err)
		}
		temps[i] = s.Temp
	}
	if failed, err := tx.fsys.SyncFiles(temps); err != nil {
		return writeError(tx.files[max(0, slices.Index(temps, failed))].Path, err)
	}
	return nil
}

func (tx *Transaction) plan(w Write, seen map[string]bool) (*staged, error) {
	real, err := tx.fsys.EvalSymlinks(w.Path)
	if err != nil {
		return nil, err
	}
	if seen[real] {
		return nil, errors.New("the file is to be written twice at once")
	}
	seen[real] = true
	info, err := tx.fsys.Stat(real)
	if err != nil {
		return nil, err
	}
	if err := tx.checkReplaceable(real, info); err != nil {
		return nil, err
	}
	temp := filepath.Join(filepath.Dir(real), tempPrefix+rand.Text())
	names := Staged{Path: w.Path, Real: real, Temp: temp, Backup: temp + backupSuffix, Mode: info.Mode()}
	return &staged{Staged: names, write: w, info: info}, nil
}

func (tx *Transaction) checkReplaceable(real string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	if info.Mode()&anyWriteBit == 0 {
		return errors.New("the file is read-only")
	}
	return tx.fsys.CheckWritable(real)
}

// writeFile creates path with the content, and with the mode and owner of like, and
// does not force it to disk. Where it fails, it leaves no file.
func (tx *Transaction) writeFile(path string, content []byte, like fs.FileInfo) error {
	f, err := tx.fsys.Create(path)
	if err != nil {
		return err
	}
	err = fill(f, content, like)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		return nil
	}
	return withCleanup(reason(err), tx.remove(path))
}

func fill(f File, content []byte, like fs.FileInfo) error {
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.TakeOwner(like); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	// After the owner: a change of owner clears bits of the mode.
	return f.Chmod(like.Mode())
}

// remove removes a file of ours that may be gone already.
func (tx *Transaction) remove(path string) error {
	if err := tx.fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("could not remove %s: %w", path, reason(err))
	}
	return nil
}
