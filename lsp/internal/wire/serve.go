package wire

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// The server is gone 2 s after its client (protocol.md 1); these add up to less.
const (
	// handlerGrace is how long handlers may take to return once cancelled.
	handlerGrace = time.Second
	// closeGrace is how long they and the reader may take once the stream is
	// closed. Not every stream's Close ends a Read: a terminal's does not.
	closeGrace = 500 * time.Millisecond
)

// Serve serves one client over rwc, which it closes, until the client says `exit`,
// the stream ends or ctx is done. newHandlers gets the connection to the client
// before anything is read from it.
//
// Notifications are handled one after the other in the order of the wire, and so
// are `initialize` and `shutdown`: their handlers must not call the client and
// wait. Every other request runs beside what comes after it. A handler's context
// is cancelled by `$/cancelRequest` and at the end.
//
// shutdown reports whether the client asked for it before the end. The error is
// that of the transport before shutdown, or says which handlers did not return in time; Serve
// itself returns within 2 s of the end.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, newHandlers func(jsonrpc2.Conn) Handlers, log *zap.Logger) (shutdown bool, err error) {
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newStream(rwc, log)
	conn := jsonrpc2.NewConn(s, jsonrpc2.WithCodec(codec{}))
	d := newDispatcher(life, newHandlers(conn), s.stop, log)

	// Answers can be written until the stream is closed, whatever ctx is.
	conn.Go(context.WithoutCancel(ctx), d.handle)
	select {
	case <-s.ended:
		err = s.failure
	case <-ctx.Done():
	}
	if err != nil && d.gate.at() == phaseShutDown {
		// A client that has asked for the end may just go.
		log.Info("the client went after shutdown", zap.Error(err))
		err = nil
	}
	if overdue := finish(conn, s, d); overdue != nil {
		log.Error("end of the connection", zap.Error(overdue))
		if err == nil {
			err = overdue
		}
	}
	return d.gate.at() == phaseShutDown, err
}

// finish ends handlers, stream and connection, in this order: the connection's
// Close waits for its handlers.
func finish(conn jsonrpc2.Conn, s *stream, d *dispatcher) error {
	d.running.stop()
	if d.ended != nil {
		d.ended()
	}
	within(d.running.idle, handlerGrace)
	_ = s.Close() // also ends a handler that waits to write
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = conn.Close()
	}()
	if within(closed, closeGrace) {
		return nil
	}
	if methods := d.running.methods(); len(methods) > 0 {
		return fmt.Errorf("handlers did not return %v after they were cancelled: %s", handlerGrace+closeGrace, strings.Join(methods, ", "))
	}
	return nil
}

// within reports whether done is closed before the time has passed.
func within(done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
