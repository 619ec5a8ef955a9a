// Package atomicfile replaces the contents of many existing files all or
// nothing.
//
// [Plan] names what is going to be made; [Transaction.Stage] writes every new text
// to a hidden file beside its target and forces it to disk; [Transaction.Commit]
// then keeps each old file under a hidden name, and renames. Whatever fails before
// the last rename is undone: the files are as they were and nothing of the
// transaction is left in their folders. Modes, owners where the system allows it,
// and symbolic links are kept. Hard links to a replaced file keep the old text,
// and extended attributes are not carried over.
//
// The second name of an old file is a hard link: it takes no space, cannot be torn,
// is on the right file system whatever links lead there, and putting it back is
// one rename that brings back the file itself, with its attributes and its other
// names. Where the file system has no links, or the user may not make one, it is a
// copy. It is on disk before the first rename.
//
// A program that writes to a file between the last comparison and the rename, which
// follow each other, by putting another file in its place, loses what it wrote: no
// portable call compares and renames. What it writes into the old file is noticed.
//
// The package creates no files that did not exist and deletes none but its own.
// It does not survive a crash by itself: [Transaction.Staged] names every path
// that a transaction touches, before it does, for a journal to record.
package atomicfile
