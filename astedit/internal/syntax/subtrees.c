// Flattening straight from the runtime's subtrees.
//
// The public cursor costs about as much a node as building the node did: it keeps
// rows, columns and counts that nobody asks for, and its functions take nodes of 32
// bytes by value. The walk is the same: hidden subtrees are passed through, and an
// alias that the parent's production gives to a child makes it visible under that
// name.

#include "nodes.h"
#include "reuse.h"
#include "runtime.h"

#if UINTPTR_MAX == UINT64_MAX && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
const bool xcsh_knows_subtrees = true;
#else
const bool xcsh_knows_subtrees = false; // small leaves are laid out in another way
#endif

// A frame is a subtree whose children are being walked.
struct xcsh_frame {
  const runtime_subtree *child, *end; // the next child
  const uint16_t *alias;              // of the next child that is no extra; NULL for none
  uint32_t position;                  // of the next child's text, a byte offset
  bool opened;                        // the subtree is an open node of the flat tree
};

enum { FIRST_FRAMES = 256 };

static bool push(const runtime_language *language, const runtime_large *parent, uint32_t position, bool opened,
                 uint32_t *count, xcsh_tree *out) {
  if (*count == out->frame_capacity && !grow((void **)&out->frames, &out->frame_capacity, sizeof(xcsh_frame), FIRST_FRAMES)) {
    return false;
  }
  const runtime_subtree *end = (const runtime_subtree *)parent;
  out->frames[(*count)++] = (xcsh_frame){
      .child = end - parent->child_count,
      .end = end,
      .alias = parent->production ? language->alias_sequences + (size_t)parent->production * language->max_alias_sequence_length : NULL,
      .position = position,
      .opened = opened,
  };
  return true;
}

static uint32_t padding_of(runtime_subtree s) { return s.small.is_small ? s.small.padding_bytes : s.large->padding.bytes; }

// A visit is what the walk takes from a child.
typedef struct {
  const runtime_large *parent; // the child itself, where it has children to be walked
  uint32_t start, end;
  uint16_t symbol; // the grammar's, or its alias
  uint16_t flags;
  bool visible;
} visit;

static inline visit next_child(xcsh_frame *f) {
  runtime_subtree s = *f->child++;
  visit v = {.start = f->position};
  bool extra;
  if (s.small.is_small) {
    v.end = v.start + s.small.size_bytes;
    v.symbol = s.small.symbol;
    v.visible = s.small.visible;
    extra = s.small.extra;
    if (s.small.missing) v.flags = XCSH_MISSING;
  } else {
    v.end = v.start + s.large->size.bytes;
    v.symbol = s.large->symbol;
    v.visible = s.large->visible;
    extra = s.large->extra;
    if (s.large->missing) v.flags = XCSH_MISSING;
    if (s.large->child_count && s.large->visible_child_count) v.parent = s.large;
  }
  if (extra) {
    v.flags |= XCSH_EXTRA;
  } else if (f->alias) {
    uint16_t alias = *f->alias++;
    if (alias) {
      v.symbol = alias;
      v.visible = true;
    }
  }
  if (f->child < f->end) f->position = v.end + padding_of(*f->child);
  return v;
}

// A subtree can contain itself nowhere, so the walk ends; without recursion, because
// lists that the runtime did not balance are as deep as they are long.
xcsh_status xcsh_flatten_subtrees(const void *tree, const void *of, const char *source, const uint8_t *kinds,
                                  const xcsh_tree *before, const xcsh_edit *edit, xcsh_tree *out) {
  const runtime_language *language = of;
  runtime_subtree root = ((const runtime_tree *)tree)->root;
  uint32_t start = padding_of(root);
  xcsh_frame above = {.child = &root, .end = &root + 1, .position = start};
  uint32_t frames = 0, depth = 0, at = 0;
  uint32_t covered = start; // end of the text that the open node's children have had
  out->count = 0;
  out->has_error = false;
  for (;;) {
    xcsh_frame *f = frames ? &out->frames[frames - 1] : &above;
    if (f->child == f->end) {
      if (!frames) return XCSH_OK;
      frames--;
      if (!f->opened) continue;
      uint32_t i = out->path[depth - 1];
      if (!close_node(kinds, &depth, &covered, out)) return XCSH_NO_MEMORY;
      if (out->tracked) out->origins[i].after = out->count;
      continue;
    }
    visit v = next_child(f);
    if (!v.visible && frames) {
      if (v.parent && !push(language, v.parent, v.start, false, &frames, out)) return XCSH_NO_MEMORY;
      continue;
    }
    uint16_t symbol = v.symbol == ERROR_SYMBOL ? ERROR_SYMBOL : language->public_symbol_map[v.symbol];
    if (depth && covered < v.start && !append_hidden(kinds, out->path[depth - 1], covered, v.start, out)) return XCSH_NO_MEMORY;
    covered = v.end;
    if (is_dropped(kinds, symbol)) continue;
    if (before && v.parent) {
      copied done = copy_from(before, edit, &at, v.parent, symbol, v.start, v.end, out);
      if (done == COPIED_NO_MEMORY) return XCSH_NO_MEMORY;
      if (done == COPIED) continue;
    }
    if (v.flags & XCSH_MISSING && v.start != v.end) v.flags &= ~XCSH_MISSING;
    if (!append(kinds, symbol, v.start, v.end, v.flags, out)) return XCSH_NO_MEMORY;
    if (!v.parent) {
      trim_token(source, kinds, depth, out);
      continue;
    }
    covered = v.start;
    if (out->tracked) out->origins[out->count - 1].subtree = v.parent;
    if (!open_node(&depth, out) || !push(language, v.parent, v.start, true, &frames, out)) return XCSH_NO_MEMORY;
  }
}
