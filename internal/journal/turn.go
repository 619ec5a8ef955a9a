package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

const (
	// turnWait is how long others may replace files before this one gives up: far
	// longer than thousands of renames take, and bounded, since a process that is
	// stopped keeps its turn.
	turnWait = 30 * time.Second
	turnPoll = 5 * time.Millisecond
)

// Turn waits for the turn to replace files, which all processes of the user share,
// whatever folders they work in: two that replace the same files at once would each
// find its own text in what the other wrote, and could undo it. Closing gives the
// turn back; so does the end of the process. The file stays, as a lock that is
// removed keeps nobody out.
func (j *Journal) Turn(ctx context.Context) (io.Closer, error) {
	ctx, cancel := context.WithTimeout(ctx, turnWait)
	defer cancel()
	for {
		lock, err := j.fsys.Lock(j.turn)
		switch {
		case err == nil:
			return lock, nil
		case !errors.Is(err, filelock.ErrBusy):
			return nil, fmt.Errorf("take the turn to write (%s): %w", j.turn, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("take the turn to write (%s), which another server has: %w", j.turn, ctx.Err())
		case <-time.After(turnPoll):
		}
	}
}
