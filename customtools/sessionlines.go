package customtools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
)

const (
	sessionFile = "session.jsonl"
	sessionLock = "session.lock"

	// maxSessionEntries is how many tool results tools can look back at, and
	// maxSessionBytes how much they may be, as JSON: all of them go to a tool in
	// one answer. The file is cut to that when it is read and has twice as much,
	// and while it is written, when it has maxSessionGrowth times as much.
	maxSessionEntries = 1000
	maxSessionBytes   = 16 << 20
	maxSessionGrowth  = 4

	// maxSessionLine is the longest entry that is kept, in bytes: tools rebuild
	// their state from details, which are small; a result with images is not.
	maxSessionLine = 1 << 20

	// sessionLockWait is how long another server may hold the file: it writes a
	// line, or cuts what has at most some megabytes.
	sessionLockWait = 5 * time.Second
)

// sessionLines is the file of a session log: a JSON line an entry. Servers that
// share it take turns, so that none cuts away what another has just written.
type sessionLines struct{ dir string }

func (f sessionLines) path() string { return filepath.Join(f.dir, sessionFile) }

func (f sessionLines) lock() (release func(), err error) {
	release, err = filelock.Acquire(filepath.Join(f.dir, sessionLock), sessionLockWait)
	if err != nil {
		return nil, fmt.Errorf("the tools' session file %s is in use: %w", f.path(), err)
	}
	return release, nil
}

// append writes a line. One before it that a crash left without its end stays
// alone.
func (f sessionLines) append(line []byte) (err error) {
	if err := statedir.Ensure(f.dir); err != nil {
		return err
	}
	release, err := f.lock()
	if err != nil {
		return err
	}
	defer release()
	file, err := os.OpenFile(f.path(), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the tools' session file cannot be opened: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	text := append(line[:len(line):len(line)], '\n')
	if last := make([]byte, 1); info.Size() > 0 {
		if _, err := file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			text = append([]byte("\n"), text...)
		}
	}
	if _, err := file.Write(text); err != nil {
		return fmt.Errorf("the tools' session file cannot be written: %w", err)
	}
	if info.Size() < maxSessionGrowth*maxSessionBytes {
		return nil
	}
	last, _, err := f.readAll()
	return errors.Join(err, f.replace(last))
}

// load reads the entries that count, and cuts the file where it has far more.
func (f sessionLines) load() (lastEntries, error) {
	last, excess, err := f.readAll()
	if err != nil || !excess {
		return last, err
	}
	release, err := f.lock()
	if err != nil {
		return last, nil // who writes it now, cuts it
	}
	defer release()
	if last, _, err = f.readAll(); err == nil { // another may have written meanwhile
		err = f.replace(last)
	}
	return last, err
}

// readAll reads the newest entries that count. Lines that a crash left
// incomplete and those that are no entries are skipped. excess says that the
// file has at least twice as much.
func (f sessionLines) readAll() (last lastEntries, excess bool, err error) {
	file, err := os.Open(f.path())
	if errors.Is(err, os.ErrNotExist) {
		return last, false, nil
	}
	if err != nil {
		return last, false, fmt.Errorf("the tools' session file cannot be opened: %w", err)
	}
	defer file.Close()
	lines, size := 0, 0
	err = eachLine(file, func(line []byte) {
		lines, size = lines+1, size+len(line)
		var entry SessionEntry
		if json.Unmarshal(line, &entry) == nil && entry.ID != "" {
			entry.ParentID = last.lastID() // servers that share the file number it by themselves
			last.add(entry, len(line))
		}
	})
	if err != nil {
		return last, false, fmt.Errorf("the tools' session file %s cannot be read: %w", f.path(), err)
	}
	return last, lines >= 2*maxSessionEntries || size >= 2*maxSessionBytes, nil
}

// eachLine calls take with each line of at most maxSessionLine bytes. The slice
// is only valid during the call.
func eachLine(r io.Reader, take func(line []byte)) error {
	reader := bufio.NewReaderSize(r, maxSessionLine+1)
	for {
		line, err := reader.ReadSlice('\n')
		whole := err == nil
		for errors.Is(err, bufio.ErrBufferFull) { // skip the rest of a longer one
			_, err = reader.ReadSlice('\n')
		}
		if whole {
			take(line[:len(line)-1])
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// replace writes the file anew with these entries; a reader sees the old or the
// new one. It is called with the lock held.
func (f sessionLines) replace(last lastEntries) (err error) {
	var text bytes.Buffer
	for _, entry := range last.entries {
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	temp := f.path() + ".new"
	if err := os.WriteFile(temp, text.Bytes(), 0o600); err != nil {
		return errors.Join(fmt.Errorf("the tools' session file cannot be cut: %w", err), os.Remove(temp))
	}
	return os.Rename(temp, f.path())
}
