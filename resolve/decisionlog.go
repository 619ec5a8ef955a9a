package resolve

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	decisionFile = "decisions.jsonl"

	// lockFile is what processes lock that append to one log. It is a file of its
	// own, since the log itself is put aside when it is full.
	lockFile = "decisions.lock"

	// DefaultLogBytes is the size at which the file of a log is put aside: some
	// ten thousand decisions, and still a file that an editor opens at once.
	DefaultLogBytes = 8 << 20

	// decisionTimeFormat makes ids that sort as text by their time, in UTC.
	decisionTimeFormat = "20060102T150405.000000000Z"

	// decisionIDRandom is how much of crypto/rand.Text an id carries: 13 of its
	// base32 letters are 65 bits, which keeps processes apart that decide in
	// the same nanosecond.
	decisionIDRandom = 13
)

// DecisionLogConfig says where and how decisions are kept.
type DecisionLogConfig struct {
	Dir      string           // folder of decisions.jsonl; created when it is needed, for the user only
	Disabled bool             // keep nothing and list nothing
	Now      func() time.Time // nil means time.Now
	Files    FileSystem       // nil means the operating system's
	// MaxBytes is the size at which a file is put aside for a new one; 0 means
	// [DefaultLogBytes]. Nothing is ever removed.
	MaxBytes int64
}

// DecisionLog keeps one JSON line for each decision of one session, in files that
// only grow: decisions.jsonl, and those that it once was, which have a number in
// their names. It is safe for concurrent use, and several processes may append to
// one folder, each with a log of its own.
type DecisionLog struct {
	dir, path string
	session   string // marks the decisions of this log
	maxBytes  int64
	now       func() time.Time
	files     FileSystem

	mu       sync.Mutex
	disabled bool
	lastTime time.Time // of the last id given out
	firstID  string    // the first id given out, "" where none was
}

// NewDecisionLog returns the log of a new session. It touches no file before the
// first call.
func NewDecisionLog(cfg DecisionLogConfig) *DecisionLog {
	l := &DecisionLog{
		dir: cfg.Dir, path: filepath.Join(cfg.Dir, decisionFile), session: rand.Text()[:decisionIDRandom],
		maxBytes: cfg.MaxBytes, now: cfg.Now, files: cfg.Files, disabled: cfg.Disabled,
	}
	if l.maxBytes == 0 {
		l.maxBytes = DefaultLogBytes
	}
	if l.now == nil {
		l.now = time.Now
	}
	if l.files == nil {
		l.files = osFiles{}
	}
	return l
}

// SetDisabled turns the log off or on. What the files hold stays in them.
func (l *DecisionLog) SetDisabled(disabled bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.disabled = disabled
}

// Enabled reports whether decisions are kept.
func (l *DecisionLog) Enabled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.disabled
}

// Identify gives a decision the id, the mark of this log's session and the time with
// which Append writes it: for those who must name it before it stands.
func (l *DecisionLog) Identify(d Decision) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.identify(&d)
	return d
}

// Restore writes a decision that another session had identified and could not append
// any more. Where the log has it already, or is disabled, it writes nothing.
func (l *DecisionLog) Restore(d Decision) (written bool, err error) {
	_, known, err := l.Find(d.ID)
	if err != nil || known {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.disabled {
		return false, nil
	}
	return true, l.append(d)
}

// Append gives the decision its id and the mark of this log's session, where Identify
// has not, and its time where it has none, writes it and returns it. Without an error the line is
// on the disk (fsync). With one it may or may not be; the returned decision is
// complete all the same. A disabled log writes nothing and does not fail.
func (l *DecisionLog) Append(d Decision) (Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.ID == "" {
		l.identify(&d)
	}
	if l.firstID == "" {
		l.firstID = d.ID
	}
	if l.disabled {
		return d, nil
	}
	return d, l.append(d)
}

func (l *DecisionLog) append(d Decision) error {
	line, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("decision on %q cannot be written as JSON: %w", d.Label, err)
	}
	if err := l.write(append(line, '\n')); err != nil {
		return fmt.Errorf("the decision on %q is not kept, since the decision log %s cannot be written: %w",
			d.Label, l.path, err)
	}
	return nil
}

// identify sets the id, the session and the time. Ids of one log only grow, even
// where the clock stands still or goes back.
func (l *DecisionLog) identify(d *Decision) {
	now := l.now().UTC().Round(0)
	if d.Time.IsZero() {
		d.Time = now
	}
	if !now.After(l.lastTime) {
		now = l.lastTime.Add(time.Nanosecond)
	}
	l.lastTime = now
	d.ID = now.Format(decisionTimeFormat) + "-" + rand.Text()[:decisionIDRandom]
	d.Session = l.session
}

// write appends one line, which ends with a newline, and syncs it.
//
// The lock keeps another process from appending to a line that this one leaves
// torn, and from putting the file aside as well. Where there is none to be had the
// line is written all the same, in one write to a file opened for appending: what
// could be lost so is less than the decision.
func (l *DecisionLog) write(line []byte) (err error) {
	if err := l.files.MkdirAll(l.dir, 0o700); err != nil {
		return err
	}
	if release, lockErr := l.files.Lock(filepath.Join(l.dir, lockFile)); lockErr == nil {
		defer release()
		l.rotate()
	}
	f, err := l.files.OpenFile(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, torn, err := fileEnd(f)
	if err != nil {
		return err
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(line); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if size == 0 { // the file is new, and so is its name in the folder
		return syncDir(l.files, l.dir)
	}
	return nil
}
