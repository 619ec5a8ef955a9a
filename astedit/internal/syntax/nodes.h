#ifndef XCSH_NODES_H
#define XCSH_NODES_H

// Building a flat tree, whichever way the runtime's tree is walked.

#include "flatten.h"

#include <stdlib.h>

// The public symbol of every ERROR node (ts_builtin_sym_error).
#define ERROR_SYMBOL 0xffff

// The symbol of hidden text; grammars number their kinds from 0 and far below it.
#define HIDDEN_SYMBOL 0xfffd

enum {
  FIRST_NODES = 4096,
  FIRST_PATH = 256,
};

static inline bool grow(void **array, uint32_t *capacity, size_t item, uint32_t first) {
  uint32_t wanted = *capacity ? *capacity * 2 : first;
  if (wanted < *capacity) return false;
  void *bigger = realloc(*array, (size_t)wanted * item);
  if (!bigger) return false;
  *array = bigger;
  *capacity = wanted;
  return true;
}

// xcsh_origin is where a flat node comes from; see reuse.h.
struct xcsh_origin {
  const void *subtree; // one with children; NULL for others
  uint32_t after;      // index of the first flat node that does not come from it
};

// reserve makes room for count more nodes.
static inline bool reserve(uint32_t count, xcsh_tree *out) {
  while (out->capacity - out->count < count) {
    if (!grow((void **)&out->nodes, &out->capacity, sizeof(xcsh_node), FIRST_NODES)) return false;
  }
  while (out->tracked && (out->origin_capacity < out->count || out->origin_capacity - out->count < count)) {
    if (!grow((void **)&out->origins, &out->origin_capacity, sizeof(xcsh_origin), FIRST_NODES)) return false;
  }
  return true;
}

// next_node returns the index of a node that there is room for.
static inline uint32_t next_node(xcsh_tree *out) {
  uint32_t i = out->count++;
  if (out->tracked) out->origins[i] = (xcsh_origin){NULL, i + 1};
  return i;
}

// append adds a node. Of its flags the caller knows XCSH_EXTRA and XCSH_MISSING.
static inline bool append(const uint8_t *kinds, uint16_t symbol, uint32_t start, uint32_t end, uint16_t flags, xcsh_tree *out) {
  if (!reserve(1, out)) return false;
  uint32_t i = next_node(out);
  if (symbol == ERROR_SYMBOL) {
    out->has_error = true;
    flags |= XCSH_NAMED;
  } else if (kinds[symbol] & XCSH_KIND_NAMED) {
    flags |= XCSH_NAMED;
  }
  out->nodes[i] = (xcsh_node){start, end, i + 1, symbol, flags}; // next is a leaf's; close_node corrects it for a parent
  return true;
}

static inline bool is_dropped(const uint8_t *kinds, uint16_t symbol) {
  return symbol != ERROR_SYMBOL && kinds[symbol] & XCSH_KIND_DROP;
}

// open_node makes the node that was just appended the parent of those that follow.
static inline bool open_node(uint32_t *depth, xcsh_tree *out) {
  if (*depth == out->path_capacity && !grow((void **)&out->path, &out->path_capacity, sizeof(uint32_t), FIRST_PATH)) return false;
  out->path[(*depth)++] = out->count - 1;
  return true;
}

// trim_token moves the start of the token that was just appended, and of the
// open ancestors that begin with it, past blanks. Some JSX grammars have the
// blanks before a bracket inside of it: replacing the element would eat them.
static inline void trim_token(const char *source, const uint8_t *kinds, uint32_t depth, xcsh_tree *out) {
  uint32_t i = out->count - 1;
  xcsh_node *leaf = &out->nodes[i];
  if (leaf->flags & XCSH_NAMED || leaf->symbol == ERROR_SYMBOL || !(kinds[leaf->symbol] & XCSH_KIND_TRIM)) return;
  uint32_t from = leaf->start, to = from;
  while (to < leaf->end && (source[to] == ' ' || source[to] == '\t' || source[to] == '\n' || source[to] == '\r')) to++;
  if (to == from || to == leaf->end) return;
  leaf->start = to;
  // The ancestors that begin with this token are the nodes right before it.
  for (; depth > 0 && out->path[depth - 1] == i - 1 && out->nodes[i - 1].start == from; depth--, i--) {
    out->nodes[i - 1].start = to;
  }
}

// append_hidden adds a node for the text from start to end, which lies between
// two children of parent or at one of its ends, where the language says that
// such text counts.
static inline bool append_hidden(const uint8_t *kinds, uint32_t parent, uint32_t start, uint32_t end, xcsh_tree *out) {
  uint16_t symbol = out->nodes[parent].symbol;
  if (start >= end || symbol == ERROR_SYMBOL || !(kinds[symbol] & XCSH_KIND_TEXT)) return true;
  if (!reserve(1, out)) return false;
  uint32_t i = next_node(out);
  out->nodes[i] = (xcsh_node){start, end, i + 1, HIDDEN_SYMBOL, XCSH_NAMED};
  return true;
}

// shed ends node i, whose subtree is complete, behind its last child that is no
// comment. The comments become the siblings that come next.
static inline void shed(const uint8_t *kinds, uint32_t i, xcsh_tree *out) {
  xcsh_node *n = &out->nodes[i];
  if (n->symbol == ERROR_SYMBOL || !(kinds[n->symbol] & XCSH_KIND_SHED)) return;
  uint32_t last = 0;
  for (uint32_t c = i + 1; c < n->next; c = out->nodes[c].next) {
    if (!(out->nodes[c].flags & XCSH_EXTRA)) last = c;
  }
  if (!last) return;
  n->end = out->nodes[last].end;
  n->next = out->nodes[last].next;
}

// close_node ends the innermost open node, whose children have covered the text up
// to *covered, and counts its own text as covered for its parent.
static inline bool close_node(const uint8_t *kinds, uint32_t *depth, uint32_t *covered, xcsh_tree *out) {
  uint32_t i = out->path[--*depth], end = out->nodes[i].end;
  if (!append_hidden(kinds, i, *covered, end, out)) return false;
  out->nodes[i].next = out->count;
  shed(kinds, i, out);
  *covered = end;
  return true;
}

#endif
