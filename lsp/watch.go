package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// watchFiles asks a client that can to report changes on disk, so that previews
// follow them. A client that cannot costs nothing: an apply looks at the disk
// itself.
func (s *Server) watchFiles(ctx context.Context) {
	if !s.client.watchesFiles {
		return
	}
	options, err := protocol.Marshal(protocol.DidChangeWatchedFilesRegistrationOptions{
		Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern("**/*")}},
	})
	if err != nil {
		s.log.Error("watch files", zap.Error(err))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Deadlines.Answer)
	defer cancel()
	err = s.editor.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "xcsh-files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options,
	}}})
	if err != nil {
		s.log.Warn("watch files", zap.Error(err))
	}
}
