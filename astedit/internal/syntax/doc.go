// Package syntax turns source text into flat syntax trees.
//
// It knows the languages (one table, see table.go) and hides tree-sitter:
// one call into C parses a file and flattens its tree into an array of 16-byte
// nodes in pre-order, so that everything above walks a Go slice and never a
// node object of the bindings. Nothing here knows patterns or edits.
//
// A flat tree is the grammar's tree but for four things that grammars get wrong for
// a structural edit, each a property of the language's row or of its tokens: text
// that belongs to no node gets one (Language.TextKinds), the token of a line break
// is left out (Language.LineBreaks), a token does not begin with the blanks before
// it, and a node does not end with the comments behind it (Language.ShedKinds).
package syntax
