package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Each input is answered or logged, and the next request works.
func TestBadInput(t *testing.T) {
	tests := []struct {
		name, raw string
		code      jsonrpc2.Code // of the answer with a null id; 0: there is none
		log       string
	}{
		{"not JSON", frame(`{"jsonrpc":"2.0",`), jsonrpc2.ParseError, "message refused"},
		{"empty body", frame(""), jsonrpc2.ParseError, "message refused"},
		{"two values", frame(`{"jsonrpc":"2.0","method":"x"} {}`), jsonrpc2.ParseError, "message refused"},
		{"a number", frame(`42`), jsonrpc2.InvalidRequest, "message refused"},
		{"no version", frame(`{"id":1,"method":"test/ping"}`), jsonrpc2.InvalidRequest, "message refused"},
		{"wrong version", frame(`{"jsonrpc":"1.0","id":1,"method":"test/ping"}`), jsonrpc2.InvalidRequest, "message refused"},
		{"method is a number", frame(`{"jsonrpc":"2.0","id":1,"method":7}`), jsonrpc2.InvalidRequest, "message refused"},
		{"id is an object", frame(`{"jsonrpc":"2.0","id":{},"method":"test/ping"}`), jsonrpc2.InvalidRequest, "message refused"},
		{"id is a fraction", frame(`{"jsonrpc":"2.0","id":1.5,"method":"test/ping"}`), jsonrpc2.InvalidRequest, "message refused"},
		{"neither request nor response", frame(`{"jsonrpc":"2.0"}`), jsonrpc2.InvalidRequest, "message refused"},
		{"batch", frame(` [{"jsonrpc":"2.0","id":1,"method":"test/ping"}]`), jsonrpc2.InvalidRequest, "message refused"},
		{"empty batch", frame(`[]`), jsonrpc2.InvalidRequest, "message refused"},
		{"batch that is not JSON", frame(`[{]`), jsonrpc2.ParseError, "message refused"},
		{"malformed header", "Content-Length: many\r\n\r\n{}", 0, "malformed message header"},
		{"no length", "Content-Type: text\r\n\r\n{}", 0, "malformed message header"},
		{"garbage", "hello\nworld", 0, "malformed message header"},
		{"too long", fmt.Sprintf("Content-Length: %d\r\n\r\n{}", maxFrame+1), jsonrpc2.InvalidRequest, "message too long"},
		{"answer to nothing", frame(`{"jsonrpc":"2.0","id":77,"result":1}`), 0, ""},
		{"answer with a string id", frame(`{"jsonrpc":"2.0","id":"77","result":1}`), 0, ""},
		{"error with a null id", frame(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`), 0, ""},
		{"unknown notification", frame(`{"jsonrpc":"2.0","method":"test/unknown","params":[1]}`), 0, "unknown notification"},
		{"unknown notification without params", frame(`{"jsonrpc":"2.0","method":"test/unknown"}`), 0, "unknown notification"},
		{"notification with bad params", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":5}}`), 0, "notification failed"},
		{"notification without its params", frame(`{"jsonrpc":"2.0","method":"textDocument/didChange"}`), 0, "notification failed"},
		{"request as a notification", frame(`{"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{}}}`), 0, "the method is a request"},
		{"cancel with a bad id", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[1]}}`), 0, "cannot cancel"},
		{"cancel without id", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{}}`), 0, "cannot cancel"},
		{"cancel with a null id", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}`), 0, "cannot cancel"},
		{"cancel without params", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`), 0, "cannot cancel"},
		{"cancel of nothing", frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), 0, ""},
		{"unknown $/ notification", frame(`{"jsonrpc":"2.0","method":"$/unknown","params":{}}`), 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := begin(t, ping(Handlers{}))
			r.initialize()
			r.write(tt.raw)
			if tt.code != 0 {
				r.expectError("null", tt.code)
			}
			r.expectAlive()
			if tt.log != "" {
				r.expectLog(tt.log)
			}
			if lines := r.logs.Len(); lines > 1 || lines > 0 && tt.log == "" {
				t.Errorf("%d lines in the log: %v", lines, r.logs.All())
			}
		})
	}
}

