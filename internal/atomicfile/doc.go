// Package atomicfile replaces the contents of many existing files all or
// nothing.
//
// [Stage] writes every new text to a hidden file beside its target and forces
// it to disk; [Transaction.Commit] then only has to rename. Whatever fails
// before the last rename is undone: the files are as they were and nothing of
// the transaction is left in their folders. Modes, owners where the system
// allows it, and symbolic links are kept. Hard links to a replaced file keep
// the old text, and extended attributes are not carried over.
//
// The package creates no files that did not exist and deletes none but its own.
// It does not survive a crash by itself: [Transaction.Staged] names every path
// that a commit touches, before it does, for a journal to record.
package atomicfile
