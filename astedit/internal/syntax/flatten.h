#ifndef XCSH_FLATTEN_H
#define XCSH_FLATTEN_H

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

void *xcsh_parser_new(const void *language, const size_t *cancel_flag);
void xcsh_parser_delete(void *parser);

// What a language says of a kind, by symbol.
enum {
  XCSH_KIND_TEXT = 1, // gets a hidden text node for bytes that no child covers
  XCSH_KIND_TRIM = 2, // a token of this kind does not begin with blanks
  XCSH_KIND_DROP = 4, // a token of this kind is left out
  XCSH_KIND_SHED = 8, // ends before the blanks and comments behind it
};

xcsh_status xcsh_parse(void *parser, const char *source, uint32_t length, uint64_t timeout_micros,
                       const uint8_t *kinds, xcsh_tree *out);
void xcsh_tree_free(xcsh_tree *tree);
uint16_t xcsh_named_symbol(const void *language, const char *name, uint32_t length);

#endif
