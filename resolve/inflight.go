package resolve

import "context"

// RejectReason says why a choice was not served.
type RejectReason string

// The reasons of a rejection.
const (
	RejectAborted     RejectReason = "aborted"
	RejectError       RejectReason = "error"
	RejectCleared     RejectReason = "cleared"
	RejectRemoved     RejectReason = "removed"
	RejectUnavailable RejectReason = "unavailable" // the named tool is not active
	RejectNotInvoked  RejectReason = "not_invoked" // the model did something else
)

// RejectOutcome says what to do about a choice that was not served.
type RejectOutcome string

// The outcomes of a rejection; anything else is Drop.
const (
	Requeue      RejectOutcome = "requeue"       // offer the same choice again, next
	Drop         RejectOutcome = "drop"          // lose this choice; the sequence goes on
	DropSequence RejectOutcome = "drop_sequence" // lose the rest of the sequence too
)

// requeuedSuffix marks the label of a directive that replays a lost choice.
const requeuedSuffix = "-requeued"

// HasInFlight reports whether a choice was handed out and not answered yet.
func (q *ToolChoiceQueue) HasInFlight() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.inFlight != nil
}

// PeekInFlightInvoker returns the OnInvoked of the directive in flight, nil where
// there is none. A call of it counts as having served the choice.
func (q *ToolChoiceQueue) PeekInFlightInvoker() Invoker {
	q.mu.Lock()
	defer q.mu.Unlock()
	current := q.inFlight
	if current == nil || current.directive.OnInvoked == nil {
		return nil
	}
	return func(ctx context.Context, p Params) (Result, error) {
		q.mu.Lock()
		current.invoked = true
		q.mu.Unlock()
		return current.directive.OnInvoked(ctx, p)
	}
}

// Resolve says that the choice in flight was served; with nothing in flight it
// does nothing. Where the directive waited for a call that did not come, the
// choice is rejected as not invoked instead.
func (q *ToolChoiceQueue) Resolve() {
	q.mu.Lock()
	current := q.inFlight
	q.inFlight = nil
	served := current != nil && (current.directive.OnInvoked == nil || current.invoked)
	if served {
		q.lastServed = &current.directive.Label
	}
	q.mu.Unlock()
	switch {
	case current == nil:
	case !served:
		q.lose(current, RejectNotInvoked)
	case current.directive.OnResolved != nil:
		current.directive.OnResolved(current.choice)
	}
}

// Reject says that the choice in flight was not served; with nothing in flight it
// does nothing.
func (q *ToolChoiceQueue) Reject(reason RejectReason) {
	q.reject(reason, func(*inFlight) bool { return true })
}

func (q *ToolChoiceQueue) reject(reason RejectReason, which func(*inFlight) bool) {
	q.mu.Lock()
	current := q.inFlight
	if current == nil || !which(current) {
		q.mu.Unlock()
		return
	}
	q.inFlight = nil
	q.mu.Unlock()
	q.lose(current, reason)
}

// lose does with a lost choice what its directive wants.
func (q *ToolChoiceQueue) lose(lost *inFlight, reason RejectReason) {
	from, outcome := lost.directive, Drop
	if from.OnRejected != nil {
		outcome = from.OnRejected(lost.choice, reason)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch outcome {
	case DropSequence:
		q.drop(func(d *directive) bool { return d.root == from.root })
	case Requeue:
		opts := from.DirectiveOptions
		opts.Label, opts.Now = opts.Label+requeuedSuffix, true
		q.push(&directive{DirectiveOptions: opts, source: listed(lost.choice), root: from.root})
	}
}

// StopReason says how a model's turn ended. Only the two below matter here.
type StopReason string

// Stop reasons that mean that the turn was not completed.
const (
	StopError   StopReason = "error"
	StopAborted StopReason = "aborted"
)

// EndTurn answers the choice in flight when a turn is over and its tools have run.
func (q *ToolChoiceQueue) EndTurn(stop StopReason) {
	switch stop {
	case StopError:
		q.Reject(RejectError)
	case StopAborted:
		q.Reject(RejectAborted)
	default:
		q.Resolve()
	}
}
