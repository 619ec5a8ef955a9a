package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// Texts of the question whether a workspace is trusted.
const (
	textTrust  = "This workspace brings tools of its own. They run as you, with all your permissions:\n%s\nTrust them?"
	titleTrust = "Trust"
	titleNoNow = "Not now"

	// maxTrustFiles is how many files the question names; an editor's message
	// box holds no more. It says how many there are beside.
	maxTrustFiles = 10
)

// ask puts the open question to the first human, if there is one. It returns at
// once; an answer that trusts loads the tools again.
func (b *toolbox) ask() {
	human := b.workspace.human()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.question == nil || b.asking || human == nil {
		return
	}
	b.asking = true
	question := b.question
	human.spawn(func(ctx context.Context) {
		trusted := human.askTrust(ctx, question)
		b.mu.Lock()
		b.asking = false
		b.mu.Unlock()
		b.answered(question, trusted)
	})
}

// answered takes a human's word; nil is none.
func (b *toolbox) answered(question *customtools.TrustQuestion, trusted *bool) {
	switch {
	case trusted == nil:
		return // another editor may be asked
	case !*trusted:
		b.trust.Decline(question)
		return
	}
	if err := b.trust.Grant(question); err != nil {
		b.workspace.log.Warn("trust", zap.Error(err))
	}
	b.reload()
}

func (s *Server) askTrust(ctx context.Context, q *customtools.TrustQuestion) *bool {
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil
	}
	var names []string
	for _, file := range q.Files[:min(len(q.Files), maxTrustFiles)] {
		names = append(names, "  "+file)
	}
	if more := len(q.Files) - maxTrustFiles; more > 0 {
		names = append(names, "  and "+astedit.Count(more, "more file"))
	}
	chosen, err := s.editor.ShowMessageRequest(ctx, &protocol.ShowMessageRequestParams{
		Type: protocol.MessageTypeWarning, Message: fmt.Sprintf(textTrust, strings.Join(names, "\n")),
		Actions: []protocol.MessageActionItem{{Title: titleTrust}, {Title: titleNoNow}},
	})
	if err != nil {
		return nil
	}
	trusted := chosen != nil && chosen.Title == titleTrust
	return &trusted
}
