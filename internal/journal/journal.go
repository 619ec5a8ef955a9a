package journal

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// Journal is the journal of one workspace. It is safe for concurrent use, by
// several processes as well.
type Journal struct {
	fsys atomicfile.FS
	dir  string
	turn string
	now  func() time.Time
}

// New returns the journal that lives in the folder dir; turn is the file that all
// processes of the user lock to write, in a folder above dir. It touches nothing: the
// folder is made when the first apply begins.
func New(fsys atomicfile.FS, dir, turn string, now func() time.Time) *Journal {
	return &Journal{fsys: fsys, dir: dir, turn: turn, now: now}
}

// Dir returns the journal's folder.
func (j *Journal) Dir() string { return j.dir }

func (j *Journal) path(id, ending string) string { return filepath.Join(j.dir, id+"."+ending) }

// Entry is the record of an apply that goes on.
type Entry struct {
	journal *Journal
	id      string
	step    step
	lock    io.Closer
}

// Apply is what an apply is about to do.
type Apply struct {
	Label string
	// Planned are the names of what is made for Writes, in their order.
	Planned   []atomicfile.Staged
	Writes    []atomicfile.Write
	Documents []Document
	// Decision is what the host keeps of the apply once it is final, and is handed to
	// the next one where this one does not get to it; the journal does not read it.
	Decision json.RawMessage
}

// Begin records an apply before it touches anything. Where it fails, nothing is recorded and
// nothing may be written. An Entry must be closed.
func (j *Journal) Begin(apply Apply) (*Entry, error) {
	r := record{Version: recordVersion, Label: apply.Label, Began: j.now(), Documents: apply.Documents, Decision: apply.Decision}
	for i, s := range apply.Planned {
		r.Files = append(r.Files, newFile(s, apply.Writes[i]))
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := j.fsys.MkdirAll(j.dir); err != nil {
		return nil, err
	}
	e := &Entry{journal: j, id: rand.Text()}
	// Another process that starts just now may take the lock of what it finds, to
	// see that there is nothing to recover: a few new names get past that.
	for range 8 {
		if e.lock, err = j.fsys.Lock(j.path(e.id, locked)); !errors.Is(err, filelock.ErrBusy) {
			break
		}
		e.id = rand.Text()
	}
	if err != nil {
		return nil, err
	}
	if err := j.write(e.id, data); err != nil {
		return nil, errors.Join(err, j.remove(e.id, unwritten, string(begun)), e.unlock())
	}
	e.step = begun
	return e, nil
}

// write makes a record whole under another name: one that has its own is complete.
func (j *Journal) write(id string, data []byte) error {
	f, err := j.fsys.Create(j.path(id, unwritten))
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := j.fsys.Rename(j.path(id, unwritten), j.path(id, string(begun))); err != nil {
		return err
	}
	return j.fsys.SyncDir(j.dir)
}

// Asked records that the editor is about to be asked to change documents.
func (e *Entry) Asked() error { return e.mark(asked) }

// Done makes the apply final: after it, a crash undoes nothing. Where it fails the
// apply is not final.
func (e *Entry) Done() error { return e.mark(done) }

func (e *Entry) mark(next step) error {
	j := e.journal
	from, to := j.path(e.id, string(e.step)), j.path(e.id, string(next))
	if err := j.fsys.Rename(from, to); err != nil {
		// It can have happened all the same (on a network).
		if _, statErr := j.fsys.Stat(to); statErr != nil {
			return fmt.Errorf("keep the journal: %w", err)
		}
	}
	if err := j.fsys.SyncDir(j.dir); err != nil {
		// What the record says must be what the apply goes on to do. Where it cannot
		// be taken back, the step is taken: only a power failure can lose it.
		if j.fsys.Rename(to, from) == nil {
			return fmt.Errorf("keep the journal: %w", err)
		}
	}
	e.step = next
	return nil
}

// Close ends the record of an apply that has ended and left this. The record stays
// where something is left for [Journal.Recover]; an error says that it stays although
// nothing is.
func (e *Entry) Close(left atomicfile.Left) error {
	j := e.journal
	var err error
	switch {
	case left == atomicfile.Nothing:
		err = j.remove(e.id, string(begun), string(asked), string(done), string(undone))
	case left == atomicfile.HiddenFiles && e.step.outcome() == Undone:
		err = e.mark(undone)
	}
	if left != atomicfile.Nothing || err != nil {
		return errors.Join(err, e.lock.Close())
	}
	return e.unlock()
}

// remove removes files of an apply and makes that last.
func (j *Journal) remove(id string, endings ...string) error {
	var errs []error
	for _, ending := range endings {
		if err := j.fsys.Remove(j.path(id, ending)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, j.fsys.SyncDir(j.dir))...)
}

func (e *Entry) unlock() error { return e.journal.unlock(e.id, e.lock) }

// unlock lets go of a lock whose record is gone, and then removes its file: Windows
// has no other order. Whoever gets the lock in between finds no record; where the
// file cannot be removed, the next start does it.
func (j *Journal) unlock(id string, lock io.Closer) error {
	err := lock.Close()
	_ = j.fsys.Remove(j.path(id, locked))
	return err
}
