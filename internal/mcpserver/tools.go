package mcpserver

import (
	"encoding/base64"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The names of tools whose effects are known.
const (
	editName    = "ast_edit"
	resolveName = "resolve"
	pendingName = "pending"
)

// toolOf describes a tool of the session. Of a custom tool nothing is known, so it may
// do anything.
func toolOf(t listedTool) *mcp.Tool {
	yes, no := true, false
	annotations := &mcp.ToolAnnotations{Title: t.Label, DestructiveHint: &yes, OpenWorldHint: &yes}
	switch t.Name {
	case editName: // it stages, and writes nothing
		annotations.DestructiveHint, annotations.OpenWorldHint = &no, &no
	case resolveName:
		annotations.OpenWorldHint = &no
	}
	schema := t.Parameters
	if !isObjectSchema(schema) {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	return &mcp.Tool{Name: t.Name, Title: t.Label, Description: t.Description, InputSchema: schema, Annotations: annotations}
}

// isObjectSchema: MCP takes no other schema for arguments.
func isObjectSchema(schema json.RawMessage) bool {
	var head struct {
		Type any `json:"type"`
	}
	return json.Unmarshal(schema, &head) == nil && head.Type == "object"
}

// toolResult is a result as the session gives it.
type toolResult struct {
	Content []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     string `json:"data"`
		MIMEType string `json:"mimeType"`
	} `json:"content"`
	Details json.RawMessage `json:"details"`
	IsError bool            `json:"isError"`
}

// pendingID is that of what the call has proposed, "" for nothing.
func (r toolResult) pendingID() string {
	var details struct {
		Pending struct {
			ID string `json:"id"`
		} `json:"pending"`
	}
	if json.Unmarshal(r.Details, &details) != nil {
		return "" // a custom tool's, of any other shape
	}
	return details.Pending.ID
}

func (r toolResult) forModel() *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: r.IsError, Content: []mcp.Content{}}
	for _, c := range r.Content {
		if c.Type == "image" {
			if data, err := base64.StdEncoding.DecodeString(c.Data); err == nil {
				out.Content = append(out.Content, &mcp.ImageContent{Data: data, MIMEType: c.MIMEType})
				continue
			}
		}
		out.Content = append(out.Content, &mcp.TextContent{Text: c.Text})
	}
	var object map[string]any
	if json.Unmarshal(r.Details, &object) == nil && object != nil {
		out.StructuredContent = object
	}
	return out
}
