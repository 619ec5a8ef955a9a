package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Hover implements protocol.Server: what the pending actions would make of the
// code under the cursor, as diffs.
func (s *Server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	if s.docs.get(string(p.TextDocument.URI)) == nil {
		return nil, nil
	}
	stack := s.settled(ctx)
	doc := s.docs.get(string(p.TextDocument.URI)) // as the previews have it
	if doc == nil {
		return nil, nil
	}
	offset, err := doc.positions().Offset(fromProtocol(p.Position), s.client.encoding)
	if err != nil {
		return nil, err
	}
	found := changesAt(stack, doc, text.Span{Start: offset, End: offset})
	if len(found) == 0 {
		return nil, nil
	}
	var parts []string
	for _, f := range found {
		parts = append(parts, f.preview.Label+"\n"+diffBlock(f.change.Before, f.change.After))
	}
	where, err := rangeOf(doc.positions(), found[0].change.Span, s.client.encoding)
	if err != nil {
		return nil, err
	}
	content := &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: strings.Join(parts, "\n\n")}
	return &protocol.Hover{Contents: content, Range: &where}, nil
}

// diffBlock is a Markdown block with the lines before and after. Its fence is
// longer than any run of backticks in the code.
func diffBlock(before, after string) string {
	fence := "```"
	for strings.Contains(before, fence) || strings.Contains(after, fence) {
		fence += "`"
	}
	return fence + "diff\n" + prefixLines("-", before) + prefixLines("+", after) + fence
}

func prefixLines(sign, code string) string {
	if code == "" {
		return ""
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n") {
		b.WriteString(sign + line + "\n")
	}
	return b.String()
}
