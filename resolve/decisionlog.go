package resolve

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	decisionFile = "decisions.jsonl"

	// DefaultDecisionLimit is how many decisions List returns where no limit
	// is asked for: a page that a person can still scroll through.
	DefaultDecisionLimit = 100

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
}

// DecisionLog keeps one JSON line for each decision in a file that only grows.
// It is safe for concurrent use, and several processes may append to one file:
// each line goes out in one write to a file opened for appending.
type DecisionLog struct {
	dir, path string
	now       func() time.Time
	files     FileSystem

	mu       sync.Mutex
	disabled bool
	lastTime time.Time // of the last id given out
}

// NewDecisionLog returns a log. It touches no file before the first call.
func NewDecisionLog(cfg DecisionLogConfig) *DecisionLog {
	l := &DecisionLog{
		dir: cfg.Dir, path: filepath.Join(cfg.Dir, decisionFile),
		now: cfg.Now, files: cfg.Files, disabled: cfg.Disabled,
	}
	if l.now == nil {
		l.now = time.Now
	}
	if l.files == nil {
		l.files = osFiles{}
	}
	return l
}

// SetDisabled turns the log off or on. What the file holds stays in it.
func (l *DecisionLog) SetDisabled(disabled bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.disabled = disabled
}

// Append gives the decision its id, and its time where it has none, writes it
// and returns it. Without an error the line is on the disk (fsync). With one
// it may or may not be; the returned decision is complete all the same. A
// disabled log writes nothing and does not fail.
func (l *DecisionLog) Append(d Decision) (Decision, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.identify(&d)
	if l.disabled {
		return d, nil
	}
	line, err := json.Marshal(d)
	if err != nil {
		return d, fmt.Errorf("decision on %q cannot be written as JSON: %w", d.Label, err)
	}
	if err := l.write(append(line, '\n')); err != nil {
		return d, fmt.Errorf("the decision on %q is not kept, since the decision log %s cannot be written: %w",
			d.Label, l.path, err)
	}
	return d, nil
}

// identify sets the id and the time. Ids of one log only grow, even where the
// clock stands still or goes back.
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
}

// write appends one line, which ends with a newline, and syncs it.
func (l *DecisionLog) write(line []byte) (err error) {
	if err := l.files.MkdirAll(l.dir, 0o700); err != nil {
		return err
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

// List returns decisions, newest first: at most limit of them (a limit below 1
// means [DefaultDecisionLimit]), of those older than the one with the id before
// where it is not empty, and only those on pendingID where that is not empty.
// Pending ids begin again with each session, so pendingID may find decisions of
// earlier ones, after those of this one.
//
// Newest means written last. Lines that a crash left incomplete are skipped. A
// missing file is an empty log; a before that is not in the log is an error.
func (l *DecisionLog) List(limit int, before, pendingID string) ([]Decision, error) {
	if l.isDisabled() {
		return []Decision{}, nil
	}
	if limit < 1 {
		limit = DefaultDecisionLimit
	}
	f, err := l.files.OpenFile(l.path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return l.page(nil, limit, before, pendingID)
	}
	if err != nil {
		return nil, fmt.Errorf("the decision log %s cannot be opened: %w", l.path, err)
	}
	defer f.Close()
	return l.page(f, limit, before, pendingID)
}

// page picks the decisions of one List call; a nil f is an empty file.
func (l *DecisionLog) page(f File, limit int, before, pendingID string) ([]Decision, error) {
	decisions := []Decision{}
	older := before == ""
	for line, err := range linesBackward(f) {
		if err != nil {
			return nil, fmt.Errorf("the decision log %s cannot be read: %w", l.path, err)
		}
		var d Decision
		if json.Unmarshal(line, &d) != nil || d.ID == "" {
			continue
		}
		if older && (pendingID == "" || d.PendingID == pendingID) {
			if decisions = append(decisions, d); len(decisions) == limit {
				break
			}
		}
		older = older || d.ID == before
	}
	if !older {
		return nil, &ParamError{"before", fmt.Sprintf("names no decision of the log: %q", before)}
	}
	return decisions, nil
}

func (l *DecisionLog) isDisabled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.disabled
}
