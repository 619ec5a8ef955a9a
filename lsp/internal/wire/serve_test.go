package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// order records what arrives.
type order struct {
	server
	mu      sync.Mutex
	changes []int32
}

func (o *order) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changes = append(o.changes, p.TextDocument.Version)
	return nil
}

func (o *order) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.changes)
}

// 1,000 changes arrive in order with 100 requests among them that all wait for
// the last one: each has seen all that came before it, and none holds up another.
func TestOrder(t *testing.T) {
	checkGoroutines(t)
	const changes = 1000
	o := &order{}
	all := make(chan struct{})
	slow := func(ctx context.Context, params json.RawMessage) (any, error) {
		var sent []int
		if err := json.Unmarshal(params, &sent); err != nil {
			return nil, err
		}
		if got := o.count(); got < sent[0] {
			return nil, fmt.Errorf("%d changes seen of %d", got, sent[0])
		}
		select {
		case <-all:
			return "done", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	client, serverSide := net.Pipe()
	served := make(chan error, 1)
	go func() {
		_, err := Serve(t.Context(), serverSide, func(jsonrpc2.Conn) Handlers {
			return Handlers{Server: o, Raw: map[string]RawHandler{"test/slow": slow}}
		}, zap.NewNop())
		served <- err
	}()
	conn := jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(client), jsonrpc2.WithCodec(codec{}))
	conn.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	call := func(method string, params any) error {
		_, err := conn.Call(t.Context(), method, params, nil)
		return err
	}
	if err := call("initialize", &protocol.InitializeParams{}); err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for v := range changes {
		params := fmt.Sprintf(`{"textDocument":{"uri":"file:///a","version":%d},"contentChanges":[{"text":"x"}]}`, v)
		if err := conn.Notify(t.Context(), "textDocument/didChange", jsonrpc2.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
		if v%10 == 0 {
			calls.Go(func() {
				if err := call("test/slow", []int{v + 1}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	for deadline := time.Now().Add(patience); o.count() < changes; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d changes arrived", o.count())
		}
	}
	close(all)
	calls.Wait()
	if !slices.IsSorted(o.changes) || len(o.changes) != changes {
		t.Errorf("changes arrived as %v", o.changes)
	}
	_ = conn.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// waiting is a request that waits until it is cancelled.
func waiting(begun chan<- struct{}) RawHandler {
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, fmt.Errorf("waited: %w", ctx.Err())
	}
}

func TestCancel(t *testing.T) {
	begun, release := make(chan struct{}, 4), make(chan struct{})
	r := begin(t, ping(Handlers{Raw: map[string]RawHandler{
		"test/wait": waiting(begun),
		"test/release": func(context.Context, json.RawMessage) (any, error) {
			<-release
			return nil, nil
		},
	}}))
	r.initialize()
	for _, id := range []string{`7`, `"7"`, `"x\"y"`, `9007199254740991`} {
		r.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"test/wait"}`)
		<-begun
	}
	for _, id := range []string{`"7"`, `9007199254740991`, `7`, `"x\"y"`} {
		r.expectAlive()
		r.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
		r.expectError(id, protocol.CodeRequestCancelled)
	}
	// Of two requests with one id the newer can be cancelled when the older is done.
	r.send(`{"jsonrpc":"2.0","id":7,"method":"test/release"}`)
	r.send(`{"jsonrpc":"2.0","id":7,"method":"test/wait"}`)
	<-begun
	release <- struct{}{}
	r.expectResult("7", "null")
	r.expectAlive()
	r.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}`)
	r.expectError("7", protocol.CodeRequestCancelled)
}

// A handler that finishes all the same is believed.
func TestCancelIgnored(t *testing.T) {
	begun := make(chan struct{})
	r := begin(t, ping(Handlers{Raw: map[string]RawHandler{"test/stubborn": func(ctx context.Context, _ json.RawMessage) (any, error) {
		close(begun)
		<-ctx.Done()
		return "done", nil
	}}}))
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":1,"method":"test/stubborn"}`)
	<-begun
	r.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	r.expectResult("1", `"done"`)
}

// panics panics in every way that the dispatcher knows.
type panics struct{ server }

func (panics) Hover(context.Context, *protocol.HoverParams) (*protocol.Hover, error) {
	var m map[string]int
	m["x"] = 1 //lint:ignore SA5000 the panic is the test
	return nil, nil
}

func (panics) DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error {
	panic("saved")
}

func TestPanic(t *testing.T) {
	r := begin(t, ping(Handlers{Server: panics{}}))
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}`)
	if m := r.expectError("1", jsonrpc2.InternalError); !strings.Contains(m.Error.Message, "nil map") {
		t.Errorf("the message hides the panic: %s", m.Error.Message)
	}
	r.send(`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///a"}}}`)
	r.expectAlive()
	logged := r.logs.FilterMessage("panic").All()
	if len(logged) != 2 || !strings.Contains(string(logged[0].ContextMap()["stack"].(string)), "panics.Hover") {
		t.Errorf("logged %v, want both panics with their stacks", logged)
	}
}

func TestLifeCycle(t *testing.T) {
	r := begin(t, ping(Handlers{}))
	r.send(`{"jsonrpc":"2.0","id":1,"method":"test/ping"}`)
	r.expectError("1", jsonrpc2.ServerNotInitialized)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	r.expectError("2", jsonrpc2.ServerNotInitialized)
	r.send(`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///a"}}}`)
	r.expectLog("notification dropped")
	r.send(`{"jsonrpc":"2.0","id":3,"method":"initialize","params":7}`)
	r.expectError("3", jsonrpc2.InvalidParams) // it may be tried again
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"capabilities":{}}}`)
	r.expectError("4", jsonrpc2.InvalidRequest)
	r.expectAlive()
	r.send(`{"jsonrpc":"2.0","id":5,"method":"shutdown"}`)
	r.expectResult("5", "null")
	for _, method := range []string{"test/ping", "shutdown", "initialize"} {
		r.send(`{"jsonrpc":"2.0","id":6,"method":"` + method + `"}`)
		r.expectError("6", jsonrpc2.InvalidRequest)
	}
	// The client keeps its side open: exit alone is enough.
	r.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if s := r.expectEnd(); !s.shutdown || s.err != nil {
		t.Errorf("got %+v, want a clean end after shutdown", s)
	}
}

// initialized counts how often it was told.
type initialized struct {
	server
	told chan struct{}
}

func (i initialized) Initialized(context.Context, *protocol.InitializedParams) error {
	i.told <- struct{}{}
	return nil
}

func TestInitializedWithoutParams(t *testing.T) {
	h := initialized{told: make(chan struct{}, 2)}
	r := begin(t, ping(Handlers{Server: h}))
	r.initialize()
	<-h.told
	r.send(`{"jsonrpc":"2.0","method":"initialized"}`)
	r.expectAlive()
	if len(h.told) != 1 {
		t.Errorf("initialized without params did not arrive: %v", r.logs.All())
	}
}
