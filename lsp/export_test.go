package lsp

import "github.com/xcsh-lsp/xcsh-lsp/internal/session"

// Session is the session that the workspace's connections share, for tests that
// stage what no command stages by itself.
func (w *Workspace) Session() *session.Session { return w.session }
