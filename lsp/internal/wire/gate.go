package wire

import (
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// phase is where a session is in its life.
type phase int

const (
	phaseNew phase = iota // before a successful `initialize`
	phaseServing
	phaseShutDown // after a successful `shutdown`
)

// gate decides which messages the life cycle of LSP lets through. The zero value
// is a session that has not begun.
type gate struct {
	mu  sync.Mutex
	now phase
}

// request returns the error that a request gets at once, nil for one to be
// handled.
func (g *gate) request(method string) error {
	switch at := g.at(); {
	case at == phaseShutDown:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s after shutdown: only exit may follow", method)
	case at == phaseNew && method != protocol.MethodInitialize:
		return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s before initialize", method)
	case at == phaseServing && method == protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize may be sent only once")
	}
	return nil
}

// notification reports whether a notification is handled. After `shutdown` a
// request that still runs can be cancelled.
func (g *gate) notification(method string) bool {
	switch g.at() {
	case phaseServing:
		return true
	case phaseShutDown:
		return method == protocol.MethodExit || method == protocol.MethodCancelRequest
	}
	return method == protocol.MethodExit
}

// succeeded moves on after a request without error.
func (g *gate) succeeded(method string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch method {
	case protocol.MethodInitialize:
		g.now = phaseServing
	case protocol.MethodShutdown:
		g.now = phaseShutDown
	}
}

func (g *gate) at() phase {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}
