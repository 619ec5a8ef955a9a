package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// RawHandler handles one method with its params as they came; nil where there are
// none. They are valid until it returns. For a notification the result is
// dropped, and an error is logged.
type RawHandler func(ctx context.Context, params json.RawMessage) (any, error)

// Handlers are what a server handles.
type Handlers struct {
	// Server handles the methods of the protocol. Its Request is never called:
	// a method that is not the protocol's is in Raw or unknown.
	Server protocol.Server
	// Raw handles methods that must be read raw, or that the protocol does not
	// have. It goes before Server.
	Raw map[string]RawHandler
	// Ended, where set, is called once when the stream has ended and the handlers'
	// contexts with it; handlers may still be on their way out. It must not block.
	Ended func()
}

// dispatcher calls the handlers of one connection.
type dispatcher struct {
	log      *zap.Logger
	gate     gate
	running  *running
	life     context.Context // parent of every handler's context
	exit     func()
	ended    func()
	raw      map[string]RawHandler
	server   protocol.Server
	standard jsonrpc2.Handler
	kinds    map[string]string // of the methods that standard routes: request or notification
}

func newDispatcher(life context.Context, h Handlers, exit func(), log *zap.Logger) *dispatcher {
	return &dispatcher{
		log: log, running: newRunning(), life: life, exit: exit, ended: h.Ended,
		raw: h.Raw, server: h.Server,
		standard: protocol.ServerHandler(h.Server, jsonrpc2.MethodNotFoundHandler), kinds: serverMethods(),
	}
}

// The kinds of messages in the library's table.
const (
	kindRequest      = "request"
	kindNotification = "notification"
)

// serverMethods are the methods that a client sends by the protocol, with their
// kinds. `$/cancelRequest` is not among them: the library does not route it.
func serverMethods() map[string]string {
	kinds := map[string]string{}
	for _, m := range protocol.Methods {
		if m.Direction != protocol.DirectionServerToClient && m.Method != protocol.MethodCancelRequest {
			kinds[m.Method] = m.Kind
		}
	}
	return kinds
}

// handle is the connection's jsonrpc2.Handler. It never returns the error of a
// notification: the connection would end.
func (d *dispatcher) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	// The request borrows from the read buffer; the method is kept longer.
	method := strings.Clone(req.Method())
	if !req.IsCall() {
		d.notify(method, req)
		return nil, nil
	}
	return d.request(ctx, method, req)
}

// request answers a request. All but those of the life cycle run beside what
// comes after them on the wire; what came before them is done.
func (d *dispatcher) request(arrival context.Context, method string, req *jsonrpc2.Request) (any, error) {
	if err := d.gate.request(method); err != nil {
		return nil, err
	}
	if d.kinds[method] == kindNotification {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s is a notification: send it without an id", method)
	}
	ctx, finish, ok := d.running.start(d.life, req.ID(), method)
	if !ok {
		return nil, jsonrpc2.ErrServerClosing
	}
	defer finish()
	if method != protocol.MethodInitialize && method != protocol.MethodShutdown {
		jsonrpc2.Async(arrival)
	}
	result, err := d.call(ctx, method, req)
	if err != nil {
		return nil, wireError(ctx, err)
	}
	d.gate.succeeded(method)
	return result, nil
}

// notify handles a notification on the reading goroutine: the next message waits.
func (d *dispatcher) notify(method string, req *jsonrpc2.Request) {
	switch {
	case !d.gate.notification(method):
		d.log.Warn("notification dropped: not between initialize and shutdown", zap.String("method", method))
		return
	case d.kinds[method] == kindRequest:
		d.log.Warn("notification dropped: the method is a request", zap.String("method", method))
		return
	case method == protocol.MethodCancelRequest:
		if err := d.running.cancel(json.RawMessage(req.Params())); err != nil {
			d.log.Warn("cannot cancel", zap.Error(err))
		}
		return
	case method == protocol.MethodExit:
		defer d.exit()
	}
	ctx, finish, ok := d.running.start(d.life, jsonrpc2.ID{}, method)
	if !ok {
		return
	}
	defer finish()
	_, err := d.call(ctx, method, req)
	switch {
	case err == nil:
	case !errors.Is(err, errUnknownMethod):
		d.log.Warn("notification failed", zap.String("method", method), zap.Error(err))
	case !strings.HasPrefix(method, "$/"): // those may be ignored by the protocol
		d.log.Warn("unknown notification", zap.String("method", method))
	}
}

// errUnknownMethod says that nothing handles a method.
var errUnknownMethod = errors.New("unknown method")

// call runs the handler of a method and marshals its result, and turns a panic of
// either into an error.
func (d *dispatcher) call(ctx context.Context, method string, req *jsonrpc2.Request) (result jsonrpc2.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("panic", zap.String("method", method), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
			result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: internal error: %v", method, p)
		}
	}()
	value, err := d.route(ctx, method, req)
	if err != nil {
		return nil, err
	}
	encoded, err := codec{}.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s: encode the result: %w", method, err)
	}
	return encoded, nil
}

func (d *dispatcher) route(ctx context.Context, method string, req *jsonrpc2.Request) (any, error) {
	if handler := d.raw[method]; handler != nil {
		return handler(ctx, json.RawMessage(req.Params()))
	}
	if d.kinds[method] == "" {
		return nil, fmt.Errorf("%w %q", errUnknownMethod, method)
	}
	if method == protocol.MethodInitialized && req.Params() == nil {
		// Some clients leave the empty object out.
		return nil, d.server.Initialized(ctx, &protocol.InitializedParams{})
	}
	value, err := d.standard(ctx, req)
	if errors.Is(err, jsonrpc2.ErrParse) { // the library's code for params that do not decode
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: invalid params: %v", method, err)
	}
	return value, err
}

// wireError gives an error the code that the client expects.
func wireError(ctx context.Context, err error) error {
	var coded *jsonrpc2.Error
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled")
	case errors.Is(err, errUnknownMethod):
		return jsonrpc2.NewError(jsonrpc2.MethodNotFound, err.Error())
	case errors.As(err, &coded):
		return err
	}
	return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
}
