package syntax

/*
#include "dense.h"
*/
import "C"

import (
	"runtime"
	"unsafe"
)

const (
	// maxDenseTable is the most that a grammar's parse table may take as a matrix, in
	// bytes: a larger one no longer stays in a processor's cache.
	maxDenseTable = 6 << 20
	// denseFrom is the size of a text, in bytes, that is worth making the matrix.
	// Patterns are smaller, and many runs parse nothing else.
	denseFrom = 1 << 10
)

// forParsing returns the grammar to parse a text of size bytes with.
func (l *Language) forParsing(size int) unsafe.Pointer {
	if size < denseFrom {
		return l.grammar
	}
	l.makeDense.Do(func() {
		if l.dense = C.xcsh_dense(l.grammar, maxDenseTable); l.dense == nil {
			l.dense = l.grammar
			return
		}
		runtime.AddCleanup(l, func(dense unsafe.Pointer) { C.xcsh_dense_free(dense) }, l.dense)
	})
	return l.dense
}
