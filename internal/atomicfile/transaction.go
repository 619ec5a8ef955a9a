package atomicfile

import (
	"errors"
	"slices"
	"sync"
)

// Transaction is a set of staged files, of which all or none are replaced. It
// ends with Commit or Discard, whichever comes first; it is safe for concurrent
// use.
type Transaction struct {
	fsys  FS
	files []*staged

	mu        sync.Mutex
	state     state
	result    error    // of the commit
	leftovers []string // of the commit
}

type state uint8

const (
	open state = iota
	committed
	discarded
)

// Staged returns the names of what is staged, in the order of the writes.
func (tx *Transaction) Staged() []Staged {
	names := make([]Staged, len(tx.files))
	for i, s := range tx.files {
		names[i] = s.Staged
	}
	return names
}

// Commit replaces all files, or none. It first compares every file with its Old
// text; then it calls check, unless it is nil, which can still prevent the
// commit by an error and must not end the transaction itself; then it renames.
//
// The error is a [*ChangedError], check's own, a [*WriteError], or an
// [*InDoubtError] where files could not be put back; after any but the last all
// files are as before. A transaction commits at most once: later calls return
// what the first did, or [ErrDiscarded].
func (tx *Transaction) Commit(check func() error) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	switch tx.state {
	case committed:
		return tx.result
	case discarded:
		return ErrDiscarded
	}
	tx.state = committed
	tx.result = tx.commit(check)
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

func (tx *Transaction) removeTemps() error {
	var errs []error
	for _, s := range tx.files {
		errs = append(errs, tx.remove(s.Temp))
	}
	return errors.Join(errs...)
}
