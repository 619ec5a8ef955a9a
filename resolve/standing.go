package resolve

import "sync"

// Standing is the slot of the standing handler: the one invoker of a mode or host
// that gets the calls which find nothing in flight and nothing pending. A call
// does not use it up, it forces nothing, and its results and errors are passed on
// as they are. The zero value is empty and ready for use; it is safe for
// concurrent use.
type Standing struct {
	mu      sync.Mutex
	current *standingHandler
}

// standingHandler has an address, which tells it from an equal one set later.
type standingHandler struct {
	name   string
	invoke Invoker
}

// Set puts handler into the slot, in the place of another; nil empties the slot.
// name is for people. release empties the slot where it still holds this handler, and does nothing
// where it does not: whoever set a handler can end it without ending another's.
func (s *Standing) Set(name string, handler Invoker) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = nil
	if handler == nil {
		return func() {}
	}
	mine := &standingHandler{name, handler}
	s.current = mine
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.current == mine {
			s.current = nil
		}
	}
}

// Peek returns the handler, nil where none is set, and its name.
func (s *Standing) Peek() (name string, handler Invoker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return "", nil
	}
	return s.current.name, s.current.invoke
}
