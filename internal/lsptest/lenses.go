package lsptest

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Lens is a code lens.
type Lens struct {
	Range   protocol.Range `json:"range"`
	Command *Command       `json:"command"`
}

// Lenses asks for the code lenses of a document.
func (e *Editor) Lenses(uri string) []Lens {
	e.t.Helper()
	raw, err := e.Call(context.Background(), protocol.MethodTextDocumentCodeLens, object{"textDocument": object{"uri": uri}})
	if err != nil {
		e.t.Fatalf("textDocument/codeLens: %v", err)
	}
	var lenses []Lens
	e.decode(protocol.MethodTextDocumentCodeLens, raw, &lenses)
	return lenses
}

// Content asks the server for the text of a document of the server's own scheme.
// The error is the server's.
func (e *Editor) Content(ctx context.Context, uri string) (string, *jsonrpc2.Error) {
	raw, err := e.Call(ctx, protocol.MethodWorkspaceTextDocumentContent, object{"uri": uri})
	if err != nil {
		return "", e.serverError(protocol.MethodWorkspaceTextDocumentContent, err)
	}
	var content struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &content); err != nil {
		e.t.Errorf("read %s: %v", raw, err)
	}
	return content.Text, nil
}
