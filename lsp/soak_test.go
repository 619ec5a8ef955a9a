package lsp_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// residentSlack is what the resident memory may grow by: allocators, the race
// detector's too, keep some. A leak of a few KB a round is over it in the long form.
const residentSlack = 48 << 20

// liveHeap is what is still in use after the garbage is gone.
func liveHeap() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// held is what the process has at a moment; resident and files are 0 where the
// system does not tell.
type held struct {
	heap, resident    uint64 // bytes
	goroutines, files int
}

func measure(t *testing.T) (h held) {
	t.Helper()
	h.heap, h.goroutines = liveHeap(), runtime.NumGoroutine()
	debug.FreeOSMemory()
	if fields, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, err := strconv.ParseUint(strings.Fields(string(fields))[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		h.resident = pages * uint64(os.Getpagesize())
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.files = len(open)
	}
	return h
}

// Rounds of what an editor does all day leave no goroutine, no open file and no
// memory behind. Not parallel: it counts what the whole process has.
func TestSoak_NothingIsLeftBehind(t *testing.T) {
	rounds, dryRuns := 300, 100
	if long() {
		rounds, dryRuns = 10_000, 1_000
	}
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
		f.Forget() // the editor's record of what it has seen grows, and is the test's own
		f.logs.TakeAll()
	}
	round(50, true) // what is made on first use is there
	before := measure(t)
	for name, pass := range map[string]func(){
		"rounds":   func() { round(rounds, false) },
		"dry runs": func() { round(dryRuns, true) }, // whose previews are the larger part
	} {
		pass()
		eventually(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= before.goroutines })
		after := measure(t)
		t.Logf("%d rounds, %d dry runs: after the %s heap %d → %d KB, resident %d → %d KB, goroutines %d → %d, files %d → %d", rounds, dryRuns, name,
			before.heap>>10, after.heap>>10, before.resident>>10, after.resident>>10, before.goroutines, after.goroutines, before.files, after.files)
		if grown := int64(after.heap) - int64(before.heap); grown > 2<<20 {
			t.Errorf("%d KB more in use", grown>>10)
		}
		if grown := int64(after.resident) - int64(before.resident); grown > residentSlack {
			t.Errorf("%d KB more resident", grown>>10)
		}
		if after.files > before.files {
			t.Errorf("%d files are open, %d before", after.files, before.files)
		}
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
