// Package astedit is the structural edit: ast-grep patterns and replacement
// templates run over a workspace, as ast_edit.md specifies.
//
// A run is pure: from a snapshot of the workspace and a request it computes a
// Result, edits as byte offsets against the exact contents that it read. It
// writes nothing and knows neither editors nor pending actions. One Result has
// many printers: text for a person or a model, details as JSON, and whatever a
// caller makes of its edits.
package astedit
