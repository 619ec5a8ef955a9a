package lsp

import (
	"bytes"
	"maps"
	"os"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// documents are the open documents of one connection, by key.
type documents struct {
	mu    sync.Mutex
	byKey map[string]*document
	waits map[*expectation]bool
}

func newDocuments() *documents {
	return &documents{byKey: map[string]*document{}, waits: map[*expectation]bool{}}
}

// keyOf returns the key of the document that raw names.
func keyOf(raw string) (key string, isFile bool) {
	if path, ok := pathOf(raw); ok {
		return realPath(path), true
	}
	return raw, false
}

// put stores a new state of a document and tells those who wait for its text.
func (d *documents) put(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.byKey[doc.key] = doc
	for wait := range d.waits {
		wait.see(doc.key, doc.text)
	}
}

func (d *documents) open(raw string, version int32, content string) *document {
	key, isFile := keyOf(raw)
	doc := &document{uri: raw, key: key, isFile: isFile, version: version, text: []byte(content)}
	d.put(doc)
	return doc
}

// change makes the changes of one didChange; nil where the document is not open.
func (d *documents) change(raw string, version int32, changes []protocol.TextDocumentContentChangeEvent, enc text.Encoding) (*document, error) {
	doc := d.get(raw)
	if doc == nil {
		return nil, nil
	}
	next, err := doc.edited(version, changes, enc)
	if err != nil {
		return nil, err
	}
	d.put(next)
	return next, nil
}

func (d *documents) close(raw string) (key string) {
	key, _ = keyOf(raw)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byKey, key)
	return key
}

// get returns the document that any spelling of its URI names, nil if closed.
func (d *documents) get(raw string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.byKey {
		if doc.uri == raw {
			return doc
		}
	}
	key, _ := keyOf(raw)
	return d.byKey[key]
}

// at returns the open document at a key, nil if none.
func (d *documents) at(key string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byKey[key]
}

func (d *documents) snapshot() *snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &snapshot{byKey: maps.Clone(d.byKey), read: os.ReadFile}
}

// expectation waits until documents have been seen with certain texts, at
// whatever version: editors merge and delay their changes, and format afterwards.
type expectation struct {
	missing map[string][]byte // by key
	met     chan struct{}     // closed when nothing is missing
}

// expect starts to look for texts, by key. release ends it.
func (d *documents) expect(texts map[string][]byte) *expectation {
	e := &expectation{missing: maps.Clone(texts), met: make(chan struct{})}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waits[e] = true
	return e
}

// see is called with documents.mu held.
func (e *expectation) see(key string, content []byte) {
	wanted, waiting := e.missing[key]
	// An editor does not show the byte order mark that its file begins with.
	if waiting && bytes.Equal(withoutBOM(wanted), withoutBOM(content)) {
		e.strike(key)
	}
}

func (e *expectation) strike(key string) {
	delete(e.missing, key)
	if len(e.missing) == 0 {
		close(e.met)
	}
}

// confirm strikes a text that was seen elsewhere: on disk.
func (d *documents) confirm(e *expectation, key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, waiting := e.missing[key]; waiting {
		e.strike(key)
	}
}

// release ends e and returns the keys of the texts that were never seen.
func (d *documents) release(e *expectation) (missing []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.waits, e)
	for key := range e.missing {
		missing = append(missing, key)
	}
	return missing
}

func withoutBOM(content []byte) []byte { return bytes.TrimPrefix(content, []byte(text.BOM)) }
