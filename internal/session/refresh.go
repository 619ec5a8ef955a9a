package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"go.uber.org/zap"
)

const (
	// gatherDelay lets the changes of one moment give one new preview: of an edit of
	// several documents, or of one whose changes come one by one.
	gatherDelay = 2 * time.Millisecond
	// After a new preview that took longer than quickWork, restPause leaves processors to
	// others while somebody types.
	quickWork = 50 * time.Millisecond
	restPause = 30 * time.Millisecond
)

// refresher makes previews anew when files that they show change. It is one
// goroutine, which ends with stop.
type refresher struct {
	session *Session
	cancel  context.CancelFunc
	ended   chan struct{}
	wake    chan struct{} // holds one token while there is something to do
}

func startRefresher(s *Session) *refresher {
	ctx, cancel := context.WithCancel(context.Background())
	r := &refresher{session: s, cancel: cancel, ended: make(chan struct{}), wake: make(chan struct{}, 1)}
	go r.loop(ctx)
	return r
}

func (r *refresher) stop() {
	r.cancel()
	<-r.ended
}

// poke never blocks.
func (r *refresher) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *refresher) loop(ctx context.Context) {
	defer close(r.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		if !sleep(ctx, gatherDelay) {
			return
		}
		began := time.Now()
		_, actions := r.session.store.Snapshot() // top first: what a human decides on next
		for _, a := range actions {
			r.session.refreshEntry(ctx, a.ID)
		}
		if time.Since(began) > quickWork && !sleep(ctx, restPause) {
			return
		}
	}
}

// sleep returns false where ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// FileChanged tells the session that the file at an absolute path has a new text,
// in the editor or on disk; the host's workspace must show it already. Previews
// that show the file are made anew soon; until then they are stale.
func (s *Session) FileChanged(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.changes.note(path)
	for _, e := range s.entries {
		if e.follows[path] {
			e.changed[path] = at
			s.pokeFor(e)
		}
	}
}

// refreshEntry makes the preview of a pending action anew, where it is stale.
func (s *Session) refreshEntry(ctx context.Context, id string) {
	s.mu.Lock()
	e := s.entries[id]
	if e == nil || !e.stale() {
		rule := e.toPrepare()
		s.mu.Unlock()
		if rule != nil {
			s.Engine.Prepare(ctx, s.Host.Workspace(), rule.result)
		}
		return
	}
	since, before, paths := s.changes.begin(), e.edit, slices.Sorted(maps.Keys(e.changed))
	s.mu.Unlock()
	defer s.endRun()

	after, err := before.again(ctx, s, paths)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.Log.Error("make preview anew", zap.String("id", id), zap.Strings("paths", paths), zap.Error(err))
		}
		return // the entry stays stale; the next change tries again
	}
	s.mu.Lock()
	if e.edit == before { // else an apply has run everything meanwhile
		s.adopt(e, after, since)
	}
	s.mu.Unlock()
	s.notify()
}

// toPrepare returns once the edit that fast new previews are to be prepared for. s.mu
// is held.
func (e *entry) toPrepare() *ruleEdit {
	if e == nil || e.prepared {
		return nil
	}
	e.prepared = true
	rule, _ := e.edit.(*ruleEdit)
	return rule
}

// adopt gives e a new preview, made by a run that began at since, and where it
// differs a new revision and label. s.mu is held.
func (s *Session) adopt(e *entry, after edit, since uint64) {
	if differ := e.edit.differences(after); len(differ) > 0 {
		e.revision++
		for _, display := range differ {
			e.differed[display] = e.revision
		}
		s.store.Relabel(e.id, after.label())
	}
	e.edit = after
	s.follow(e, since)
}

// follow has e follow the files that its preview shows, beside those that earlier
// ones showed: undoing an edit brings matches back. What changed before since,
// the beginning of the preview's run, is in the preview. s.mu is held.
func (s *Session) follow(e *entry, since uint64) {
	maps.DeleteFunc(e.changed, func(_ string, at uint64) bool { return at <= since })
	for _, f := range e.files() {
		e.follows[f.Path] = true
		if at, ok := s.changes.after(f.Path, since); ok {
			e.changed[f.Path] = at
		}
	}
	s.pokeFor(e)
}

func (s *Session) pokeFor(e *entry) {
	if e.stale() {
		s.refresh.poke()
	}
}

// follows reports whether some preview follows the file at an absolute path.
func (s *Session) follows(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.follows[path] {
			return true
		}
	}
	return false
}
