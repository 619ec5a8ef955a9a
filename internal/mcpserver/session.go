package mcpserver

import (
	"cmp"
	"context"
	"io"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/agentclient"
)

const (
	// lookEvery is how often an agent that is alone looks for an editor.
	lookEvery = 2 * time.Second
	// joinTime is what a server has to answer a client that joins: far more than it
	// needs, and not so much that a model's call is lost over it.
	joinTime = 5 * time.Second
	// passOver is how long an editor whose server did not answer is left alone.
	passOver = 30 * time.Second
)

// Places are where a session may be.
type Places struct {
	// Editor connects to the server of the human's editor; an error where there is none.
	Editor func(ctx context.Context) (io.ReadWriteCloser, error)
	// Alone connects to a session of our own, which ends with the connection.
	Alone func() io.ReadWriteCloser
	Log   *zap.Logger
	// JoinTime, where set, takes the place of the five seconds that an editor's server
	// has to answer.
	JoinTime time.Duration
}

// joined is a session that the agent has joined.
type joined struct {
	*agentclient.Client
	inEditor bool
	number   int // of the agent's sessions, from 1
}

// sessions is the session in use, and changes it where an editor comes or goes.
type sessions struct {
	places  Places
	options agentclient.Options

	mu      sync.Mutex
	current *joined // nil before the first
	last    int     // number of the newest
	notTill time.Time
	ended   map[int]time.Time // when a session was found to be gone, by its number
}

// get returns a session that lives: the editor's where there is one. One of our own is
// left for an editor's only while nothing is pending in it, since that would be lost.
func (s *sessions) get(ctx context.Context) (*joined, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		select {
		case <-s.current.Done():
			s.places.Log.Info("the session has ended", zap.Bool("editor", s.current.inEditor))
			s.leave()
		default:
		}
	}
	if s.current != nil && (s.current.inEditor || anyPending(ctx, s.current)) {
		return s.current, nil
	}
	if client := s.joinEditor(ctx); client != nil {
		if s.current != nil {
			_ = s.current.Close()
			s.leave()
		}
		s.enter(client, true)
	}
	if s.current == nil {
		client, err := agentclient.Connect(ctx, s.places.Alone(), s.options)
		if err != nil {
			return nil, err
		}
		s.enter(client, false)
	}
	return s.current, nil
}

// enter makes client's session the one in use. s.mu is held.
func (s *sessions) enter(client *agentclient.Client, inEditor bool) {
	s.last++
	s.current = &joined{client, inEditor, s.last}
}

// leave notes that the session in use is gone. s.mu is held.
func (s *sessions) leave() {
	s.ended[s.current.number] = time.Now()
	s.current = nil
}

// end returns when a session was found to be gone.
func (s *sessions) end(number int) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended[number]
}

// joinEditor returns nil where no editor's server answers. s.mu is held.
func (s *sessions) joinEditor(ctx context.Context) *agentclient.Client {
	if time.Now().Before(s.notTill) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.places.JoinTime, joinTime))
	defer cancel()
	rwc, err := s.places.Editor(ctx)
	if err != nil {
		return nil
	}
	client, err := agentclient.Connect(ctx, rwc, s.options)
	if err != nil {
		s.notTill = time.Now().Add(passOver)
		s.places.Log.Warn("join the editor's session", zap.Error(err), zap.Duration("again after", passOver))
		return nil
	}
	s.places.Log.Info("joined the editor's session")
	return client
}

func anyPending(ctx context.Context, client *joined) bool {
	var list struct {
		Actions []struct{} `json:"actions"`
	}
	err := client.Command(ctx, "xcsh.pending.list", struct{}{}, &list, nil)
	return err == nil && len(list.Actions) > 0
}

// drop ends a session that a call has found to be gone: its stream's end may not have
// been noticed yet.
func (s *sessions) drop(client *joined) {
	_ = client.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == client {
		s.leave()
	}
}

func (s *sessions) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		_ = s.current.Close()
	}
}
