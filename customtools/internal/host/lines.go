package host

import (
	"bytes"
	"errors"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// longestLine is how much of one line of output is logged, in bytes.
const longestLine = 8 << 10

// lineLog logs what is written to it, line by line.
type lineLog struct {
	log  func(customtools.LogEntry)
	path string // of the module that writes, if known

	mu   sync.Mutex
	rest []byte
	last string
}

func (l *lineLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, piece := range bytes.SplitAfter(p, []byte("\n")) {
		room := max(0, longestLine-len(l.rest))
		l.rest = append(l.rest, piece[:min(room, len(piece))]...)
		if bytes.HasSuffix(piece, []byte("\n")) {
			l.flush()
		}
	}
	return len(p), nil
}

// flush logs the line that has been written so far.
func (l *lineLog) flush() {
	text := string(bytes.ToValidUTF8(bytes.TrimRight(l.rest, "\r\n"), []byte("\uFFFD")))
	l.rest = nil
	if text == "" {
		return
	}
	l.last = text
	l.log(customtools.LogEntry{Level: customtools.LogDebug, Message: text, Path: l.path})
}

// lastLine is the last line as an error: what a runtime says that could not
// start is why.
func (l *lineLog) lastLine() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	if l.last == "" {
		return nil
	}
	return errors.New(l.last)
}
