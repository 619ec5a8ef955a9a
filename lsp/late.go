package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// lateEdits are edits that were given up and that the editor may make after all,
// by document. An editor that has refused makes none: then the same text can only
// come from the human, and must stay.
type lateEdits struct {
	mu      sync.Mutex
	open    map[string]bool       // asked for, and neither made nor refused
	watches map[string]*lateWatch // of those, the ones to take back should they come
}

// lateWatch is one document's watch; its address tells it from a later one.
type lateWatch struct{ cancel context.CancelFunc }

func newLateEdits() lateEdits {
	return lateEdits{open: map[string]bool{}, watches: map[string]*lateWatch{}}
}

// mayCome notes that the editor has left a request for docs open.
func (l *lateEdits) mayCome(docs []session.DocumentEdit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, doc := range docs {
		l.open[doc.Path] = true
	}
}

// forget ends the watch over documents that are edited anew: their new text is
// wanted now.
func (l *lateEdits) forget(docs []session.DocumentEdit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, doc := range docs {
		delete(l.open, doc.Path)
		if watch := l.watches[doc.Path]; watch != nil {
			watch.cancel()
			delete(l.watches, doc.Path)
		}
	}
}

// watch begins a watch over an edit that may come; false where it cannot.
func (l *lateEdits) watch(key string, cancel context.CancelFunc) (end func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.open[key] {
		return nil, false
	}
	delete(l.open, key)
	watch := &lateWatch{cancel}
	l.watches[key] = watch
	return func() {
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.watches[key] == watch {
			delete(l.watches, key)
		}
	}, true
}

// watchLate takes back, for a while, edits that were given up and that the editor
// makes after all.
func (s *Server) watchLate(label string, docs []session.DocumentEdit) {
	for _, doc := range docs {
		ctx, cancel := context.WithTimeout(s.background, s.cfg.Deadlines.Late)
		end, ok := s.late.watch(doc.Path, cancel)
		if !ok {
			cancel()
			continue
		}
		expected := s.docs.expect(map[string][]byte{doc.Path: doc.New})
		s.work.Go(func() {
			defer end()
			defer s.docs.release(expected)
			select {
			case <-ctx.Done():
			case <-expected.met:
				s.takeBackLate(label, doc)
			}
		})
	}
}

func (s *Server) takeBackLate(label string, doc session.DocumentEdit) {
	message, kind := textTakenBack, protocol.MessageTypeWarning
	ctx, stop := context.WithTimeout(s.background, s.cfg.Deadlines.Answer+s.cfg.Deadlines.Verify)
	defer stop()
	if left := (editor{s}).takeBack(ctx, label, []session.DocumentEdit{doc}); len(left) > 0 {
		message, kind = textLateDoubt, protocol.MessageTypeError
	}
	s.showMessage(kind, fmt.Sprintf(message, doc.Display))
}
