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
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

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
				if s := r.expectEnd(); s.shutdown || !errors.Is(s.err, tt.err) {
					t.Errorf("got %+v, want the error %v", s, tt.err)
				}
			})
		}
	}
	t.Run("cut after shutdown", func(t *testing.T) {
		r := begin(t, ping(Handlers{}))
		r.initialize()
		r.send(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`)
		r.expectResult("1", "null")
		r.write("Content-Le")
		_ = r.client.Close()
		if s := r.expectEnd(); !s.shutdown || s.err != nil {
			t.Errorf("got %+v, want no error after shutdown", s)
		}
	})
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
		if s := r.expectEnd(); s.shutdown || s.err != nil {
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
	if s := r.expectEnd(); s.err != nil {
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
	if s.err == nil || !strings.Contains(s.err.Error(), "test/stubborn") {
		t.Errorf("got %+v, want an error that names the handler", s)
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
	go func() {
		_, err := Serve(ctx, deafPipe{in, io.Discard}, func(jsonrpc2.Conn) Handlers { return ping(Handlers{}) }, zap.NewNop())
		served <- err
	}()
	cancel()
	if err := <-served; err != nil {
		t.Errorf("got %v", err)
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
	if _, err := client.Read(make([]byte, 1)); err != nil { // the answer is on its way, and stays there
		t.Fatal(err)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("got %v", err)
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
