package customtools

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// SessionLog keeps the results of tool calls of one workspace, so that a tool
// can rebuild its state after a restart. Several servers may write one file:
// each sees what was there when it began, and what it adds itself. It is safe
// for concurrent use.
type SessionLog struct {
	file sessionLines
	dir  string
	now  func() time.Time

	mu      sync.Mutex
	read    bool
	entries lastEntries
}

// NewSessionLog returns the log in a workspace's state folder. It touches no
// file before the first call.
func NewSessionLog(dir string, now func() time.Time) *SessionLog {
	return &SessionLog{file: sessionLines{dir}, dir: dir, now: now}
}

// Session returns the session as its tools see it. What cannot be read is
// missing, and the error says why.
func (l *SessionLog) Session(cwd string) (Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.load()
	return Session{
		Cwd: cwd, Dir: l.dir, ID: filepath.Base(l.dir), File: l.file.path(), Entries: l.entries.list(),
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
	entry.ParentID = l.entries.lastID()
	line, err := json.Marshal(entry)
	if err != nil {
		return errors.Join(loadErr, err)
	}
	l.entries.add(entry, len(line))
	if len(line) > maxSessionLine {
		err := fmt.Errorf("the result of %s is too large to be kept in %s: %d bytes", message.ToolName, l.file.path(), len(line))
		return errors.Join(loadErr, err)
	}
	return errors.Join(loadErr, l.file.append(line))
}

// File is the path of the log's file, which need not be there yet.
func (l *SessionLog) File() string { return l.file.path() }

// load reads the file once.
func (l *SessionLog) load() (err error) {
	if l.read {
		return nil
	}
	l.read = true
	l.entries, err = l.file.load()
	return err
}

// lastEntries are the newest entries that count, as one line: each is the only
// child of the one before it.
type lastEntries struct {
	entries []SessionEntry
	sizes   []int // of their lines, in bytes
	bytes   int   // all of them
}

// add appends an entry whose line has size bytes, and drops the oldest that are
// too many.
func (e *lastEntries) add(entry SessionEntry, size int) {
	e.entries, e.sizes, e.bytes = append(e.entries, entry), append(e.sizes, size), e.bytes+size
	drop := max(0, len(e.entries)-maxSessionEntries)
	for i, size := range e.sizes {
		if i >= drop && e.bytes <= maxSessionBytes || i == len(e.sizes)-1 {
			drop = i
			break
		}
		e.bytes -= size
	}
	if drop > 0 {
		e.entries, e.sizes = slices.Clone(e.entries[drop:]), slices.Clone(e.sizes[drop:])
	}
}

func (e *lastEntries) lastID() string {
	if len(e.entries) == 0 {
		return ""
	}
	return e.entries[len(e.entries)-1].ID
}

// list is a copy: a list, also where it is empty.
func (e *lastEntries) list() []SessionEntry { return append([]SessionEntry{}, e.entries...) }
