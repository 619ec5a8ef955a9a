package syntax

/*
#include "flatten.h"
*/
import "C"

// What is known of the ways to walk a language's trees.
const (
	walksUnknown uint32 = iota
	walksAgree
	walksDiffer
)

// walk returns how to flatten the next tree: from the runtime's own structures, if
// they gave the nodes of the language's first text as the public interface does.
func (l *Language) walk() C.xcsh_walk {
	switch l.walks.Load() {
	case walksAgree:
		return C.XCSH_SUBTREES
	case walksDiffer:
		return C.XCSH_CURSOR
	}
	return C.XCSH_BOTH
}

// compared keeps what a text that was walked both ways says of the language. One
// difference is for good, whatever other texts say.
func (l *Language) compared(same bool) {
	if !same {
		l.walks.Store(walksDiffer)
		return
	}
	l.walks.CompareAndSwap(walksUnknown, walksAgree)
}
