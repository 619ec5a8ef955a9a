package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	begun := make(chan struct{}, 4)
	r := begin(t, ping(Handlers{Raw: map[string]RawHandler{"test/wait": waiting(begun)}}))
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
	// An id that is used again is a new request.
	r.send(`{"jsonrpc":"2.0","id":7,"method":"test/ping"}`)
	r.expectResult("7", `"pong"`)
}

// A handler that finishes all the same is believed, and one that the protocol's
// table routes is not begun once cancelled.
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
	m["x"] = 1
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
	if s := r.expectEnd(); !s.shutdown || s.err != nil || s.took > time.Second {
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

func TestEnds(t *testing.T) {
	cut := errors.New("cut")
	tests := []struct {
		name string
		do   func(*rig)
		err  error
	}{
		{"exit alone", func(r *rig) { r.send(`{"jsonrpc":"2.0","method":"exit"}`) }, nil},
		{"end of the stream", func(r *rig) { _ = r.client.Close() }, nil},
		{"end within a frame", func(r *rig) { r.write("Content-Length: 10\r\n\r\n{"); _ = r.client.Close() }, io.ErrUnexpectedEOF},
		{"end within a header", func(r *rig) { r.write("Content-Le"); _ = r.client.Close() }, io.ErrUnexpectedEOF},
	}
	for _, initialize := range []bool{false, true} {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s, initialized %v", tt.name, initialize), func(t *testing.T) {
				begun := make(chan struct{}, 3)
				r := begin(t, ping(Handlers{Raw: map[string]RawHandler{"test/wait": waiting(begun)}}))
				if initialize {
					r.initialize()
					for range 3 {
						r.send(`{"jsonrpc":"2.0","id":1,"method":"test/wait"}`)
						<-begun
					}
				}
				tt.do(r)
				if s := r.expectEnd(); s.shutdown || !errors.Is(s.err, tt.err) || s.took > time.Second {
					t.Errorf("got %+v, want the error %v", s, tt.err)
				}
			})
		}
	}
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		begun := make(chan struct{}, 1)
		r := beginWith(t, ctx, func(jsonrpc2.Conn) Handlers {
			return ping(Handlers{Raw: map[string]RawHandler{"test/wait": waiting(begun)}})
		})
		r.initialize()
		r.send(`{"jsonrpc":"2.0","id":1,"method":"test/wait"}`)
		<-begun
		cancel(cut)
		if s := r.expectEnd(); s.shutdown || s.err != nil || s.took > time.Second {
			t.Errorf("got %+v", s)
		}
	})
}

// A handler that asks the client and waits is released by the end.
func TestEndReleasesQuestions(t *testing.T) {
	var conn jsonrpc2.Conn
	r := beginWith(t, context.Background(), func(c jsonrpc2.Conn) Handlers {
		conn = c
		return ping(Handlers{Raw: map[string]RawHandler{"test/ask": func(ctx context.Context, _ json.RawMessage) (any, error) {
			var answer json.RawMessage
			err := protocol.Call(ctx, conn, "xcsh/input", map[string]any{"title": "why"}, &answer)
			return answer, err
		}}})
	})
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":1,"method":"test/ask"}`)
	question := r.answer()
	if question.Method != "xcsh/input" || string(question.Params) != `{"title":"why"}` {
		t.Fatalf("got %+v", question)
	}
	r.expectAlive() // the question holds nothing up
	r.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"value":"because"}}`, question.ID))
	r.expectResult("1", `{"value":"because"}`)

	r.send(`{"jsonrpc":"2.0","id":2,"method":"test/ask"}`)
	question = r.answer()
	r.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`)
	got := []message{r.answer(), r.answer()}
	slices.SortFunc(got, func(a, b message) int { return strings.Compare(a.Method, b.Method) })
	if got[1].Method != "$/cancelRequest" || string(got[1].Params) != fmt.Sprintf(`{"id":%s}`, question.ID) {
		t.Errorf("the client was not told to drop its question: %+v", got[1])
	}
	if got[0].Error == nil || got[0].Error.Code != protocol.CodeRequestCancelled {
		t.Errorf("got %+v, want that the request was cancelled", got[0])
	}

	r.send(`{"jsonrpc":"2.0","id":3,"method":"test/ask"}`)
	r.answer()
	r.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if s := r.expectEnd(); s.err != nil || s.took > time.Second {
		t.Errorf("got %+v", s)
	}
}

func TestEndWithStubbornHandler(t *testing.T) {
	release, begun := make(chan struct{}), make(chan struct{})
	r := begin(t, ping(Handlers{Raw: map[string]RawHandler{"test/stubborn": func(context.Context, json.RawMessage) (any, error) {
		close(begun)
		<-release
		return nil, nil
	}}}))
	t.Cleanup(func() { close(release) }) // before the goroutines are counted
	r.initialize()
	r.send(`{"jsonrpc":"2.0","id":1,"method":"test/stubborn"}`)
	<-begun
	_ = r.client.Close()
	s := r.expectEnd()
	if s.took > 2*time.Second || s.err == nil || !strings.Contains(s.err.Error(), "test/stubborn") {
		t.Errorf("got %+v, want an error that names the handler, within 2 s", s)
	}
}

// deafPipe is a stream whose Close does not end a Read, like a terminal's.
type deafPipe struct {
	io.Reader
	io.Writer
}

func (deafPipe) Close() error { return nil }

func TestEndWithDeafReader(t *testing.T) {
	checkGoroutines(t)
	in, feed := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	begun := time.Now()
	go func() {
		_, err := Serve(ctx, deafPipe{in, io.Discard}, func(jsonrpc2.Conn) Handlers { return ping(Handlers{}) }, zap.NewNop())
		served <- err
	}()
	cancel()
	if err := <-served; err != nil || time.Since(begun) > 2*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begun))
	}
	_ = feed.Close()
}

// A client that reads nothing blocks whoever writes to it, but not the end.
func TestEndWithClientThatDoesNotRead(t *testing.T) {
	checkGoroutines(t)
	client, serverSide := net.Pipe()
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, err := Serve(ctx, serverSide, func(jsonrpc2.Conn) Handlers { return ping(Handlers{}) }, zap.NewNop())
		served <- err
	}()
	if _, err := io.WriteString(client, frame(`{"jsonrpc":"2.0","id":1,"method":"test/ping"}`)); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	cancel()
	if err := <-served; err != nil || time.Since(begun) > 2*time.Second {
		t.Errorf("got %v after %v", err, time.Since(begun))
	}
}

// brokenPipe is a stream to which nothing can be written.
type brokenPipe struct{ net.Conn }

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestEndWhenNothingCanBeWritten(t *testing.T) {
	checkGoroutines(t)
	client, serverSide := net.Pipe()
	begun := make(chan struct{}, 1)
	served := make(chan error, 1)
	go func() {
		_, err := Serve(context.Background(), brokenPipe{serverSide}, func(jsonrpc2.Conn) Handlers {
			return ping(Handlers{Raw: map[string]RawHandler{"test/wait": waiting(begun)}})
		}, zap.NewNop())
		served <- err
	}()
	_, _ = io.WriteString(client, frame("{"))
	if err := <-served; err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("got %v", err)
	}
}
