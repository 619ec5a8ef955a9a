package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// errClosed is the error of a call whose answer can no longer come.
var errClosed = errors.New("the server closed the connection")

// peer is the editor's end of the wire. Unlike a jsonrpc2.Conn it can leave a
// request unanswered, and tells a caller the server's answer to a request that
// was cancelled.
type peer struct {
	stream  jsonrpc2.Stream
	handler peerHandler

	mu      sync.Mutex
	last    int64
	waiting map[jsonrpc2.ID]chan *jsonrpc2.Response
	closed  chan struct{} // closed when nothing more is read
}

// peerHandler gets what the server sends. Both methods are called from the one
// reading goroutine and must not write to the server.
type peerHandler interface {
	request(id jsonrpc2.ID, method string, params json.RawMessage)
	notification(method string, params json.RawMessage)
}

func newPeer(rwc io.ReadWriteCloser, handler peerHandler) *peer {
	return &peer{
		stream: jsonrpc2.NewHeaderStream(rwc), handler: handler,
		waiting: map[jsonrpc2.ID]chan *jsonrpc2.Response{}, closed: make(chan struct{}),
	}
}

// read reads until the stream ends and returns why it did.
func (p *peer) read() error {
	defer close(p.closed)
	for {
		msg, _, err := p.stream.Read(context.Background())
		if err != nil {
			return err
		}
		// What is read is valid until the next Read only.
		switch m := msg.(type) {
		case *jsonrpc2.Response:
			p.deliver(m)
		case *jsonrpc2.Call:
			p.handler.request(m.ID(), strings.Clone(m.Method()), slices.Clone(json.RawMessage(m.Params())))
		case *jsonrpc2.Notification:
			p.handler.notification(strings.Clone(m.Method()), slices.Clone(json.RawMessage(m.Params())))
		}
	}
}

func (p *peer) deliver(r *jsonrpc2.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ch := p.waiting[r.ID()]; ch != nil {
		delete(p.waiting, r.ID())
		ch <- r
	}
}

// call sends a request and waits for its answer. Where ctx is done first, the
// server is told to cancel, and the answer is still waited for.
func (p *peer) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	raw, err := marshal(params)
	if err != nil {
		return nil, err
	}
	id, answer := p.register()
	if err := p.write(jsonrpc2.NewCall(id, method, raw)); err != nil {
		return nil, err
	}
	cancelled := ctx.Done()
	for {
		select {
		case r := <-answer:
			return json.RawMessage(r.Result()), r.Err()
		case <-p.closed:
			select {
			case r := <-answer: // it was the last thing read
				return json.RawMessage(r.Result()), r.Err()
			default:
				return nil, errClosed
			}
		case <-cancelled:
			cancelled = nil
			number, _ := id.Number()
			if err := p.notify(protocol.MethodCancelRequest, object{"id": number}); err != nil {
				return nil, err
			}
		}
	}
}

func (p *peer) register() (jsonrpc2.ID, <-chan *jsonrpc2.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	id := jsonrpc2.NewNumberID(p.last)
	answer := make(chan *jsonrpc2.Response, 1)
	p.waiting[id] = answer
	return id, answer
}

func (p *peer) notify(method string, params any) error {
	raw, err := marshal(params)
	if err != nil {
		return err
	}
	return p.write(jsonrpc2.NewNotification(method, raw))
}

// answer answers the server's request, with err where it is not nil.
func (p *peer) answer(id jsonrpc2.ID, result any, err error) error {
	raw, marshalErr := marshal(result)
	if marshalErr != nil {
		return marshalErr
	}
	return p.write(jsonrpc2.NewResponse(id, raw, err))
}

func (p *peer) write(msg jsonrpc2.Message) error {
	_, err := p.stream.Write(context.Background(), msg)
	return err
}

// marshal passes raw JSON through; nil is no JSON at all.
func marshal(v any) (jsonrpc2.RawMessage, error) {
	switch raw := v.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return jsonrpc2.RawMessage(raw), nil
	}
	raw, err := protocol.Marshal(v)
	return raw, err
}
