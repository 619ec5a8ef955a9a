package lsp

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

const (
	// maxLossMessages is how many lost actions a human is told of one by one; a
	// tool may have staged thousands, and each message is a box to close.
	maxLossMessages = 5

	// lossesSettle is how long losses count as one event: a worker's actions are
	// lost together.
	lossesSettle = 250 * time.Millisecond

	textMoreLost = " were lost for the same reasons, and can only be discarded. Nothing of them was applied, except where the list of pending actions says otherwise."
)

// losses tells humans of pending actions that were lost: of the first at once,
// of how many more together.
type losses struct {
	workspace *Workspace

	mu       sync.Mutex
	told     int
	more     int
	closed   bool
	settling sync.WaitGroup
}

func (l *losses) add(reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.workspace.life.Err() != nil {
		return // the session ends with them
	}
	if l.told == maxLossMessages {
		l.more++
		return
	}
	l.told++
	l.tell(reason)
	if l.told == 1 {
		l.settling.Go(l.settle)
	}
}

// settle ends one event.
func (l *losses) settle() {
	select {
	case <-time.After(lossesSettle):
	case <-l.workspace.life.Done():
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more > 0 {
		l.tell(astedit.Count(l.more, "more pending action") + textMoreLost)
	}
	l.told, l.more = 0, 0
}

// close ends what is settling.
func (l *losses) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.settling.Wait()
}

func (l *losses) tell(text string) {
	for _, s := range l.workspace.connections() {
		if s.client.agent == "" {
			s.spawn(func(context.Context) { s.showMessage(protocol.MessageTypeError, text) })
		}
	}
}
