package resolve

import "context"

// Tool decides on the pending actions of one store. Its calls run one after
// the other, in the order in which they came; it is safe for concurrent use.
type Tool struct {
	store *Store
	// turn holds one token while a resolve runs. A channel, not a lock, since
	// a call must be able to stop waiting.
	turn chan struct{}
	// sources are asked in order; the first that has an invoker gets the call
	// and no other is consulted, whatever comes of it.
	sources   []invokerSource
	onDecided func(context.Context, Decided)
}

// invoker takes the full parameters of a call and answers it.
type invoker func(ctx context.Context, p Params) (Result, error)

// invokerSource returns the invoker that a call is for, or nil. head is the
// top of the stack as the call's guard has seen it, nil where there is none.
type invokerSource func(head *Action) invoker

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
// action, which by then has left the stack. fn runs before the call returns
// and before the next one starts; its context is the call's but does not end,
// since the decision has been made.
func OnDecided(fn func(context.Context, Decided)) Option {
	return func(t *Tool) { t.onDecided = fn }
}

// NewTool returns the resolve tool of a store. A store must have one tool
// only: the tool is what keeps two calls from resolving one action twice.
func NewTool(store *Store, opts ...Option) *Tool {
	t := &Tool{store: store, turn: make(chan struct{}, 1)}
	t.sources = []invokerSource{t.pendingInvoker}
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
	case t.turn <- struct{}{}:
		<-t.turn
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// dispatch waits for its turn under waitCtx and runs the invoker under callCtx.
func (t *Tool) dispatch(waitCtx, callCtx context.Context, p Params, guard Guard) (Result, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-waitCtx.Done():
		return Result{}, newAbortError(waitCtx)
	}
	if waitCtx.Err() != nil { // select picks at random where both are ready
		return Result{}, newAbortError(waitCtx)
	}
	head := t.head()
	if guard != nil {
		if err := guard(head); err != nil {
			return Result{}, err
		}
	}
	for _, source := range t.sources {
		if invoke := source(head); invoke != nil {
			return invoke(callCtx, p)
		}
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

func (t *Tool) pendingInvoker(head *Action) invoker {
	if head == nil {
		return nil
	}
	action := *head
	return func(ctx context.Context, p Params) (Result, error) { return t.invokePending(ctx, p, action) }
}
