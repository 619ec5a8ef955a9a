package lsptest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// document is an open document.
type document struct {
	uri     string // as the editor writes it; lookups are byte for byte
	version int32
	content []byte
	saved   []byte   // as on disk, without its byte order mark
	bom     bool     // the file has one, which editors hide
	unsent  []object // content changes that the server does not know yet
}

func (d *document) dirty() bool { return !bytes.Equal(d.content, d.saved) }

// documents are the open documents. Messages about them are sent with mu held, so
// that the server gets them in the order in which they happened.
type documents struct {
	mu       sync.Mutex
	encoding text.Encoding
	first    int32
	whole    bool // see Manners.SendsWhole
	held     int  // how many commands wait for their answers, see Manners.HoldsChanges
	byURI    map[string]*document
	send     func(method string, params any) error
}

func newDocuments(send func(string, any) error, manners *Manners) *documents {
	return &documents{encoding: text.UTF16, first: manners.FirstVersion, whole: manners.SendsWhole, byURI: map[string]*document{}, send: send}
}

func (d *documents) use(encoding text.Encoding) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.encoding = encoding
}

// get returns a copy of the document's state, nil where it is not open.
func (d *documents) get(uri string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.byURI[uri]
	if doc == nil {
		return nil
	}
	snapshot := *doc
	return &snapshot
}

// open is called with mu held.
func (d *documents) open(uri string, content, saved []byte, bom bool) (*document, error) {
	if d.byURI[uri] != nil {
		return nil, fmt.Errorf("%s is already open", uri)
	}
	doc := &document{uri: uri, version: d.first, content: content, saved: saved, bom: bom}
	d.byURI[uri] = doc
	return doc, d.send(protocol.MethodTextDocumentDidOpen, object{"textDocument": object{
		"uri": uri, "languageId": languageOf(uri), "version": doc.version, "text": string(content),
	}})
}

// openFile opens a file with the text that it has on disk; mu is held.
func (d *documents) openFile(uri string) (*document, error) {
	content, bom, err := readFile(uri)
	if err != nil {
		return nil, err
	}
	return d.open(uri, content, content, bom)
}

// readFile reads a document's file and hides its byte order mark.
func readFile(uri string) (content []byte, bom bool, err error) {
	if content, err = os.ReadFile(pathOf(uri)); err != nil {
		return nil, false, err
	}
	return bytes.TrimPrefix(content, []byte(text.BOM)), text.HasBOM(content), nil
}

func languageOf(uri string) string {
	known := map[string]string{
		".ts": "typescript", ".tsx": "typescriptreact", ".js": "javascript", ".jsx": "javascriptreact",
		".py": "python", ".go": "go", ".rs": "rust", ".java": "java", ".c": "c", ".h": "c",
	}
	return cmp.Or(known[filepath.Ext(uri)], "plaintext")
}

// edit makes edits, all of them positions in the document as it is, and keeps the
// changes for flush; mu is held.
func (d *documents) edit(doc *document, edits []protocol.TextEdit) error {
	return d.editAs(doc, edits, d.encoding)
}

// editAs is edit with columns of another encoding; the changes that are kept for flush
// are right only where they are sent whole.
func (d *documents) editAs(doc *document, edits []protocol.TextEdit, encoding text.Encoding) error {
	mapper := text.NewMapper(doc.content)
	byteEdits, err := toByteEdits(mapper, edits, encoding)
	if err != nil {
		return err
	}
	content, err := text.Apply(doc.content, byteEdits)
	if err != nil {
		return err
	}
	// Each change of a didChange is made after the one before it: from the end of
	// the text to its beginning none moves another.
	order := make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(byteEdits[a].Start, byteEdits[b].Start), cmp.Compare(byteEdits[a].End, byteEdits[b].End))
	})
	slices.Reverse(order)
	for _, i := range order {
		doc.unsent = append(doc.unsent, object{"range": edits[i].Range, "text": edits[i].NewText})
	}
	doc.content = content
	doc.version++
	return nil
}

func toByteEdits(mapper *text.Mapper, edits []protocol.TextEdit, enc text.Encoding) ([]text.Edit, error) {
	var out []text.Edit
	for _, e := range edits {
		start, startErr := mapper.Offset(position(e.Range.Start), enc)
		end, endErr := mapper.Offset(position(e.Range.End), enc)
		if err := errors.Join(startErr, endErr); err != nil {
			return nil, err
		}
		out = append(out, text.Edit{Span: text.Span{Start: start, End: end}, New: e.NewText})
	}
	return out, nil
}

func position(p protocol.Position) text.Position {
	return text.Position{Line: int(p.Line), Column: int(p.Character)}
}

// replace replaces the whole text; mu is held.
func (d *documents) replace(doc *document, content string) {
	doc.content = []byte(content)
	doc.version++
	doc.unsent = append(doc.unsent, object{"text": content})
}

// flush tells the server what it does not know yet; mu is held.
func (d *documents) flush(doc *document) error {
	if len(doc.unsent) == 0 || d.held > 0 {
		return nil
	}
	changes := doc.unsent
	if d.whole {
		changes = []object{{"text": string(doc.content)}}
	}
	doc.unsent = nil
	return d.send(protocol.MethodTextDocumentDidChange, object{
		"textDocument": object{"uri": doc.uri, "version": doc.version}, "contentChanges": changes,
	})
}

// hold has changes wait until release is called.
func (d *documents) hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held++
	return func() {
		d.mu.Lock()
		d.held--
		d.mu.Unlock()
		d.flushAll()
	}
}

func (d *documents) flushAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.byURI {
		_ = d.flush(doc) // a stream that is gone is seen by whoever waits for an answer
	}
}

// save writes the document where it has a file, and tells the server; mu is held.
func (d *documents) save(doc *document, format func(string) string) error {
	if format != nil {
		if formatted := format(string(doc.content)); formatted != string(doc.content) {
			d.replace(doc, formatted)
		}
	}
	if err := d.flush(doc); err != nil {
		return err
	}
	if err := writeFile(doc.uri, doc.content, doc.bom); err != nil {
		return err
	}
	doc.saved = doc.content
	return d.send(protocol.MethodTextDocumentDidSave, object{"textDocument": object{"uri": doc.uri}})
}

// writeFile writes a document's file; a document that has none keeps its text.
func writeFile(uri string, content []byte, bom bool) error {
	path := pathOf(uri)
	if path == "" {
		return nil
	}
	if bom {
		content = append([]byte(text.BOM), content...)
	}
	return os.WriteFile(path, content, 0o644)
}
