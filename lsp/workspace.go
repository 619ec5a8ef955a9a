package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
	"github.com/xcsh-lsp/xcsh-lsp/lsp/internal/wire"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Workspace is one workspace session and the connections that share it: the
// human's editor and agents beside it. All see one stack; each has its own
// documents, encoding and last seen revisions.
//
// Connections have an order: humans' editors in the order in which they joined,
// then agents in theirs. It decides two things.
//
//   - The lead gives the session its folders and settings. It is the first of the
//     humans' editors. When it leaves, the next one leads; when none is left, what
//     the last one gave stays, so that an agent never loosens what a human set. An
//     agent leads only where nobody has joined before it, until an editor comes.
//   - A document belongs to the first connection that has it open, its owner:
//     previews show the owner's text, and an apply edits it there. Where another
//     editor has the document open with a different text, an apply fails before
//     anything is written, since one of the two texts would be lost.
//
// A Workspace is safe for concurrent use.
type Workspace struct {
	cfg Config
	log *zap.Logger

	life   context.Context // of the whole, ended by Close
	end    context.CancelFunc
	loaded resolve.Registry // tools that are not built in

	toolbox *toolbox
	local   *local
	callSeq atomic.Int64 // numbers tool calls that came without an id

	serving sync.WaitGroup // connections
	work    sync.WaitGroup // decisions, which outlive the connection that asked

	mu       sync.Mutex
	closed   bool
	lastConn session.ConnID
	conns    []*Server // in their order; replaced, never changed in place
	lead     *Server   // nil before the first and after the last
	session  *session.Session
	results  *customtools.SessionLog // of custom tools; set with session
	folders  []folder                // the lead's, as it last gave them
	settings Settings
	// recovered says what became of applies that were cut off; it is for the first
	// human's editor.
	recovered []string
}

// NewWorkspace returns a workspace without connections. Its session begins when
// the first of them is initialized, for that connection's first folder.
func NewWorkspace(cfg Config) *Workspace {
	if cfg.Files == nil {
		cfg.Files = atomicfile.OS()
	}
	if cfg.Hooks == nil {
		cfg.Hooks = &resolve.Hooks{}
	}
	cfg.Deadlines = cfg.Deadlines.withDefaults()
	life, end := context.WithCancel(context.Background())
	w := &Workspace{cfg: cfg, log: cfg.Log, life: life, end: end, settings: defaultSettings()}
	w.toolbox = newToolbox(w)
	w.local = &local{workspace: w}
	return w
}

// ErrClosed is the error of a connection that comes after Close.
var ErrClosed = errors.New("the workspace is closed; start the server again")

// Serve serves one more client over rwc, which it closes, until the client says
// `exit`, the stream ends, ctx is done or the workspace is closed. It reports
// whether `shutdown` came before. What the client proposed stays pending, marked;
// all else that the connection started has ended.
func (w *Workspace) Serve(ctx context.Context, rwc io.ReadWriteCloser) (shutdown bool, err error) {
	return w.serve(ctx, rwc, false)
}

func (w *Workspace) serve(ctx context.Context, rwc io.ReadWriteCloser, agent bool) (shutdown bool, err error) {
	id, err := w.admit()
	if err != nil {
		return false, errors.Join(err, rwc.Close())
	}
	defer w.serving.Done()
	background, stop := context.WithCancel(ctx)
	defer context.AfterFunc(w.life, stop)()
	s := newServer(w, id, background, stop)
	s.isAgent = agent
	shutdown, err = wire.Serve(background, rwc, s.handlers, w.cfg.Log)
	stop()
	s.work.Wait()
	return shutdown, err
}

func (w *Workspace) admit() (session.ConnID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, ErrClosed
	}
	w.lastConn++
	w.serving.Add(1)
	return w.lastConn, nil
}

// Close ends every connection and the session, and waits for them. What is
// pending is forgotten; nothing is applied.
func (w *Workspace) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.end()
	w.serving.Wait()
	w.work.Wait()
	w.toolbox.stop()
	if w.session != nil {
		w.session.Close()
	}
}

// join makes an initialized connection one of the workspace's, and the first of
// them begins the session.
func (w *Workspace) join(s *Server) *session.Session {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = slices.Insert(slices.Clone(w.conns), w.place(s), s)
	before := w.toolsFrom()
	if w.session == nil || s.client.agent == "" && (w.lead == nil || w.lead.client.agent != "") {
		w.follow(s)
	}
	if w.session == nil {
		w.session = w.newSession()
		w.recovered = w.session.Recover()
		if s.client.agent == "" {
			w.local.begin(firstPath(w.folders))
		}
	}
	w.adopted()
	w.reloadTools(before)
	return w.session
}

// place returns where s comes in the order of connections. w.mu is held.
func (w *Workspace) place(s *Server) int {
	if s.client.agent != "" {
		return len(w.conns)
	}
	first := slices.IndexFunc(w.conns, func(c *Server) bool { return c.client.agent != "" })
	if first < 0 {
		return len(w.conns)
	}
	return first
}

// follow makes s the lead. w.mu is held.
func (w *Workspace) follow(s *Server) {
	w.lead = s
	w.folders, w.settings = s.given()
}

