package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// refreshDelay gathers the keystrokes of one moment into one new preview.
const refreshDelay = 30 * time.Millisecond

// refresher makes previews anew when files that they show change. It is one
// goroutine, which ends with stop.
type refresher struct {
	session *Session
	cancel  context.CancelFunc
	ended   chan struct{}
	wake    chan struct{} // holds one token while there is something to do

	mu    sync.Mutex
	paths map[string]bool
}

func startRefresher(s *Session) *refresher {
	ctx, cancel := context.WithCancel(context.Background())
	r := &refresher{session: s, cancel: cancel, ended: make(chan struct{}), wake: make(chan struct{}, 1), paths: map[string]bool{}}
	go r.loop(ctx)
	return r
}

func (r *refresher) stop() {
	r.cancel()
	<-r.ended
}

func (r *refresher) add(path string) {
	r.mu.Lock()
	r.paths[path] = true
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *refresher) take() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.paths
	r.paths = map[string]bool{}
	return taken
}

func (r *refresher) loop(ctx context.Context) {
	defer close(r.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(refreshDelay):
		}
		for path := range r.take() {
			r.session.refreshFile(ctx, path)
		}
	}
}

// FileChanged tells the session that the file at an absolute path has a new text,
// in the editor or on disk. Previews that show it are made anew soon; until then
// they are stale.
func (s *Session) FileChanged(path string) {
	s.mu.Lock()
	shown := false
	for _, e := range s.entries {
		if e.result.Tracks(path) {
			shown = true
			e.outdated = e.outdated || !e.applying
		}
	}
	s.mu.Unlock()
	if shown {
		s.refresh.add(path)
	}
}

func (s *Session) refreshFile(ctx context.Context, path string) {
	for _, e := range s.entriesShowing(path) {
		s.mu.Lock()
		before, request := e.result, e.request
		s.mu.Unlock()
		opts := astedit.Options{MaxFiles: s.Policy().MaxFiles}
		after, err := s.Engine.Refresh(ctx, s.Host.Workspace(), request, opts, before, path)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				s.Log.Error("make preview anew", zap.String("id", e.id), zap.String("path", path), zap.Error(err))
			}
			continue // the entry stays marked as stale
		}
		s.mu.Lock()
		if e.result == before {
			s.replaceResult(e, after)
			e.outdated = false
		}
		s.mu.Unlock()
		s.notify()
	}
}

func (s *Session) entriesShowing(path string) []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var shown []*entry
	for _, e := range s.entries {
		if !e.applying && e.result.Tracks(path) {
			shown = append(shown, e)
		}
	}
	return shown
}

// replaceResult gives e a new preview and, where it differs, a new revision and
// label. It returns the display paths that differ. s.mu is held.
func (s *Session) replaceResult(e *entry, after *astedit.Result) []string {
	differ := e.result.Differences(after)
	e.result = after
	if len(differ) > 0 {
		e.revision++
		s.store.Relabel(e.id, after.Label())
	}
	return differ
}
