package mcpserver

import (
	"context"
	"io"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/agentclient"
)

// lookEvery is how often an agent that is alone looks for an editor.
const lookEvery = 2 * time.Second

// Places are where a session may be.
type Places struct {
	// Editor connects to the server of the human's editor; an error where there is none.
	Editor func(ctx context.Context) (io.ReadWriteCloser, error)
	// Alone connects to a session of our own, which ends with the connection.
	Alone func() io.ReadWriteCloser
	Log   *zap.Logger
}

// sessions is the session in use, and changes it where an editor comes or goes.
type sessions struct {
	places  Places
	options agentclient.Options

	mu       sync.Mutex
	client   *agentclient.Client // nil before the first
	inEditor bool
}

// get returns a session that lives: the editor's where there is one. One of our own is
// left for an editor's only while nothing is pending in it, since that would be lost.
func (s *sessions) get(ctx context.Context) (client *agentclient.Client, inEditor bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		select {
		case <-s.client.Done():
			s.places.Log.Info("the session has ended", zap.Bool("editor", s.inEditor))
			s.client = nil
		default:
		}
	}
	if s.client != nil && (s.inEditor || s.anyPending(ctx)) {
		return s.client, s.inEditor, nil
	}
	if client := s.joinEditor(ctx); client != nil {
		if s.client != nil {
			_ = s.client.Close()
		}
		s.client, s.inEditor = client, true
		return client, true, nil
	}
	if s.client == nil {
		if s.client, err = agentclient.Connect(ctx, s.places.Alone(), s.options); err != nil {
			s.client = nil
			return nil, false, err
		}
		s.inEditor = false
	}
	return s.client, s.inEditor, nil
}

func (s *sessions) joinEditor(ctx context.Context) *agentclient.Client {
	rwc, err := s.places.Editor(ctx)
	if err != nil {
		return nil
	}
	client, err := agentclient.Connect(ctx, rwc, s.options)
	if err != nil {
		s.places.Log.Warn("join the editor's session", zap.Error(err))
		return nil
	}
	s.places.Log.Info("joined the editor's session")
	return client
}

func (s *sessions) anyPending(ctx context.Context) bool {
	var list struct {
		Actions []struct{} `json:"actions"`
	}
	err := s.client.Command(ctx, "xcsh.pending.list", struct{}{}, &list, nil)
	return err == nil && len(list.Actions) > 0
}

// drop ends a session that a call has found to be gone: its stream's end may not have
// been noticed yet.
func (s *sessions) drop(client *agentclient.Client) {
	_ = client.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == client {
		s.client = nil
	}
}

func (s *sessions) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		_ = s.client.Close()
	}
}
