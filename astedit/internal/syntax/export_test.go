package syntax

import "unsafe"

// Grammar hands the grammar to tests that walk its tree with the bindings' own
// node objects.
func (l *Language) Grammar() unsafe.Pointer { return l.grammar }
