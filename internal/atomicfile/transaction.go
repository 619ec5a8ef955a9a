package atomicfile

import (
	"errors"
	"slices"
	"sync"
)

// Transaction is a set of files of which all or none are replaced. It is planned,
// then staged, and ends with Commit or Discard, whichever comes first; it is safe
// for concurrent use.
type Transaction struct {
	fsys  FS
	files []*staged

	mu     sync.Mutex
	state  state
	result error // of the commit
	left   Left
	// leftovers of the commit
	leftovers []string
}

// Left is what a transaction leaves when it has ended.
type Left uint8

const (
	// Nothing is left: all files are as they should be, and no others are there.
	Nothing Left = iota
	// HiddenFiles may be left, or a folder could not be synced after the last of
	// them was removed.
	HiddenFiles
	// InDoubt: files may be neither put back nor all replaced.
	InDoubt
)

type state uint8

const (
	planned state = iota
	open
	committed
	discarded
)

// Staged returns the names of what is or will be staged, in the order of the
// writes: all that the transaction ever touches.
func (tx *Transaction) Staged() []Staged {
	names := make([]Staged, len(tx.files))
	for i, s := range tx.files {
		names[i] = s.Staged
	}
	return names
}

// Commit replaces all files, or none. It first compares every file with its Old
// text; then it calls check, which can still prevent the commit by an error; then
// it renames and forces that to disk; then it calls done, which makes the commit
// final: an error from it undoes the renames. Either function may be nil, and
// neither may end the transaction itself.
//
// The error is a [*ChangedError], check's or done's own, a [*WriteError], or an
// [*InDoubtError] where files could not be put back; after any but the last all
// files are as before. A transaction commits at most once: later calls return
// what the first did, or [ErrDiscarded].
func (tx *Transaction) Commit(check, done func() error) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	switch tx.state {
	case committed:
		return tx.result
	case planned, discarded:
		return ErrDiscarded
	}
	tx.state = committed
	tx.result = tx.commit(check, done)
	return tx.result
}

// Discard removes what was staged, unless Commit was called before: then it
// does nothing. An error names the files that could not be removed; calling
// Discard again tries again.
func (tx *Transaction) Discard() error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if tx.state == committed {
		return nil
	}
	tx.state = discarded
	return tx.removeTemps()
}

// Leftovers returns the hidden files that a successful Commit could not remove.
// They hold old texts and are no longer needed.
func (tx *Transaction) Leftovers() []string {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	return slices.Clone(tx.leftovers)
}

// Left returns what the transaction has left, or would leave if the program ended
// now.
func (tx *Transaction) Left() Left {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	return tx.left
}

// removeTemps removes what was staged, before anything was replaced.
func (tx *Transaction) removeTemps() error {
	if tx.left == Nothing {
		return nil
	}
	var errs []error
	for _, s := range tx.files {
		errs = append(errs, tx.remove(s.Temp))
	}
	err := errors.Join(errs...)
	tx.left = HiddenFiles
	// No harm is done where the folders cannot be synced: after a power failure
	// the hidden files may be there again, and Left says so.
	if _, syncErr := tx.syncDirs(); err == nil && syncErr == nil {
		tx.left = Nothing
	}
	return err
}
