package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// recordVersion is the format of records; one of another version is left alone.
const recordVersion = 1

// record is what an apply is about to touch.
type record struct {
	Version   int        `json:"version"`
	Label     string     `json:"label"`
	Began     time.Time  `json:"began"`
	Files     []file     `json:"files,omitzero"`
	Documents []Document `json:"documents,omitzero"`

	Decision json.RawMessage `json:"decision,omitzero"`
}

// file is one file on disk. Before and After are content hashes.
type file struct {
	Path   string      `json:"path"` // as the user knows it
	Real   string      `json:"real"` // with symbolic links followed
	Temp   string      `json:"temp"`
	Backup string      `json:"backup"`
	Before string      `json:"before"`
	After  string      `json:"after"`
	Mode   fs.FileMode `json:"mode"`
}

// Document is one document that an apply changes through an editor.
type Document struct {
	Path string `json:"path"`
	// Before and After are hashes of its text without a byte order mark.
	Before string `json:"before"`
	After  string `json:"after"`
}

// NewDocument returns the document at path whose text changes from before to after.
func NewDocument(path string, before, after []byte) Document {
	return Document{Path: path, Before: documentHash(before), After: documentHash(after)}
}

// documentHash is the same for a file and the document that an editor shows of it.
func documentHash(content []byte) string {
	return text.Hash(bytes.TrimPrefix(content, []byte(text.BOM)))
}

func newFile(s atomicfile.Staged, w atomicfile.Write) file {
	return file{
		Path: s.Path, Real: s.Real, Temp: s.Temp, Backup: s.Backup, Mode: s.Mode,
		Before: text.Hash(w.Old), After: text.Hash(w.New),
	}
}

func readRecord(data []byte) (*record, error) {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.Version != recordVersion {
		return nil, fmt.Errorf("it has version %d, and this program knows %d", r.Version, recordVersion)
	}
	for _, f := range r.Files {
		if !f.isOurs() {
			return nil, errors.New("it names files that no apply makes")
		}
	}
	return &r, nil
}

// isOurs guards against removing what is not ours by a damaged record.
func (f file) isOurs() bool {
	for _, hidden := range []string{f.Temp, f.Backup} {
		if filepath.Dir(hidden) != filepath.Dir(f.Real) || !atomicfile.IsTemp(filepath.Base(hidden)) {
			return false
		}
	}
	return filepath.IsAbs(f.Real)
}

// step is how far an apply got: the ending of its record's name.
type step string

const (
	begun  step = "begun"
	asked  step = "asked"
	done   step = "done"
	undone step = "undone"

	// Files beside a record: one that is being written, and the lock.
	unwritten = "new"
	locked    = "lock"
)

func steps() []step { return []step{begun, asked, done, undone} }

// idOf returns the id of the apply whose file this is, "" where it is none.
func idOf(name string) string {
	id, ending, _ := strings.Cut(name, ".")
	switch ending {
	case unwritten, locked, string(begun), string(asked), string(done), string(undone):
		return id
	}
	return ""
}
