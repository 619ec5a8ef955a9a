package lsp

import (
	"context"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

const (
	// publishGather lets changes that come together be shown together.
	publishGather = 2 * time.Millisecond
	// publishDelay is between two times that the surfaces are made anew, however fast
	// the stack changes; a human does not see it.
	publishDelay = 10 * time.Millisecond
)

// surfaces keep what the editor shows of the stack up to date: one goroutine,
// apart from all requests, since an editor that gets diagnostics from inside a
// request for code actions asks again for ever.
type surfaces struct {
	server *Server
	wake   chan struct{}     // holds one token while there is something to show
	lenses chan struct{}     // the same for code lenses
	shown  map[string]string // diagnostics as published, by URI, to send changes only
	capped map[string]bool   // previews whose cap has been told
	ranges map[*astedit.FileEdit][]protocol.Range
}

func startSurfaces(s *Server) *surfaces {
	f := &surfaces{server: s, wake: make(chan struct{}, 1), lenses: make(chan struct{}, 1), shown: map[string]string{}, capped: map[string]bool{}, ranges: map[*astedit.FileEdit][]protocol.Range{}}
	unsubscribe := s.session.Subscribe(f.changed)
	hide := s.workspace.toolbox.showOn(f)
	s.spawn(func(ctx context.Context) {
		defer unsubscribe()
		defer hide()
		f.loop(ctx)
	})
	if s.client.refreshesLenses {
		s.spawn(f.refreshLenses)
	}
	f.changed() // others may have proposed before
	return f
}

// changed asks for the surfaces to be made anew. It does not block.
func (f *surfaces) changed() { leaveToken(f.wake) }

func leaveToken(in chan struct{}) {
	select {
	case in <- struct{}{}:
	default:
	}
}

func (f *surfaces) loop(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-f.server.ready: // nothing may be sent to a client before
	}
	for last := (time.Time{}); ; last = time.Now() {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(publishGather, publishDelay-time.Since(last))):
		}
		if f.server.client.diagnostics {
			f.publishDiagnostics(ctx)
		}
		if f.server.currentSettings().PreviewCodeLens {
			leaveToken(f.lenses)
		}
		if f.server.client.pendingChanged {
			_ = f.server.conn.Notify(ctx, methodPendingChanged, f.server.listPending())
		}
	}
}

// methodPendingChanged tells a client that said so of every change of the stack.
const methodPendingChanged = "xcsh/pendingChanged"
