package lsp_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// liveHeap is what is still in use after the garbage is gone.
func liveHeap() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Rounds of what an editor does all day leave no goroutine and no memory behind.
// Not parallel: it counts what the whole process has.
func TestSoak_NothingIsLeftBehind(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	body := strings.Repeat("let x = foo(1);\n", 100)
	round := func(count int, dryRuns bool) {
		for range count {
			uri := f.Open(f.path("open.ts"), body)
			f.Change(uri, f.Edit(uri, "foo(1)", "foo(12)"))
			if dryRuns {
				f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
				f.CodeActions(uri, f.Range(uri, "foo"))
				f.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r"})
			}
			f.CloseDocument(uri)
		}
		f.pendingIDs()
	}
	round(20, true) // what is made on first use is there
	goroutines, heap := runtime.NumGoroutine(), liveHeap()
	seen := len(f.Received())

	round(300, false) // and the dry runs, whose previews are the larger part
	round(100, true)
	eventually(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= goroutines })
	// The editor's record of what it has seen grows; it is the test's own.
	record := uint64(0)
	for _, m := range f.Received()[seen:] {
		record += uint64(2 * (len(m.Params) + 200))
	}
	if grown := int64(liveHeap()) - int64(heap) - int64(record); grown > 2<<20 {
		t.Errorf("%d KB more in use", grown>>10)
	}
}

// A server that ends leaves nothing running, whatever was going on.
func TestSoak_EndedServersLeaveNothingRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("sessions", func(t *testing.T) {
		for range 10 {
			manners := lsptest.VSCodeLike()
			manners.Input = true
			f := start(t, manners, map[string]string{"a.ts": "foo(1);\n"})
			f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
			wait := make(chan struct{})
			f.OnInput(func(lsptest.Input) *string { <-wait; return nil })
			ctx, cancel := callContext()
			go func() {
				<-time.After(20 * time.Millisecond)
				cancel()
				close(wait)
			}()
			_, _ = f.Command(ctx, "xcsh.resolve", map[string]any{"action": "apply"})
			f.Close()
		}
	})
	eventually(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= before+1 })
}
