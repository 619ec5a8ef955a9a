package syntax

import "unsafe"

// Grammar hands the grammar to tests that walk its tree with the bindings' own
// node objects.
func (l *Language) Grammar() unsafe.Pointer { return l.grammar }

// KeepPlainTable makes texts be parsed with the grammar's own parse table.
func (l *Language) KeepPlainTable() { l.makeDense.Do(func() { l.dense = l.grammar }) }

// IsDense reports whether texts are parsed with a matrix.
func (l *Language) IsDense() bool { return l.forParsing(denseFrom) != l.grammar }

// WalksSubtrees reports whether the next text's tree is flattened from the runtime's
// own structures.
func (l *Language) WalksSubtrees() bool { return l.walks.Load() == walksAgree }

// WalkByCursor makes trees be flattened by the public interface, as where another
// walk of the first text gave other nodes.
func (l *Language) WalkByCursor() { l.compared(false) }
