package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/xcsh-lsp/xcsh-lsp/internal/fileuri"
)

// recordTime is how long the record of a decision may take after its action has left
// the stack.
const recordTime = 2 * time.Second

const (
	defaultHunks = 100 // a screen or two for a person, a few thousand tokens for a model

	pendingSchema = `{"type":"object","additionalProperties":false,"properties":{
		"id":{"type":"string","description":"One pending action: its changes as a diff, or, once it is decided, how and why. Without it, all that is pending is listed."},
		"offset":{"type":"integer","minimum":0,"description":"Skip so many changes of the diff."},
		"limit":{"type":"integer","minimum":1,"description":"Show at most so many changes of the diff (default 100)."}}}`
)

func pendingTool() *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name: pendingName, Title: "Pending edits", InputSchema: json.RawMessage(pendingSchema),
		Description: "Shows the edits that wait for a decision, the newest first; one of them as a diff; and what was decided about it, with the human's reason.",
		Annotations: &mcp.ToolAnnotations{Title: "Pending edits", ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}
}

func (s *Server) callPending(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := struct {
		ID     string `json:"id"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}{Limit: defaultHunks}
	if len(req.Params.Arguments) > 0 {
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil || args.Offset < 0 || args.Limit < 1 {
			return textResult("The arguments are { id?, offset?, limit? }: a text, a number from 0, a number from 1.", nil, true), nil
		}
	}
	client, err := s.sessions.get(ctx)
	if err != nil {
		return nil, err
	}
	if args.ID == "" {
		return s.listPending(ctx, client)
	}
	if was, ended := s.ids.before(args.ID, client); ended {
		return s.showEnded(ctx, client, args.ID, was)
	}
	return s.showPending(ctx, client, args.ID, args.Offset, args.Limit)
}

type pendingAction struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Stale    bool   `json:"stale"`
	Lost     string `json:"lost,omitempty"`
	Revision int    `json:"revision"`
}

func (s *Server) listPending(ctx context.Context, client *joined) (*mcp.CallToolResult, error) {
	var list struct {
		Actions []pendingAction `json:"actions"`
	}
	if err := client.Command(ctx, "xcsh.pending.list", struct{}{}, &list, nil); err != nil {
		return s.failure(ctx, client, err)
	}
	lines := []string{"Nothing is pending."}
	if len(list.Actions) > 0 {
		lines = []string{"Pending, the newest first:"}
	}
	for _, a := range list.Actions {
		s.ids.note(a.ID, client)
		line := fmt.Sprintf("- %s (%s)", a.Label, a.ID)
		if a.Stale {
			line += ", out of date: it is being made anew"
		}
		if a.Lost != "" {
			line += ": " + a.Lost
		}
		lines = append(lines, line)
	}
	where := "No editor is open on this workspace."
	if client.inEditor {
		where = "The human sees this in their editor, and may decide there."
	}
	lines = append(lines, where)
	return textResult(strings.Join(lines, "\n"), map[string]any{"actions": list.Actions, "editor": client.inEditor}, false), nil
}

type hunk struct {
	URI    string `json:"uri"`
	Before string `json:"before"`
	After  string `json:"after"`
	Range  struct {
		Start struct {
			Line      int `json:"line"`
			Character int `json:"character"`
		} `json:"start"`
	} `json:"range"`
}

func (s *Server) showPending(ctx context.Context, client *joined, id string, offset, limit int) (*mcp.CallToolResult, error) {
	var preview struct {
		Label string `json:"label"`
		Hunks []hunk `json:"hunks"`
	}
	notPending := client.Command(ctx, "xcsh.pending.preview", map[string]any{"id": id}, &preview, nil)
	if notPending == nil {
		s.ids.note(id, client)
		text := preview.Label + "\n" + diff(preview.Hunks, offset, limit)
		return textResult(text, map[string]any{"decided": false, "id": id, "changes": len(preview.Hunks)}, false), nil
	}
	// In this order: what is not pending any more is decided for good.
	var decided struct {
		Decided bool   `json:"decided"`
		Action  string `json:"action"`
		Reason  string `json:"reason"`
	}
	err := client.Command(ctx, "xcsh.pending.await", map[string]any{"id": id, "timeoutMs": recordTime.Milliseconds()}, &decided, nil)
	if err == nil && !decided.Decided {
		err = notPending // of another kind: the action has no preview that can be shown
	}
	if err != nil {
		return s.failure(ctx, client, err)
	}
	return decidedResult(decided.Action, decided.Reason), nil
}

// decidedResult tells what was decided, and why.
func decidedResult(action, reason string) *mcp.CallToolResult {
	text := fmt.Sprintf("Decided: %s. Reason: %s", action, reason)
	return textResult(text, map[string]any{"decided": true, "action": action, "reason": reason}, false)
}

// diff prints the changes from offset on, at most limit of them, by file, and how to
// get the rest.
func diff(hunks []hunk, offset, limit int) string {
	var b strings.Builder
	file := ""
	from := min(offset, len(hunks))
	to := min(from+min(limit, len(hunks)), len(hunks))
	for _, h := range hunks[from:to] {
		if h.URI != file {
			file = h.URI
			path := pathOf(file)
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", path, path)
		}
		fmt.Fprintf(&b, "@@ line %d, column %d @@\n", h.Range.Start.Line+1, h.Range.Start.Character+1)
		signed(&b, "-", h.Before)
		signed(&b, "+", h.After)
	}
	if from > 0 || to < len(hunks) {
		fmt.Fprintf(&b, "Changes %d to %d of %d.", from+1, to, len(hunks))
		if to < len(hunks) {
			fmt.Fprintf(&b, " The next ones: pending with offset %d.", to)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func signed(b *strings.Builder, sign, text string) {
	if text == "" {
		return
	}
	for line := range strings.Lines(text) {
		b.WriteString(sign + strings.TrimRight(line, "\r\n") + "\n")
	}
}

// pathOf is a file's path for a reader; other URIs are shown as they are.
func pathOf(raw string) string {
	if path, ok := fileuri.Path(runtime.GOOS, raw); ok {
		return path
	}
	return raw
}

func textResult(text string, details map[string]any, isError bool) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
	if details != nil {
		out.StructuredContent = details
	}
	return out
}
