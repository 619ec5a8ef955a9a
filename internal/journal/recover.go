package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// Recovered is what became of one apply that was cut off. Paths are absolute, as
// the user knows them.
type Recovered struct {
	Label   string
	Began   time.Time
	Outcome Outcome
	// Restored are the files that were put back now.
	Restored []string
	// LeftAlone are files that somebody has changed since.
	LeftAlone []Kept
	// Failed are files that could not be put back; the next start tries again.
	Failed []Kept
	// InDoubt are documents that an editor may or may not show, or have saved, with
	// the text that goes with the files.
	InDoubt []string
	// Untidy says which hidden files could not be removed, which folders not be synced,
	// and why the decision could not be kept; nil where all is well. The next start tries again.
	Untidy error
}

// Outcome is the direction in which an apply was made whole.
type Outcome string

const (
	// Undone: every file has its old content.
	Undone Outcome = "undone"
	// Applied: the apply was final; every file has its new content.
	Applied Outcome = "applied"
	// Tidied: the apply had failed, was undone then, and only left hidden files.
	Tidied Outcome = "tidied"
)

func (s step) outcome() Outcome {
	switch s {
	case done:
		return Applied
	case undone:
		return Tidied
	}
	return Undone
}

// Kept is a file that does not have the content that it should.
type Kept struct {
	Path string
	// Backup holds its old text; "" where there is none.
	Backup string
	Err    error // nil for one that was changed since
}

// errOpen keeps a file from being put back: the editor has the say over it.
var errOpen = errors.New("open in the editor")

// Hooks are what a recovery asks its host. Both may be nil.
type Hooks struct {
	// IsOpen tells of files that an editor has open: they are not written.
	IsOpen func(path string) bool
	// Applied is given the Decision of an apply that was final, to keep it if that was
	// not done. After an error the next recovery hands it over again.
	Applied func(decision json.RawMessage) error
}

// Recover undoes every apply that was cut off before it was final, tidies up after
// the others, and returns what became of them, the latest first. Applies that go on,
// here or in other processes, are left alone. The error names records that
// could not be read, or that stay although all is undone; what is returned with it
// was done all the same. Until they are settled, nothing else may be written.
//
// It may be cut off itself, at any moment: the next one goes on from there.
func (j *Journal) Recover(hooks Hooks) ([]Recovered, error) {
	names, err := j.fsys.ReadDir(j.dir)
	if err != nil && !isGone(err) {
		return nil, err
	}
	dead, err := j.claim(names)
	// Of two that touched the same file, the later one found what the earlier left.
	slices.SortStableFunc(dead, func(a, b *claimed) int { return b.record.Began.Compare(a.record.Began) })
	errs := []error{err}
	var out []Recovered
	if len(dead) > 0 {
		turn, err := j.Turn(context.Background())
		if err != nil {
			for _, c := range dead {
				errs = append(errs, c.lock.Close())
			}
			return nil, errors.Join(append(errs, err)...)
		}
		defer turn.Close()
	}
	for _, c := range dead {
		told, err := j.settle(c, hooks)
		out = append(out, told)
		errs = append(errs, err)
	}
	return out, errors.Join(errs...)
}

// claimed is a record whose lock we hold.
type claimed struct {
	id     string
	step   step
	record *record
	lock   io.Closer
}

// claim locks the records that nobody holds any more. What was cut off before its
// record was complete has touched nothing, and is removed.
func (j *Journal) claim(names []string) ([]*claimed, error) {
	var out []*claimed
	var errs []error
	var ids []string
	for _, name := range names {
		if id := idOf(name); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		lock, err := j.fsys.Lock(j.path(id, locked))
		if errors.Is(err, filelock.ErrBusy) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c, err := j.read(id, lock)
		switch {
		case err != nil:
			errs = append(errs, err, lock.Close())
		case c == nil:
			errs = append(errs, j.remove(id, unwritten), j.unlock(id, lock))
		default:
			out = append(out, c)
		}
	}
	return out, errors.Join(errs...)
}

// read returns nil where there is no record.
func (j *Journal) read(id string, lock io.Closer) (*claimed, error) {
	for _, step := range steps() {
		path := j.path(id, string(step))
		data, err := j.fsys.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := readRecord(data)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w; remove it when the files of that apply are right", path, err)
		}
		return &claimed{id, step, r, lock}, nil
	}
	return nil, nil
}

// settle puts one apply right.
func (j *Journal) settle(c *claimed, hooks Hooks) (Recovered, error) {
	r := &restorer{fsys: j.fsys, isOpen: hooks.IsOpen, keep: map[string]bool{}, dirs: map[string]bool{}}
	if c.step.outcome() == Undone {
		for _, f := range c.record.Files {
			r.undo(f)
		}
	}
	for _, f := range c.record.Files {
		r.tidy(f)
	}
	r.sync()
	if c.step.outcome() == Applied && c.record.Decision != nil && hooks.Applied != nil {
		if err := hooks.Applied(c.record.Decision); err != nil {
			r.errs = append(r.errs, err)
		}
	}
	told := Recovered{
		Label: c.record.Label, Began: c.record.Began, Outcome: c.step.outcome(),
		Restored: r.restored, LeftAlone: r.leftAlone, Failed: r.failed, InDoubt: j.inDoubt(c), Untidy: errors.Join(r.errs...),
	}
	e := &Entry{journal: j, id: c.id, step: c.step, lock: c.lock}
	err := e.Close(r.left())
	if c.step.outcome() != Undone { // it does no harm to look again
		told.Untidy, err = errors.Join(told.Untidy, err), nil
	}
	return told, err
}

// inDoubt returns the documents of an apply that may not show what its files hold.
func (j *Journal) inDoubt(c *claimed) (paths []string) {
	for _, doc := range c.record.Documents {
		switch c.step {
		case asked:
			paths = append(paths, doc.Path)
		case done: // all have been seen with their new texts, but maybe not saved
			content, err := j.fsys.ReadFile(doc.Path)
			if err != nil || documentHash(content) != doc.After {
				paths = append(paths, doc.Path)
			}
		}
	}
	return paths
}
