package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
)

// didOpen is read raw: decoding rewrites URIs, and a client must get its own back.
func (s *Server) didOpen(_ context.Context, params json.RawMessage) (any, error) {
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
	doc := s.docs.open(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	s.fileChanged(doc.key)
	return nil, nil
}

// DidChange implements protocol.Server.
func (s *Server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	doc, err := s.docs.change(string(p.TextDocument.URI), p.TextDocument.Version, p.ContentChanges, s.client.encoding)
	if err != nil || doc == nil {
		return err
	}
	s.fileChanged(doc.key)
	return nil
}

// DidSave implements protocol.Server.
func (s *Server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	if doc := s.docs.get(string(p.TextDocument.URI)); doc != nil {
		s.fileChanged(doc.key)
	}
	return nil
}

// DidClose implements protocol.Server.
func (s *Server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	s.fileChanged(s.docs.close(string(p.TextDocument.URI)))
	return nil
}

// DidChangeWatchedFiles implements protocol.Server.
func (s *Server) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	for _, change := range p.Changes {
		if key, isFile := keyOf(string(change.URI)); isFile && s.docs.at(key) == nil {
			s.fileChanged(key)
		}
	}
	return nil
}

func (s *Server) fileChanged(key string) { s.session.FileChanged(key) }
