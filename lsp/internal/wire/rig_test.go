package wire

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

// rig is a running Serve with a client that writes raw bytes.
type rig struct {
	t       *testing.T
	client  net.Conn
	answers chan message
	logs    *observer.ObservedLogs
	served  chan served
}

type served struct {
	shutdown bool
	err      error
}

// message is what a server sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    jsonrpc2.Code `json:"code"`
		Message string        `json:"message"`
	} `json:"error"`
}

// server is the least that can be initialized and shut down.
type server struct{ protocol.UnimplementedServer }

func (server) Initialize(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	return &protocol.InitializeResult{}, nil
}
func (server) Shutdown(context.Context) error { return nil }

// begin serves handlers; every test ends with all goroutines gone.
func begin(t *testing.T, h Handlers) *rig {
	return beginWith(t, context.Background(), func(jsonrpc2.Conn) Handlers { return h })
}

func beginWith(t *testing.T, ctx context.Context, newHandlers func(jsonrpc2.Conn) Handlers) *rig {
	t.Helper()
	checkGoroutines(t)
	client, serverSide := net.Pipe()
	core, logs := observer.New(zap.DebugLevel)
	r := &rig{t: t, client: client, answers: make(chan message, 4096), logs: logs, served: make(chan served, 1)}
	go func() {
		shutdown, err := Serve(ctx, serverSide, newHandlers, zap.New(core))
		r.served <- served{shutdown: shutdown, err: err}
	}()
	go r.read()
	t.Cleanup(func() {
		_ = client.Close()
		for range r.answers { // until the reader has ended
		}
	})
	return r
}

func (r *rig) read() {
	defer close(r.answers)
	in := newFrameReader(r.client)
	in.malformed = func(line []byte) { r.t.Errorf("the server wrote %q", line) }
	for {
		body, err := in.next()
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			r.t.Errorf("the server wrote %q: %v", body, err)
		}
		r.answers <- m
	}
}

// checkGoroutines fails a test that leaves goroutines behind.
func checkGoroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(patience)
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<16)
				t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
}

func (r *rig) write(raw string) {
	r.t.Helper()
	_ = r.client.SetWriteDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(r.client, raw); err != nil {
		r.t.Errorf("write %q: %v", raw, err) // Errorf: also called beside the test
	}
}

func (r *rig) send(body string) { r.t.Helper(); r.write(frame(body)) }

func (r *rig) answer() message {
	r.t.Helper()
	select {
	case m, ok := <-r.answers:
		if ok {
			return m
		}
		r.t.Fatal("the server closed the connection")
	case <-time.After(patience):
		r.t.Fatal("no answer")
	}
	return message{}
}

// expectError expects the answer with this id and code.
func (r *rig) expectError(id string, code jsonrpc2.Code) message {
	r.t.Helper()
	m := r.answer()
	if string(m.ID) != id || m.Error == nil || m.Error.Code != code {
		r.t.Fatalf("got id %s, error %+v, result %s; want id %s, code %d", m.ID, m.Error, m.Result, id, code)
	}
	return m
}

func (r *rig) expectResult(id, result string) {
	r.t.Helper()
	m := r.answer()
	if string(m.ID) != id || m.Error != nil || string(m.Result) != result {
		r.t.Fatalf("got id %s, error %+v, result %s; want id %s, result %s", m.ID, m.Error, m.Result, id, result)
	}
}

func (r *rig) initialize() {
	r.t.Helper()
	r.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
	if m := r.answer(); string(m.ID) != `"init"` || m.Error != nil {
		r.t.Fatalf("initialize: %+v", m)
	}
	r.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

// expectEnd expects that Serve returns. One that a handler holds up gives up on it, and
// then has an error: none is the proof that the end waited for nobody.
func (r *rig) expectEnd() served {
	r.t.Helper()
	select {
	case s := <-r.served:
		return s
	case <-time.After(patience):
		r.t.Fatal("Serve did not return")
	}
	return served{}
}

func (r *rig) expectLog(text string) {
	r.t.Helper()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		for _, e := range r.logs.All() {
			if strings.Contains(e.Message, text) {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
	r.t.Fatalf("nothing in the log has %q: %v", text, r.logs.All())
}

// ping adds a request that is answered with "pong".
func ping(h Handlers) Handlers {
	if h.Server == nil {
		h.Server = server{}
	}
	if h.Raw == nil {
		h.Raw = map[string]RawHandler{}
	}
	h.Raw["test/ping"] = func(context.Context, json.RawMessage) (any, error) { return "pong", nil }
	return h
}

func (r *rig) expectAlive() {
	r.t.Helper()
	r.send(`{"jsonrpc":"2.0","id":"alive","method":"test/ping"}`)
	r.expectResult(`"alive"`, `"pong"`)
}
