package contentstore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// block is what a file takes on disk at least, in bytes: that of nearly every file
// system. Most contents are smaller, and to count less would be to exceed the limit
// several times.
const block = 4 << 10

func onDisk(size int64) int64 { return (size + block - 1) / block * block }

type stored struct {
	name    string
	size    int64
	modTime time.Time
}

const (
	// countEvery is how many contents are put before the folder is counted again: a
	// count reads the whole folder, and others put contents there too.
	countEvery = 64
	// slack, as a part of the limit, is what is removed beyond it, so that a full
	// store is not counted at every Put.
	slack = 16
)

// makeRoom keeps the store within its limit after size bytes more were written to
// the file named keep.
func (s *Store) makeRoom(size int64, keep string) (dropped int) {
	s.total += size
	s.due--
	if s.total <= s.limit && s.due > 0 {
		return 0
	}
	s.due = countEvery
	dropped, s.total = s.trim(s.limit, keep)
	return dropped
}

// trim removes the oldest contents where they exceed the limit, and returns how many
// and what is left; never the one named keep, which has just been written. What could not
// be removed counts as still there. The lock is held, so what looks unfinished is
// what a process left that ended.
func (s *Store) trim(limit int64, keep string) (dropped int, total int64) {
	all, total := s.scan()
	if total <= limit {
		return 0, total
	}
	slices.SortFunc(all, func(a, b stored) int {
		if c := a.modTime.Compare(b.modTime); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	for _, f := range all {
		if total <= limit-limit/slack/block*block {
			break
		}
		if f.name != keep && os.Remove(filepath.Join(s.dir, f.name)) == nil {
			total -= f.size
			dropped++
		}
	}
	return dropped, total
}

// scan lists the contents and removes what is unfinished.
func (s *Store) scan() (all []stored, total int64) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, 0 // the next Put looks again
	}
	for _, entry := range entries {
		switch {
		case strings.HasPrefix(entry.Name(), temp):
			_ = os.Remove(filepath.Join(s.dir, entry.Name()))
		case strings.HasSuffix(entry.Name(), suffix):
			if info, err := entry.Info(); err == nil {
				all = append(all, stored{entry.Name(), onDisk(info.Size()), info.ModTime()})
				total += onDisk(info.Size())
			}
		}
	}
	return all, total
}
