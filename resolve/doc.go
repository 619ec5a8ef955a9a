// Package resolve keeps previews until someone decides on them.
//
// A tool that computes a change without performing it pushes an [Action] onto
// the [Store]; a later call of the resolve [Tool] applies or discards the one
// pushed last, with a reason. The [DecisionLog] keeps what was decided, by whom
// and why. [Result] is the tool result type of the whole product.
//
// For a program with a model in it, the [ToolChoiceQueue] says which tool the
// model must call next, and the [Gate] has it decide on what it staged: reminded
// first, forced only when it strays. The queue's registry of pending invokers is
// the store seen under other names. A [Standing] handler takes the calls that find
// nothing pending; [Hooks] stand between a caller and its [Tools].
//
// The package is a library in its own right. It knows nothing of editors,
// JSON-RPC or structural edits, never asks anyone for a reason, and does not
// decide who may resolve: a caller does that in a [Guard].
package resolve
