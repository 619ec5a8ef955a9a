package resolve

import "context"

// The queue's registry of pending invokers is the store's stack under the names
// that a session's queue gives it: there is no second list that could disagree.

// PendingHead names the head of the stack.
type PendingHead struct {
	ID             string
	SourceToolName string
}

// RegisterPendingInvoker puts fn on top of the stack under an id of the caller's,
// in the place of an earlier one with the same id. fn gets the calls and answers
// them alone: it is not removed when it succeeds, but removes itself with
// [ToolChoiceQueue.RemovePendingInvoker]. To stage a change, use
// [QueueResolveHandler].
func (q *ToolChoiceQueue) RegisterPendingInvoker(id, sourceToolName string, fn Invoker) {
	q.store.register(Action{ID: id, SourceToolName: sourceToolName, invoke: fn})
}

// RemovePendingInvoker takes an id off the stack; an unknown one is no error.
func (q *ToolChoiceQueue) RemovePendingInvoker(id string) { q.store.Remove(id) }

// ClearPendingInvokers empties the stack and leaves the directives.
func (q *ToolChoiceQueue) ClearPendingInvokers() { q.store.Clear() }

// HasPendingInvoker reports whether anything is pending.
func (q *ToolChoiceQueue) HasPendingInvoker() bool { return q.store.HasPending() }

// PeekPendingHead names the head; ok is false where nothing is pending.
func (q *ToolChoiceQueue) PeekPendingHead() (head PendingHead, ok bool) {
	a, ok := q.store.Peek()
	return PendingHead{a.ID, a.SourceToolName}, ok
}

// PeekPendingInvoker returns what decides on the present head, nil where nothing
// is pending. It waits for its turn among the calls of the resolve tool, and finds
// nothing where the head has been decided by then.
func (q *ToolChoiceQueue) PeekPendingInvoker() Invoker {
	head, ok := q.store.Peek()
	if !ok {
		return nil
	}
	return func(ctx context.Context, p Params) (Result, error) {
		release, err := q.store.turn.take(ctx)
		if err != nil {
			return Result{}, err
		}
		defer release()
		if a, ok := q.store.Get(head.ID); ok {
			return q.store.invoke(ctx, p, a)
		}
		return nothingToResolve(p)
	}
}

// QueueResolveHandler stages a change and returns its id. It is the one way in for
// every producer. A session without a queue has none (q is nil): then nothing is
// staged, which is no error, and the id is "".
//
// Staging never forces a tool choice and sends the model no message:
// [ToolChoiceQueue.NextDirective] is how the model hears of it.
func QueueResolveHandler(q *ToolChoiceQueue, a Action) (id string) {
	if q == nil {
		return ""
	}
	a.invoke = nil
	return q.store.Push(a)
}

// customToolName is the source of what a custom tool stages without naming itself.
const customToolName = "custom_tool"

// textNoSink says that a custom tool cannot stage anything here.
const textNoSink = "Pending action store unavailable for custom tools in this runtime."

// Sink stages an action and returns its id: [Store.Push], or what a host puts
// before it.
type Sink func(Action) (id string)

// PushPendingAction stages what a custom tool wants staged. A runtime without a
// sink fails with a [ToolError]. The action's details are kept with it, and are
// never part of a result.
func PushPendingAction(sink Sink, a Action) (id string, err error) {
	if sink == nil {
		return "", &ToolError{Message: textNoSink}
	}
	if a.SourceToolName == "" {
		a.SourceToolName = customToolName
	}
	return sink(a), nil
}
