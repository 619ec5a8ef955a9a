package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// serverName is how the server calls itself to clients.
const serverName = "xcsh-lsp"

// initialize is read raw: the folders' URIs must go back as they came.
func (s *Server) initialize(_ context.Context, params json.RawMessage) (any, error) {
	var p protocol.InitializeParams
	if err := protocol.Unmarshal(params, &p); err != nil {
		return nil, invalidParams("initialize", err)
	}
	client, err := readClient(&p, s.isAgent)
	if err != nil {
		return nil, invalidParams("initialize: capabilities.experimental", err)
	}
	s.client = client
	folders, err := readFolders(params)
	if err != nil {
		return nil, invalidParams("initialize", err)
	}
	s.folders = folders
	s.useSettings(json.RawMessage(p.InitializationOptions))
	s.startSession()
	if p.ProcessID != nil {
		s.watchParent(int(*p.ProcessID))
	}
	return s.initializeResult()
}

// startSession joins what is pending, previewed and decided in the workspace.
func (s *Server) startSession() {
	s.session = s.workspace.join(s)
	s.surfaces = startSurfaces(s)
	s.spawn(func(ctx context.Context) { s.outbox.deliver(ctx, s.editor) })
}

// readFolders reads the workspace folders, or the root of a client without them.
func readFolders(params json.RawMessage) ([]folder, error) {
	var p struct {
		WorkspaceFolders []folderParams `json:"workspaceFolders"`
		RootURI          *string        `json:"rootUri"`
		RootPath         *string        `json:"rootPath"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	switch {
	case len(p.WorkspaceFolders) > 0:
	case p.RootURI != nil && *p.RootURI != "":
		p.WorkspaceFolders = []folderParams{{URI: *p.RootURI}}
	case p.RootPath != nil && *p.RootPath != "":
		p.WorkspaceFolders = []folderParams{{URI: uriOf(nil, *p.RootPath)}}
	}
	var folders []folder
	for _, given := range p.WorkspaceFolders {
		if f, ok := given.folder(); ok {
			folders = append(folders, f)
		}
	}
	return folders, nil
}

type folderParams struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// folder is false for a folder that is not on a disk.
func (f folderParams) folder() (folder, bool) {
	path, ok := pathOf(f.URI)
	if !ok {
		return folder{}, false
	}
	name := f.Name
	if name == "" || strings.ContainsAny(name, `/\`) { // Neovim sends the path
		name = filepath.Base(path)
	}
	return folder{name: name, uri: f.URI, path: realPath(path)}, true
}

func (s *Server) initializeResult() (any, error) {
	experimental, err := rawJSON(map[string]any{
		"xcsh":                       map[string]any{"version": 1},
		"interactiveResolveProvider": map[string]any{"kinds": []string{"command"}},
	})
	if err != nil {
		return nil, err
	}
	yes, no, incremental := true, false, protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: serverName, Version: protocol.NewOptional(s.cfg.Version)},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: encodingKind(s.client.encoding),
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: &yes, Change: &incremental, Save: protocol.Boolean(true),
			},
			HoverProvider: protocol.Boolean(true),
			CodeActionProvider: &protocol.CodeActionOptions{
				CodeActionKinds: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, protocol.CodeActionKindRefactorRewrite, kindSourceXCSH},
				ResolveProvider: &yes,
			},
			CodeLensProvider: &protocol.CodeLensOptions{ResolveProvider: &no},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{
				Commands:                commandNames(),
				WorkDoneProgressOptions: protocol.WorkDoneProgressOptions{WorkDoneProgress: &yes},
			},
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
					Supported: &yes, ChangeNotifications: protocol.Boolean(true),
				},
				TextDocumentContent: &protocol.TextDocumentContentOptions{Schemes: []string{previewScheme}},
			},
			Experimental: protocol.LSPAny(experimental),
		},
	}, nil
}

func encodingKind(e text.Encoding) protocol.PositionEncodingKind {
	return protocol.PositionEncodingKind(e.String())
}

// Initialized implements protocol.Server.
func (s *Server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.readyOnce.Do(func() { close(s.ready) })
	s.spawn(func(ctx context.Context) {
		for _, message := range s.workspace.takeRecovered(s) {
			s.showMessage(protocol.MessageTypeWarning, message)
		}
		s.pullSettings(ctx)
		s.watchFiles(ctx)
		s.workspace.toolbox.joined()
	})
	return nil
}

// Shutdown implements protocol.Server; the transport keeps the order of life.
func (s *Server) Shutdown(context.Context) error { return nil }

// Exit implements protocol.Server.
func (s *Server) Exit(context.Context) error { return nil }

// SetTrace implements protocol.Server; the log goes to the log.
func (s *Server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// didChangeWorkspaceFolders is read raw, as initialize is.
func (s *Server) didChangeWorkspaceFolders(_ context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Event struct {
			Added   []folderParams `json:"added"`
			Removed []folderParams `json:"removed"`
		} `json:"event"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("workspace/didChangeWorkspaceFolders: %w", err)
	}
	defer s.workspace.changed(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []folder
	for _, f := range s.folders {
		if !f.isAmong(p.Event.Removed) {
			kept = append(kept, f)
		}
	}
	for _, added := range p.Event.Added {
		f, ok := added.folder()
		if ok && !slices.ContainsFunc(kept, func(k folder) bool { return k.path == f.path }) {
			kept = append(kept, f)
		}
	}
	s.folders = kept
	return nil, nil
}

// isAmong compares as written too: a folder that is gone from the disk is removed
// all the same.
func (f folder) isAmong(removed []folderParams) bool {
	return slices.ContainsFunc(removed, func(r folderParams) bool {
		path, ok := pathOf(r.URI)
		return r.URI == f.uri || ok && realPath(path) == f.path
	})
}

// DidChangeConfiguration implements protocol.Server.
func (s *Server) DidChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	if s.client.configuration {
		s.spawn(s.pullSettings)
		return nil
	}
	s.useSettings(json.RawMessage(p.Settings))
	return nil
}

// pullSettings asks the client for its settings, where it can be asked.
func (s *Server) pullSettings(ctx context.Context) {
	if !s.client.configuration {
		return
	}
	turn := s.settingsTurn.Add(1)
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Deadlines.Answer)
	defer cancel()
	section := "xcsh"
	values, err := s.editor.Configuration(ctx, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}})
	if err != nil || len(values) != 1 {
		s.log.Warn("ask the client for its settings", zap.Error(err), zap.Int("values", len(values)))
		return
	}
	if turn == s.settingsTurn.Load() && string(values[0]) != "null" { // else a later question has the newer answer
		s.useSettings(json.RawMessage(values[0]))
	}
}

func (s *Server) useSettings(raw json.RawMessage) {
	read := readSettings(raw, s.cfg.Getenv)
	s.mu.Lock()
	s.settings = read.settings
	s.mu.Unlock()
	if len(read.unknown) > 0 {
		s.log.Warn("unknown settings", zap.Strings("keys", read.unknown))
	}
	if len(read.wrong) > 0 {
		s.showMessage(protocol.MessageTypeWarning, fmt.Sprintf("xcsh settings: %s.", strings.Join(read.wrong, "; ")))
	}
	if s.session != nil { // not yet while initializing
		s.workspace.changed(s)
		s.surfaces.changed()
	}
}
