package lsp

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// documents are the open documents of one connection, by key.
type documents struct {
	mu    sync.Mutex
	byKey map[string]*document
	byURI map[string]string // the key that a spelling was opened under
	waits map[*expectation]bool
}

func newDocuments() *documents {
	return &documents{byKey: map[string]*document{}, byURI: map[string]string{}, waits: map[*expectation]bool{}}
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
	d.byURI[doc.uri] = doc.key
	d.show(doc)
}

// show tells those who wait for a text of doc what it is; d.mu is held.
func (d *documents) show(doc *document) {
	if doc.lost {
		return
	}
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
func (d *documents) change(raw string, version int32, changes []contentChange, enc text.Encoding) (*document, error) {
	doc := d.get(raw)
	if doc == nil {
		return nil, nil
	}
	for len(changes) > 1 && d.awaited(doc.key) {
		// An edit and what the editor made of it, typing or formatting, can come as
		// one change: the text between them is the one that is waited for.
		step, err := doc.edited(version, changes[:1], enc)
		if err != nil {
			return nil, err
		}
		d.mu.Lock()
		d.show(step)
		d.mu.Unlock()
		doc, changes = step, changes[1:]
	}
	next, err := doc.edited(version, changes, enc)
	if err != nil {
		return nil, err
	}
	d.put(next)
	return next, nil
}

// awaited reports whether anybody waits for a text of the document.
func (d *documents) awaited(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for wait := range d.waits {
		if _, missing := wait.missing[key]; missing {
			return true
		}
	}
	return false
}

// lose notes that a change of a document could not be understood. It returns the
// document where it is open and was not lost before.
func (d *documents) lose(raw string) *document {
	doc := d.get(raw)
	if doc == nil || doc.lost {
		return nil
	}
	doc = doc.asLost()
	d.put(doc)
	return doc
}

func (d *documents) close(raw string) (key string) {
	key = d.keyOf(raw)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.byKey, key)
	maps.DeleteFunc(d.byURI, func(_, opened string) bool { return opened == key })
	return key
}

// get returns the document that any spelling of its URI names, nil if closed.
func (d *documents) get(raw string) *document { return d.at(d.keyOf(raw)) }

// keyOf returns the key that raw was opened under, else the one that it would be:
// what a path leads to can change while its document is open.
func (d *documents) keyOf(raw string) string {
	d.mu.Lock()
	key, opened := d.byURI[raw]
	d.mu.Unlock()
	if !opened {
		key, _ = keyOf(raw)
	}
	return key
}

// at returns the open document at a key, nil if none.
func (d *documents) at(key string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.byKey[key]
}

// addTo adds the documents to others, by key; one that is there already stays.
func (d *documents) addTo(all map[string]*document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, doc := range d.byKey {
		if all[key] == nil {
			all[key] = doc
		}
	}
}

// closeAll closes every document and returns their keys.
func (d *documents) closeAll() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	keys := slices.Collect(maps.Keys(d.byKey))
	clear(d.byKey)
	clear(d.byURI)
	return keys
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
