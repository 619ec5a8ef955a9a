// Package lsp is the language server: it keeps an editor's documents in step,
// shows what is pending where the code is, and turns commands and code actions
// into calls of a session. A [Workspace] has one session for all its connections,
// a [Server] is one connection.
//
// One file serves one family of methods. A handler reads a document, calls the
// session and converts; edits, matching and decisions are decided below, and
// positions are converted here, once, at the edge. The transport is
// lsp/internal/wire.
package lsp
