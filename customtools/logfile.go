package customtools

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

const (
	// maxLogFile is where a file of the log is put aside, in bytes, and keptLogs how
	// many files there are at most (customtools.md 9).
	maxLogFile = 10 << 20
	keptLogs   = 5

	// logLock is held while files are put aside or removed; whoever holds it for
	// longer than logLockWait has stopped.
	logLock     = "xcsh.lock"
	logLockWait = time.Second
)

// LogDir is the folder of the tools' log.
func (e Environment) LogDir() string { return e.userConfig("logs") }

// LogFile is what the loggers of tools write to: a JSON object a line, in a file
// a day. All servers of a user share it, and none waits for another to append: a
// write is of whole lines, and one that comes while the file is put aside is in that.
// Our own code rotates it, since the usual libraries take a file for one process's.
type LogFile struct {
	dir string
	now func() time.Time
	pid int
}

// NewLogFile returns the log in dir. It touches no file before the first entry.
func NewLogFile(dir string, now func() time.Time) *LogFile {
	return &LogFile{dir: dir, now: now, pid: os.Getpid()}
}

// Write appends the entries, in one write where they fit into the file. They are
// written also where a full file cannot be put aside; the error says so.
func (l *LogFile) Write(entries ...LogEntry) error {
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return fmt.Errorf("the tools' log cannot be written: %w", err)
	}
	var errs []error
	var text []byte
	for _, e := range entries {
		line := logLine(e, l.now(), l.pid)
		if len(text) > 0 && len(text)+len(line) > maxLogFile/2 { // so that no file is far over its size
			errs = append(errs, l.append(text))
			text = nil
		}
		text = append(text, line...)
	}
	return errors.Join(append(errs, l.append(text))...)
}

func (l *LogFile) append(text []byte) error {
	day := l.now().Format(time.DateOnly)
	path := filepath.Join(l.dir, "xcsh."+day+".log")
	var rotated error
	if begins, full := logState(path, len(text)); begins || full {
		rotated = l.rotate(path, day, len(text))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return errors.Join(rotated, fmt.Errorf("the tools' log cannot be opened: %w", err))
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(rotated, fmt.Errorf("the tools' log cannot be written: %w", err))
	}
	return rotated
}

// logState reports whether the file is not there yet, and whether more bytes would
// make it too big.
func logState(path string, more int) (begins, full bool) {
	info, err := os.Stat(path)
	if err != nil {
		return true, false
	}
	return false, info.Size() > 0 && info.Size()+int64(more) > maxLogFile
}

// rotate puts the file at path aside where it is full, unless another server has
// done that meanwhile, and removes what is too old.
func (l *LogFile) rotate(path, day string, more int) error {
	release, err := filelock.Acquire(filepath.Join(l.dir, logLock), logLockWait)
	if err != nil {
		return fmt.Errorf("the tools' log cannot be put aside: %w", err)
	}
	defer release()
	if _, full := logState(path, more); full {
		if err := l.putAside(path, day); err != nil {
			return fmt.Errorf("the tools' log cannot be put aside: %w", err)
		}
	}
	return l.prune(path)
}

// logName is the name of a file of the log; a day's full files are numbered.
type logName struct {
	name, day string
	number    int // 0 for the one that is written to, the newest of its day
}

// list returns the files of the log, oldest first.
func (l *LogFile) list() ([]logName, error) {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, err
	}
	pattern := regexp.MustCompile(`^xcsh\.(\d{4}-\d\d-\d\d)(?:\.(\d{1,9}))?\.log$`)
	var names []logName
	for _, entry := range entries {
		if m := pattern.FindStringSubmatch(entry.Name()); m != nil {
			number, _ := strconv.Atoi(m[2]) // none is 0
			names = append(names, logName{m[0], m[1], number})
		}
	}
	slices.SortFunc(names, func(a, b logName) int {
		newest := func(n logName) int {
			if n.number == 0 {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(newest(a), newest(b)), cmp.Compare(a.number, b.number))
	})
	return names, nil
}

// putAside numbers a full file: the highest number of a day is its newest.
func (l *LogFile) putAside(path, day string) error {
	names, err := l.list()
	if err != nil {
		return err
	}
	last := 0
	for _, n := range names {
		if n.day == day {
			last = max(last, n.number)
		}
	}
	return os.Rename(path, filepath.Join(l.dir, fmt.Sprintf("xcsh.%s.%d.log", day, last+1)))
}

// prune removes the oldest files beyond those that are kept; the one at path, which
// may be about to begin, is among these.
func (l *LogFile) prune(path string) error {
	names, err := l.list()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(n logName) bool { return n.name == filepath.Base(path) })
	for _, n := range names[:max(0, len(names)+1-keptLogs)] {
		if err := os.Remove(filepath.Join(l.dir, n.name)); err != nil {
			return fmt.Errorf("an old file of the tools' log cannot be removed: %w", err)
		}
	}
	return nil
}
