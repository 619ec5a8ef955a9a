package resolve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
)

// DefaultDecisionLimit is how many decisions List returns where no limit is asked
// for: a page that a person can still scroll through.
const DefaultDecisionLimit = 100

// List returns decisions, newest first: at most limit of them (a limit below 1
// means [DefaultDecisionLimit]), of those older than the one with the id before
// where it is not empty, and only those on pendingID where that is not empty.
//
// Pending ids begin again with each session, so a pendingID means this log's own:
// whoever asks about an action that is still to be decided must not be answered
// with what became of an older session's.
//
// Newest means written last. Lines that a crash left incomplete are skipped. A
// missing file is an empty log; a before that is not in the log is an error.
func (l *DecisionLog) List(limit int, before, pendingID string) ([]Decision, error) {
	q := query{limit: limit, before: before, pendingID: pendingID}
	if !l.Enabled() {
		return []Decision{}, nil
	}
	if limit < 1 {
		q.limit = DefaultDecisionLimit
	}
	decisions, known, err := l.page(q)
	if err == nil && !known {
		q.everywhere = true
		decisions, known, err = l.page(q)
	}
	if err == nil && !known {
		err = &ParamError{"before", fmt.Sprintf("names no decision of the log: %q", before)}
	}
	return decisions, err
}

// query is what one List call asks for.
type query struct {
	limit             int
	before, pendingID string
	// everywhere: look for before in files as well that should be too new. Ids sort
	// by their time, as far as the clocks of those who wrote them agree.
	everywhere bool
}

// page answers a query; known is false where before was not found.
func (l *DecisionLog) page(q query) (decisions []Decision, known bool, err error) {
	first := l.firstOfSession()
	decisions, known = []Decision{}, q.before == ""
	// past: what follows is older than this session, which is all that is asked for.
	past := q.pendingID != "" && first == ""
	tooNew := func(first string) bool { return !known && !q.everywhere && first > q.before }
	for row, err := range l.rows(tooNew) {
		if known && past || len(decisions) == q.limit {
			break
		}
		if err != nil {
			return nil, false, err
		}
		if known { // decoding is what costs
			if d, ok := row.decision(); ok && (q.pendingID == "" || d.PendingID == q.pendingID && d.Session == l.session) {
				decisions = append(decisions, d)
			}
		}
		known = known || row.id() == q.before
		past = past || q.pendingID != "" && row.id() == first
	}
	return decisions, known, nil
}

func (l *DecisionLog) firstOfSession() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.firstID
}

// Find returns the decision with this id; ok is false where the log has none.
func (l *DecisionLog) Find(id string) (d Decision, ok bool, err error) {
	if !l.Enabled() || id == "" {
		return Decision{}, false, nil
	}
	for _, everywhere := range []bool{false, true} {
		tooNew := func(first string) bool { return !everywhere && first > id }
		for row, err := range l.rows(tooNew) {
			if err != nil {
				return Decision{}, false, err
			}
			if row.id() != id {
				continue
			}
			if d, ok := row.decision(); ok {
				return d, true, nil
			}
		}
	}
	return Decision{}, false, nil
}

// rows yields the lines of decisions.jsonl and then of what it once was, newest
// first. It passes over files that tooNew says so of, by the id in their first
// lines. What is appended after the start is not seen.
func (l *DecisionLog) rows(tooNew func(first string) bool) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		current, err := l.openForReading(l.path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer current.close()
		// Opened before the folder is read: a file that is put aside in between is
		// found twice, and not missed.
		older, err := l.aside()
		if err != nil {
			yield(nil, fmt.Errorf("the decision log %s cannot be opened: %w", l.path, err))
			return
		}
		if !current.yieldLines(tooNew, yield) {
			return
		}
		for _, file := range olderThan(current.info, older) {
			f, err := l.openForReading(file.path)
			if err != nil {
				yield(nil, err)
				return
			}
			more := f.yieldLines(tooNew, yield)
			f.close()
			if !more {
				return
			}
		}
	}
}

// logFile is one file of the log as it was when it was opened; without a File it
// is one that is not there.
type logFile struct {
	File
	path string
	info fs.FileInfo
}

func (l *DecisionLog) openForReading(path string) (logFile, error) {
	f, err := l.files.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return logFile{path: path}, nil
	}
	if err != nil {
		return logFile{}, fmt.Errorf("the decision log %s cannot be opened: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return logFile{}, fmt.Errorf("the decision log %s cannot be read: %w", path, errors.Join(err, f.Close()))
	}
	return logFile{f, path, info}, nil
}

// yieldLines yields the lines, last first, and reports whether more are wanted.
func (f logFile) yieldLines(tooNew func(first string) bool, yield func(row, error) bool) bool {
	if f.File == nil || tooNew(f.firstID()) {
		return true
	}
	for line, err := range linesBackward(f.File, f.info.Size()) {
		if err != nil {
			yield(nil, fmt.Errorf("the decision log %s cannot be read: %w", f.path, err))
			return false
		}
		if !yield(line, nil) {
			return false
		}
	}
	return true
}

// firstID is the id in the file's first line, "" where there is none to be seen.
func (f logFile) firstID() string {
	head := make([]byte, min(f.info.Size(), maxIDBytes))
	n, _ := f.ReadAt(head, 0) // what cannot be read is found out later
	return quickID(head[:n])
}

func (f logFile) close() {
	if f.File != nil {
		_ = f.File.Close() // it was only read
	}
}

// row is a line of the log, which may be anything.
type row []byte

// decision is false for a line that is none.
func (r row) decision() (d Decision, ok bool) {
	err := json.Unmarshal(r, &d)
	return d, err == nil && d.ID != ""
}

// id returns a decision's id, "" for anything else. Whoever looks for one among
// many thousands is spared their decoding.
func (r row) id() string {
	if id := quickID(r); id != "" {
		return id
	}
	d, _ := r.decision()
	return d.ID
}

// maxIDBytes is how much of a line is enough to see its id, and more.
const maxIDBytes = 128

// quickID returns the id that a line begins with, as Append writes it, or "". There
// is nothing in an id that JSON would escape.
func quickID(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`))
	id, _, closed := bytes.Cut(rest, []byte(`"`))
	if !ok || !closed || bytes.IndexByte(id, '\\') >= 0 {
		return ""
	}
	return string(id)
}
