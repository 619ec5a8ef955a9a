package customtools

import (
	"context"
	"encoding/json"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Host is what a tool's code reaches in the program that runs it. A runtime
// calls it from its own goroutines; it is safe for concurrent use.
type Host interface {
	// Stage pushes a pending action and returns its id. It does not block.
	//
	// The action's callbacks run in the module generation that staged it. Reject
	// is always set, so that the runtime learns of a discard; it answers nil
	// where the tool has no reject. A tool's error of class ToolError arrives as
	// a [resolve.ToolError], any other as its message.
	Stage(action resolve.Action) (id string)

	// Lost says that a staged action cannot be resolved any more, and why. Its
	// callbacks fail with the same reason from then on. Nothing was applied,
	// except where the reason says otherwise.
	Lost(id, reason string)

	// UI asks and tells the human.
	UI() UI

	// Session returns what ctx.sessionManager reads.
	Session(ctx context.Context) (Session, error)

	// Abort asks for the end of the operation that called the tool. It returns
	// at once.
	Abort()

	// Log takes a line of the tool's logger, of its console, or of what it wrote
	// to its output. It does not block.
	Log(entry LogEntry)
}

// UI puts a tool's questions to a human. A question whose context ends, that
// is dismissed, or that nobody can be asked has the answer ok false. Only
// Notify and SetStatus may be called where no human is there.
type UI interface {
	Select(ctx context.Context, title string, options []string) (choice string, ok bool)
	Confirm(ctx context.Context, title, message string) bool
	Input(ctx context.Context, title, placeholder string) (text string, ok bool)
	Editor(ctx context.Context, title, prefill string) (text string, ok bool)
	// Notify shows a message; level is "info", "warning" or "error".
	Notify(message, level string)
	// SetStatus sets a status text, one line, or removes it where text is nil.
	SetStatus(key string, text *string)
}

// Log levels, as the logger's methods are named.
const (
	LogError = "error"
	LogWarn  = "warn"
	LogDebug = "debug"
)

// LogEntry is one line of a tool's log.
type LogEntry struct {
	Level   string // LogError, LogWarn or LogDebug
	Message string
	Path    string          // of the module; empty where it is not known
	Context json.RawMessage // a flat object, or nil
}

// Session is what the read-only session manager shows of the workspace: a
// conversation of which the host keeps the tool results. The entries are one
// branch, oldest first.
type Session struct {
	Cwd          string         `json:"cwd"`
	Dir          string         `json:"sessionDir"`
	ID           string         `json:"sessionId"`
	File         string         `json:"sessionFile,omitzero"` // empty is undefined
	Name         string         `json:"sessionName,omitzero"`
	ArtifactsDir string         `json:"artifactsDir,omitzero"`
	Entries      []SessionEntry `json:"entries"`
}

// SessionEntry is one kept message.
type SessionEntry struct {
	Type      string         `json:"type"` // "message"
	ID        string         `json:"id"`
	ParentID  string         `json:"parentId,omitzero"`
	Timestamp string         `json:"timestamp"` // RFC 3339
	Message   SessionMessage `json:"message"`
}

// SessionMessage is the result of one tool call.
type SessionMessage struct {
	Role       string          `json:"role"` // "toolResult"
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Content    []resolve.Block `json:"content"`
	Details    json.RawMessage `json:"details,omitempty"`
	IsError    bool            `json:"isError"`
}
