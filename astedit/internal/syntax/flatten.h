#ifndef XCSH_FLATTEN_H
#define XCSH_FLATTEN_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// xcsh_node is one node of a flattened tree; its Go twin is Node in tree.go.
typedef struct {
  uint32_t start, end; // byte offsets, end exclusive
  uint32_t next;       // index of the node after this one's subtree
  uint16_t symbol;
  uint16_t flags;
} xcsh_node;

enum {
  XCSH_NAMED = 1,
  XCSH_EXTRA = 2,
  XCSH_MISSING = 4,
};

typedef struct xcsh_frame xcsh_frame;
typedef struct xcsh_origin xcsh_origin;

// xcsh_tree is a growing node array that is reused from file to file.
typedef struct {
  xcsh_node *nodes;
  uint32_t count, capacity;
  uint32_t *path; // indices of the open ancestors while flattening
  uint32_t path_capacity;
  xcsh_frame *frames; // open subtrees while flattening
  uint32_t frame_capacity;
  xcsh_origin *origins; // by node, where tracked
  uint32_t origin_capacity;
  bool tracked;   // origins are wanted; after flattening: they are there
  bool has_error; // some node is an ERROR
  bool same;      // after a walk of XCSH_BOTH: they agree
} xcsh_tree;

typedef enum {
  XCSH_OK = 0,
  XCSH_STOPPED = 1, // cancelled or out of time
  XCSH_NO_MEMORY = 2,
} xcsh_status;

// xcsh_runtime_linked reports whether the real tree-sitter runtime answers, not
// the weak definitions that let this package link on its own.
bool xcsh_runtime_linked(void);

// xcsh_loads reports whether the linked runtime can use the language.
bool xcsh_loads(const void *language);

// What a language says of a kind, by symbol.
enum {
  XCSH_KIND_TEXT = 1, // gets a hidden text node for bytes that no child covers
  XCSH_KIND_TRIM = 2, // a token of this kind does not begin with blanks
  XCSH_KIND_DROP = 4, // a token of this kind is left out
  XCSH_KIND_SHED = 8, // ends before the blanks and comments behind it
  XCSH_KIND_NAMED = 16, // counts as named
};

// xcsh_range is the public TSRange.
typedef struct {
  uint32_t start_row, start_column, end_row, end_column; // from 0, columns in bytes
  uint32_t start, end;
} xcsh_range;

// How a tree is walked. The nodes are the same.
typedef enum {
  XCSH_CURSOR = 0,   // by the public interface
  XCSH_SUBTREES = 1, // by the runtime's own structures, several times as fast
  XCSH_BOTH = 2,     // by both, and compared; the public interface's nodes are kept
} xcsh_walk;

// xcsh_job is what a parse needs besides its source.
typedef struct {
  const void *language;
  const size_t *cancel_flag; // polled; nonzero stops the parse
  uint64_t timeout_micros;   // 0 for none
  xcsh_arena *arena;         // NULL for the C library's memory
  xcsh_walk walk;
} xcsh_job;

// xcsh_parse parses and flattens into out, whose arrays it reuses.
// kinds is by symbol, as above. With range_count > 0 only the ranges are parsed:
// they are in order and apart.
xcsh_status xcsh_parse(const xcsh_job *job, const uint8_t *kinds, const char *source, uint32_t length,
                       const xcsh_range *ranges, uint32_t range_count, xcsh_tree *out);

// xcsh_edit is the public TSInputEdit: the text from start to old_end became that from
// start to new_end. Offsets are bytes.
typedef struct {
  uint32_t start, old_end, new_end;
  uint32_t start_row, start_column, old_end_row, old_end_column, new_end_row, new_end_column;
} xcsh_edit;

// xcsh_follow parses and flattens a text that an edit of the text of *tree gave, and
// leaves in *tree its own tree, which lives in the C library's memory. Where *tree is
// NULL, the text is parsed whole, and edit is not read. before are the nodes of that
// tree, as the last call has left them in another out. After anything but XCSH_OK
// there is no tree any more. xcsh_forget frees one.
xcsh_status xcsh_follow(const xcsh_job *job, const uint8_t *kinds, const char *source, uint32_t length, const xcsh_edit *edit,
                        void **tree, const xcsh_tree *before, xcsh_tree *out);
void xcsh_forget(void **tree);

// xcsh_flatten_subtrees flattens a tree of the language from the runtime's own
// structures, where xcsh_knows_subtrees. before, unless it is NULL, are the nodes of the
// tree that edit, and parsing what it touched, made this tree of.
xcsh_status xcsh_flatten_subtrees(const void *tree, const void *language, const char *source, const uint8_t *kinds,
                                  const xcsh_tree *before, const xcsh_edit *edit, xcsh_tree *out);
extern const bool xcsh_knows_subtrees;

void xcsh_tree_free(xcsh_tree *tree);
uint16_t xcsh_named_symbol(const void *language, const char *name, uint32_t length);

// xcsh_is_named reports whether nodes of the kind are named.
bool xcsh_is_named(const void *language, uint16_t symbol);

#endif
