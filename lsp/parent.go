package lsp

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"time"

	"go.uber.org/zap"
)

// parentCheckEvery is how often the client's process is looked for: the server
// must be gone within 2 s of it.
const parentCheckEvery = time.Second

// watchParent ends the connection when the process that started the server is
// gone: an editor that was killed closes nothing on some systems.
func (s *Server) watchParent(pid int) {
	if runtime.GOOS == "windows" {
		return // there the handles of a dead process close by themselves
	}
	s.spawn(func(ctx context.Context) {
		ticker := time.NewTicker(parentCheckEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if !processExists(pid) {
				s.log.Warn("the client's process is gone", zap.Int("pid", pid))
				s.stop()
				return
			}
		}
	})
}

func processExists(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || err == syscall.EPERM
}
