package lsp

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// Causes of an edit that no editor can be asked for.
const (
	textOpenTwice = "%s is open in two editors with different texts; save it in one and close it in the other."
	textNoEditor  = "%s is no longer open in any editor; try again."
)

// editors implements session.Editor over the connections of a workspace: each
// document is edited by its owner, and one that is not open by the lead.
type editors struct {
	workspace *Workspace

	mu    sync.Mutex
	asked map[string]*Server // by path: who has been asked for an edit of it
}

// IsOpen implements session.Editor.
func (e *editors) IsOpen(path string) bool {
	return e.workspace.isOpen(path)
}

// CanEdit implements session.Editor.
func (e *editors) CanEdit(path string) bool {
	s := e.editorOf(path)
	return s != nil && s.client.applyEdit
}

// editorOf returns who edits the document now: its owner, else the lead; nil
// where there is neither.
func (e *editors) editorOf(path string) *Server {
	if owner, _ := e.workspace.owner(path); owner != nil {
		return owner
	}
	e.workspace.mu.Lock()
	defer e.workspace.mu.Unlock()
	return e.workspace.lead
}

// Edit implements session.Editor. Where one of several editors fails, the edits of
// those before it are made; Abandon takes them back.
func (e *editors) Edit(ctx context.Context, label string, docs []session.DocumentEdit) error {
	for _, doc := range docs {
		if e.workspace.openTwice(doc.Path) {
			return fmt.Errorf(textOpenTwice, doc.Display)
		}
	}
	parts, err := e.assign(docs)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := (editor{part.server}).Edit(ctx, label, part.docs); err != nil {
			return err
		}
	}
	return nil
}

// openTwice reports whether two connections have the document open with texts
// that differ.
func (w *Workspace) openTwice(key string) bool {
	_, owned := w.owner(key)
	for _, s := range w.connections() {
		if doc := s.docs.at(key); doc != nil && owned != nil && !bytes.Equal(withoutBOM(doc.text), withoutBOM(owned.text)) {
			return true
		}
	}
	return false
}

// part is what one editor has of an edit.
type part struct {
	server *Server
	docs   []session.DocumentEdit
}

// assign gives each document to the editor that is to edit it, and remembers it.
func (e *editors) assign(docs []session.DocumentEdit) ([]part, error) {
	chosen := map[string]*Server{}
	for _, doc := range docs {
		s := e.editorOf(doc.Path)
		if s == nil {
			return nil, fmt.Errorf(textNoEditor, doc.Display)
		}
		chosen[doc.Path] = s
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for path, s := range chosen {
		e.asked[path] = s
	}
	return e.split(docs), nil
}

// split groups documents by who was asked for them, in the order of the
// documents. e.mu is held.
func (e *editors) split(docs []session.DocumentEdit) (parts []part) {
	at := map[*Server]int{}
	for _, doc := range docs {
		s := e.asked[doc.Path]
		if s == nil {
			continue // nobody was asked: there is nothing to take back or save
		}
		i, known := at[s]
		if !known {
			i = len(parts)
			at[s], parts = i, append(parts, part{server: s})
		}
		parts[i].docs = append(parts[i].docs, doc)
	}
	return parts
}

// Abandon implements session.Editor.
func (e *editors) Abandon(ctx context.Context, label string, docs []session.DocumentEdit) (inDoubt []session.DocumentEdit) {
	for _, part := range e.assigned(docs) {
		inDoubt = append(inDoubt, editor{part.server}.Abandon(ctx, label, part.docs)...)
	}
	return inDoubt
}

// Unsaved implements session.Editor.
func (e *editors) Unsaved(ctx context.Context, docs []session.DocumentEdit) (unsaved []session.DocumentEdit) {
	for _, part := range e.assigned(docs) {
		unsaved = append(unsaved, editor{part.server}.Unsaved(ctx, part.docs)...)
	}
	return unsaved
}

func (e *editors) assigned(docs []session.DocumentEdit) []part {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.split(docs)
}
