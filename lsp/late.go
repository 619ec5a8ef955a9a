package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// watchLate takes back, for a while, edits that were given up and that the editor
// makes after all.
func (s *Server) watchLate(label string, docs []session.DocumentEdit) {
	for _, doc := range docs {
		ctx, cancel := context.WithTimeout(s.background, lateWindow)
		s.mu.Lock()
		s.late[doc.Path] = cancel
		s.mu.Unlock()
		expected := s.docs.expect(map[string][]byte{doc.Path: doc.New})
		s.work.Go(func() {
			defer cancel()
			defer s.docs.release(expected)
			select {
			case <-ctx.Done():
				return
			case <-expected.met:
			}
			message, kind := textTakenBack, protocol.MessageTypeWarning
			taking, stop := context.WithTimeout(s.background, requestDeadline+verifyDeadline)
			defer stop()
			if left := (editor{s}).takeBack(taking, label, []session.DocumentEdit{doc}); len(left) > 0 {
				message, kind = textLateDoubt, protocol.MessageTypeError
			}
			s.showMessage(kind, fmt.Sprintf(message, doc.Display))
		})
	}
}

// forgetLate ends the watch over documents that are edited anew: their new text
// is wanted now.
func (s *Server) forgetLate(docs []session.DocumentEdit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, doc := range docs {
		if cancel, ok := s.late[doc.Path]; ok {
			cancel()
			delete(s.late, doc.Path)
		}
	}
}
