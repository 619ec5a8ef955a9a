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

// xcsh_tree is a growing node array that is reused from file to file.
typedef struct {
  xcsh_node *nodes;
  uint32_t count, capacity;
  uint32_t *path; // indices of the open ancestors while flattening
  uint32_t path_capacity;
  bool has_error; // some node is an ERROR
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

// xcsh_job is what a parse needs besides its source.
typedef struct {
  const void *language;
  const size_t *cancel_flag; // polled; nonzero stops the parse
  uint64_t timeout_micros;   // 0 for none
  xcsh_arena *arena;         // NULL for the C library's memory
} xcsh_job;

// xcsh_parse parses and flattens into out, whose arrays it reuses.
// kinds is by symbol, as above. With range_count > 0 only the ranges are parsed:
// they are in order and apart.
xcsh_status xcsh_parse(const xcsh_job *job, const uint8_t *kinds, const char *source, uint32_t length,
                       const xcsh_range *ranges, uint32_t range_count, xcsh_tree *out);
void xcsh_tree_free(xcsh_tree *tree);
uint16_t xcsh_named_symbol(const void *language, const char *name, uint32_t length);

// xcsh_is_named reports whether nodes of the kind are named.
bool xcsh_is_named(const void *language, uint16_t symbol);

#endif
