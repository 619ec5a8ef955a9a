package resolve

import "context"

// Kind says what a decision does with a pending action.
type Kind string

// The two decisions.
const (
	Apply   Kind = "apply"
	Discard Kind = "discard"
)

// ApplyFunc performs a staged change. extra is nil where the call had none. An
// error leaves the action pending; a result with IsError set consumes it.
//
// It runs while no other resolve does, so it must not call the resolve tool of
// its own store: that call would wait for itself.
type ApplyFunc func(ctx context.Context, reason string, extra map[string]any) (Result, error)

// RejectFunc cleans up after a discarded action. With a nil result the default
// text is answered; an error leaves the action pending.
type RejectFunc func(ctx context.Context, reason string, extra map[string]any) (*Result, error)

// Action is a staged change that waits for a decision.
type Action struct {
	ID             string // assigned by [Store.Push]
	Label          string // short, for people; by convention "<Source>: <summary>"
	SourceToolName string // the tool that staged it
	Apply          ApplyFunc
	Reject         RejectFunc // optional
	Details        any        // the producer's own; kept, never shown or forwarded

	// invoke, where set, takes the calls in place of Apply and Reject, and removes
	// the action itself (see [ToolChoiceQueue.RegisterPendingInvoker]).
	invoke Invoker
}
