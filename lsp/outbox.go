package lsp

import (
	"context"
	"fmt"
	"sync/atomic"

	"go.lsp.dev/protocol"
)

// maxOutbox is how many messages wait for a client that does not read; a tool that
// logs in a loop must not fill the memory.
const maxOutbox = 1000

const textDropped = "%d messages of tools were not sent, since the client did not read the ones before."

// outbox sends what tools say beside their results: to the log, to the human, as a
// status. It keeps their order, and no tool ever waits for a client: what does not
// fit is dropped, and the client is told how much that was.
type outbox struct {
	queue   chan func()
	dropped atomic.Int64
}

func newOutbox() *outbox { return &outbox{queue: make(chan func(), maxOutbox)} }

// put has send called later. It does not block.
func (o *outbox) put(send func()) {
	select {
	case o.queue <- send:
	default:
		o.dropped.Add(1)
	}
}

// deliver sends what is put until ctx, the connection's life, ends.
func (o *outbox) deliver(ctx context.Context, editor protocol.Client) {
	for {
		select {
		case send := <-o.queue:
			send()
		case <-ctx.Done():
			return
		}
		if n := o.dropped.Swap(0); n > 0 {
			_ = editor.LogMessage(ctx, &protocol.LogMessageParams{Type: protocol.MessageTypeWarning, Message: fmt.Sprintf(textDropped, n)})
		}
	}
}
