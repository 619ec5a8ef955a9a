package resolve

import "context"

// Tool decides on the pending actions of one store. The calls of all tools of a
// store run one after the other, in the order in which they came; a Tool is safe
// for concurrent use.
type Tool struct {
	store    *Store
	queue    *ToolChoiceQueue // nil where the session has none
	standing *Standing        // nil where the session has none
}

// Invoker takes the full parameters of a call and answers it. It runs while no
// other resolve does, so it must not call the resolve tool of its own store.
type Invoker func(ctx context.Context, p Params) (Result, error)

// Decided is a pending action that has been applied or discarded: the action
// as it was, the call, and the answer.
type Decided struct {
	Action Action
	Params Params
	Result Result
}

// Guard says whether a call may go on, as an error where it may not. head is
// the pending action that the call would resolve, nil where nothing is pending.
type Guard func(head *Action) error

// Option configures a [Tool].
type Option func(*Tool)

// OnDecided has fn called after each successful apply or discard of a pending
// action of the tool's store, which by then has left the stack. fn runs before
// the call returns and before the next one starts; its context is the call's but
// does not end, since the decision has been made.
func OnDecided(fn func(context.Context, Decided)) Option {
	return func(t *Tool) { subscribe(&t.store.mu, &t.store.decided, fn) }
}

// WithQueue gives the calls of a turn whose directive has an OnInvoked to that
// directive, before anything that is pending. The queue must be of the same store.
func WithQueue(q *ToolChoiceQueue) Option { return func(t *Tool) { t.queue = q } }

// WithStanding gives the calls that find nothing else to a standing handler.
func WithStanding(s *Standing) Option { return func(t *Tool) { t.standing = s } }

// NewTool returns a resolve tool of a store.
func NewTool(store *Store, opts ...Option) *Tool {
	t := &Tool{store: store}
	for _, opt := range opts {
		opt(t)
	}
	return t
}

// Execute resolves the most recent pending action. When ctx ends it returns an
// [AbortError] at once; a callback that runs by then is not interrupted (it
// never sees ctx end) and its outcome still decides whether the action stays.
// Invalid parameters are a [ParamError].
func (t *Tool) Execute(ctx context.Context, p Params) (Result, error) {
	if err := p.Validate(); err != nil {
		return Result{}, err
	}
	return untilAborted(ctx, func() (Result, error) {
		return t.dispatch(ctx, context.WithoutCancel(ctx), p, nil)
	})
}

// Dispatch is Execute for a host that handles cancellation itself: the
// callback gets ctx as it is, and Dispatch returns when the callback has. While
// it waits for its turn, the end of ctx is an [AbortError] and nothing has run.
//
// guard, which may be nil, is called when the call has its turn; an error of it
// is returned as it is, and nothing changes. What it let pass is what is
// resolved, even where another action is pushed meanwhile.
func (t *Tool) Dispatch(ctx context.Context, p Params, guard Guard) (Result, error) {
	if err := p.Validate(); err != nil {
		return Result{}, err
	}
	return t.dispatch(ctx, ctx, p, guard)
}

// Wait returns when no resolve runs, or with ctx's error: a callback that an
// aborted Execute left behind has then finished.
func (t *Tool) Wait(ctx context.Context) error {
	select {
	case t.store.turn <- struct{}{}:
		<-t.store.turn
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// dispatch waits for its turn under waitCtx and runs the invoker under callCtx.
func (t *Tool) dispatch(waitCtx, callCtx context.Context, p Params, guard Guard) (Result, error) {
	release, err := t.store.turn.take(waitCtx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	head := t.head()
	if guard != nil {
		if err := guard(head); err != nil {
			return Result{}, err
		}
	}
	if invoke := t.invoker(head); invoke != nil {
		return invoke(callCtx, p)
	}
	// resolve.md 6.1 clears the registry here. An empty stack is the only one
	// without an invoker, so clearing could only lose what is pushed right now.
	return nothingToResolve(p)
}

func (t *Tool) head() *Action {
	if a, ok := t.store.Peek(); ok {
		return &a
	}
	return nil
}

// invoker returns the one invoker that a call is for, nil where there is none:
// in-flight, then pending, then standing (resolve.md 6). No other is consulted,
// whatever comes of it. head is the top of the stack as the guard has seen it.
func (t *Tool) invoker(head *Action) Invoker {
	if t.queue != nil {
		if invoke := t.queue.PeekInFlightInvoker(); invoke != nil {
			return invoke.safe
		}
	}
	if head != nil {
		return func(ctx context.Context, p Params) (Result, error) { return t.store.invoke(ctx, p, *head) }
	}
	if t.standing != nil {
		if _, invoke := t.standing.Peek(); invoke != nil {
			return invoke.safe
		}
	}
	return nil
}
