package resolve

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A file that was put aside is called decisions-000001-RANDOM.jsonl: the number
// gives the order, and the random part keeps a rename from ever replacing another
// file, whoever else renames at that moment.
const (
	asideFormat = "decisions-%06d-%s.jsonl"
	asideRandom = 8
)

// aside is a file that decisions.jsonl once was.
type aside struct {
	path   string
	number int
	entry  fs.DirEntry
}

// rotate puts a full file aside; the lock is held. Where it cannot, the log goes on
// in the same file, and the next append tries again: nothing is lost. Whoever has
// the file open goes on with it under its new name.
func (l *DecisionLog) rotate() {
	f, err := l.files.OpenFile(l.path, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	info, err := f.Stat()
	if closeErr := f.Close(); err != nil || closeErr != nil || info.Size() < l.maxBytes {
		return
	}
	older, err := l.aside()
	if err != nil {
		return
	}
	number := 1
	if len(older) > 0 {
		number = older[0].number + 1
	}
	_ = l.files.Rename(l.path, filepath.Join(l.dir, fmt.Sprintf(asideFormat, number, rand.Text()[:asideRandom])))
}

// aside returns the files that were put aside, newest first.
func (l *DecisionLog) aside() ([]aside, error) {
	entries, err := l.files.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []aside
	for _, entry := range entries {
		var number int
		var random string
		if n, _ := fmt.Sscanf(entry.Name(), "decisions-%d-%s", &number, &random); n == 2 && filepath.Ext(random) == ".jsonl" {
			found = append(found, aside{filepath.Join(l.dir, entry.Name()), number, entry})
		}
	}
	slices.SortStableFunc(found, func(a, b aside) int { return b.number - a.number })
	return found, nil
}

// olderThan returns those of the files put aside that are older than the one that
// is being read: it may have been put aside itself since it was opened, and others
// after it. reading is nil where there is no such file.
func olderThan(reading fs.FileInfo, files []aside) []aside {
	if reading == nil {
		return files
	}
	for i, f := range files {
		if info, err := f.entry.Info(); err == nil && os.SameFile(reading, info) {
			return files[i+1:]
		}
	}
	return files
}
