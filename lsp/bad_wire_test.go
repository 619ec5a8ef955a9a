package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// Input that is no message, and messages that are not for this server: an error or
// a line of the log each, and the server goes on.
func TestBadWire_ServerGoesOn(t *testing.T) {
	for name, raw := range map[string]string{
		"malformed JSON":          frame(`{"jsonrpc":"2.0","id":1,`),
		"not JSON-RPC":            frame(`{"hello":1}`),
		"a batch":                 frame(`[{"jsonrpc":"2.0","method":"x"}]`),
		"an empty body":           frame(``),
		"no UTF-8":                frame("{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"),
		"malformed header":        "Content-Length: many\r\n\r\n",
		"no header at all":        "hello\r\n\r\n",
		"unknown message":         frame(`{"jsonrpc":"2.0","method":"x/unknown","params":{}}`),
		"unknown $ message":       frame(`{"jsonrpc":"2.0","method":"$/unknown"}`),
		"an answer to nobody":     frame(`{"jsonrpc":"2.0","id":77,"result":null}`),
		"request as notification": frame(`{"jsonrpc":"2.0","method":"textDocument/hover","params":{}}`),
		"cancel of nothing":       frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4711}}`),
		"cancel without id":       frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{}}`),
		"didOpen of nothing":      frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`),
		"didOpen, wrong types":    frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":1}}}`),
		"didClose without params": frame(`{"jsonrpc":"2.0","method":"textDocument/didClose"}`),
		"didSave of a stranger":   frame(`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///x.ts"}}}`),
		"folders, wrong types":    frame(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":3}}`),
		"watched, wrong types":    frame(`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":7}]}}`),
		"progress cancel, odd":    frame(`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":{}}}`),
		"initialized again":       frame(`{"jsonrpc":"2.0","method":"initialized"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
			f.inject(raw)
			if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.HasPrefix(got, "# a.ts") {
				t.Errorf("afterwards: %q", got)
			}
		})
	}
}

func TestBadWire_Requests(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	for _, c := range []struct {
		method, params string
		code           int
	}{
		{"x/unknown", `{}`, -32601},
		{"textDocument/definition", `{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}`, -32601},
		{"initialize", `{"capabilities":{}}`, -32600},
		{"textDocument/didOpen", `{}`, -32600},
		{"textDocument/hover", `{"textDocument":{"uri":"` + uri + `"},"position":{"line":-1,"character":0}}`, -32602},
		{"textDocument/hover", `{"textDocument":1}`, -32602},
		{"textDocument/codeAction", `{"textDocument":{"uri":"` + uri + `"},"range":{"start":{"line":0,"character":-3}},"context":{}}`, -32602},
		{"textDocument/codeAction", `[]`, -32602},
		{"command/resolve", `[]`, -32602},
		{"command/resolve", `{"command":1}`, -32602},
	} {
		if _, failed := f.raw(c.method, c.params); failed == nil || int(failed.Code) != c.code {
			t.Errorf("%s %s: %v, want code %d", c.method, c.params, failed, c.code)
		}
	}
	f.pendingIDs()
}

func TestBadWire_BeforeInitialize(t *testing.T) {
	f := connect(t, lsptest.Plain(), nil, nil)
	for _, method := range []string{"workspace/executeCommand", "textDocument/hover", "shutdown", "x/unknown"} {
		if _, failed := f.raw(method, `{}`); failed == nil || failed.Code != -32002 {
			t.Errorf("%s before initialize: %v", method, failed)
		}
	}
	f.inject(frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`))
	for _, params := range []string{`[]`, `{"capabilities":[]}`, `{"capabilities":{"experimental":{"xcsh":[]}}}`, `{"capabilities":{},"workspaceFolders":"x"}`} {
		if _, failed := f.raw("initialize", params); failed == nil || failed.Code != -32602 {
			t.Errorf("initialize with %s: %v", params, failed)
		}
	}
	f.Initialize(nil, f.dir) // as if nothing had been
	f.pendingIDs()
}

// closedDocument: what is asked about a document that is not open has no answer.
func TestBadWire_ClosedDocument(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	uri := lsptest.URI(f.path("a.ts"))
	if got := f.Hover(uri, protocol.Range{}); got != "" {
		t.Errorf("hover %q", got)
	}
	if got := f.CodeActions(uri, protocol.Range{}); len(got) != 0 {
		t.Errorf("actions %q", describe(got))
	}
	f.Notify("textDocument/didChange", json.RawMessage(`{"textDocument":{"uri":"`+uri+`","version":2},"contentChanges":[{"text":"qux(1);\n"}]}`))
	f.Notify("textDocument/didClose", json.RawMessage(`{"textDocument":{"uri":"`+uri+`"}}`))
	f.run("xcsh.resolve", applyNow())
	if got := f.disk("a.ts"); got != "bar(1);\n" {
		t.Errorf("a.ts is %q", got)
	}
	if f.logs.FilterMessage("notification failed").Len() != 1 {
		t.Error("a change of a document that is not open is in no line of the log")
	}
}
