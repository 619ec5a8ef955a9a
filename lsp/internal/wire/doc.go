// Package wire is the server's side of the JSON-RPC transport: framing that
// survives bad input, dispatch in the order of the wire, cancellation, and the
// life cycle from `initialize` to `exit`.
//
// It exists because the connection of go.lsp.dev/jsonrpc2 ends at the first
// malformed message and at the first error of a notification's handler, and
// because go.lsp.dev/protocol handles notifications out of order. It knows no
// method of the server but those of the life cycle, and nothing of documents,
// commands or edits.
package wire
