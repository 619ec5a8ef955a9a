package resolve

import "slices"

// listeners is an ordered set of callbacks. Its owner's lock guards it.
type listeners[F any] struct {
	next    int
	entries []listener[F]
}

type listener[F any] struct {
	key int
	fn  F
}

func (l *listeners[F]) add(fn F) (key int) {
	l.next++
	l.entries = append(l.entries, listener[F]{l.next, fn})
	return l.next
}

func (l *listeners[F]) remove(key int) {
	l.entries = slices.DeleteFunc(l.entries, func(e listener[F]) bool { return e.key == key })
}

// snapshot returns the callbacks in the order in which they were added, to be
// called outside the lock.
func (l *listeners[F]) snapshot() []F {
	fns := make([]F, len(l.entries))
	for i, e := range l.entries {
		fns[i] = e.fn
	}
	return fns
}