func TestBadRequests(t *testing.T) {
	tests := []struct {
		name, body string
		code       jsonrpc2.Code
	}{
		{"unknown", `{"jsonrpc":"2.0","id":1,"method":"test/unknown","params":{}}`, jsonrpc2.MethodNotFound},
		{"unknown without params", `{"jsonrpc":"2.0","id":1,"method":"test/unknown"}`, jsonrpc2.MethodNotFound},
		{"unknown $/", `{"jsonrpc":"2.0","id":1,"method":"$/unknown"}`, jsonrpc2.MethodNotFound},
		{"not implemented", `{"jsonrpc":"2.0","id":1,"method":"textDocument/rename","params":{"textDocument":{"uri":"a:b"},"position":{"line":0,"character":0},"newName":"x"}}`, jsonrpc2.MethodNotFound},
		{"a server's method", `{"jsonrpc":"2.0","id":1,"method":"workspace/applyEdit","params":{"edit":{}}}`, jsonrpc2.MethodNotFound},
		{"params of another type", `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":7}}`, jsonrpc2.InvalidParams},
		{"params that are no object", `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":"x"}`, jsonrpc2.InvalidParams},
		{"params missing", `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}`, jsonrpc2.InvalidParams},
		{"notification as a request", `{"jsonrpc":"2.0","id":1,"method":"exit"}`, jsonrpc2.InvalidRequest},
		{"plain error", `{"jsonrpc":"2.0","id":1,"method":"test/plain"}`, jsonrpc2.InternalError},
		{"coded error", `{"jsonrpc":"2.0","id":1,"method":"test/coded"}`, -32803},
		{"wrapped coded error", `{"jsonrpc":"2.0","id":1,"method":"test/wrapped"}`, -32803},
		{"result that cannot be encoded", `{"jsonrpc":"2.0","id":1,"method":"test/chan"}`, jsonrpc2.InternalError},
	}
	fail := func(err error) RawHandler {
		return func(context.Context, json.RawMessage) (any, error) { return nil, err }
	}
	coded := jsonrpc2.NewError(-32803, "failed")
	r := begin(t, ping(Handlers{Raw: map[string]RawHandler{
		"test/plain": fail(fmt.Errorf("plain")), "test/coded": fail(coded), "test/wrapped": fail(fmt.Errorf("why: %w", coded)),
		"test/chan": func(context.Context, json.RawMessage) (any, error) { return make(chan int), nil },
	}}))
	r.initialize()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.t = t
			r.send(tt.body)
			r.expectError("1", tt.code)
			r.expectAlive()
		})
	}
	r.t = t
}

// hovers answers a hover with what the handler has read.
type hovers struct{ server }

func (hovers) Hover(_ context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	if p.Position.Line == 0 {
		return nil, nil
	}
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: "plaintext", Value: fmt.Sprint(p.Position.Line)}}, nil
}

func TestResults(t *testing.T) {
	opened := make(chan string, 1)
	echo := func(_ context.Context, params json.RawMessage) (any, error) { return params, nil }
	r := begin(t, ping(Handlers{Server: hovers{}, Raw: map[string]RawHandler{
		protocol.MethodWorkspaceExecuteCommand: echo,
		"test/nothing":                         func(context.Context, json.RawMessage) (any, error) { return nil, nil },
		protocol.MethodTextDocumentDidOpen: func(_ context.Context, params json.RawMessage) (any, error) {
			opened <- string(params)
			return nil, nil
		},
	}}))
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":3,"character":0}}}`)
	r.expectResult("1", `{"contents":{"kind":"plaintext","value":"3"}}`)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}`)
	r.expectResult("2", "null")
	r.send(`{"jsonrpc":"2.0","id":3,"method":"test/nothing"}`)
	r.expectResult("3", "null")
	r.send(`{"jsonrpc":"2.0","id":"s\u00e9","method":"workspace/executeCommand","params":{"command":"x","formAnswers":["<é>"]}}`)
	r.expectResult(`"sé"`, `{"command":"x","formAnswers":["<é>"]}`)
	r.send(`{"jsonrpc":"2.0","id":4,"method":"workspace/executeCommand"}`)
	r.expectResult("4", "null")

	uri := `{"textDocument":{"uri":"file:///c%3A/a%2fb/c++"}}`
	r.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":` + uri + `}`)
	if got := <-opened; got != uri {
		t.Errorf("didOpen got %s, want the bytes of the wire %s", got, uri)
	}
}

// What one bad byte stream leaves behind does not depend on how it is cut.
func TestManyBadInputsInOneWrite(t *testing.T) {
	r := begin(t, ping(Handlers{}))
	r.initialize()
	bad := []string{frame("{"), "junk\r\n", frame("[]"), "Content-Length: x\r\n\r\n{}", frame("7")}
	var raw strings.Builder
	for i := range 50 {
		raw.WriteString(bad[i%len(bad)])
	}
	raw.WriteString(frame(`{"jsonrpc":"2.0","id":"alive","method":"test/ping"}`))
	go r.write(raw.String())
	var codes []jsonrpc2.Code
	for {
		m := r.answer()
		if m.Error == nil {
			if string(m.Result) != `"pong"` {
				t.Errorf("got %s", m.Result)
			}
			break
		}
		codes = append(codes, m.Error.Code)
	}
	want := slices.Repeat([]jsonrpc2.Code{jsonrpc2.ParseError, jsonrpc2.InvalidRequest, jsonrpc2.InvalidRequest}, 10)
	if !slices.Equal(codes, want) {
		t.Errorf("got %v, want %v", codes, want)
	}
}
