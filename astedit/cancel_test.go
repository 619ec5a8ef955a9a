package astedit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// cancelling are documents that cancel a run when the n-th of them is read.
type cancelling struct {
	astedit.Documents
	n      int64
	cancel context.CancelFunc
	reads  atomic.Int64
	ended  atomic.Bool  // the run has been cancelled
	late   atomic.Int64 // reads that began after that
}

func (c *cancelling) ReadFile(path string) ([]byte, error) {
	if c.ended.Load() {
		c.late.Add(1)
	}
	if c.reads.Add(1) == c.n {
		c.cancel()
		c.ended.Store(true)
	}
	return c.Documents.ReadFile(path)
}

// A run that is cancelled reads no more than what its workers have begun with.
func TestRunReadsNoMoreOnceCancelled(t *testing.T) {
	const workers = 4
	w := newWorkspace(t)
	body := strings.Repeat("if (a && b) { call(c, d(e), [f, g, { h: i }]); }\n", 5)
	for i := range 500 {
		w.write(fmt.Sprintf("d%d/f%d.ts", i%20, i), body)
	}
	for _, n := range []int64{1, 2, 50, 400} {
		ctx, cancel := context.WithCancel(context.Background())
		snapshot := w.snapshot()
		docs := &cancelling{Documents: snapshot.Documents, n: n, cancel: cancel}
		snapshot.Documents = docs
		_, err := newEngine(t).Run(ctx, snapshot, request("call($$$A)", "x($$$A)"), astedit.Options{Workers: workers})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at read %d: %v", n, err)
		}
		// Each worker may have looked at the context just before.
		if read, late := docs.reads.Load(), docs.late.Load(); read < n || read == 500 || late > workers {
			t.Errorf("cancelled at read %d: %d files were read, %d of them later", n, read, late)
		}
		cancel()
	}
}
