// Package syntax turns source text into flat syntax trees.
//
// It knows the languages (one table, see language.go) and hides tree-sitter:
// one call into C parses a file and flattens its tree into an array of 16-byte
// nodes in pre-order, so that everything above walks a Go slice and never a
// node object of the bindings. Nothing here knows patterns or edits.
package syntax
