package resolve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
)

// ToolCall is a call of a tool by a model or a program.
type ToolCall struct {
	ID    string
	Name  string
	Input json.RawMessage // what the caller gave as parameters, not validated
}

// ToolFunc executes a call. An error becomes an error result with its message.
type ToolFunc func(ctx context.Context, call ToolCall) (Result, error)

// Hooks look at tool calls from outside, before and after. All fields are optional.
type Hooks struct {
	// Before may block the call; the first that does is the last that is asked.
	Before []BeforeHook
	// After may rewrite the result; each sees what the ones before it made.
	After []AfterHook
	// AfterFailed is told of an After hook that failed. Its call has been made, so
	// the result stays as it is.
	AfterFailed func(call ToolCall, err error)
}

// BeforeHook looks at a call that is about to be made. A nil Block lets it pass;
// an error blocks it with the error's message.
type BeforeHook func(ctx context.Context, call ToolCall) (*BlockCall, error)

// BlockCall keeps a call from being made. Without a reason a default is given.
type BlockCall struct{ Reason string }

// AfterHook looks at a result. A nil Rewrite leaves it.
type AfterHook func(ctx context.Context, call ToolCall, result Result) (*Rewrite, error)

// Rewrite replaces parts of a result; what is nil stays.
type Rewrite struct {
	Content []Block
	Details any
	IsError *bool
}

// Texts of calls that hooks stop or mark (customtools.md 16).
const (
	textBlocked      = "Tool execution was blocked by an extension"
	textHookFailed   = "Extension failed, blocking execution: %v"
	textMarkedFailed = "Tool result marked as error by extension"
)

// Call makes a call between its hooks. A failure is a result with IsError; only
// the end of ctx is an error, an [AbortError]. A nil h has no hooks.
func (h *Hooks) Call(ctx context.Context, call ToolCall, execute ToolFunc) (Result, error) {
	if h == nil {
		h = &Hooks{}
	}
	for _, before := range h.Before {
		if block, err := callBefore(ctx, before, call); err != nil {
			return ErrorResult(err), nil
		} else if block != nil {
			return errorText(cmp.Or(block.Reason, textBlocked)), nil
		}
	}
	result, err := callTool(ctx, execute, call)
	if err != nil {
		if isAbort(ctx, err) {
			return Result{}, newAbortError(ctx)
		}
		result = ErrorResult(err)
	}
	for _, after := range h.After {
		rewrite, err := callAfter(ctx, after, call, result)
		switch {
		case err != nil && h.AfterFailed != nil:
			h.AfterFailed(call, err)
		case err == nil && rewrite != nil:
			result = rewrite.apply(result)
		}
	}
	return result, nil
}

// apply rewrites a result. One that is made an error here becomes what a thrown
// error with its text would have been.
func (w *Rewrite) apply(r Result) Result {
	if w.Content != nil {
		r.Content, r.Display = w.Content, ""
	}
	if w.Details != nil {
		r.Details = w.Details
	}
	switch {
	case w.IsError == nil:
	case *w.IsError && !r.IsError:
		return errorText(cmp.Or(r.Text(), textMarkedFailed))
	default:
		r.IsError = *w.IsError
	}
	return r
}

// ErrorResult is the result of a call that failed: the error's message.
func ErrorResult(err error) Result { return errorText(err.Error()) }

func errorText(text string) Result {
	result := TextResult(text, map[string]any{})
	result.IsError = true
	return result
}

func callTool(ctx context.Context, execute ToolFunc, call ToolCall) (result Result, err error) {
	defer recoverAs(&err)
	return execute(ctx, call)
}

// callBefore blocks a call where its hook fails in any way. A panic with a value
// that is no error says so; an error says what it says.
func callBefore(ctx context.Context, hook BeforeHook, call ToolCall) (block *BlockCall, err error) {
	defer func() {
		panicked, ok := err.(*PanicError)
		if ok && panicked.Unwrap() == nil {
			err = fmt.Errorf(textHookFailed, panicked)
		}
	}()
	defer recoverAs(&err)
	return hook(ctx, call)
}

func callAfter(ctx context.Context, hook AfterHook, call ToolCall, result Result) (rewrite *Rewrite, err error) {
	defer recoverAs(&err)
	return hook(ctx, call, result)
}
