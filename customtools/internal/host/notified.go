package host

import (
	"encoding/json"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// hostOf is who serves a call: its caller while it runs, else the module's.
func (w *worker) hostOf(c *call) customtools.Host {
	if c != nil && c.host != nil {
		return c.host
	}
	return w.spec.Host
}

// notified takes what a worker says without an answer.
func (w *worker) notified(m message, c *call) {
	var err error
	switch m.Method {
	case "update":
		err = w.updated(m.Params, c)
	case "stage":
		err = w.stage(m.Params, c)
	case "log":
		err = w.logged(m.Params, c)
	case "output":
		err = w.wrote(m.Params)
	case "fault":
		err = w.faulted(m.Params, c)
	case "abort":
		w.hostOf(w.callNamed(m.Params)).Abort()
	case "withdraw":
		err = w.withdrawn(m.Params)
	case "ui/notify", "ui/setStatus":
		err = w.told(m, c)
	case "exited":
		w.ended(exitReason(m.Params))
	default:
		err = fmt.Errorf("there is no method %q", m.Method)
	}
	if err != nil {
		w.p.note(customtools.LogWarn, fmt.Sprintf("a message of %s cannot be read: %v", w.spec.Path, err))
	}
}

func (w *worker) updated(params json.RawMessage, c *call) error {
	var update struct{ Partials []json.RawMessage }
	if err := json.Unmarshal(params, &update); err != nil {
		return err
	}
	if c != nil { // else it came too late
		c.relay.put(update.Partials)
	}
	return nil
}

func (w *worker) logged(params json.RawMessage, c *call) error {
	var line struct {
		Level, Message string
		Context        json.RawMessage
	}
	if err := json.Unmarshal(params, &line); err != nil {
		return err
	}
	w.hostOf(c).Log(customtools.LogEntry{Level: line.Level, Message: line.Message, Path: w.spec.Path, Context: line.Context})
	return nil
}

// wrote logs what went to the thread's standard output or error.
func (w *worker) wrote(params json.RawMessage) error {
	var output struct{ Text string }
	if err := json.Unmarshal(params, &output); err != nil {
		return err
	}
	_, err := w.out.Write([]byte(output.Text))
	return err
}

// faulted takes an error that nobody caught. One of a call that runs is its
// failure; a rejection that nobody handled, and what no call owns, is logged.
func (w *worker) faulted(params json.RawMessage, c *call) error {
	var fault struct {
		Kind  string
		Error struct{ Message, Stack string }
	}
	if err := json.Unmarshal(params, &fault); err != nil {
		return err
	}
	if fault.Kind == "uncaughtException" && c != nil && c.answer != nil {
		_ = w.p.send("cancel", 0, map[string]any{"worker": w.id, "id": c.id})
		c.settle(answer{err: fmt.Errorf("uncaught exception: %s", fault.Error.Message)})
	}
	text := fault.Error.Stack
	if text == "" {
		text = fault.Error.Message
	}
	w.hostOf(c).Log(customtools.LogEntry{Level: customtools.LogError, Message: fault.Kind + ": " + text, Path: w.spec.Path})
	return nil
}

// callNamed returns the call that the message is about, if it still runs: a
// tool may keep its ctx for longer.
func (w *worker) callNamed(params json.RawMessage) *call {
	var named struct{ Of int64 }
	if err := json.Unmarshal(params, &named); err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[named.Of]
}

func (w *worker) withdrawn(params json.RawMessage) error {
	var ask struct{ Ask string }
	if err := json.Unmarshal(params, &ask); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel := w.asks[ask.Ask]; cancel != nil {
		cancel()
	}
	return nil
}

func (w *worker) told(m message, c *call) error {
	var said struct {
		Message, Level, Key string
		Text                *string
	}
	if err := json.Unmarshal(m.Params, &said); err != nil {
		return err
	}
	if m.Method == "ui/notify" {
		w.hostOf(c).UI().Notify(said.Message, said.Level)
	} else {
		w.hostOf(c).UI().SetStatus(said.Key, said.Text)
	}
	return nil
}
