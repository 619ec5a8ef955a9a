package lsp

import (
	"cmp"
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// toolHost is what a tool reaches: within a call by way of the connection that
// called it, outside of calls by way of the workspace.
type toolHost struct {
	workspace *Workspace
	caller    *Server // nil outside a call
	actor     resolve.Actor
	cancel    context.CancelFunc // ends the command that called
}

var _ customtools.Host = (*toolHost)(nil)

// Stage implements customtools.Host.
func (h *toolHost) Stage(action resolve.Action) string {
	// A session is there: no tool is loaded before.
	id, err := resolve.PushPendingAction(func(a resolve.Action) string {
		origin := session.Origin{Label: a.Label, SourceToolName: a.SourceToolName, ProposedBy: h.actor}
		if h.caller == nil {
			origin.ProposedBy = resolve.Actor{Kind: resolve.ToolActor, Name: a.SourceToolName}
		} else {
			origin.Conn = h.caller.id
		}
		ref := h.workspace.session.Stage(origin, session.Callbacks{Apply: a.Apply, Reject: a.Reject})
		if h.caller != nil {
			h.caller.seen.note(ref.ID, ref.Revision)
			h.caller.seen.noteHead(ref.ID)
		}
		return ref.ID
	}, action)
	if err != nil {
		h.workspace.log.Error("stage", zap.Error(err))
	}
	return id
}

// Lost implements customtools.Host: the action is marked where it is listed, and
// every human is told.
func (h *toolHost) Lost(id, reason string) {
	h.workspace.session.Lose(id, reason)
	h.workspace.log.Warn("pending action lost", zap.String("id", id), zap.String("reason", reason))
	h.workspace.toolbox.losses.add(reason)
}

// UI implements customtools.Host.
func (h *toolHost) UI() customtools.UI {
	if h.caller != nil && h.caller.client.agent == "" {
		return toolUI{h.workspace, h.caller}
	}
	return toolUI{h.workspace, h.workspace.human()}
}

// Session implements customtools.Host.
func (h *toolHost) Session(context.Context) (customtools.Session, error) {
	cwd := ""
	if folders := h.workspace.currentFolders(); len(folders) > 0 {
		cwd = folders[0].path
	}
	return h.workspace.history().Session(cwd)
}

// Abort implements customtools.Host.
func (h *toolHost) Abort() {
	if h.cancel != nil {
		h.cancel()
	}
}

// Log implements customtools.Host: a line goes into the tools' log file, into ours,
// and to the client that called, else to the first human's.
func (h *toolHost) Log(e customtools.LogEntry) {
	level, kind := zapcore.DebugLevel, protocol.MessageTypeLog
	switch e.Level {
	case customtools.LogError:
		level, kind = zapcore.ErrorLevel, protocol.MessageTypeError
	case customtools.LogWarn:
		level, kind = zapcore.WarnLevel, protocol.MessageTypeWarning
	}
	h.workspace.log.Log(level, e.Message, zap.String("tool", e.Path), zap.ByteString("context", e.Context))
	h.workspace.toolbox.log.add(e)
	if s := cmp.Or(h.caller, h.workspace.human()); s != nil {
		message := e.Message
		if len(e.Context) > 0 {
			message += " " + string(e.Context)
		}
		s.outbox.put(func() {
			_ = s.editor.LogMessage(s.background, &protocol.LogMessageParams{Type: kind, Message: message})
		})
	}
}

// human returns the first human's editor of the workspace; nil where there is
// none.
func (w *Workspace) human() *Server {
	for _, s := range w.connections() {
		if s.client.agent == "" {
			return s
		}
	}
	return nil
}

func rawOf(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}
