package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/subprocess"
)

// asked answers what a worker asks for, on a goroutine that ends with the
// question, the call that it belongs to, or the worker.
func (w *worker) asked(m message, c *call) {
	base := w.ctx
	// A command belongs to the tool, which passes a signal where it wants to:
	// only questions end with the call.
	if c != nil && c.ctx != nil && m.Method != "exec" {
		base = c.ctx
	}
	ctx, cancel := context.WithCancel(base)
	stop := context.AfterFunc(w.ctx, cancel)
	id := string(m.ID)
	var key string
	_ = json.Unmarshal(m.ID, &key) // an id that is no string is never withdrawn
	w.mu.Lock()
	w.asks[key] = cancel
	w.mu.Unlock()
	host := w.hostOf(c)
	go func() {
		result, err := serve(ctx, host, m)
		stop()
		cancel()
		w.mu.Lock()
		delete(w.asks, key)
		w.mu.Unlock()
		_ = w.p.write(response(json.RawMessage(id), result, err)) // a process that is gone needs no answer
	}()
}

func response(id json.RawMessage, result any, err error) map[string]any {
	r := map[string]any{"jsonrpc": "2.0", "id": id}
	if err == nil {
		r["result"] = result
		return r
	}
	r["error"] = map[string]any{"code": -32000, "message": err.Error(), "data": map[string]any{"code": errorCode(err)}}
	return r
}

// errorCode is the name that Node.js gives an error, which tools look at.
func errorCode(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "ENOENT"
	case errors.Is(err, fs.ErrPermission):
		return "EACCES"
	}
	return ""
}

// serve answers one question. A dialog without an answer gives null.
func serve(ctx context.Context, host customtools.Host, m message) (any, error) {
	switch m.Method {
	case "exec":
		return execute(ctx, m.Params)
	case "session":
		return host.Session(ctx)
	}
	var q struct {
		Title, Message, Placeholder, Prefill string
		Options                              []string
	}
	if err := json.Unmarshal(m.Params, &q); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Method, err)
	}
	ui := host.UI()
	switch m.Method {
	case "ui/select":
		return given(ui.Select(ctx, q.Title, q.Options))
	case "ui/confirm":
		return ui.Confirm(ctx, q.Title, q.Message), nil
	case "ui/input":
		return given(ui.Input(ctx, q.Title, q.Placeholder))
	case "ui/editor":
		return given(ui.Editor(ctx, q.Title, q.Prefill))
	}
	return nil, fmt.Errorf("there is no method %q", m.Method)
}

func given(text string, ok bool) (any, error) {
	if !ok {
		return nil, nil
	}
	return text, nil
}

func execute(ctx context.Context, params json.RawMessage) (any, error) {
	var c struct {
		Command   string
		Args      []string
		Cwd       string
		TimeoutMS float64
		Aborted   bool
		Env       map[string]*string // what the tool changed; null is deleted
	}
	if err := json.Unmarshal(params, &c); err != nil {
		return nil, fmt.Errorf("exec: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.Aborted {
		cancel()
	}
	return subprocess.Run(ctx, subprocess.Command{
		Name:    c.Command,
		Args:    c.Args,
		Dir:     c.Cwd,
		Env:     changedEnvironment(c.Env),
		Timeout: time.Duration(c.TimeoutMS * float64(time.Millisecond)),
	})
}

func changedEnvironment(changes map[string]*string) []string {
	if len(changes) == 0 {
		return nil
	}
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if _, changed := changes[name]; !changed {
			env = append(env, entry)
		}
	}
	for name, value := range changes {
		if value != nil {
			env = append(env, name+"="+*value)
		}
	}
	return env
}
