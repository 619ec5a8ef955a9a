package customtools

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Call validates the arguments, executes the tool and makes its result whole.
// Every failure is a result with IsError; the only error is that ctx ended,
// which Call does not wait to be obeyed: the tool's late result is dropped.
//
// A tool that is exclusive waits for the caller's other calls to end, and they for
// it. One that cannot be aborted never hears of the end of ctx, and its result is
// waited for as long as the caller is there; only before it has begun it is not
// run at all.
func (t *LoadedTool) Call(ctx context.Context, call resolve.ToolCall) (resolve.Result, error) {
	env := t.callEnv(ctx)
	env.Observer.ToolStarted(t.definition.Definition, call)
	result, err := t.untilAborted(ctx, env, call)
	if err != nil {
		env.Observer.ToolEnded(call, errorResult(abortedText(ctx)))
		return resolve.Result{}, err
	}
	env.Observer.ToolEnded(call, result)
	return result, nil
}

// abortedText tells of a call that was aborted (customtools.md 16).
func abortedText(ctx context.Context) string {
	const text = "Tool execution was aborted"
	if cause := context.Cause(ctx); cause != nil && cause != context.Canceled {
		return text + ": " + cause.Error()
	}
	return text + "."
}

// untilAborted runs the call on its own goroutine, which ends when the tool
// does; a runtime ends a tool that does not obey.
func (t *LoadedTool) untilAborted(ctx context.Context, env CallEnv, call resolve.ToolCall) (resolve.Result, error) {
	leave, err := env.Exclusion.enter(ctx, t.definition.Concurrency)
	if err != nil {
		return resolve.Result{}, err
	}
	if ctx.Err() != nil {
		leave()
		return resolve.Result{}, ctx.Err()
	}
	waited := ctx
	if t.definition.NonAbortable {
		ctx, waited = context.WithoutCancel(ctx), env.Left
	}
	updates := &updates{call: call, observer: env.Observer}
	defer updates.close()
	done := make(chan resolve.Result, 1) // buffered: nobody may be left to receive
	go func() {
		defer leave() // when the tool has ended, not when its caller has given up
		done <- t.run(ctx, env, call, updates)
	}()
	select {
	case result := <-done:
		if waited.Err() != nil {
			return resolve.Result{}, waited.Err()
		}
		return result, nil
	case <-waited.Done():
		return resolve.Result{}, waited.Err()
	}
}

func (t *LoadedTool) run(ctx context.Context, env CallEnv, call resolve.ToolCall, updates *updates) resolve.Result {
	definition, err := t.tool.Describe(ctx)
	if err != nil {
		return errorResult(err.Error())
	}
	params, err := t.validators.check(definition, call.Input)
	if err != nil {
		return errorResult(err.Error())
	}
	raw, err := t.tool.Execute(ctx, RuntimeCall{
		ToolCallID: call.ID, Params: params, Context: env.Context, Host: env.Host, Update: updates.add,
	})
	if err != nil {
		return errorResult(err.Error())
	}
	updates.close()
	result := callResult(raw)
	result.Display = t.display(ctx, definition, params, result)
	return result
}

// updates passes partial results on until the call has settled.
type updates struct {
	call     resolve.ToolCall
	observer Observer

	mu     sync.Mutex // held while an observer is told, so that the end comes after it
	closed bool
}

func (u *updates) add(partial json.RawMessage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.observer.ToolUpdated(u.call, ResultFromJSON(partial))
	}
}

func (u *updates) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
}
