package lsp

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/lsp/internal/wire"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Config is what a server needs from the program around it.
type Config struct {
	Engine  *astedit.Engine
	Version string
	// StateRoot is the folder for what outlives the server: decision logs.
	StateRoot string
	Home      string
	Getenv    func(string) string
	Now       func() time.Time
	Log       *zap.Logger
	// Files writes files; nil means the operating system's.
	Files atomicfile.FS
	// Hooks look at tool calls before and after; nil means none.
	Hooks *resolve.Hooks
	// BuiltIns are the names of the built-in tools that can be listed and called as
	// tools; nil means all. Commands stay as they are.
	BuiltIns []string
	// CustomTools are tools that are not built in; the zero value means none.
	CustomTools CustomTools
	// ListenLocal opens where agents of this machine join the session of the workspace
	// whose first folder is at this real path; nil means nowhere.
	ListenLocal func(firstFolder string) (LocalListener, error)
	// Deadlines are the waits for the client; the zero value means the defaults.
	Deadlines Deadlines
}

// Server serves one connection of a workspace.
type Server struct {
	protocol.UnimplementedServer
	workspace *Workspace
	id        session.ConnID
	cfg       Config
	log       *zap.Logger

	conn   jsonrpc2.Conn
	editor protocol.Client
	docs   *documents

	// Set by `initialize`, before any other handler runs.
	client  clientInfo
	session *session.Session

	mu       sync.Mutex
	folders  []folder // as this client gave them; the workspace's are its lead's
	settings Settings // as this client gave them
	late     lateEdits

	ready     chan struct{} // closed by the client's `initialized`
	readyOnce sync.Once

	seen     seenRevisions
	running  runningCommands
	surfaces *surfaces
	turns    turns
	standing ownStanding
	// exclusion is among the tool calls of this client.
	exclusion *customtools.Exclusion
	outbox    *outbox

	nextToken    atomic.Int64 // numbers our own progress tokens
	settingsTurn atomic.Int64 // numbers the questions for settings

	// background is the life of the connection, stop ends it; work is what runs
	// in it.
	background context.Context
	stop       context.CancelFunc
	work       sync.WaitGroup

	isAgent bool // whatever the client says
}

// Serve serves one client, in a workspace of its own, over rwc until it says
// `exit` or the stream ends. It reports whether `shutdown` came before; all that
// it started has ended.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, cfg Config) (shutdown bool, err error) {
	w := NewWorkspace(cfg)
	defer w.Close()
	return w.Serve(ctx, rwc)
}

func newServer(w *Workspace, id session.ConnID, background context.Context, stop context.CancelFunc) *Server {
	return &Server{
		workspace: w, id: id, cfg: w.cfg, log: w.log.With(zap.Int("connection", int(id))),
		docs: newDocuments(), settings: defaultSettings(), late: newLateEdits(), exclusion: customtools.NewExclusion(), outbox: newOutbox(), ready: make(chan struct{}),
		background: background, stop: stop,
	}
}

func (s *Server) handlers(conn jsonrpc2.Conn) wire.Handlers {
	s.conn, s.editor = conn, protocol.ClientDispatcher(conn)
	return wire.Handlers{
		Server: s,
		Ended:  s.ended,
		Raw: map[string]wire.RawHandler{
			protocol.MethodInitialize:                         s.initialize,
			protocol.MethodTextDocumentDidOpen:                s.didOpen,
			protocol.MethodTextDocumentDidChange:              s.didChange,
			protocol.MethodTextDocumentDidClose:               s.didClose,
			protocol.MethodWorkspaceDidChangeWorkspaceFolders: s.didChangeWorkspaceFolders,
			protocol.MethodWorkspaceExecuteCommand:            s.executeCommand,
			methodCommandResolve:                              s.resolveCommand,
		},
	}
}

// ended is called once, when the stream has ended and handlers have been told so.
func (s *Server) ended() {
	s.workspace.leave(s)
	s.stop()
	s.endStanding()
}

// background work of the connection: f must end soon after ctx does.
func (s *Server) spawn(f func(ctx context.Context)) {
	s.work.Go(func() { f(s.background) })
}

// currentSettings returns the settings of this client, for what is its own: what it
// shows and asks, and how it saves. What holds for all is the session's policy.
func (s *Server) currentSettings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// given returns the folders and settings that the client gave.
func (s *Server) given() ([]folder, Settings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folders, s.settings
}

// rawJSON marshals v once, with the standard library's rules, for the places of
// the protocol that take any JSON.
func rawJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }
