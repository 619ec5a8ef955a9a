package lsp

import (
	"bytes"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// annotationID names the one annotation of an edit that the client is to confirm.
const annotationID protocol.ChangeAnnotationIdentifier = "xcsh"

// editsOf returns a preview's edits as document edits without their new texts.
func editsOf(files []*astedit.FileEdit) []session.DocumentEdit {
	docs := make([]session.DocumentEdit, len(files))
	for i, f := range files {
		docs[i] = session.DocumentEdit{Path: f.Path, Display: f.Display, Old: f.Old, Edits: f.Edits()}
	}
	return docs
}

// workspaceEdit makes the edit that the client can take: versioned document
// changes, or plain changes for a client that knows no others. An edit of an open
// document carries the version whose text it was made against, and no other: one
// that has moved on is an error.
func (s *Server) workspaceEdit(label string, docs []session.DocumentEdit) (*protocol.WorkspaceEdit, error) {
	edit := &protocol.WorkspaceEdit{}
	annotate := s.currentSettings().PreviewAnnotations && s.client.annotations && s.client.documentChanges
	if annotate {
		confirm := true
		edit.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
			annotationID: {Label: label, NeedsConfirmation: &confirm},
		}
	}
	for _, doc := range docs {
		edits, err := s.textEdits(doc)
		if err != nil {
			return nil, err
		}
		version, err := s.versionOf(doc)
		if err != nil {
			return nil, err
		}
		target := uri.URI(s.uri(doc.Path))
		if !s.client.documentChanges {
			if edit.Changes == nil {
				edit.Changes = map[uri.URI][]protocol.TextEdit{}
			}
			edit.Changes[target] = edits
			continue
		}
		edit.DocumentChanges = append(edit.DocumentChanges, documentChange(target, version, edits, annotate))
	}
	return edit, nil
}

// versionOf returns the version of the document that doc's edits were made
// against, nil where it is not open.
func (s *Server) versionOf(doc session.DocumentEdit) (*int32, error) {
	open := s.docs.at(doc.Path)
	switch {
	case open == nil:
		return nil, nil
	case s.showsAnother(doc.Path, doc.Old):
		return nil, fmt.Errorf(textOpenTwice, doc.Display)
	case !bytes.Equal(withoutBOM(open.text), withoutBOM(doc.Old)):
		return nil, fmt.Errorf(session.TextEditedMeanwhile, doc.Display)
	}
	return &open.version, nil
}

func documentChange(target uri.URI, version *int32, edits []protocol.TextEdit, annotate bool) *protocol.TextDocumentEdit {
	change := &protocol.TextDocumentEdit{}
	change.TextDocument.URI, change.TextDocument.Version = target, version
	for i := range edits {
		if annotate {
			change.Edits = append(change.Edits, &protocol.AnnotatedTextEdit{TextEdit: edits[i], AnnotationID: annotationID})
		} else {
			change.Edits = append(change.Edits, &edits[i])
		}
	}
	return change
}

func (s *Server) textEdits(doc session.DocumentEdit) ([]protocol.TextEdit, error) {
	spans := make([]text.Span, len(doc.Edits))
	for i, e := range doc.Edits {
		spans[i] = e.Span
	}
	ranges, err := s.editorRanges(doc.Path, doc.Old, spans)
	if err != nil {
		return nil, err
	}
	edits := make([]protocol.TextEdit, len(doc.Edits))
	for i, e := range doc.Edits {
		edits[i] = protocol.TextEdit{Range: ranges[i], NewText: e.New}
	}
	return edits, nil
}

// changeRanges returns where the changes of f are, as an editor counts.
func (s *Server) changeRanges(f *astedit.FileEdit) ([]protocol.Range, error) {
	spans := make([]text.Span, len(f.Changes))
	for i, c := range f.Changes {
		spans[i] = c.Span
	}
	return s.editorRanges(f.Path, f.Old, spans)
}

// editorRanges converts spans of content, the text of the file at path. An editor
// does not show the byte order mark that a file on disk begins with.
func (s *Server) editorRanges(path string, content []byte, spans []text.Span) ([]protocol.Range, error) {
	doc := s.docs.at(path)
	if sameText(doc, content) {
		return rangesOf(doc.positions(), spans, s.client.encoding)
	}
	if text.HasBOM(content) && (doc == nil || !text.HasBOM(doc.text)) {
		content, spans = content[len(text.BOM):], movedBack(spans, len(text.BOM))
	}
	return rangesOf(text.NewMapper(content), spans, s.client.encoding)
}

func movedBack(spans []text.Span, by int) []text.Span {
	moved := make([]text.Span, len(spans))
	for i, span := range spans {
		moved[i] = text.Span{Start: max(0, span.Start-by), End: max(0, span.End-by)}
	}
	return moved
}
