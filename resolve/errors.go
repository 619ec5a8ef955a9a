package resolve

import (
	"context"
	"errors"
	"fmt"
)

// ToolError is an expected failure of a tool: its message is for the user (or
// the model) as it stands.
type ToolError struct {
	Message string
	Context map[string]any // optional data about the failure, never rendered
	Cause   error          // optional
}

func (e *ToolError) Error() string { return e.Message }

// Name returns the error's class, as it is named in every language that shares
// the contract.
func (e *ToolError) Name() string { return "ToolError" }

// Unwrap returns the cause, or nil.
func (e *ToolError) Unwrap() error { return e.Cause }

// AbortError says that a resolve was given up because its context ended.
type AbortError struct {
	cause error
}

// newAbortError describes why ctx, which has ended, did so.
func newAbortError(ctx context.Context) *AbortError {
	return &AbortError{cause: context.Cause(ctx)}
}

func (e *AbortError) Error() string {
	// context.Canceled itself is what Go says in place of a cause.
	if e.cause == nil || e.cause == context.Canceled {
		return "Aborted: Cancelled"
	}
	return "Aborted: " + e.cause.Error()
}

// Name returns the error's class.
func (e *AbortError) Name() string { return "AbortError" }

// Unwrap returns the cause of the context's end ([context.Cause]).
func (e *AbortError) Unwrap() error { return e.cause }

// PanicError stands for a panic of a callback. Its text is the panic's value;
// the stack is for a log.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Unwrap returns the panic's value where that is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// isAbort reports whether err is how a callback passes on that the context it
// was given has ended.
func isAbort(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx)))
}
