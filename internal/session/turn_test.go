package session_test

import (
	"io"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// busyFS is a file system in which another process has the turn for some looks at it.
type busyFS struct {
	atomicfile.FS
	turn string
	left int
	busy func()
}

func (f *busyFS) Lock(path string) (io.Closer, error) {
	if path == f.turn && f.left > 0 {
		f.left--
		f.busy()
		return nil, filelock.ErrBusy
	}
	return f.FS.Lock(path)
}

// While another server replaces files this one waits, with everything staged and
// nothing written; then it goes on.
func TestAnApplyWaitsForItsTurn(t *testing.T) {
	f := newFixture(t, crashFiles())
	f.typed("open.ts", "foo(4);\n")
	ref := f.stage(foo())
	looks := 0
	f.disk.FS = &busyFS{atomicfile.OS(), f.turn, 3, func() {
		looks++
		if f.state() || len(f.traces()) == 0 {
			t.Error("written before its turn, or not staged")
		}
	}}
	f.mustApply(ref)
	if looks != 3 || !f.state() {
		t.Errorf("%d looks, applied %v", looks, f.state())
	}
	f.settled()
}

// Recovery replaces files too, and waits as well.
func TestARecoveryWaitsForItsTurn(t *testing.T) {
	f, _ := cutOff(t)
	looks := 0
	f.disk.FS = &busyFS{atomicfile.OS(), f.turn, 2, func() { looks++ }}
	f.Recover()
	if looks != 2 || f.state() {
		t.Errorf("%d looks, applied %v", looks, f.state())
	}
	f.settled()
}
