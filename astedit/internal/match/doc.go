// Package match implements the pattern language: compiling a pattern, matching
// it against flat syntax trees, and filling a template with what it bound.
//
// The language is ast-grep's; the algorithms follow the description in
// ast_edit.md sections 7 and 8, whose oracle is the released ast-grep program.
// Everything here is pure: it reads trees and returns byte ranges and text.
package match
