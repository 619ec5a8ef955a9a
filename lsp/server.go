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
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/lsp/internal/wire"
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
	// Deadlines are the waits for the client; the zero value means the defaults.
	Deadlines Deadlines
}

// Server serves one connection.
type Server struct {
	protocol.UnimplementedServer
	cfg    Config
	log    *zap.Logger
	conn   jsonrpc2.Conn
	editor protocol.Client
	docs   *documents

	// Set by `initialize`, before any other handler runs.
	client  clientInfo
	session *session.Session

	mu       sync.Mutex
	folders  []folder
	settings Settings
	late     lateEdits

	seen     seenRevisions
	running  runningCommands
	surfaces *surfaces

	nextToken    atomic.Int64 // numbers our own progress tokens
	settingsTurn atomic.Int64 // numbers the questions for settings

	// background is the life of the connection, stop ends it; work is what runs
	// in it.
	background context.Context
	stop       context.CancelFunc
	work       sync.WaitGroup
}

// connID: one connection a session, until a socket lets others join.
const connID session.ConnID = 1

// Serve serves one client over rwc until it says `exit` or the stream ends. It
// reports whether `shutdown` came before; all that it started has ended.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, cfg Config) (shutdown bool, err error) {
	if cfg.Files == nil {
		cfg.Files = atomicfile.OS()
	}
	cfg.Deadlines = cfg.Deadlines.withDefaults()
	background, stop := context.WithCancel(ctx)
	s := &Server{
		cfg: cfg, log: cfg.Log, docs: newDocuments(), settings: defaultSettings(),
		late: newLateEdits(), background: background, stop: stop,
	}
	shutdown, err = wire.Serve(background, rwc, s.handlers, cfg.Log)
	stop()
	s.work.Wait()
	if s.session != nil {
		s.session.Close()
	}
	return shutdown, err
}

func (s *Server) handlers(conn jsonrpc2.Conn) wire.Handlers {
	s.conn, s.editor = conn, protocol.ClientDispatcher(conn)
	return wire.Handlers{
		Server: s,
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

// background work of the connection: f must end soon after ctx does.
func (s *Server) spawn(f func(ctx context.Context)) {
	s.work.Go(func() { f(s.background) })
}

// currentSettings returns the settings as they are now.
func (s *Server) currentSettings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

func (s *Server) policy() session.Policy {
	set := s.currentSettings()
	return session.Policy{
		ResolveBy: set.ResolveBy, MaxFiles: set.MaxFiles, UnopenedThroughClient: set.ApplyUnopened == unopenedClient,
	}
}

func (s *Server) currentFolders() []folder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folders
}

// host is what the session sees of this server.
type host struct{ server *Server }

// Workspace implements session.Host.
func (h host) Workspace() astedit.Workspace {
	w := astedit.Workspace{Home: h.server.cfg.Home, GlobalIgnore: session.GlobalIgnore(h.server.cfg.Getenv, h.server.cfg.Home), Documents: h.server.docs.snapshot()}
	for _, f := range h.server.currentFolders() {
		w.Folders = append(w.Folders, astedit.Folder{Name: f.name, Path: f.path})
	}
	return w
}

// URI implements session.Host.
func (h host) URI(path string) string {
	if doc := h.server.docs.at(path); doc != nil {
		return doc.uri
	}
	return uriOf(h.server.currentFolders(), path)
}

// Editor implements session.Host.
func (h host) Editor() session.Editor { return editor(h) }

// rawJSON marshals v once, with the standard library's rules, for the places of
// the protocol that take any JSON.
func rawJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }
