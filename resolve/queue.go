package resolve

import (
	"iter"
	"slices"
	"sync"
)

// ToolChoiceQueue says which tool the model must call next. It holds hard
// directives, each of which forces the tool choice of one request or of a
// sequence of them. Beside them it shows the [Store] as a registry of pending
// invokers, which never force anything and never become directives.
//
// It is safe for concurrent use. Callbacks of directives are called outside its
// lock and may use it.
type ToolChoiceQueue struct {
	store *Store

	mu         sync.Mutex
	queued     []*directive // head first
	inFlight   *inFlight    // what the present turn was given; nil where nothing is
	lastServed *string
}

// NewToolChoiceQueue returns an empty queue over the pending actions of a store.
func NewToolChoiceQueue(store *Store) *ToolChoiceQueue { return &ToolChoiceQueue{store: store} }

// anonymousLabel is the label of a directive that was given none.
const anonymousLabel = "anonymous"

// DirectiveOptions say what becomes of a directive's choices. All fields are
// optional.
type DirectiveOptions struct {
	Label string // by default "anonymous"
	Now   bool   // overtake everything that is queued

	// OnResolved is told of each choice that was served.
	OnResolved func(choice ToolChoice)
	// OnRejected is told of each choice that was not, and says what to do; without
	// it the choice is dropped.
	OnRejected func(choice ToolChoice, reason RejectReason) RejectOutcome
	// OnInvoked takes the calls of the resolve tool while a choice is in flight. A
	// choice of a directive that has it is served only by such a call.
	OnInvoked Invoker
}

// source produces the choices of a directive one by one; stop ends it early.
type source struct {
	next func() (ToolChoice, bool)
	stop func()
}

// listed produces a list, without the coroutine that iter.Pull keeps until stop.
func listed(choices ...ToolChoice) source {
	return source{
		next: func() (ToolChoice, bool) {
			if len(choices) == 0 {
				return ToolChoice{}, false
			}
			choice := choices[0]
			choices = choices[1:]
			return choice, true
		},
		stop: func() {},
	}
}

// directive is a sequence of choices and what becomes of them.
type directive struct {
	DirectiveOptions
	source
	root *directive // the directive that this one replays a choice of; else itself
}

// inFlight is a choice that was handed out and has not been answered yet.
type inFlight struct {
	directive *directive
	choice    ToolChoice
	invoked   bool
}

// PushOnce queues one choice.
func (q *ToolChoiceQueue) PushOnce(choice ToolChoice, opts DirectiveOptions) {
	q.add(listed(choice), opts)
}

// PushSequence queues choices for one request each.
func (q *ToolChoiceQueue) PushSequence(choices []ToolChoice, opts DirectiveOptions) {
	q.add(listed(slices.Clone(choices)...), opts)
}

// Push queues a sequence, whose values are pulled one by one as requests need
// them. The sequence runs under the queue's lock: it must not use the queue. It
// ends when it is exhausted or its directive is removed; [ToolChoiceQueue.Clear]
// ends all.
func (q *ToolChoiceQueue) Push(choices iter.Seq[ToolChoice], opts DirectiveOptions) {
	next, stop := iter.Pull(choices)
	q.add(source{next, stop}, opts)
}

func (q *ToolChoiceQueue) add(choices source, opts DirectiveOptions) {
	if opts.Label == "" {
		opts.Label = anonymousLabel
	}
	d := &directive{DirectiveOptions: opts, source: choices}
	d.root = d
	q.mu.Lock()
	defer q.mu.Unlock()
	q.push(d)
}

// push puts a directive into the queue. The caller holds the lock.
func (q *ToolChoiceQueue) push(d *directive) {
	if d.Now {
		q.queued = slices.Insert(q.queued, 0, d)
	} else {
		q.queued = append(q.queued, d)
	}
}

// NextToolChoice takes the next choice and puts it in flight, in the place of one
// that still is. A directive that has given its last choice leaves the queue here,
// not before; ok is false where no directive has a choice left.
func (q *ToolChoiceQueue) NextToolChoice() (choice ToolChoice, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queued) > 0 {
		head := q.queued[0]
		if choice, ok := head.next(); ok {
			q.inFlight = &inFlight{directive: head, choice: choice}
			return choice, true
		}
		q.drop(func(d *directive) bool { return d == head })
	}
	return ToolChoice{}, false
}

// Inspect returns the labels of the queued directives, head first.
func (q *ToolChoiceQueue) Inspect() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	labels := make([]string, len(q.queued))
	for i, d := range q.queued {
		labels[i] = d.Label
	}
	return labels
}

// RemoveByLabel takes back the directives with exactly this label; a choice of
// one that is in flight is rejected as removed first.
func (q *ToolChoiceQueue) RemoveByLabel(label string) {
	q.reject(RejectRemoved, func(f *inFlight) bool { return f.directive.Label == label })
	q.mu.Lock()
	defer q.mu.Unlock()
	q.drop(func(d *directive) bool { return d.Label == label })
}

// Clear forgets everything, for a new session: a choice in flight is rejected as
// cleared, then directives, pending actions and the last served label go. The
// standing handler is not the queue's, and stays.
func (q *ToolChoiceQueue) Clear() {
	q.Reject(RejectCleared)
	q.clearDirectives()
	q.store.Clear()
}

func (q *ToolChoiceQueue) clearDirectives() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lastServed = nil
	q.drop(func(*directive) bool { return true })
}

// ConsumeLastServedLabel returns the label of the directive that was served last,
// once.
func (q *ToolChoiceQueue) ConsumeLastServedLabel() (label string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lastServed == nil {
		return "", false
	}
	label = *q.lastServed
	q.lastServed = nil
	return label, true
}

// drop takes directives out of the queue and ends their sequences. The caller
// holds the lock.
func (q *ToolChoiceQueue) drop(which func(*directive) bool) {
	q.queued = slices.DeleteFunc(q.queued, func(d *directive) bool {
		if !which(d) {
			return false
		}
		d.stop()
		return true
	})
}
