package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// CodeLens implements protocol.Server: above the first hunk of a document that the
// top action would change, a lens to apply it and one to discard it. What lies
// below the top cannot be resolved yet and has none.
func (s *Server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	if !s.currentSettings().PreviewCodeLens || s.docs.get(string(p.TextDocument.URI)) == nil {
		return nil, nil
	}
	stack := s.settled(ctx)
	doc := s.docs.get(string(p.TextDocument.URI)) // as the previews have it
	if doc == nil || len(stack) == 0 {
		return nil, nil
	}
	top := stack[0]
	f := top.File(doc.key)
	if f == nil || len(f.Changes) == 0 || !sameText(doc, f.Old) {
		return nil, nil
	}
	start := f.Changes[0].Span.Start // a lens stands on one line
	where, err := rangeOf(doc.positions(), text.Span{Start: start, End: start}, s.client.encoding)
	if err != nil {
		return nil, err
	}
	return []protocol.CodeLens{
		{Range: where, Command: resolveCommandFor("Apply "+countedHunks(top)+"…", resolve.Apply, top)},
		{Range: where, Command: resolveCommandFor("Discard…", resolve.Discard, top)},
	}, nil
}

// countedHunks says how much a click decides on, which is more than one document
// shows where the action changes several.
func countedHunks(p session.Preview) string {
	hunks := astedit.Count(p.Replacements(), "replacement")
	if len(p.Files) == 1 {
		return hunks
	}
	return hunks + " in " + astedit.Count(len(p.Files), "file")
}

// refreshLenses has the client ask for lenses again after each change of what is
// pending. It runs apart from the other surfaces: a client that does not answer
// holds up nothing but this.
func (f *surfaces) refreshLenses(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.lenses:
		}
		f.askForLenses(ctx)
	}
}

func (f *surfaces) askForLenses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, f.server.cfg.Deadlines.Answer)
	defer cancel()
	if err := f.server.editor.CodeLensRefresh(ctx); err != nil {
		f.server.log.Warn("refresh code lenses", zap.Error(err))
	}
}
