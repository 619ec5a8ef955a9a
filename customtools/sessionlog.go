package customtools

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
)

const (
	sessionFile = "session.jsonl"

	// maxSessionEntries is how many tool results tools can look back at. The
	// file is cut to that when it is read and has twice as many.
	maxSessionEntries = 1000

	// maxSessionLine is the longest entry that is kept, in bytes: tools rebuild
	// their state from details, which are small; a result with images is not.
	maxSessionLine = 1 << 20
)

// SessionLog keeps the results of tool calls of one workspace, so that a tool
// can rebuild its state after a restart. It is safe for concurrent use.
type SessionLog struct {
	dir string
	now func() time.Time

	mu      sync.Mutex
	read    bool
	entries []SessionEntry
}

// NewSessionLog returns the log in a workspace's state folder. It touches no
// file before the first call.
func NewSessionLog(dir string, now func() time.Time) *SessionLog {
	return &SessionLog{dir: dir, now: now}
}

// Session returns the session as its tools see it. What cannot be read is
// missing, and the error says why.
func (l *SessionLog) Session(cwd string) (Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.load()
	return Session{
		Cwd: cwd, Dir: l.dir, ID: filepath.Base(l.dir), File: l.path(), Entries: append([]SessionEntry{}, l.entries...), // a list, also where it is empty
	}, err
}

// Add appends the result of a call. With an error it is not kept beyond the
// life of the program.
func (l *SessionLog) Add(message SessionMessage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	loadErr := l.load()
	now := l.now().UTC()
	entry := SessionEntry{Type: "message", ID: rand.Text(), Timestamp: now.Format(time.RFC3339Nano), Message: message}
	if n := len(l.entries); n > 0 {
		entry.ParentID = l.entries[n-1].ID
	}
	l.keep(entry)
	return errors.Join(loadErr, l.append(entry))
}

// File is the path of the log's file, which need not be there yet.
func (l *SessionLog) File() string { return l.path() }

func (l *SessionLog) path() string { return filepath.Join(l.dir, sessionFile) }

func (l *SessionLog) keep(entry SessionEntry) {
	l.entries = append(l.entries, entry)
	if more := len(l.entries) - maxSessionEntries; more > 0 {
		l.entries = slices.Clone(l.entries[more:])
	}
}

func (l *SessionLog) append(entry SessionEntry) (err error) {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	if len(line) > maxSessionLine {
		return fmt.Errorf("the result of %s is too large to be kept in %s: %d bytes", entry.Message.ToolName, l.path(), len(line))
	}
	if err := statedir.Ensure(l.dir); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the tools' session file cannot be opened: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(append(line, '\n'))
	return err
}

// load reads the file once. Lines that a crash left incomplete are skipped.
func (l *SessionLog) load() error {
	if l.read {
		return nil
	}
	l.read = true
	f, err := os.Open(l.path())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the tools' session file cannot be opened: %w", err)
	}
	defer f.Close()
	lines, err := l.readLines(f)
	if err != nil {
		return fmt.Errorf("the tools' session file %s cannot be read: %w", l.path(), err)
	}
	if lines >= 2*maxSessionEntries {
		return l.cut()
	}
	return nil
}

func (l *SessionLog) readLines(r io.Reader) (lines int, err error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxSessionLine+1)
	for scanner.Scan() {
		lines++
		var entry SessionEntry
		if json.Unmarshal(scanner.Bytes(), &entry) == nil && entry.ID != "" {
			l.keep(entry)
		}
	}
	return lines, scanner.Err()
}

// cut writes the file anew with the entries that count.
func (l *SessionLog) cut() error {
	var text bytes.Buffer
	for _, entry := range l.entries {
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	temp := l.path() + ".new"
	if err := os.WriteFile(temp, text.Bytes(), 0o600); err != nil {
		return fmt.Errorf("the tools' session file cannot be cut: %w", err)
	}
	return os.Rename(temp, l.path())
}
