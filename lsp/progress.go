package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// progressEvery is the least time between two reports: 10 a second.
const progressEvery = 100 * time.Millisecond

// progress reports how far one command is: under the client's token, else, where
// the client takes progress, under one of ours that can also cancel. The work
// never waits for a client to accept a token; until it has, nothing is reported.
type progress struct {
	server *Server
	title  string

	mu    sync.Mutex
	token json.RawMessage // nil until there is one
	last  time.Time
	ended string // the closing message, once the work has ended
}

func (s *Server) startProgress(ctx context.Context, call commandCall, title string) *progress {
	p := &progress{server: s, title: title}
	switch {
	case len(call.token) > 0:
		p.begin(call.token)
	case s.client.progress:
		s.work.Go(func() { p.create(ctx, call.cancel) })
	}
	return p
}

// create asks the client for a token of ours.
func (p *progress) create(ctx context.Context, cancel context.CancelFunc) {
	s := p.server
	ours := fmt.Sprintf("xcsh-%d", s.nextToken.Add(1))
	asking, stop := context.WithTimeout(s.background, s.cfg.Deadlines.Answer)
	defer stop()
	context.AfterFunc(ctx, s.running.start(quote(ours), cancel))
	if err := s.editor.WorkDoneProgressCreate(asking, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(ours)}); err == nil {
		p.begin(quote(ours))
	}
}

func (p *progress) begin(token json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token = token
	cancellable := true
	p.send(protocol.WorkDoneProgressBegin{Kind: "begin", Title: p.title, Cancellable: &cancellable})
	if p.ended != "" {
		p.send(protocol.WorkDoneProgressEnd{Kind: "end", Message: &p.ended})
	}
}

func (p *progress) report(filesSearched, replacements int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.token == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	message := astedit.Count(filesSearched, "file") + " searched, " + astedit.Count(replacements, "replacement") + " found"
	p.send(protocol.WorkDoneProgressReport{Kind: "report", Message: &message})
}

// say reports a message.
func (p *progress) say(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.token == nil || message == "" || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	p.send(protocol.WorkDoneProgressReport{Kind: "report", Message: &message})
}

// end closes the progress, with a message that is not empty.
func (p *progress) end(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = message
	if p.token != nil {
		p.send(protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
	}
}

// send is called with p.mu held. The token goes out as it came, whatever JSON it is.
func (p *progress) send(value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		return
	}
	_ = p.server.conn.Notify(p.server.background, protocol.MethodProgress, struct {
		Token json.RawMessage `json:"token"`
		Value json.RawMessage `json:"value"`
	}{p.token, raw})
}
