package lsp

import (
	"bytes"
	"fmt"
	"sync"

	"go.lsp.dev/protocol"

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

	once   sync.Once
	mapper *text.Mapper
}

// positions returns the document's position mapper, made on first use.
func (d *document) positions() *text.Mapper {
	d.once.Do(func() { d.mapper = text.NewMapper(d.text) })
	return d.mapper
}

// edited returns the document after the changes of one didChange.
func (d *document) edited(version int32, changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) (*document, error) {
	next := &document{uri: d.uri, key: d.key, isFile: d.isFile, version: version}
	current := d
	for len(changes) > 0 {
		content, used, err := current.applyRun(changes, enc)
		if err != nil {
			return nil, fmt.Errorf("change of %s to version %d: %w; the client and the server disagree about its text, reopen it", d.uri, version, err)
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
func (d *document) applyRun(changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) (content []byte, used int, err error) {
	var edits []text.Edit
	for _, change := range changes {
		partial, ok := change.(*protocol.TextDocumentContentChangePartial)
		if !ok {
			if used == 0 {
				whole := change.(*protocol.TextDocumentContentChangeWholeDocument)
				return []byte(whole.Text), 1, nil
			}
			break
		}
		span, err := spanOf(d.positions(), partial.Range, enc)
		if err != nil {
			return nil, 0, err
		}
		if used > 0 && span.End > edits[used-1].Start {
			break
		}
		if used > 0 && span.End == edits[used-1].Start {
			break // touching edits would have to be ordered by hand
		}
		edits = append(edits, text.Edit{Span: span, New: partial.Text})
		used++
	}
	content, err = text.Apply(d.text, edits)
	return content, used, err
}

// snapshot is the open documents of one moment. It implements
// astedit.Documents.
type snapshot struct {
	byKey map[string]*document
	read  func(path string) ([]byte, error)
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
func (s *snapshot) ReadFile(path string) ([]byte, error) { return s.read(path) }

func sameText(d *document, content []byte) bool { return d != nil && bytes.Equal(d.text, content) }
