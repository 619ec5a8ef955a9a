package customtools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
)

const (
	trustFile = "trust.json"

	// trustLockWait is how long another process may hold the file: it writes a
	// small one, which takes milliseconds.
	trustLockWait = 5 * time.Second
)

// TrustStore is the file of the workspaces that were trusted. It lies in the
// state folder, never in a workspace, and is readable for the user only.
type TrustStore struct{ dir string }

// NewTrustStore returns the store in a state folder, which it creates when it
// is needed.
func NewTrustStore(dir string) *TrustStore { return &TrustStore{dir} }

type trustList struct {
	Version    int               `json:"version"`
	Workspaces map[string]string `json:"workspaces"` // path → digest
}

// Digest returns what was trusted of a workspace, "" for nothing. A file that
// is damaged trusts nobody, and is an error.
func (s *TrustStore) Digest(workspace string) (string, error) {
	list, err := s.read()
	return list.Workspaces[workspace], err
}

// Remember writes that the workspace was trusted with the digest. A damaged
// file is replaced: nobody was trusted by it.
func (s *TrustStore) Remember(workspace, digest string) (err error) {
	if err := statedir.Ensure(s.dir); err != nil {
		return err
	}
	release, err := filelock.Acquire(s.path()+".lock", trustLockWait)
	if err != nil {
		return fmt.Errorf("the trust list %s is in use: %w", s.path(), err)
	}
	defer release()
	list, err := s.read()
	if err != nil || list.Workspaces == nil {
		list.Workspaces = map[string]string{}
	}
	list.Version = 1
	list.Workspaces[workspace] = digest
	if err := s.write(list); err != nil {
		return fmt.Errorf("the trust list %s cannot be written: %w", s.path(), err)
	}
	return nil
}

func (s *TrustStore) path() string { return filepath.Join(s.dir, trustFile) }

func (s *TrustStore) read() (trustList, error) {
	text, err := os.ReadFile(s.path())
	if errors.Is(err, os.ErrNotExist) {
		return trustList{}, nil
	}
	var list trustList
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(text)).Decode(&list)
	}
	if err != nil {
		return trustList{}, fmt.Errorf("the trust list %s cannot be read, so no workspace is trusted: %w", s.path(), err)
	}
	return list, nil
}

// write replaces the file: a reader sees the old list or the new one.
func (s *TrustStore) write(list trustList) error {
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, trustFile+".*") // for the user only
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.path())
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
