// Package resolve keeps previews until someone decides on them.
//
// A tool that computes a change without performing it pushes an [Action] onto
// the [Store]; a later call of the resolve [Tool] applies or discards the one
// pushed last, with a reason. The [DecisionLog] keeps what was decided, by whom
// and why. [Result] is the tool result type of the whole product.
//
// The package is a library in its own right. It knows nothing of editors,
// JSON-RPC or structural edits, never asks anyone for a reason, and does not
// decide who may resolve: a caller does that in a [Guard].
package resolve
