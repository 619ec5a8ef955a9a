// Package journal makes an apply all or nothing across a crash: it records what
// an apply is about to touch before it does, and puts things right afterwards.
//
// # Record
//
// [Journal.Begin] writes and syncs one file for each apply, before anything is
// staged: names, hashes of the contents before and after, never the contents. The
// end of the file's name is how far the apply got, so a step is one rename:
//
//	.begun   files may be staged or replaced
//	.asked   the editor may have changed documents as well
//	.done    the apply is final: only hidden files are left to remove
//	.undone  the apply failed and all is put back: only hidden files are left
//
// The commit point is the step to .done, after the last rename of a file is on
// disk. Before it, [Journal.Recover] undoes the apply; after it, it tidies up.
// There is no way forward from the middle: one direction is easier to be sure of,
// and what is undone was never reported, or logged, as applied.
//
// The record also has what the host keeps of a final apply, its line of the decision
// log. It stays until that is kept; after a crash in between the recovery hands it over.
//
// # Old contents
//
// They are not in the journal but beside their files, under the hidden names that
// internal/atomicfile makes before the first rename: hard links, or copies where
// there are no links. To put a file back is then one rename in its own folder,
// which needs no space and works whatever file system the state folder is on. A
// folder that nobody can write to is found out when the file is staged.
//
// A file whose content is neither the old nor the new one has been changed by
// somebody since. It is left alone and named, with its old text beside it.
//
// # Life and death
//
// Beside each record there is a file that the apply's process holds a lock on
// until it ends, in whatever way (internal/filelock). A record whose lock is free belongs to a process that is gone, so two
// servers on one workspace never recover each other's live apply.
//
// The package knows no editor and no user: it reports, in full, and others speak.
package journal
