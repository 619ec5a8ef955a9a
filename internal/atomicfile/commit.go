package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

func (tx *Transaction) commit(check, done func() error) error {
	if err := tx.verify(check); err != nil {
		return withCleanup(err, tx.removeTemps())
	}
	if len(tx.files) > 0 {
		tx.left = InDoubt
	}
	if err := tx.replaceAll(); err != nil {
		return tx.rollBack(err)
	}
	if done != nil {
		if err := done(); err != nil {
			return tx.rollBack(err)
		}
	}
	for _, s := range tx.files {
		if tx.remove(s.Backup) != nil {
			tx.leftovers = append(tx.leftovers, s.Backup)
		}
	}
	tx.left = HiddenFiles
	if _, err := tx.syncDirs(); err == nil && tx.leftovers == nil {
		tx.left = Nothing
	}
	return nil
}

func (tx *Transaction) verify(check func() error) error {
	for _, s := range tx.files {
		if err := tx.verifyFile(s); err != nil {
			return err
		}
	}
	if check == nil {
		return nil
	}
	return check()
}

// verifyFile compares the file with the one that was staged: a link that points
// elsewhere or a new mode is a change as well, since it would be lost.
func (tx *Transaction) verifyFile(s *staged) error {
	same, err := tx.unchanged(s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ChangedError{Path: s.Path}
	case err != nil:
		return writeError(s.Path, err)
	case !same:
		return &ChangedError{Path: s.Path}
	}
	return nil
}

func (tx *Transaction) unchanged(s *staged) (bool, error) {
	real, err := tx.fsys.EvalSymlinks(s.Path)
	if err != nil || real != s.Real {
		return false, err
	}
	info, err := tx.fsys.Stat(real)
	if err != nil || info.Mode() != s.info.Mode() {
		return false, err
	}
	content, err := tx.fsys.ReadFile(real)
	return bytes.Equal(content, s.write.Old), err
}

// replaceAll keeps every old file under a second name, and only when that is on
// disk gives the new ones their places: whatever ends the program or the machine,
// a file that is new has its old text beside it.
func (tx *Transaction) replaceAll() error {
	if err := tx.backUpAll(); err != nil {
		return err
	}
	if s, err := tx.syncDirs(); err != nil {
		return writeError(s.Path, err)
	}
	for _, s := range tx.files {
		if err := tx.replace(s); err != nil {
			return err
		}
	}
	if s, err := tx.syncDirs(); err != nil {
		return writeError(s.Path, err)
	}
	return tx.verifyBackups()
}

func (tx *Transaction) backUpAll() error {
	var copies []string
	for _, s := range tx.files {
		if err := tx.backUp(s); err != nil {
			return writeError(s.Path, err)
		}
		if !s.linked {
			copies = append(copies, s.Backup)
		}
	}
	if failed, err := tx.fsys.SyncFiles(copies); err != nil {
		at := slices.IndexFunc(tx.files, func(s *staged) bool { return s.Backup == failed })
		return writeError(tx.files[max(0, at)].Path, err)
	}
	return nil
}

func (tx *Transaction) backUp(s *staged) error {
	// From here on the backup may exist, even where the system says it does not.
	s.backedUp = true
	// A link costs nothing and keeps the file itself, but not every file system
	// has links and not every file may be linked to.
	if tx.fsys.Link(s.Real, s.Backup) == nil {
		s.linked = true
		return nil
	}
	err := tx.writeFile(s.Backup, s.write.Old, s.info)
	if errors.Is(err, fs.ErrExist) { // the link was made, although that failed
		s.linked = true
		return nil
	}
	return err
}

// replace looks at the file once more: since all were compared, time has passed.
func (tx *Transaction) replace(s *staged) error {
	if err := tx.verifyFile(s); err != nil {
		return err
	}
	s.tried = true
	if err := tx.fsys.Rename(s.Temp, s.Real); err != nil {
		return writeError(s.Path, err)
	}
	s.replaced = true
	return nil
}

// verifyBackups finds what a program wrote into an old file, that it had open,
// while that was being replaced: the backup is the same file.
func (tx *Transaction) verifyBackups() error {
	for _, s := range tx.files {
		if !s.linked {
			continue
		}
		content, err := tx.fsys.ReadFile(s.Backup)
		if err != nil {
			return writeError(s.Path, err)
		}
		if !bytes.Equal(content, s.write.Old) {
			return &ChangedError{Path: s.Path}
		}
	}
	return nil
}

// syncDirs forces the entries of all folders to disk. Where that fails, it says
// for which file.
func (tx *Transaction) syncDirs() (*staged, error) {
	first := make(map[string]*staged)
	var dirs []string
	for _, s := range tx.files {
		dir := filepath.Dir(s.Real)
		if first[dir] == nil {
			first[dir] = s
			dirs = append(dirs, dir)
		}
	}
	failed, err := tx.fsys.SyncDirs(dirs)
	if err != nil {
		return first[failed], err
	}
	return nil, nil
}

// rollBack puts back every file that was replaced and removes what is left of
// the transaction. The backup of a file that it could not put back stays: it is
// the only copy of the old text.
func (tx *Transaction) rollBack(cause error) error {
	var inDoubt []string
	var cleanup []error
	for _, s := range tx.files {
		err := tx.putBack(s)
		if !s.replaced {
			cleanup = append(cleanup, tx.remove(s.Temp))
		}
		if err != nil {
			inDoubt = append(inDoubt, s.Path)
			cause = fmt.Errorf("%w; %s was not put back: %w (its old text is in %s)", cause, s.Path, reason(err), s.Backup)
			continue
		}
		if s.backedUp {
			cleanup = append(cleanup, tx.remove(s.Backup))
		}
	}
	// What was put back is made to last as well.
	s, syncErr := tx.syncDirs()
	if syncErr != nil {
		cleanup = append(cleanup, fmt.Errorf("could not make sure that %s is on disk: %w", s.Path, reason(syncErr)))
	}
	err := errors.Join(cleanup...)
	switch {
	case inDoubt != nil:
		cause = &InDoubtError{Paths: inDoubt, Err: cause}
	case err != nil:
		tx.left = HiddenFiles
	default:
		tx.left = Nothing
	}
	return withCleanup(cause, err)
}

// putBack undoes the replacement of one file, if there was any. A rename that
// failed can have happened all the same (on a network), so the file itself is
// asked. What somebody else has written since is not overwritten.
func (tx *Transaction) putBack(s *staged) error {
	if !s.tried {
		return nil
	}
	content, err := tx.fsys.ReadFile(s.Real)
	switch {
	case err != nil && !s.replaced:
		return err
	case !s.replaced && bytes.Equal(content, s.write.Old):
		return nil
	case err != nil || bytes.Equal(content, s.write.New):
		return tx.fsys.Rename(s.Backup, s.Real)
	case !s.replaced:
		return nil
	}
	return errors.New("it was changed again meanwhile")
}
