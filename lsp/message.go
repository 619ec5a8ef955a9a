package lsp

import (
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// showMessage shows the user a message.
func (s *Server) showMessage(kind protocol.MessageType, message string) {
	if err := s.editor.ShowMessage(s.background, &protocol.ShowMessageParams{Type: kind, Message: message}); err != nil {
		s.log.Warn("show message", zap.String("message", message), zap.Error(err))
	}
}
