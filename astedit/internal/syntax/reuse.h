#ifndef XCSH_REUSE_H
#define XCSH_REUSE_H

// Flat nodes of the text before an edit that are those of the text after it.
//
// The runtime builds the tree after an edit from the subtrees of the one before that
// the edit does not touch. Such a subtree is flattened the same: what flattening adds
// to it, drops or moves depends on nothing outside of it, but for the name that a
// parent gives (compared here) and for blanks at its start (then its start has moved,
// and is compared here too).

#include "nodes.h"

// copied is what copy_from found.
typedef enum { COPIED_NONE, COPIED, COPIED_NO_MEMORY } copied;

// copy_from copies the flat nodes of a subtree that begins at start, ends at end and
// is to be shown as symbol, from the tree before. *at is where to look in it, and
// only moves on.
static inline copied copy_from(const xcsh_tree *before, const xcsh_edit *edit, uint32_t *at, const void *subtree, uint16_t symbol,
                               uint32_t start, uint32_t end, xcsh_tree *out) {
  if (end > edit->start && start < edit->new_end) return COPIED_NONE;
  uint32_t shift = start >= edit->new_end ? edit->new_end - edit->old_end : 0; // modulo 2^32
  uint32_t from = *at;
  while (from < before->count && before->nodes[from].start < start - shift) from++;
  *at = from;
  while (from < before->count && before->nodes[from].start == start - shift && before->origins[from].subtree != subtree) from++;
  if (from == before->count || before->nodes[from].start != start - shift || before->nodes[from].symbol != symbol) return COPIED_NONE;
  uint32_t count = before->origins[from].after - from, to = out->count, moved = to - from; // modulo 2^32
  if (!reserve(count, out)) return COPIED_NO_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    xcsh_node n = before->nodes[from + i];
    n.start += shift;
    n.end += shift;
    n.next += moved;
    out->nodes[to + i] = n;
  }
  for (uint32_t i = 0; i < count; i++) {
    xcsh_origin o = before->origins[from + i];
    o.after += moved;
    out->origins[to + i] = o;
  }
  out->count += count;
  *at = from + count;
  return COPIED;
}

#endif
