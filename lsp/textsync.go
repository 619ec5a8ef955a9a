package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
)

// didOpen is read raw: decoding rewrites URIs, and a client must get its own back.
func (s *Server) didOpen(_ context.Context, params json.RawMessage) (any, error) {
	s.used()
	var p struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("textDocument/didOpen: %w", err)
	}
	if p.TextDocument.URI == "" {
		return nil, errors.New("textDocument/didOpen: no uri")
	}
	doc := s.docs.open(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	s.fileChanged(doc.key)
	return nil, nil
}

// didChange is read raw: a change that cannot be read must be known to be missing,
// since those after it would otherwise be made to the wrong text.
func (s *Server) didChange(_ context.Context, params json.RawMessage) (any, error) {
	s.used()
	var p struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
		} `json:"textDocument"`
		ContentChanges []contentChange `json:"contentChanges"`
	}
	err := json.Unmarshal(params, &p)
	var doc *document
	if err == nil {
		doc, err = s.docs.change(p.TextDocument.URI, p.TextDocument.Version, p.ContentChanges, s.client.encoding)
	}
	switch {
	case err != nil:
		s.documentLost(params)
		return nil, fmt.Errorf("textDocument/didChange: %w", err)
	case doc == nil:
		return nil, fmt.Errorf("textDocument/didChange: %s is not open", p.TextDocument.URI)
	}
	s.fileChanged(doc.key)
	return nil, nil
}

// documentLost reads no more of the params than whose they are.
func (s *Server) documentLost(params json.RawMessage) {
	var p struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	if doc := s.docs.lose(p.TextDocument.URI); doc != nil {
		s.showMessage(protocol.MessageTypeWarning, fmt.Sprintf(textLost, doc.uri))
	}
}

// DidSave implements protocol.Server.
func (s *Server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	if doc := s.docs.get(string(p.TextDocument.URI)); doc != nil {
		s.fileChanged(doc.key)
		s.workspace.toolbox.fileChanged(doc.key)
	}
	return nil
}

// didClose is read raw, as didOpen is.
func (s *Server) didClose(_ context.Context, params json.RawMessage) (any, error) {
	var p struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("textDocument/didClose: %w", err)
	}
	s.fileChanged(s.docs.close(p.TextDocument.URI))
	return nil, nil
}

// DidChangeWatchedFiles implements protocol.Server.
func (s *Server) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	for _, change := range p.Changes {
		key, isFile := keyOf(string(change.URI))
		if isFile {
			s.workspace.toolbox.fileChanged(key)
		}
		if isFile && !atomicfile.IsTemp(filepath.Base(key)) && !s.workspace.isOpen(key) {
			s.fileChanged(key)
		}
	}
	return nil
}

func (s *Server) fileChanged(key string) { s.session.FileChanged(key) }
