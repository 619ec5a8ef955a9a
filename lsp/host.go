package lsp

import (
	"bytes"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// host is what the session sees of its workspace.
type host struct{ workspace *Workspace }

// Workspace implements session.Host.
func (h host) Workspace() astedit.Workspace {
	cfg := h.workspace.cfg
	w := astedit.Workspace{Home: cfg.Home, GlobalIgnore: session.GlobalIgnore(cfg.Getenv, cfg.Home), Documents: h.workspace.snapshot()}
	for _, f := range h.workspace.currentFolders() {
		w.Folders = append(w.Folders, astedit.Folder{Name: f.name, Path: f.path})
	}
	return w
}

// snapshot returns the open documents of all connections, each with its owner's
// text.
func (w *Workspace) snapshot() *snapshot {
	all := &snapshot{byKey: map[string]*document{}}
	for _, s := range w.connections() {
		s.docs.addTo(all.byKey)
	}
	return all
}

// Path implements session.Host.
func (h host) Path(uri string) string {
	key, _ := keyOf(uri)
	return key
}

// URI implements session.Host: as the owner of an open document writes it, else
// as the lead would.
func (h host) URI(path string) string {
	if _, doc := h.workspace.owner(path); doc != nil {
		return doc.uri
	}
	return uriOf(h.workspace.currentFolders(), path)
}

// Editor implements session.Host. Each apply gets one of its own, which remembers
// whom it asked.
func (h host) Editor() session.Editor {
	return &editors{workspace: h.workspace, asked: map[string]*Server{}}
}

// showsAnother reports whether this client has a document open with another text
// than content, since the document is another connection's: positions in content
// mean nothing there.
func (s *Server) showsAnother(path string, content []byte) bool {
	doc := s.docs.at(path)
	if doc == nil || bytes.Equal(withoutBOM(doc.text), withoutBOM(content)) {
		return false
	}
	owner, _ := s.workspace.owner(path)
	return owner != s
}

// uri returns the URI of a path as this connection's client writes it: as it has
// the document open, else below its own folders, else as the others write it.
func (s *Server) uri(path string) string {
	if doc := s.docs.at(path); doc != nil {
		return doc.uri
	}
	own, _ := s.given()
	if isBelow(own, path) {
		return uriOf(own, path)
	}
	return host{s.workspace}.URI(path)
}