// adopted puts the session's settings into force. w.mu is held.
func (w *Workspace) adopted() {
	w.cfg.Engine.KeepTrees(int64(w.settings.CacheMB) << 20)
	w.session.Decisions.SetDisabled(!w.settings.DecisionLog)
	w.session.Contents.SetLimit(w.settings.storeBytes())
}

// firstPath is the path of the first folder, "" for none.
func firstPath(folders []folder) string {
	if len(folders) == 0 {
		return ""
	}
	return folders[0].path
}

func (w *Workspace) newSession() *session.Session {
	dir := statedir.Workspace(w.cfg.StateRoot, firstPath(w.folders))
	w.results = customtools.NewSessionLog(dir, w.cfg.Now)
	return session.New(session.Config{
		Engine: w.cfg.Engine, Host: host{w}, Files: w.cfg.Files,
		Journal:   journal.New(w.cfg.Files, statedir.Journal(dir), statedir.Turn(w.cfg.StateRoot), w.cfg.Now),
		Decisions: resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Disabled: !w.settings.DecisionLog, Now: w.cfg.Now}),
		Contents:  contentstore.New(filepath.Join(dir, contentstore.Folder), w.settings.storeBytes()),
		Policy:    w.policy, Now: w.cfg.Now, Log: w.log,
	})
}

// takeRecovered returns what s is to show of applies that were cut off, once.
func (w *Workspace) takeRecovered(s *Server) (messages []string) {
	if s.client.agent != "" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	messages, w.recovered = w.recovered, nil
	return messages
}

// history is what the workspace's tools have answered. There is one once a
// connection is initialized.
func (w *Workspace) history() *customtools.SessionLog {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.results
}

// changed tells that a connection has other folders or settings now.
func (w *Workspace) changed(s *Server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lead != s {
		return
	}
	before := w.toolsFrom()
	w.follow(s)
	w.adopted()
	w.reloadTools(before)
}

// reloadTools has the tools loaded again, soon, where what decides which there are
// is not as before. w.mu is held.
func (w *Workspace) reloadTools(before []string) {
	if !slices.Equal(before, w.toolsFrom()) {
		w.toolbox.changed()
	}
}

// toolsFrom is what decides which custom tools there are. w.mu is held.
func (w *Workspace) toolsFrom() []string {
	t := w.settings
	from := []string{t.Trusted, strconv.FormatBool(t.CustomTools), t.CustomToolRuntime, t.CustomToolEditor}
	for _, list := range [][]string{pathsOf(w.folders), t.CustomToolPaths, t.DisabledProviders, t.DisabledExtensions} {
		from = append(append(from, strconv.Itoa(len(list))), list...) // the length keeps one list from running into the next
	}
	return from
}

// leave takes a connection whose stream has ended out of the workspace: its
// documents count no more, and what it proposed stays. It may be called for a
// connection that never joined.
func (w *Workspace) leave(s *Server) {
	w.mu.Lock()
	joined := slices.Contains(w.conns, s)
	if joined {
		w.conns = slices.DeleteFunc(slices.Clone(w.conns), func(c *Server) bool { return c == s })
		if w.lead == s {
			w.lead = nil
			if len(w.conns) > 0 && w.conns[0].client.agent == "" {
				before := w.toolsFrom()
				w.follow(w.conns[0])
				w.adopted()
				w.reloadTools(before)
			}
		}
	}
	w.mu.Unlock()
	if !joined {
		return
	}
	for _, key := range s.docs.closeAll() {
		w.session.FileChanged(key)
	}
	w.session.Disconnected(s.id)
	w.work.Go(w.toolbox.setUI)
}

// connections returns the connections in their order.
func (w *Workspace) connections() []*Server {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.conns
}

// owner returns the connection whose document at a key counts, and the document;
// nil where nobody has it open.
func (w *Workspace) owner(key string) (*Server, *document) {
	for _, s := range w.connections() {
		if doc := s.docs.at(key); doc != nil {
			return s, doc
		}
	}
	return nil, nil
}

// isOpen reports whether anybody has the document at a key open.
func (w *Workspace) isOpen(key string) bool {
	owner, _ := w.owner(key)
	return owner != nil
}

func (w *Workspace) policy() session.Policy {
	w.mu.Lock()
	defer w.mu.Unlock()
	return session.Policy{
		ResolveBy: w.settings.ResolveBy, MaxFiles: w.settings.MaxFiles,
		UnopenedThroughClient: w.settings.ApplyUnopened == unopenedClient,
	}
}

func (w *Workspace) currentFolders() []folder {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.folders
}

// decide runs a resolve on behalf of a connection and outlives it: what has begun
// to be written is finished or taken back, whoever is still there to hear of it.
func (w *Workspace) decide(ctx context.Context, s *Server, call session.Call) (session.Resolved, error) {
	type outcome struct {
		result session.Resolved
		err    error
	}
	done := make(chan outcome, 1)
	w.work.Go(func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				w.log.Error("panic", zap.String("in", commandResolve), zap.Any("panic", p), zap.Stack("stack"))
				o.err = fmt.Errorf("internal error: %v", p)
			}
			done <- o
		}()
		o.result, o.err = w.session.Resolve(ctx, call)
	})
	select {
	case o := <-done:
		return o.result, o.err
	case <-s.background.Done():
		return session.Resolved{}, context.Canceled
	}
}
