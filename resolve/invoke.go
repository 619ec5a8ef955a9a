package resolve

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// Texts that callers rely on (resolve.md 6.1, 7).
const (
	nothingToResolveText = "No pending action to resolve. Nothing to apply or discard."
	nothingToDiscardText = "Nothing to discard; no pending action remains."
	applyFailedPrefix    = "Apply failed: "
)

// errNoApply is the failure of an action that was pushed without an apply.
var errNoApply = errors.New("the action has no apply callback")

// safe calls someone else's invoker: its panic must not end the program.
func (f Invoker) safe(ctx context.Context, p Params) (result Result, err error) {
	defer recoverAs(&err)
	return f(ctx, p)
}

// invoke carries the decision in p out on a. The action leaves the stack once
// its callback has succeeded, and never before. The caller has the turn.
func (s *Store) invoke(ctx context.Context, p Params, a Action) (Result, error) {
	if a.invoke != nil {
		return a.invoke.safe(ctx, p)
	}
	decide := s.applyAction
	if p.Action == Discard {
		decide = discardAction
	}
	result, err := decide(ctx, p, a)
	if err != nil {
		return Result{}, err
	}
	s.Remove(a.ID)
	for _, tell := range s.decidedListeners() {
		tell(context.WithoutCancel(ctx), Decided{Action: a, Params: p, Result: result})
	}
	return result, nil
}

func (s *Store) applyAction(ctx context.Context, p Params, a Action) (Result, error) {
	result, err := callApply(ctx, p, a)
	if err != nil {
		s.requeueSafely(a)
		return Result{}, applyError(ctx, err)
	}
	return withDetails(result, p, a), nil
}

func discardAction(ctx context.Context, p Params, a Action) (Result, error) {
	if a.Reject != nil {
		result, err := callReject(ctx, p, a)
		if err != nil {
			return Result{}, err
		}
		if result != nil {
			return withDetails(*result, p, a), nil
		}
	}
	text := fmt.Sprintf("Discarded: %s. Reason: %s", a.Label, p.Reason)
	return TextResult(text, actionDetails(p, a)), nil
}

// requeueSafely makes a failed action the head again. A listener that panics
// must not hide why the apply failed.
func (s *Store) requeueSafely(a Action) {
	defer func() { _ = recover() }()
	s.requeue(a)
}

// applyError maps the failure of an apply callback. What is, or wraps, a
// ToolError is passed on as it is; a callback that stopped because ctx ended
// was aborted; everything else is a failed apply, with its cause kept.
func applyError(ctx context.Context, err error) error {
	// A panic is no error that was returned, whatever its value is.
	_, panicked := err.(*PanicError)
	if toolErr := (*ToolError)(nil); !panicked && errors.As(err, &toolErr) {
		return err
	}
	if isAbort(ctx, err) {
		return newAbortError(ctx)
	}
	return &ToolError{Message: applyFailedPrefix + err.Error(), Cause: err}
}

func callApply(ctx context.Context, p Params, a Action) (result Result, err error) {
	defer recoverAs(&err)
	if a.Apply == nil {
		return Result{}, errNoApply
	}
	return a.Apply(ctx, p.Reason, p.Extra)
}

func callReject(ctx context.Context, p Params, a Action) (result *Result, err error) {
	defer recoverAs(&err)
	return a.Reject(ctx, p.Reason, p.Extra)
}

// recoverAs turns a panic of the deferring function into its error.
func recoverAs(err *error) {
	if value := recover(); value != nil {
		*err = &PanicError{Value: value, Stack: debug.Stack()}
	}
}

// nothingToResolve answers a call that found no invoker. A discard asks for
// "nothing staged", which already holds; an apply asked for a change.
func nothingToResolve(p Params) (Result, error) {
	if p.Action == Discard {
		return TextResult(nothingToDiscardText, callDetails(p)), nil
	}
	return Result{}, &ToolError{Message: nothingToResolveText}
}
