package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/agentclient"
)

// instructions tell a model what the tools are for.
const instructions = "ast_edit proposes a structural edit and returns its preview; nothing is written. " +
	"It stays pending until someone resolves it: the human in their editor, or you with resolve where that is allowed, " +
	"always with a reason. pending shows what is pending, and with an id what became of it and why."

// Server is the MCP side of one agent.
type Server struct {
	sessions *sessions
	ids      *ids
	mcp      *mcp.Server
	log      *zap.Logger
	changed  chan struct{} // the tools may be others

	mu    sync.Mutex
	known map[string]string // tool name → what was registered, as JSON
}

// New returns a server that calls itself name and version.
func New(name, version string, folders []string, places Places) *Server {
	s := &Server{log: places.Log, changed: make(chan struct{}, 1), known: map[string]string{}}
	s.ids = &ids{at: map[string]shown{}}
	s.sessions = &sessions{places: places, ended: map[int]time.Time{}, options: agentclient.Options{
		Name: name, Version: version, Folders: folders, PendingChanged: s.poke,
	}}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "xcsh-lsp", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
	s.mcp.AddTool(pendingTool(), s.callPending)
	return s
}

// Run serves one client until it goes or ctx ends. Everything that it started has
// ended when it returns.
func (s *Server) Run(ctx context.Context, transport mcp.Transport) error {
	ctx, stop := context.WithCancel(ctx)
	var following sync.WaitGroup
	defer following.Wait()
	defer s.sessions.close()
	defer stop()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	following.Go(func() { s.follow(ctx) })
	return s.mcp.Run(ctx, transport)
}

// poke has the tools listed again, soon.
func (s *Server) poke() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// follow keeps the list of tools that of the session, and the session the editor's.
func (s *Server) follow(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		case <-look.C:
		}
		if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("list the tools", zap.Error(err))
		}
	}
}

type listedTool struct {
	Name        string          `json:"name"`
	Label       string          `json:"label"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// refresh registers the tools that the session has now. The client hears of a change.
func (s *Server) refresh(ctx context.Context) error {
	s.mu.Lock() // for all of it: an older list must not come after a newer one
	defer s.mu.Unlock()
	client, err := s.sessions.get(ctx)
	if err != nil {
		return err
	}
	var list struct {
		Tools []listedTool `json:"tools"`
	}
	if err := client.Command(ctx, "xcsh.tools.list", struct{}{}, &list, nil); err != nil {
		if ctx.Err() == nil && !errors.As(err, new(*jsonrpc2.Error)) {
			s.sessions.drop(client)
		}
		return err
	}
	now := map[string]string{}
	for _, t := range list.Tools {
		if t.Name == pendingName {
			continue // ours has the name
		}
		tool := toolOf(t)
		text, err := json.Marshal(tool)
		if err != nil {
			return err
		}
		now[t.Name] = string(text)
		if s.known[t.Name] != now[t.Name] {
			s.mcp.AddTool(tool, s.call)
		}
	}
	var gone []string
	for name := range s.known {
		if now[name] == "" {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.mcp.RemoveTools(gone...)
	}
	s.known = now
	return nil
}

// call runs one of the session's tools.
func (s *Server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	client, err := s.sessions.get(ctx)
	if err != nil {
		return nil, err
	}
	params := req.Params.Arguments
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	var result toolResult
	argument := map[string]any{"name": req.Params.Name, "params": params}
	err = client.Command(ctx, "xcsh.tools.call", argument, &result, progressOf(ctx, req))
	if err != nil {
		return s.failure(ctx, client, err)
	}
	out := result.forModel()
	if id := result.pendingID(); id != "" {
		s.ids.note(id, client)
		if page, err := previewOf(ctx, client, id, 0, 1); err == nil {
			if note := noteOn(page.ResolveBy, client.inEditor, id); note != "" {
				out.Content = append(out.Content, &mcp.TextContent{Text: note})
			}
		}
	}
	// What was proposed can be resolved by the very next call.
	if err := s.refresh(ctx); err != nil {
		s.poke()
	}
	return out, nil
}

// failure is what a model is told of a call that the session refused, or that was cut
// off with its session.
func (s *Server) failure(ctx context.Context, client *joined, err error) (*mcp.CallToolResult, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text := err.Error()
	if refused := (*jsonrpc2.Error)(nil); errors.As(err, &refused) {
		text = refused.Message
	} else {
		s.sessions.drop(client)
		text = "The session has ended, and what was pending in it with it; nothing was applied by this call as far as is known. (" + text + ")"
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
}

// progressOf passes on how far a call is, where the client asked for it.
func progressOf(ctx context.Context, req *mcp.CallToolRequest) func(string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	said := 0.0
	return func(message string) {
		said++ // it is called by one goroutine, the connection's
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: message, Progress: said})
	}
}
