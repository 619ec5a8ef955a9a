package resolve

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// ToolSource says where a tool comes from.
type ToolSource struct {
	Provider     string `json:"provider"`
	ProviderName string `json:"providerName"`
	Level        string `json:"level,omitzero"` // "user" or "project"; "" for neither
}

// RegisteredTool is a tool that can be called.
type RegisteredTool struct {
	Definition
	Source  *ToolSource `json:"source"` // nil where it is not known
	Execute ToolFunc    `json:"-"`
}

// ToolLoadError is a source of tools that could not be loaded.
type ToolLoadError struct {
	Path   string      `json:"path"` // as given
	Error  string      `json:"error"`
	Source *ToolSource `json:"source"`
}

// Tools are the tools that a caller can reach. Of two with one name the later
// counts.
type Tools []RegisteredTool

// textToolNotFound answers a call of no tool (customtools.md 16).
const textToolNotFound = "Tool %s not found"

// Call makes a call of one of the tools between the hooks, as [Hooks.Call] has it.
// An unknown name is an error result.
func (t Tools) Call(ctx context.Context, hooks *Hooks, call ToolCall) (Result, error) {
	for _, tool := range slices.Backward(t) {
		if tool.Name == call.Name {
			return hooks.Call(ctx, call, tool.Execute)
		}
	}
	return errorText(fmt.Sprintf(textToolNotFound, call.Name)), nil
}

// Registry holds the tools that are loaded while a program runs. The zero value is
// empty and ready for use; it is safe for concurrent use.
type Registry struct {
	mu     sync.Mutex
	tools  Tools
	errors []ToolLoadError
}

// Set replaces what is registered by the outcome of a load.
func (r *Registry) Set(tools Tools, errors []ToolLoadError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tools, r.errors = slices.Clone(tools), slices.Clone(errors)
}

// Loaded returns what is registered, in the order of the load.
func (r *Registry) Loaded() (Tools, []ToolLoadError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tools), slices.Clone(r.errors)
}
