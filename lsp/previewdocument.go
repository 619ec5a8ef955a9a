package lsp

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// A preview document is a file as it would be after a pending action, read-only
// (protocol.md 4.1): `xcsh-preview:/dir/a.ts?id=…&revision=…`. It names the revision,
// so its text never changes; where that is not the present one there is none.
const previewScheme = "xcsh-preview"

const (
	fileScheme          = "file:"
	textOldPreview      = "This preview has been refreshed since: open the present one."
	textNotPreviewNamed = "a preview document's URI is xcsh-preview:PATH?id=ID&revision=N, not %s"
)

// previewURI names the preview of the file that the client knows by fileURI.
func previewURI(fileURI string, p session.Preview) string {
	path := strings.TrimPrefix(fileURI, fileScheme)
	if strings.HasPrefix(path, "///") { // no host
		path = path[2:]
	}
	return previewScheme + ":" + path + "?id=" + url.QueryEscape(p.ID) + "&revision=" + strconv.Itoa(p.Revision)
}

// parsePreviewURI is the inverse of previewURI. Clients may encode what they send
// back in other ways.
func parsePreviewURI(raw string) (fileURI, id string, revision int, err error) {
	invalid := jsonrpc2.Errorf(jsonrpc2.InvalidParams, textNotPreviewNamed, raw)
	rest, ok := strings.CutPrefix(raw, previewScheme+":")
	if !ok {
		return "", "", 0, invalid
	}
	path, query, ok := strings.Cut(rest, "?")
	if !ok {
		if path, query, ok = strings.Cut(rest, "%3F"); !ok {
			return "", "", 0, invalid
		}
	}
	values, err := url.ParseQuery(query)
	if err == nil && values.Get("id") == "" { // `=` and `&` encoded as well
		if query, err = url.QueryUnescape(query); err == nil {
			values, err = url.ParseQuery(query)
		}
	}
	if err != nil {
		return "", "", 0, invalid
	}
	revision, err = strconv.Atoi(values.Get("revision"))
	if err != nil || values.Get("id") == "" {
		return "", "", 0, invalid
	}
	if !strings.HasPrefix(path, "//") {
		path = "//" + path
	}
	return fileScheme + path, values.Get("id"), revision, nil
}

// TextDocumentContent implements protocol.Server.
func (s *Server) TextDocumentContent(ctx context.Context, p *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	fileURI, id, revision, err := parsePreviewURI(string(p.URI))
	if err != nil {
		return nil, err
	}
	after, err := s.textAfter(ctx, fileURI, id, revision)
	if err != nil {
		return nil, rpcError(ctx, err)
	}
	return &protocol.TextDocumentContentResult{Text: string(after)}, nil
}

// textAfter is the text of a file after an action, as a revision of it shows it.
func (s *Server) textAfter(ctx context.Context, fileURI, id string, revision int) ([]byte, error) {
	p, err := s.findPreview(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case p.Revision != revision:
		return nil, &resolve.ToolError{Message: textOldPreview, Context: map[string]any{
			"kind": session.KindStale, "files": []string{}, "id": p.ID, "revision": p.Revision,
		}}
	case len(p.Outdated) > 0:
		return nil, p.StaleError()
	}
	key, _ := keyOf(fileURI)
	f := p.File(key)
	if f == nil {
		return nil, toolErrorf(textNotPreviewed, fileURI)
	}
	return f.NewContent()
}
