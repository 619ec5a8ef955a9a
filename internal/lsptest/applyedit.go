package lsptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// edit is one workspace/applyEdit. Editors take them one after the other.
type edit struct {
	id     jsonrpc2.ID
	params json.RawMessage
}

// workspaceEdit is read by hand: the library's types rewrite URIs.
type workspaceEdit struct {
	Edit struct {
		Changes         map[string][]protocol.TextEdit `json:"changes"`
		DocumentChanges []documentChange               `json:"documentChanges"`
	} `json:"edit"`
	Metadata *struct {
		IsRefactoring bool `json:"isRefactoring"`
	} `json:"metadata"`
}

type documentChange struct {
	Kind         string `json:"kind"` // of an operation on files
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	} `json:"textDocument"`
	Edits []protocol.TextEdit `json:"edits"`
}

// targets returns the changes of one document each, in a fixed order.
func (w *workspaceEdit) targets() []documentChange {
	if w.Edit.DocumentChanges != nil {
		return w.Edit.DocumentChanges
	}
	var all []documentChange
	for uri, edits := range w.Edit.Changes {
		var change documentChange
		change.TextDocument.URI, change.Edits = uri, edits
		all = append(all, change)
	}
	slices.SortFunc(all, func(a, b documentChange) int {
		return strings.Compare(a.TextDocument.URI, b.TextDocument.URI)
	})
	return all
}

// TakeEditsLike has the editor take edits in the manners of another from now on;
// what it declared and all else stays.
func (e *Editor) TakeEditsLike(m Manners) { e.takes.Store(&m) }

// taking are the manners in which edits are taken.
func (e *Editor) taking() *Manners {
	if m := e.takes.Load(); m != nil {
		return m
	}
	return &e.manners
}

// takeEdits takes the server's edits until the editor is closed.
func (e *Editor) takeEdits() {
	for {
		select {
		case edit := <-e.edits:
			e.takeEdit(edit)
		case <-e.done:
			return
		}
	}
}

func (e *Editor) takeEdit(edit edit) {
	switch {
	case !e.taking().ApplyEdit:
		e.reply(edit.id, nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "no workspace/applyEdit here"))
		return
	case e.taking().Silent, !e.sleep(e.taking().ApplyDelay):
		return
	case e.taking().Refuses:
		e.reply(edit.id, refusal(e.taking().RefusalReason), nil)
		return
	case e.taking().ChangesNothing:
		e.reply(edit.id, object{"applied": true}, nil)
		return
	}
	var w workspaceEdit
	e.decode(protocol.MethodWorkspaceApplyEdit, edit.params, &w)
	if w.Edit.DocumentChanges != nil && !e.taking().TakesDocumentChanges {
		e.t.Errorf("the server sent documentChanges, which %s does not take", e.manners.Name)
	}
	if w.Metadata != nil && e.taking().KnowsNoMetadata {
		e.reply(edit.id, nil, jsonrpc2.NewError(jsonrpc2.InternalError, "unknown keyword: metadata"))
		return
	}
	changed, err := e.applyAll(&w)
	var wire *jsonrpc2.Error
	var refused refusedError
	switch {
	case errors.As(err, &wire) && e.taking().NamesFailedChange:
		e.reply(edit.id, object{"applied": false, "failureReason": wire.Message, "failedChange": 1}, nil)
	case errors.As(err, &wire):
		e.reply(edit.id, nil, wire)
	case errors.As(err, &refused):
		e.reply(edit.id, refusal(string(refused)), nil)
	default:
		e.reply(edit.id, object{"applied": true}, nil)
	}
	e.record.touch()
	if e.taking().ChangeDelay > 0 && len(changed) > 0 {
		e.work.Go(func() {
			if e.sleep(e.taking().ChangeDelay) {
				e.docs.flushAll()
			}
		})
	}
}

func refusal(reason string) object {
	if reason == "" {
		return object{"applied": false}
	}
	return object{"applied": false, "failureReason": reason}
}

