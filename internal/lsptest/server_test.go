package lsptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// scripted is the least of a server: it logs what it gets, keeps the documents'
// texts, and runs a function for each command.
type scripted struct {
	t        *testing.T
	conn     jsonrpc2.Conn
	encoding string
	command  func(ctx context.Context, params json.RawMessage) (any, error)
	resolve  func(params json.RawMessage) (any, error)
	actions  string

	mu    sync.Mutex
	log   []string // what it got, shortened
	texts map[string]string
	init  json.RawMessage
}

// start connects an editor of these manners to a scripted server.
func start(t *testing.T, manners Manners) (*Editor, *scripted) {
	t.Helper()
	client, serverSide := net.Pipe()
	s := &scripted{t: t, texts: map[string]string{}}
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(serverSide))
	s.conn.Go(context.Background(), s.handle)
	t.Cleanup(func() { <-s.conn.Done() }) // after the editor's own cleanup
	return New(t, client, manners), s
}

func (s *scripted) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	params := json.RawMessage(append([]byte(nil), req.Params()...))
	s.note(strings.Clone(req.Method()), params)
	switch req.Method() {
	case "initialize":
		return jsonrpc2.RawMessage(fmt.Sprintf(`{"capabilities":{"positionEncoding":%q}}`, s.encoding)), nil
	case "workspace/executeCommand":
		jsonrpc2.Async(ctx)
		return s.command(ctx, params)
	case "command/resolve":
		return s.resolve(params)
	case "textDocument/codeAction":
		return jsonrpc2.RawMessage(s.actions), nil
	}
	return nil, nil
}

// note keeps texts as a server does that takes whole texts only; incremental
// changes are kept as they came, for the tests to look at.
func (s *scripted) note(method string, params json.RawMessage) {
	var p struct {
		TextDocument struct {
			URI     string
			Version int32
			Text    string
		}
		ContentChanges json.RawMessage
	}
	_ = json.Unmarshal(params, &p)
	line := method
	switch method {
	case "initialize":
		s.init = params
	case "textDocument/didOpen":
		line = fmt.Sprintf("didOpen %d %s", p.TextDocument.Version, p.TextDocument.Text)
	case "textDocument/didChange":
		line = fmt.Sprintf("didChange %d %s", p.TextDocument.Version, canonical(p.ContentChanges))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
}

func (s *scripted) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.log...)
}

// applyEdit asks the editor and returns its answer as JSON, or the error's text.
func (s *scripted) applyEdit(ctx context.Context, params string) string {
	var result json.RawMessage
	if _, err := s.conn.Call(ctx, "workspace/applyEdit", jsonrpc2.RawMessage(params), &result); err != nil {
		return "error: " + err.Error()
	}
	s.note("answered", nil)
	return canonical(result)
}

// canonical returns JSON with the fields in the order of their names.
func canonical(raw json.RawMessage) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return fmt.Sprintf("%s (%v)", raw, err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(sorted)
}

// await waits until the server has got a line.
func (s *scripted) await(prefix string) []string {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if lines := s.lines(); indexOf(lines, prefix) >= 0 {
			return lines
		}
	}
	s.t.Fatalf("the server did not get %s, but %q", prefix, s.lines())
	return nil
}
