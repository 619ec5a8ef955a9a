package lsp

import (
	"fmt"
	"runtime"
	"sync"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// maxToolLog is how many lines wait to be written to the tools' log file.
const maxToolLog = 10_000

// toolLog writes what tools log into their file, in order and in the background:
// the disk, or another server that has the file's lock, holds up no tool. Its
// goroutine is there while there is something to write.
type toolLog struct {
	file *customtools.LogFile
	log  *zap.Logger

	mu      sync.Mutex
	waiting []customtools.LogEntry
	dropped int
	writing bool
	closed  bool
	work    sync.WaitGroup
}

// newToolLog returns the log of the user; without a home folder there is none.
func newToolLog(cfg Config) *toolLog {
	l := &toolLog{log: cfg.Log}
	if cfg.Home == "" {
		l.closed = true
		return l
	}
	environment := customtools.NewEnvironment(cfg.Getenv, runtime.GOOS, cfg.Home)
	l.file = customtools.NewLogFile(environment.LogDir(), cfg.Now)
	return l
}

func (l *toolLog) add(e customtools.LogEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return
	case len(l.waiting) >= maxToolLog:
		l.dropped++
		return
	}
	l.waiting = append(l.waiting, e)
	if !l.writing {
		l.writing = true
		l.work.Go(l.write)
	}
}

func (l *toolLog) write() {
	for {
		entries := l.take()
		if len(entries) == 0 {
			return
		}
		if err := l.file.Write(entries...); err != nil {
			l.log.Warn("the tools' log", zap.Int("lines", len(entries)), zap.Error(err))
		}
	}
}

// take returns what waits; after nothing the goroutine has ended.
func (l *toolLog) take() []customtools.LogEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.waiting
	if l.dropped > 0 {
		entries = append(entries, customtools.LogEntry{Level: customtools.LogWarn, Message: fmt.Sprintf("%d lines were not written: there were too many at once", l.dropped)})
	}
	l.waiting, l.dropped = nil, 0
	l.writing = len(entries) > 0
	return entries
}

// close writes what waits; what comes later is dropped.
func (l *toolLog) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.work.Wait()
}
