package lsp

import (
	"cmp"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// clientInfo is what the client said about itself in `initialize`.
type clientInfo struct {
	name     string
	agent    string // the name of the agent that decides here; "" for a human's editor
	encoding text.Encoding

	applyEdit         bool
	documentChanges   bool
	annotations       bool // change annotations in workspace edits
	savesRefactorings bool // knows metadata.isRefactoring
	disabledActions   bool
	progress          bool
	configuration     bool
	watchesFiles      bool // takes file watchers while running
	refreshesLenses   bool // takes workspace/codeLens/refresh

	forms          bool // sends command/resolve and can ask for text
	input          bool // xcsh/input
	pendingChanged bool // xcsh/pendingChanged
	quickPick      bool // xcsh/quickPick
	toolUpdate     bool // xcsh/toolUpdate, xcsh/status
	diagnostics    bool // shows them: every human's editor, and an agent that says so
}

// neovimName is the client that takes documentChanges without declaring it.
const neovimName = "Neovim"

// experimental is the part of the capabilities that is ours or gopls'.
type experimental struct {
	XCSH struct {
		Input          bool `json:"input"`
		PendingChanged bool `json:"pendingChanged"`
		QuickPick      bool `json:"quickPick"`
		ToolUpdate     bool `json:"toolUpdate"`
		Agent          *struct {
			Name string `json:"name"`
		} `json:"agent"`
	} `json:"xcsh"`
	InteractiveResolve struct {
		InputTypes []string `json:"inputTypes"`
	} `json:"interactiveResolve"`
}

// readClient reads what the client says; isAgent says that it is an agent, marked as
// one or not.
func readClient(p *protocol.InitializeParams, isAgent bool) (clientInfo, error) {
	c := clientInfo{name: p.ClientInfo.Name, encoding: chooseEncoding(p.Capabilities.General)}
	if w := p.Capabilities.Workspace; w != nil {
		c.applyEdit = isTrue(w.ApplyEdit)
		c.configuration = isTrue(w.Configuration)
		if w.DidChangeWatchedFiles != nil {
			c.watchesFiles = isTrue(w.DidChangeWatchedFiles.DynamicRegistration)
		}
		c.refreshesLenses = w.CodeLens != nil && isTrue(w.CodeLens.RefreshSupport)
		if e := w.WorkspaceEdit; e != nil {
			c.documentChanges = isTrue(e.DocumentChanges)
			c.annotations = e.ChangeAnnotationSupport != nil
			c.savesRefactorings = isTrue(e.MetadataSupport)
		}
	}
	c.documentChanges = c.documentChanges || c.name == neovimName
	if t := p.Capabilities.TextDocument; t != nil && t.CodeAction != nil {
		c.disabledActions = isTrue(t.CodeAction.DisabledSupport)
	}
	if w := p.Capabilities.Window; w != nil {
		c.progress = isTrue(w.WorkDoneProgress)
	}
	var e experimental
	if len(p.Capabilities.Experimental) > 0 {
		if err := json.Unmarshal(p.Capabilities.Experimental, &e); err != nil {
			return c, err
		}
	}
	c.input, c.pendingChanged = e.XCSH.Input, e.XCSH.PendingChanged
	c.quickPick, c.toolUpdate = e.XCSH.QuickPick, e.XCSH.ToolUpdate
	c.forms = slices.Contains(e.InteractiveResolve.InputTypes, "string")
	if e.XCSH.Agent != nil {
		c.agent = e.XCSH.Agent.Name
		if c.agent == "" {
			c.agent = c.name
		}
	}
	if isAgent {
		c.asAgent()
	}
	t := p.Capabilities.TextDocument
	c.diagnostics = c.agent == "" || t != nil && t.PublishDiagnostics != nil
	return c, nil
}

// chooseEncoding takes utf-8, in which offsets are counted here, where the client
// offers it.
func chooseEncoding(g *protocol.GeneralClientCapabilities) text.Encoding {
	if g != nil && slices.Contains(g.PositionEncodings, protocol.PositionEncodingKindUTF8) {
		return text.UTF8
	}
	return text.UTF16
}

func isTrue(b *bool) bool { return b != nil && *b }

// actor returns who acts in a command of this client: the agent that the
// command's argument marks, else the connection's agent, else its human.
func (c *clientInfo) actor(mark *agentMark) resolve.Actor {
	switch {
	case mark != nil:
		return resolve.Actor{Kind: resolve.Agent, Name: cmp.Or(mark.Name, c.agent, c.name)}
	case c.agent != "":
		return resolve.Actor{Kind: resolve.Agent, Name: c.agent}
	}
	return resolve.Actor{Kind: resolve.Human, Name: c.name}
}

// agentMark says that an agent drives the editor for this one command.
type agentMark struct {
	Name  string `json:"name"`
	Model string `json:"model,omitzero"`
}

// model is the agent's model; "" where none was named.
func (m *agentMark) model() string {
	if m == nil {
		return ""
	}
	return m.Model
}