// refusedError is why an edit is answered with applied: false.
type refusedError string

func (r refusedError) Error() string { return string(r) }

// applyAll makes the edit in the editor's manner. The documents that it returns
// are changed, whatever the error.
func (e *Editor) applyAll(w *workspaceEdit) (changed []*document, err error) {
	e.docs.mu.Lock()
	defer e.docs.mu.Unlock()
	targets := w.targets()
	if (e.taking().FirstOnly || e.taking().BreaksOff) && len(targets) > 1 {
		targets = targets[:1]
	}
	if err := e.checkAll(targets); err != nil {
		return nil, err
	}
	for i, target := range targets {
		if e.taking().Stale != StaleRefused && e.stale(&target, i) {
			if e.taking().Stale == StaleSkipped {
				continue
			}
			return changed, jsonrpc2.Errorf(jsonrpc2.InternalError, "edits on %s require version %d", target.TextDocument.URI, *target.TextDocument.Version)
		}
		doc, err := e.applyOne(&target, w.Metadata != nil && w.Metadata.IsRefactoring)
		if err != nil {
			return changed, refusedError(err.Error())
		}
		if doc != nil {
			changed = append(changed, doc)
		}
	}
	if e.taking().BreaksOff {
		return changed, jsonrpc2.NewError(jsonrpc2.InternalError, "the edit broke off")
	}
	return changed, nil
}

// checkAll finds what an editor refuses before it changes anything.
func (e *Editor) checkAll(targets []documentChange) error {
	for i, target := range targets {
		if target.Kind != "" {
			return refusedError("operations on files are not supported: " + target.Kind)
		}
		if e.taking().Stale == StaleRefused && e.stale(&target, i) {
			return refusedError(fmt.Sprintf("%s has changed in the meantime", target.TextDocument.URI))
		}
	}
	return nil
}

// stale reports whether the i-th document of an edit counts as stale here.
func (e *Editor) stale(target *documentChange, i int) bool {
	version := target.TextDocument.Version
	doc := e.docs.byURI[target.TextDocument.URI]
	switch {
	case version == nil || e.taking().Stale == StaleApplied:
		return false
	case e.taking().Stale == StaleSkipped:
		return i == 0 && *version > 0 && doc != nil && doc.version > *version
	}
	return doc == nil || doc.version != *version
}

// applyOne changes one document, which is opened first where it is not; nil for
// one that was written to the disk.
func (e *Editor) applyOne(target *documentChange, refactoring bool) (*document, error) {
	uri := target.TextDocument.URI
	doc := e.docs.byURI[uri]
	if doc == nil && e.taking().WritesUnopened {
		return nil, e.writeFile(uri, target.Edits)
	}
	if doc == nil {
		opened, err := e.docs.openFile(uri)
		if err != nil {
			return nil, err
		}
		doc = opened
	}
	clean := !doc.dirty()
	encoding := e.docs.encoding
	if e.taking().CountsCodePoints {
		encoding = text.CodePoints
	}
	if err := e.docs.editAs(doc, target.Edits, encoding); err != nil {
		return nil, err
	}
	if refactoring && e.taking().SavesRefactorings && clean {
		return doc, e.docs.save(doc, e.taking().FormatOnSave)
	}
	if e.taking().ChangeDelay > 0 {
		return doc, nil
	}
	return doc, e.docs.flush(doc)
}

// writeFile makes the edits in a file; positions do not count its byte order mark.
func (e *Editor) writeFile(uri string, edits []protocol.TextEdit) error {
	content, bom, err := readFile(uri)
	if err != nil {
		return err
	}
	byteEdits, err := toByteEdits(text.NewMapper(content), edits, e.docs.encoding)
	if err != nil {
		return err
	}
	edited, err := text.Apply(content, byteEdits)
	if err != nil {
		return err
	}
	return writeFile(uri, edited, bom)
}
