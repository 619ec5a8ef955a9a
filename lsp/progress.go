package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// progressEvery is the least time between two reports: 10 a second.
const progressEvery = 100 * time.Millisecond

// progress reports how far one command is. A nil *progress reports nothing.
type progress struct {
	server *Server
	token  json.RawMessage
	last   time.Time
	remove func()
}

// startProgress begins the progress of a command: under the client's token, else,
// where the client takes progress, under one of ours that can also cancel.
func (s *Server) startProgress(ctx context.Context, cancel context.CancelFunc, token json.RawMessage, title string) *progress {
	p := &progress{server: s, token: token, remove: func() {}}
	if len(token) == 0 {
		if !s.client.progress || !s.createProgress(ctx, cancel, p) {
			return nil
		}
	}
	cancellable := true
	p.send(protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: &cancellable})
	return p
}

func (s *Server) createProgress(ctx context.Context, cancel context.CancelFunc, p *progress) bool {
	ours := fmt.Sprintf("xcsh-%d", s.nextToken.Add(1))
	ctx, stop := context.WithTimeout(ctx, requestDeadline)
	defer stop()
	if err := s.editor.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(ours)}); err != nil {
		return false
	}
	p.token = quote(ours)
	p.remove = s.running.alias(ours, cancel)
	return true
}

// report is called from one goroutine.
func (p *progress) report(filesSearched, replacements int) {
	if p == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	message := astedit.Count(filesSearched, "file") + " searched, " + astedit.Count(replacements, "replacement") + " found"
	p.send(protocol.WorkDoneProgressReport{Kind: "report", Message: &message})
}

func (p *progress) end(message string) {
	if p == nil {
		return
	}
	p.remove()
	p.send(protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (p *progress) send(value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		return
	}
	// The token goes out as it came, whatever JSON it is.
	_ = p.server.conn.Notify(p.server.background, protocol.MethodProgress, struct {
		Token json.RawMessage `json:"token"`
		Value json.RawMessage `json:"value"`
	}{p.token, raw})
}
