package lsp

import (
	"path/filepath"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// ToolList is which tools there are, and what could not be loaded.
type ToolList struct {
	Tools  []resolve.RegisteredTool `json:"tools"`
	Errors []resolve.ToolLoadError  `json:"errors"`
}

// ListTools returns the tools that a server would have for the folder dir, hidden
// ones too. Modules are evaluated for that, but hear of no session and can stage
// nothing. Nobody is asked whether dir is trusted: an earlier answer counts, and
// cfg.CustomTools.Trust.
func ListTools(cfg Config, dir string) ToolList {
	w := NewWorkspace(cfg)
	defer w.Close()
	dir = realPath(dir)
	w.folders = []folder{{name: filepath.Base(dir), uri: uriOf(nil, dir), path: dir}}
	w.settings = readSettings(nil, cfg.Getenv).settings
	w.toolbox.onlyLists = true
	w.toolbox.ensure()
	loaded, failed := w.loaded.Loaded()
	return newToolList(append(append(cfg.builtInTools(), loaded...), decideTool()), failed)
}

// BuiltInTools are the names that [Config.BuiltIns] can have.
func BuiltInTools() []string { return []string{astedit.ToolName} }

// builtInTools are the built-in tools that are offered, without resolve.
func (c Config) builtInTools() resolve.Tools {
	tools := resolve.Tools{editTool()}
	return slices.DeleteFunc(tools, func(t resolve.RegisteredTool) bool {
		return c.BuiltIns != nil && !slices.Contains(c.BuiltIns, t.Name)
	})
}

// newToolList has lists where there is nothing, for JSON.
func newToolList(tools resolve.Tools, failed []resolve.ToolLoadError) ToolList {
	return ToolList{append([]resolve.RegisteredTool{}, tools...), append([]resolve.ToolLoadError{}, failed...)}
}

// The tools that are part of the server, without what they do.

func editTool() resolve.RegisteredTool {
	return resolve.RegisteredTool{
		Definition: resolve.Definition{
			Name: astedit.ToolName, Label: astedit.ToolLabel, Description: astedit.ToolDescription,
			Parameters: astedit.Schema(), Deferrable: true,
		},
		Source: builtInSource(),
	}
}

func decideTool() resolve.RegisteredTool {
	return resolve.RegisteredTool{Definition: resolve.ToolDefinition(), Source: builtInSource()}
}

func builtInSource() *resolve.ToolSource {
	return &resolve.ToolSource{Provider: "builtin", ProviderName: "Built-in"}
}
