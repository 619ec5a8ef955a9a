package resolve

import (
	"encoding/json"
	"slices"
	"strings"
)

// Definition describes a tool to whoever lists or calls it.
type Definition struct {
	Name        string          `json:"name"`
	Label       string          `json:"label"`
	Description string          `json:"description"` // for the model
	Parameters  json.RawMessage `json:"parameters"`  // JSON Schema
	Hidden      bool            `json:"hidden"`      // not part of a default list
	Deferrable  bool            `json:"deferrable"`  // may stage pending actions
}

// ToolDefinition is the definition of the resolve tool.
func ToolDefinition() Definition {
	return Definition{Name: ToolName, Label: ToolLabel, Description: ToolDescription, Parameters: Schema(), Hidden: ToolHidden}
}

// SelectTools returns the tools of a session out of its base tools: those that are
// requested by name, in that order, else all that are not hidden. The resolve tool
// cannot be requested: it comes last, where a tool that is included may stage
// something or a plan can be approved. requested is nil where nobody asked for
// particular tools; unknown names in it are passed over.
func SelectTools(base []Definition, requested []string, planMode bool) []Definition {
	var selected []Definition
	if requested == nil {
		selected = slices.DeleteFunc(slices.Clone(base), func(d Definition) bool { return d.Hidden })
	}
	for _, name := range requested {
		name = strings.ToLower(name)
		i := slices.IndexFunc(base, named(name))
		if i >= 0 && !slices.ContainsFunc(selected, named(name)) {
			selected = append(selected, base[i])
		}
	}
	selected = slices.DeleteFunc(selected, named(ToolName))
	return IncludeResolve(selected, planMode)
}

// IncludeResolve returns a session's tools with the resolve tool where something
// may have to be resolved, and without it elsewhere: to be asked again after tools
// were added.
func IncludeResolve(tools []Definition, planMode bool) []Definition {
	if !planMode && !slices.ContainsFunc(tools, func(d Definition) bool { return d.Deferrable }) {
		return slices.DeleteFunc(slices.Clone(tools), named(ToolName))
	}
	if slices.ContainsFunc(tools, named(ToolName)) {
		return tools
	}
	return append(slices.Clone(tools), ToolDefinition())
}

func named(name string) func(Definition) bool {
	return func(d Definition) bool { return d.Name == name }
}
