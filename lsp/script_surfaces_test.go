package lsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// surfaceStep runs a step about lenses and preview documents.
func (s *script) surfaceStep(verb, rest string) {
	name, title, _ := strings.Cut(rest, " ")
	uri := s.uris[name]
	switch verb {
	case "lenses":
		for _, lens := range s.Lenses(uri) {
			s.print(fmt.Sprintf("%d:%d %s", lens.Range.Start.Line, lens.Range.Start.Character, lens.Command.Title))
		}
	case "click":
		lenses := s.Lenses(uri)
		i := slices.IndexFunc(lenses, func(l lsptest.Lens) bool { return strings.HasPrefix(l.Command.Title, title) })
		if i < 0 {
			s.t.Fatalf("no lens %q among %d", title, len(lenses))
		}
		s.runChosen(lenses[i].Command)
	case "after":
		var preview struct{ Documents []struct{ PreviewURI string } }
		s.runInto("xcsh.pending.preview", map[string]any{"uri": "file://" + s.path(name)}, &preview)
		content, failed := s.Content(context.Background(), preview.Documents[0].PreviewURI)
		if failed != nil {
			s.print(fmt.Sprintf("error %d: %s", failed.Code, failed.Message))
		}
		s.print(strings.TrimSuffix(content, "\n"))
	}
}
