package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/diskfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// document is an open document at one version. It is immutable: a change makes a
// new one.
type document struct {
	uri     string // byte for byte as the client wrote it
	key     string // the real path of a file, the URI of anything else
	isFile  bool
	version int32
	text    []byte
	// lost: a change could not be made, and the text is the last one known. What
	// follows says how that text changes and is of no use, until a whole text comes.
	lost bool

	once   sync.Once
	mapper *text.Mapper
}

// positions returns the document's position mapper, made on first use.
func (d *document) positions() *text.Mapper {
	d.once.Do(func() { d.mapper = text.NewMapper(d.text) })
	return d.mapper
}

// contentChange is one change of a didChange; without a range, the whole text.
type contentChange struct {
	Range *protocol.Range `json:"range"`
	Text  *string         `json:"text"`
}

// textLost is what the human is told about a document that is lost.
const textLost = "xcsh has lost track of the text of %s. Close it and open it again."

// asLost returns the document as one whose text is not known any more.
func (d *document) asLost() *document {
	return &document{uri: d.uri, key: d.key, isFile: d.isFile, version: d.version, text: d.text, lost: true}
}

// edited returns the document after the changes of one didChange.
func (d *document) edited(version int32, changes []contentChange, enc text.Encoding) (*document, error) {
	if d.lost {
		whole := slices.IndexFunc(changes, func(c contentChange) bool { return c.Range == nil })
		if whole < 0 {
			return d, nil
		}
		changes = changes[whole:]
	}
	next := &document{uri: d.uri, key: d.key, isFile: d.isFile, version: version}
	current := d
	for len(changes) > 0 {
		content, used, err := current.applyRun(changes, enc)
		if err != nil {
			return nil, fmt.Errorf("change of %s to version %d: %w", d.uri, version, err)
		}
		changes = changes[used:]
		current = &document{text: content}
	}
	next.text = current.text
	return next, nil
}

// applyRun applies the longest run of changes that can be mapped against one
// text: each lies before the one applied before it, so none moves another.
// Editors send the many changes of one edit in that order, and mapping each
// against a text of its own would cost a copy of the document a change.
func (d *document) applyRun(changes []contentChange, enc text.Encoding) (content []byte, used int, err error) {
	var edits []text.Edit
	for _, change := range changes {
		if change.Text == nil {
			return nil, 0, errors.New("a change has no text")
		}
		if change.Range == nil {
			if used == 0 {
				return []byte(*change.Text), 1, nil
			}
			break
		}
		span, err := spanOf(d.positions(), *change.Range, enc)
		if err != nil {
			return nil, 0, err
		}
		if used > 0 && span.End > edits[used-1].Start {
			break
		}
		if used > 0 && span.End == edits[used-1].Start {
			break // touching edits would have to be ordered by hand
		}
		edits = append(edits, text.Edit{Span: span, New: *change.Text})
		used++
	}
	content, err = text.Apply(d.text, edits)
	return content, used, err
}

// snapshot is the open documents of one moment. It implements
// astedit.Documents.
type snapshot struct {
	byKey map[string]*document
}

// OpenText implements astedit.Documents.
func (s *snapshot) OpenText(path string) ([]byte, bool) {
	if d := s.byKey[path]; d != nil {
		return d.text, true
	}
	return nil, false
}

// OpenPaths implements astedit.Documents.
func (s *snapshot) OpenPaths() []string {
	var paths []string
	for key, d := range s.byKey {
		if d.isFile {
			paths = append(paths, key)
		}
	}
	return paths
}

// ReadFile implements astedit.Documents.
func (s *snapshot) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// ReadInto implements astedit.BufferedDocuments.
func (s *snapshot) ReadInto(path string, buffer []byte) ([]byte, error) {
	return diskfile.ReadInto(path, buffer)
}

func sameText(d *document, content []byte) bool { return d != nil && bytes.Equal(d.text, content) }
