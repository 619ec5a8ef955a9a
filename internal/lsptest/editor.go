package lsptest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

const (
	// answerPatience is how long any answer of the server may take: longer than
	// its own deadlines for its client.
	answerPatience = 60 * time.Second
	// maxQueuedEdits is how many edits may wait for their turn; a server waits for
	// the answer to one before it sends the next.
	maxQueuedEdits = 100
)

// Editor is one editor with one server. Its methods may be called from any
// goroutine; those that fail the test at once (Initialize, the Wait helpers and
// what names a document that is not open) only from the test's own.
type Editor struct {
	t       testing.TB
	manners Manners
	takes   atomic.Pointer[Manners] // in place of manners, for edits; see TakeEditsLike
	peer    *peer
	record  *record
	docs    *documents
	hooks   hooks
	folders []string // URIs

	edits chan edit
	work  sync.WaitGroup
	done  chan struct{} // closed by Close
	once  sync.Once
}

// New returns an editor that talks to a server over rwc, which it closes at the
// end of the test.
func New(t testing.TB, rwc io.ReadWriteCloser, manners Manners) *Editor {
	e := &Editor{t: t, manners: manners, record: newRecord(), edits: make(chan edit, maxQueuedEdits), done: make(chan struct{})}
	e.peer = newPeer(rwc, e)
	e.docs = newDocuments(e.peer.notify, &e.manners)
	e.work.Go(func() {
		if err := e.peer.read(); err != nil && !isEnd(err) {
			t.Errorf("read from the server: %v", err)
		}
		e.record.touch()
	})
	e.work.Go(e.takeEdits)
	t.Cleanup(e.Close)
	return e
}

func isEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || strings.Contains(err.Error(), "closed")
}

// Close closes the stream, as an editor that is killed does, and waits for all
// that the editor started.
func (e *Editor) Close() {
	e.once.Do(func() {
		close(e.done)
		_ = e.peer.stream.Close()
	})
	ended := make(chan struct{})
	go func() {
		e.work.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		e.t.Error("the editor's goroutines did not end: does a hook still wait?")
	}
}

// Initialize sends initialize with the folders, each a path or a URI, and
// initialized. options are the initializationOptions, nil for none.
func (e *Editor) Initialize(options any, folders ...string) *protocol.InitializeResult {
	e.t.Helper()
	var workspace []object
	for _, f := range folders {
		uri := URI(f)
		e.folders = append(e.folders, uri)
		workspace = append(workspace, object{"uri": uri, "name": filepath.Base(f)})
	}
	params := object{
		"processId": nil, "rootUri": nil, "workspaceFolders": workspace,
		"capabilities": e.manners.capabilities(), "clientInfo": object{"name": e.manners.Name},
	}
	if len(e.folders) > 0 {
		params["rootUri"] = e.folders[0]
	}
	if options != nil {
		params["initializationOptions"] = options
	}
	raw, err := e.Call(context.Background(), protocol.MethodInitialize, params)
	if err != nil {
		e.t.Fatalf("initialize: %v", err)
	}
	var result protocol.InitializeResult
	if err := protocol.Unmarshal(raw, &result); err != nil {
		e.t.Fatalf("initialize answered %s: %v", raw, err)
	}
	e.docs.use(e.encoding(result.Capabilities.PositionEncoding))
	e.Notify(protocol.MethodInitialized, object{})
	return &result
}

// encoding checks that the server took an encoding that was offered.
func (e *Editor) encoding(kind protocol.PositionEncodingKind) text.Encoding {
	e.t.Helper()
	if kind == "" {
		return text.UTF16
	}
	encoding, err := text.ParseEncoding(string(kind))
	if err != nil {
		e.t.Fatal(err)
	}
	for _, offered := range e.manners.Encodings {
		if offered == encoding {
			return encoding
		}
	}
	if encoding != text.UTF16 { // every client has it
		e.t.Fatalf("the server chose %v of %v", encoding, e.manners.Encodings)
	}
	return encoding
}

// Shutdown ends the session as the protocol asks: shutdown, then exit.
func (e *Editor) Shutdown() {
	e.t.Helper()
	if _, err := e.Call(context.Background(), protocol.MethodShutdown, nil); err != nil {
		e.t.Errorf("shutdown: %v", err)
	}
	e.Notify(protocol.MethodExit, nil)
}

// Call sends a request and returns the result, or the server's error as a
// *jsonrpc2.Error. When ctx is done the server is told to cancel; its answer is
// what Call returns. Changes that were held back go first.
func (e *Editor) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	e.docs.flushAll()
	timer := time.AfterFunc(answerPatience, func() {
		e.t.Errorf("%s was not answered within %v; seen:%s", method, answerPatience, e.record)
		_ = e.peer.stream.Close()
	})
	defer timer.Stop()
	return e.peer.call(ctx, method, params)
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	if err := e.peer.notify(method, params); err != nil && !e.closed() {
		e.t.Errorf("%s: %v", method, err)
	}
}

func (e *Editor) closed() bool {
	select {
	case <-e.done:
		return true
	case <-e.peer.closed:
		return true
	default:
		return false
	}
}

// sleep waits for d or the end of the editor, and reports which: false is the end.
func (e *Editor) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-e.done:
		return false
	}
}

// URI returns file where it is a URI already, else the file URI of the path.
func URI(file string) string {
	if scheme, _, ok := strings.Cut(file, ":"); ok && len(scheme) > 1 && !strings.ContainsAny(scheme, `/\`) {
		return file
	}
	slashed := filepath.ToSlash(file)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// pathOf returns the path of a file URI, "" for another.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return filepath.FromSlash(u.Path)
}

// notification implements peerHandler.
func (e *Editor) notification(method string, params json.RawMessage) {
	e.record.add(Received{Method: method, Params: params})
	e.checkDeclared(method)
	if method != protocol.MethodTextDocumentPublishDiagnostics {
		return
	}
	var p struct {
		URI         string          `json:"uri"`
		Diagnostics json.RawMessage `json:"diagnostics"`
	}
	e.decode(method, params, &p)
	var diagnostics []protocol.Diagnostic
	if err := protocol.Unmarshal(p.Diagnostics, &diagnostics); err != nil {
		e.t.Errorf("%s with %s: %v", method, params, err)
	}
	e.record.publish(p.URI, diagnostics)
}

// checkDeclared fails the test where the server sends what this client did not
// say that it takes.
func (e *Editor) checkDeclared(method string) {
	declared := map[string]bool{
		methodInput: e.manners.Input, methodQuickPick: e.manners.QuickPick,
		"xcsh/pendingChanged": e.manners.PendingChanged, "xcsh/toolUpdate": e.manners.ToolUpdate, "xcsh/status": e.manners.ToolUpdate,
		protocol.MethodWorkspaceConfiguration:       e.manners.Configuration,
		protocol.MethodWindowWorkDoneProgressCreate: e.manners.WorkDoneProgress,
		protocol.MethodWorkspaceApplyEdit:           e.manners.ApplyEdit,
		protocol.MethodWorkspaceCodeLensRefresh:     e.manners.RefreshesLenses,
	}
	if allowed, known := declared[method]; known && !allowed {
		e.t.Errorf("the server sent %s, which %s did not say that it takes", method, e.manners.Name)
	}
}

// reply answers the server, which may be gone.
func (e *Editor) reply(id jsonrpc2.ID, result any, err error) {
	if err := e.peer.answer(id, result, err); err != nil && !e.closed() && !isEnd(err) {
		e.t.Errorf("answer the server: %v", err)
	}
}
