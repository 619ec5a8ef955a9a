package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// staged is a pending action whose callbacks live in a worker. When the worker
// goes it stays behind as what says that the action was lost.
type staged struct {
	w      *worker
	number int64
	label  string
	host   customtools.Host

	mu       sync.Mutex
	id       string
	applying bool
	lost     string // what there is to say of a lost action
}

// stage pushes an action that a tool has staged.
func (w *worker) stage(params json.RawMessage, c *call) error {
	var a struct {
		Action         int64
		Label          string
		SourceToolName string
		Details        json.RawMessage
	}
	if err := json.Unmarshal(params, &a); err != nil {
		return err
	}
	s := &staged{w: w, number: a.Action, label: a.Label, host: w.hostOf(c)}
	action := resolve.Action{Label: a.Label, SourceToolName: a.SourceToolName, Apply: s.apply, Reject: s.reject}
	if len(a.Details) > 0 {
		action.Details = a.Details
	}
	s.mu.Lock() // the action may be resolved before its id is known here
	defer s.mu.Unlock()
	w.mu.Lock()
	w.staged[s.number] = s
	w.mu.Unlock()
	s.id = s.host.Stage(action)
	return nil
}

func (s *staged) apply(ctx context.Context, reason string, extra map[string]any) (resolve.Result, error) {
	value, err := s.decide(ctx, resolve.Apply, reason, extra)
	if err != nil {
		return resolve.Result{}, err
	}
	return customtools.ResultFromJSON(value), nil
}

// reject discards. A lost action has nothing left to clean up, and can always
// be discarded.
func (s *staged) reject(ctx context.Context, reason string, extra map[string]any) (*resolve.Result, error) {
	value, err := s.decide(ctx, resolve.Discard, reason, extra)
	if lost := (*lostError)(nil); errors.As(err, &lost) {
		return nil, nil
	}
	if err != nil || len(value) == 0 || string(value) == "null" {
		return nil, err
	}
	result := customtools.ResultFromJSON(value)
	return &result, nil
}

// lostError marks the failure of a lost action.
type lostError struct{ text string }

func (e *lostError) Error() string { return e.text }

func (s *staged) lostAs() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == "" {
		return nil
	}
	return &resolve.ToolError{Message: s.lost, Cause: &lostError{s.lost}}
}

// decide runs a callback in the worker. The end of ctx does not interrupt it:
// what has begun is finished, and its outcome counts.
func (s *staged) decide(ctx context.Context, kind resolve.Kind, reason string, extra map[string]any) (json.RawMessage, error) {
	if err := s.lostAs(); err != nil {
		return nil, err
	}
	s.setApplying(kind == resolve.Apply)
	defer s.setApplying(false)
	params := map[string]any{"action": s.number, "decision": kind, "reason": reason}
	if extra != nil {
		params["extra"] = extra
	}
	value, err := s.w.requestToEnd(ctx, "resolve", params, &call{host: s.host, answered: s.answered})
	if err == nil {
		s.w.checkIdle()
		return value, nil
	}
	if lost := s.lostAs(); lost != nil {
		return nil, lost
	}
	return nil, asToolError(err)
}

// answered forgets the action once its callback has succeeded: it cannot be
// lost any more. It is called before the reader takes the next message.
func (s *staged) answered(err error) {
	if err != nil {
		return
	}
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	delete(s.w.staged, s.number)
}

func (s *staged) setApplying(applying bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.applying = applying
}

// lose makes the action one that is lost; tell then says so.
func (s *staged) lose(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = fmt.Sprintf("The pending action %q was lost: %s. Nothing was applied.", s.label, why)
	if s.applying {
		s.lost = fmt.Sprintf("The outcome of %q is unknown: while it was applied, %s.", s.label, why)
	}
}

func (s *staged) tell() {
	s.mu.Lock()
	id, text := s.id, s.lost
	s.mu.Unlock()
	s.host.Lost(id, text)
}

// asToolError gives a tool's error of that class its type.
func asToolError(err error) error {
	if thrown := (*remoteError)(nil); errors.As(err, &thrown) && thrown.Data.Name == "ToolError" {
		return &resolve.ToolError{Message: thrown.Message, Cause: err}
	}
	return err
}
