package lsp

import (
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// requestDeadline is how long a client has to answer a request that is no
// question to a human: one that never answers costs one failed command.
const requestDeadline = 10 * time.Second

// showMessage shows the user a message.
func (s *Server) showMessage(kind protocol.MessageType, message string) {
	if err := s.editor.ShowMessage(s.background, &protocol.ShowMessageParams{Type: kind, Message: message}); err != nil {
		s.log.Warn("show message", zap.String("message", message), zap.Error(err))
	}
}
