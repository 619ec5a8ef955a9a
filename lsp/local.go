package lsp

import (
	"cmp"
	"context"
	"io"
	"net"
	"sync"
	"time"

	"go.uber.org/zap"
)

// LocalListener is where agents beside the editor come in: see
// [Config.ListenLocal].
type LocalListener interface {
	net.Listener
	// Active marks this workspace's server as the one that was used last.
	Active(now time.Time) error
}

// activeEvery is the least time between two marks: agents choose among a human's
// editors, who are not that fast.
const activeEvery = time.Second

// local lets agents of the same machine join the session of an editor.
type local struct {
	workspace *Workspace

	mu       sync.Mutex
	listener LocalListener // nil for none
	marked   time.Time
}

// begin listens for the workspace whose first folder is first. Without a socket the
// editor has all it needs, so a failure is logged only.
func (l *local) begin(first string) {
	w := l.workspace
	if w.cfg.ListenLocal == nil || first == "" {
		return
	}
	listener, err := w.cfg.ListenLocal(first)
	if err != nil {
		w.log.Warn("agents beside the editor cannot join", zap.Error(err))
		return
	}
	l.mu.Lock()
	l.listener = listener
	l.mu.Unlock()
	stop := context.AfterFunc(w.life, func() { _ = listener.Close() })
	w.work.Go(func() {
		defer stop()
		l.accept(listener)
	})
}

// accept serves whoever comes until the listener is closed.
func (l *local) accept(listener net.Listener) {
	w := l.workspace
	for {
		conn, err := listener.Accept()
		if err != nil {
			if w.life.Err() == nil {
				w.log.Warn("agents beside the editor can join no more", zap.Error(err))
			}
			return
		}
		w.work.Go(func() {
			if _, err := w.serve(w.life, conn, true); err != nil {
				w.log.Info("an agent's connection", zap.Error(err))
			}
		})
	}
}

// active is called when a human's editor is used.
func (l *local) active() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.workspace.cfg.Now()
	if l.listener == nil || now.Sub(l.marked) < activeEvery {
		return
	}
	l.marked = now
	if err := l.listener.Active(now); err != nil {
		l.workspace.log.Info("mark the socket", zap.Error(err))
	}
}

// used tells that the client's human does something.
func (s *Server) used() {
	if s.client.agent == "" {
		s.workspace.local.active()
	}
}

// ServeAgent is [Workspace.Serve] for a client that is no human's editor, whatever it
// says of itself.
func (w *Workspace) ServeAgent(ctx context.Context, rwc io.ReadWriteCloser) (shutdown bool, err error) {
	return w.serve(ctx, rwc, true)
}

// asAgent makes the client an agent: what comes in beside the editor never decides
// in a human's name.
func (c *clientInfo) asAgent() {
	const nameless = "agent"
	c.agent = cmp.Or(c.agent, c.name, nameless)
}
