package resolve

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// PushListener hears of a push: the action with its id, and how many actions
// are pending with it.
type PushListener func(action Action, count int)

// Store is the stack of pending actions: the one pushed last is resolved
// first. It has no depth limit and is safe for concurrent use. Listeners are
// called outside its lock, on the goroutine that made the change, and may use
// the store.
type Store struct {
	mu      sync.Mutex
	stack   []Action // bottom first: the head is the last
	seq     uint64   // next id's number; never goes back
	version uint64
	pushed  listeners[PushListener]
	changed listeners[func()]
	decided listeners[func(context.Context, Decided)]
	turn    turn // held while one of the actions is being decided on
}

// NewStore returns an empty store, whose first id has the number 0.
func NewStore() *Store { return &Store{turn: newTurn()} }

// Push puts a new action on top and returns the id that it got; an ID in the
// argument is ignored.
func (s *Store) Push(a Action) string {
	s.mu.Lock()
	a.ID = fmt.Sprintf("pending-action:%s:%d", a.SourceToolName, s.seq)
	s.seq++
	announce := s.place(a)
	s.mu.Unlock()
	announce()
	return a.ID
}

// register puts an action that has its id on top, in the place of one with the
// same id.
func (s *Store) register(a Action) {
	s.mu.Lock()
	if i := s.index(a.ID); i >= 0 {
		s.removeAt(i)
	}
	announce := s.place(a)
	s.mu.Unlock()
	announce()
}

// place puts a on top under the lock; the caller calls announce after releasing
// it.
func (s *Store) place(a Action) (announce func()) {
	s.stack = append(s.stack, a)
	count := len(s.stack)
	pushed, changed := s.pushed.snapshot(), s.bump()
	return func() {
		for _, listen := range pushed {
			listen(a, count)
		}
		notify(changed)
	}
}

// Peek returns the top action; ok is false where nothing is pending.
func (s *Store) Peek() (a Action, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stack) == 0 {
		return Action{}, false
	}
	return s.stack[len(s.stack)-1], true
}

// Pop removes and returns the top action; ok is false where nothing is
// pending. No callback of the action is called.
func (s *Store) Pop() (a Action, ok bool) {
	s.change(func() bool {
		if len(s.stack) == 0 {
			return false
		}
		a, ok = s.stack[len(s.stack)-1], true
		s.removeAt(len(s.stack) - 1)
		return true
	})
	return a, ok
}

// HasPending reports whether an action is pending.
func (s *Store) HasPending() bool { return s.Count() > 0 }

// Count returns how many actions are pending.
func (s *Store) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.stack)
}

// Clear removes every action without calling a callback.
func (s *Store) Clear() {
	s.change(func() bool {
		had := len(s.stack) > 0
		s.stack = nil
		return had
	})
}

// Get returns the pending action with this id.
func (s *Store) Get(id string) (a Action, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(id); i >= 0 {
		return s.stack[i], true
	}
	return Action{}, false
}

// Remove removes the action with this id, without calling a callback, and
// reports whether there was one.
func (s *Store) Remove(id string) bool {
	return s.change(func() bool {
		i := s.index(id)
		if i >= 0 {
			s.removeAt(i)
		}
		return i >= 0
	})
}

// Relabel gives a pending action a new label, for a producer whose preview
// has changed since the push, and reports whether there is such an action.
func (s *Store) Relabel(id, label string) bool {
	return s.change(func() bool {
		i := s.index(id)
		if i >= 0 {
			s.stack[i].Label = label
		}
		return i >= 0
	})
}

// List returns the pending actions, top first.
func (s *Store) List() []Action {
	_, actions := s.Snapshot()
	return actions
}

// Version counts the changes of the stack.
func (s *Store) Version() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Snapshot returns the pending actions, top first, with the version of the
// stack that they are.
func (s *Store) Snapshot() (version uint64, actions []Action) {
	s.mu.Lock()
	defer s.mu.Unlock()
	actions = slices.Clone(s.stack)
	slices.Reverse(actions)
	return s.version, actions
}

// SubscribePush adds a listener that each Push calls before it returns.
// Calling unsubscribe again does nothing.
func (s *Store) SubscribePush(fn PushListener) (unsubscribe func()) {
	return subscribe(&s.mu, &s.pushed, fn)
}

// Subscribe adds a listener that is called after each change of the stack: a
// push, a pop, a removal, a clear, a requeue, a new label.
func (s *Store) Subscribe(fn func()) (unsubscribe func()) {
	return subscribe(&s.mu, &s.changed, fn)
}

// requeue registers a again under its own id: it becomes the head, whether or
// not it is still in the stack. The entry in the stack, where there is one, is
// kept as it is, since it may have been relabelled.
func (s *Store) requeue(a Action) {
	s.change(func() bool {
		if i := s.index(a.ID); i >= 0 {
			a = s.stack[i]
			s.removeAt(i)
		}
		s.stack = append(s.stack, a)
		return true
	})
}

// change runs edit under the lock and, where edit reports a change, counts it
// and tells the listeners.
func (s *Store) change(edit func() bool) bool {
	s.mu.Lock()
	edited := edit()
	var changed []func()
	if edited {
		changed = s.bump()
	}
	s.mu.Unlock()
	notify(changed)
	return edited
}

// bump counts a change; the caller holds the lock and calls what it returns
// after releasing it.
func (s *Store) bump() []func() {
	s.version++
	return s.changed.snapshot()
}

func (s *Store) decidedListeners() []func(context.Context, Decided) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decided.snapshot()
}

func (s *Store) index(id string) int {
	return slices.IndexFunc(s.stack, func(a Action) bool { return a.ID == id })
}

func (s *Store) removeAt(i int) { s.stack = slices.Delete(s.stack, i, i+1) }

func notify(fns []func()) {
	for _, fn := range fns {
		fn()
	}
}

func subscribe[F any](mu *sync.Mutex, set *listeners[F], fn F) (unsubscribe func()) {
	mu.Lock()
	defer mu.Unlock()
	key := set.add(fn)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		set.remove(key)
	}
}
