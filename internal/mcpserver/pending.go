package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recordTime is how long the record of a decision may take after its action has left
// the stack.
const recordTime = 2 * time.Second

const (
	defaultHunks = 100 // a screen or two for a person, a few thousand tokens for a model

	pendingSchema = `{"type":"object","additionalProperties":false,"properties":{
		"id":{"type":"string","description":"One pending action: its changes as a diff, or, once it is decided, how and why. Without it, all that is pending is listed."},
		"offset":{"type":"integer","minimum":0,"description":"Skip so many hunks of the diff."},
		"limit":{"type":"integer","minimum":1,"description":"Show at most so many hunks of the diff (default 100)."}}}`
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
	if len(list.Actions) > 0 {
		top := list.Actions[0].ID
		if page, err := previewOf(ctx, client, top, 0, 1); err == nil {
			lines = append(lines, "", whoDecides(page.ResolveBy, client.inEditor, top))
		}
	}
	return textResult(strings.Join(lines, "\n"), map[string]any{"actions": list.Actions, "editor": client.inEditor}, false), nil
}

// preview is a page of what an action would change.
type preview struct {
	Label     string `json:"label"`
	ResolveBy string `json:"resolveBy"`
	Diff      struct {
		Text  string `json:"text"`
		Hunks int    `json:"hunks"`
		Next  int    `json:"next"` // 0 for none
	} `json:"diff"`
}

// text is the page, and how to get the rest.
func (p preview) text(offset int) string {
	switch {
	case p.Diff.Hunks == 0:
		return p.Label + "\nIt does not say which files it changes.\n"
	case offset >= p.Diff.Hunks:
		return fmt.Sprintf("%s\nThere are no more than %d hunks.\n", p.Label, p.Diff.Hunks)
	case p.Diff.Next > 0:
		return fmt.Sprintf("%s\n%sHunks %d to %d of %d. The next ones: pending with offset %[4]d.\n", p.Label, p.Diff.Text, offset+1, p.Diff.Next, p.Diff.Hunks)
	case offset > 0:
		return fmt.Sprintf("%s\n%sHunks %d to %d of %d.\n", p.Label, p.Diff.Text, offset+1, p.Diff.Hunks, p.Diff.Hunks)
	}
	return p.Label + "\n" + p.Diff.Text
}

// previewOf asks for a page; see [Server.callPending] for offset and limit.
func previewOf(ctx context.Context, client *joined, id string, offset, limit int) (preview, error) {
	var p preview
	argument := map[string]any{"id": id, "diff": map[string]any{"offset": offset, "limit": limit}}
	err := client.Command(ctx, "xcsh.pending.preview", argument, &p, nil)
	return p, err
}

func (s *Server) showPending(ctx context.Context, client *joined, id string, offset, limit int) (*mcp.CallToolResult, error) {
	page, notPending := previewOf(ctx, client, id, offset, limit)
	if notPending == nil {
		s.ids.note(id, client)
		text := page.text(offset) + "\n" + whoDecides(page.ResolveBy, client.inEditor, id)
		return textResult(text, map[string]any{"decided": false, "id": id, "hunks": page.Diff.Hunks, "next": page.Diff.Next}, false), nil
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

func textResult(text string, details map[string]any, isError bool) *mcp.CallToolResult {
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
	if details != nil {
		out.StructuredContent = details
	}
	return out
}
