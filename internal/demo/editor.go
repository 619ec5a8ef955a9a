package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// editor is just enough of one to drive the server: one open document.
type editor struct {
	protocol.UnimplementedClient
	process      *exec.Cmd
	conn         jsonrpc2.Conn
	encodingName string
	encoding     text.Encoding

	mu          sync.Mutex
	document    uri.URI
	version     int32
	content     []byte
	diagnostics chan []protocol.Diagnostic
}

func startEditor(ctx context.Context, program, state, workspace string) (*editor, error) {
	ed := &editor{process: exec.CommandContext(ctx, program), diagnostics: make(chan []protocol.Diagnostic, 16)}
	ed.process.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	ed.process.Stderr = io.Discard // the log; it is in the state folder too
	in, err := ed.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := ed.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := ed.process.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	ed.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipes{out, in}))
	handle := protocol.ClientHandler(ed, ed.own)
	ed.conn.Go(ctx, func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.IsCall() {
			jsonrpc2.Async(ctx) // notifications keep their order
		}
		return handle(ctx, req)
	})
	return ed, ed.initialize(ctx, workspace)
}

type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipes) Close() error { return errors.Join(p.ReadCloser.Close(), p.WriteCloser.Close()) }

func (ed *editor) initialize(ctx context.Context, workspace string) error {
	params := map[string]any{
		"processId": os.Getpid(), "rootUri": uri.File(workspace), "clientInfo": map[string]any{"name": "demo"},
		"capabilities": map[string]any{
			"workspace":    map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true}},
			"experimental": map[string]any{"xcsh": map[string]any{"input": true}},
		},
	}
	var result protocol.InitializeResult
	if _, err := ed.conn.Call(ctx, protocol.MethodInitialize, params, &result); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	ed.encodingName = string(result.Capabilities.PositionEncoding)
	var err error
	if ed.encoding, err = text.ParseEncoding(ed.encodingName); err != nil {
		return err
	}
	return ed.conn.Notify(ctx, protocol.MethodInitialized, map[string]any{})
}

func (ed *editor) open(ctx context.Context, path, content string) error {
	ed.mu.Lock()
	ed.document, ed.version, ed.content = uri.File(path), 1, []byte(content)
	ed.mu.Unlock()
	return ed.conn.Notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: ed.document, LanguageID: "go", Version: 1, Text: content},
	})
}

func (ed *editor) text(path string) string {
	ed.mu.Lock()
	defer ed.mu.Unlock()
	if ed.document != uri.File(path) {
		return ""
	}
	return string(ed.content)
}

func (ed *editor) command(ctx context.Context, name string, argument, result any) error {
	raw, err := json.Marshal(argument)
	if err != nil {
		return err
	}
	return ed.execute(ctx, protocol.Command{Command: name, Arguments: []protocol.LSPAny{raw}}, result)
}

func (ed *editor) execute(ctx context.Context, c protocol.Command, result any) error {
	params := &protocol.ExecuteCommandParams{Command: c.Command, Arguments: c.Arguments}
	if _, err := ed.conn.Call(ctx, protocol.MethodWorkspaceExecuteCommand, params, result); err != nil {
		return fmt.Errorf("%s: %w", c.Command, err)
	}
	return nil
}

func (ed *editor) firstAction(ctx context.Context, path string, at protocol.Range) (*protocol.CodeAction, error) {
	params := &protocol.CodeActionParams{Range: at}
	params.TextDocument.URI = uri.File(path)
	var actions []protocol.CodeAction
	if _, err := ed.conn.Call(ctx, protocol.MethodTextDocumentCodeAction, params, &actions); err != nil {
		return nil, fmt.Errorf("ask for code actions: %w", err)
	}
	if len(actions) == 0 {
		return nil, errors.New("the server offers no code action on the diagnostic")
	}
	return &actions[0], nil
}

func (ed *editor) waitDiagnostics(ctx context.Context, path string) ([]protocol.Diagnostic, error) {
	select {
	case list := <-ed.diagnostics:
		return list, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for diagnostics of %s: %w", filepath.Base(path), ctx.Err())
	}
}

// PublishDiagnostics implements protocol.Client.
func (ed *editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	if p.URI == ed.document && len(p.Diagnostics) > 0 {
		ed.diagnostics <- p.Diagnostics
	}
	return nil
}

// ShowMessage implements protocol.Client.
func (ed *editor) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	showMessage(p)
	return nil
}

// ApplyEdit implements protocol.Client: it makes the edit in the open document
// and tells the server so.
func (ed *editor) ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	for _, change := range p.Edit.DocumentChanges {
		edit, ok := change.(*protocol.TextDocumentEdit)
		if !ok || edit.TextDocument.URI != ed.document {
			return &protocol.ApplyWorkspaceEditResult{}, nil
		}
		if err := ed.edit(ctx, edit); err != nil {
			return nil, err
		}
	}
	step("apply edit", "the editor changes its document, now at version %d", ed.version)
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

func (ed *editor) edit(ctx context.Context, edit *protocol.TextDocumentEdit) error {
	ed.mu.Lock()
	defer ed.mu.Unlock()
	mapper := text.NewMapper(ed.content)
	var edits []text.Edit
	for _, element := range edit.Edits {
		e, ok := element.(*protocol.TextEdit)
		if !ok {
			return errors.New("the demo's editor takes plain text edits only")
		}
		start, err := mapper.Offset(text.Position{Line: int(e.Range.Start.Line), Column: int(e.Range.Start.Character)}, ed.encoding)
		if err != nil {
			return err
		}
		end, err := mapper.Offset(text.Position{Line: int(e.Range.End.Line), Column: int(e.Range.End.Character)}, ed.encoding)
		if err != nil {
			return err
		}
		edits = append(edits, text.Edit{Span: text.Span{Start: start, End: end}, New: e.NewText})
	}
	content, err := text.Apply(ed.content, edits)
	if err != nil {
		return err
	}
	ed.content, ed.version = content, ed.version+1
	params := &protocol.DidChangeTextDocumentParams{
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: string(content)},
		},
	}
	params.TextDocument.URI, params.TextDocument.Version = ed.document, ed.version
	return ed.conn.Notify(ctx, protocol.MethodTextDocumentDidChange, params)
}

// own answers the requests that only this product has.
func (ed *editor) own(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if req.Method() != "xcsh/input" {
		return nil, jsonrpc2.ErrMethodNotFound
	}
	var p struct {
		Title  string `json:"title"`
		Prompt string `json:"prompt"`
	}
	if err := json.Unmarshal(req.Params(), &p); err != nil {
		return nil, err
	}
	return map[string]string{"value": answerReason(p.Title + ": " + p.Prompt)}, nil
}

// close ends the server the way the protocol has it.
func (ed *editor) close(ctx context.Context) error {
	if _, err := ed.conn.Call(ctx, protocol.MethodShutdown, nil, nil); err != nil {
		return fmt.Errorf("shutdown: %w", err)
	}
	if err := ed.conn.Notify(ctx, protocol.MethodExit, nil); err != nil {
		return fmt.Errorf("exit: %w", err)
	}
	return ed.process.Wait()
}
