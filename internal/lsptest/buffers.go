package lsptest

import (
	"bytes"
	"errors"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Open opens a document, a path or a URI, with a text that need not be the one on
// disk. It returns the URI, which names the document from then on.
func (e *Editor) Open(file, content string) (uri string) {
	e.t.Helper()
	uri = URI(file)
	e.docs.mu.Lock()
	defer e.docs.mu.Unlock()
	onDisk, bom, err := readFile(uri)
	if err != nil {
		onDisk = nil // no file yet: all of it is unsaved
	}
	_, err = e.docs.open(uri, []byte(content), onDisk, bom)
	e.fatal(err)
	return uri
}

// OpenFile opens a file with the text that it has on disk, without the byte order
// mark.
func (e *Editor) OpenFile(path string) (uri string) {
	e.t.Helper()
	uri = URI(path)
	e.docs.mu.Lock()
	defer e.docs.mu.Unlock()
	_, err := e.docs.openFile(uri)
	e.fatal(err)
	return uri
}

// Change makes edits, all of them positions in the document as it is, and sends
// them as one incremental didChange.
func (e *Editor) Change(uri string, edits ...protocol.TextEdit) {
	e.t.Helper()
	e.with(uri, func(doc *document) error {
		return errors.Join(e.docs.edit(doc, edits), e.docs.flush(doc))
	})
}

// ChangeFull replaces the whole text.
func (e *Editor) ChangeFull(uri, content string) {
	e.t.Helper()
	e.with(uri, func(doc *document) error {
		e.docs.replace(doc, content)
		return e.docs.flush(doc)
	})
}

// Save writes the document to its file, formatted first in the manner of
// FormatOnSave.
func (e *Editor) Save(uri string) {
	e.t.Helper()
	e.with(uri, func(doc *document) error { return e.docs.save(doc, e.manners.FormatOnSave) })
}

// CloseDocument closes the document; what was not saved is lost.
func (e *Editor) CloseDocument(uri string) {
	e.t.Helper()
	e.with(uri, func(doc *document) error {
		delete(e.docs.byURI, uri)
		return errors.Join(e.docs.flush(doc), e.docs.send(protocol.MethodTextDocumentDidClose, object{"textDocument": object{"uri": uri}}))
	})
}

// Text returns the text that the editor shows.
func (e *Editor) Text(uri string) string { e.t.Helper(); return string(e.open(uri).content) }

// Version returns the document's version.
func (e *Editor) Version(uri string) int32 { e.t.Helper(); return e.open(uri).version }

// Dirty reports whether the document has changes that are not saved.
func (e *Editor) Dirty(uri string) bool { e.t.Helper(); return e.open(uri).dirty() }

// IsOpen reports whether the document is open.
func (e *Editor) IsOpen(uri string) bool { return e.docs.get(uri) != nil }

// Range returns the range of the first needle in the document, in the encoding
// that was agreed on.
func (e *Editor) Range(uri, needle string) protocol.Range {
	e.t.Helper()
	doc := e.open(uri)
	at := bytes.Index(doc.content, []byte(needle))
	if at < 0 {
		e.t.Fatalf("%q is not in %s:\n%s", needle, uri, doc.content)
	}
	e.docs.mu.Lock()
	encoding := e.docs.encoding
	e.docs.mu.Unlock()
	ends, err := text.NewMapper(doc.content).Positions([]int{at, at + len(needle)}, encoding)
	e.fatal(err)
	return protocol.Range{Start: wirePosition(ends[0]), End: wirePosition(ends[1])}
}

// Edit returns the edit that replaces the first needle in the document.
func (e *Editor) Edit(uri, needle, replacement string) protocol.TextEdit {
	e.t.Helper()
	return protocol.TextEdit{Range: e.Range(uri, needle), NewText: replacement}
}

func wirePosition(p text.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Column)}
}

// with runs f on an open document, with the documents locked.
func (e *Editor) with(uri string, f func(*document) error) {
	e.t.Helper()
	e.docs.mu.Lock()
	doc := e.docs.byURI[uri]
	var err error
	if doc != nil {
		err = f(doc)
	}
	e.docs.mu.Unlock()
	if doc == nil {
		e.t.Fatalf("%s is not open", uri)
	}
	e.fatal(err)
	e.record.touch()
}

func (e *Editor) open(uri string) *document {
	e.t.Helper()
	doc := e.docs.get(uri)
	if doc == nil {
		e.t.Fatalf("%s is not open", uri)
	}
	return doc
}

func (e *Editor) fatal(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}
