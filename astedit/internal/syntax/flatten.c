// Parsing and flattening over tree-sitter's public C interface.
//
// The runtime's C code lives inside the bindings' module and its headers cannot
// be included from here. The functions used are therefore declared below as weak
// definitions: the linker replaces them by the bindings' strong ones, and this
// package still links alone (cgo does so while building it). Weak references
// would do the same on Linux but fail on macOS.

#include "flatten.h"

#include <stdlib.h>

typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

#define WEAK __attribute__((weak))

WEAK void *ts_parser_new(void) { return NULL; }
WEAK void ts_parser_delete(void *p) { (void)p; abort(); }
WEAK bool ts_parser_set_language(void *p, const void *l) { (void)p; (void)l; abort(); }
WEAK void ts_parser_set_cancellation_flag(void *p, const size_t *f) { (void)p; (void)f; abort(); }
WEAK void ts_parser_set_timeout_micros(void *p, uint64_t t) { (void)p; (void)t; abort(); }
WEAK void ts_parser_reset(void *p) { (void)p; abort(); }
WEAK void *ts_parser_parse_string(void *p, const void *old, const char *s, uint32_t n) {
  (void)p; (void)old; (void)s; (void)n; abort();
}
WEAK void ts_tree_delete(void *t) { (void)t; abort(); }
WEAK TSNode ts_tree_root_node(const void *t) { (void)t; abort(); }
WEAK TSTreeCursor ts_tree_cursor_new(TSNode n) { (void)n; abort(); }
WEAK void ts_tree_cursor_delete(TSTreeCursor *c) { (void)c; abort(); }
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *c) { (void)c; abort(); }
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *c) { (void)c; abort(); }
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *c) { (void)c; abort(); }
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *c) { (void)c; abort(); }
WEAK uint32_t ts_node_start_byte(TSNode n) { (void)n; abort(); }
WEAK uint32_t ts_node_end_byte(TSNode n) { (void)n; abort(); }
WEAK uint16_t ts_node_symbol(TSNode n) { (void)n; abort(); }
WEAK bool ts_node_is_named(TSNode n) { (void)n; abort(); }
WEAK bool ts_node_is_extra(TSNode n) { (void)n; abort(); }
WEAK bool ts_node_is_missing(TSNode n) { (void)n; abort(); }
WEAK uint16_t ts_language_symbol_for_name(const void *l, const char *s, uint32_t n, bool named) {
  (void)l; (void)s; (void)n; (void)named; abort();
}

// The public symbol of every ERROR node (ts_builtin_sym_error).
#define ERROR_SYMBOL 0xffff

enum { FIRST_NODES = 4096, FIRST_PATH = 256 };

bool xcsh_runtime_linked(void) {
  void *parser = ts_parser_new();
  if (!parser) return false;
  ts_parser_delete(parser);
  return true;
}

void *xcsh_parser_new(const void *language, const size_t *cancel_flag) {
  void *parser = ts_parser_new();
  if (!parser) return NULL;
  if (!ts_parser_set_language(parser, language)) { // the grammar's ABI is not the runtime's
    ts_parser_delete(parser);
    return NULL;
  }
  ts_parser_set_cancellation_flag(parser, cancel_flag);
  return parser;
}

void xcsh_parser_delete(void *parser) { ts_parser_delete(parser); }

static bool grow(void **array, uint32_t *capacity, size_t item, uint32_t first) {
  uint32_t wanted = *capacity ? *capacity * 2 : first;
  if (wanted < *capacity) return false;
  void *bigger = realloc(*array, (size_t)wanted * item);
  if (!bigger) return false;
  *array = bigger;
  *capacity = wanted;
  return true;
}

static bool append(xcsh_tree *out, TSNode node) {
  if (out->count == out->capacity &&
      !grow((void **)&out->nodes, &out->capacity, sizeof(xcsh_node), FIRST_NODES)) {
    return false;
  }
  xcsh_node *n = &out->nodes[out->count++];
  n->start = ts_node_start_byte(node);
  n->end = ts_node_end_byte(node);
  n->next = out->count; // a leaf's; flatten corrects it for a parent
  n->symbol = ts_node_symbol(node);
  n->flags = (ts_node_is_named(node) ? XCSH_NAMED : 0) | (ts_node_is_extra(node) ? XCSH_EXTRA : 0) |
             (ts_node_is_missing(node) ? XCSH_MISSING : 0);
  if (n->symbol == ERROR_SYMBOL) out->has_error = true;
  return true;
}

// flatten walks without recursion: the path of open ancestors is on the heap, so
// nesting as deep as the parser accepts cannot overflow a stack.
static xcsh_status flatten(const void *tree, xcsh_tree *out) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  xcsh_status status = XCSH_OK;
  uint32_t depth = 0;
  out->count = 0;
  out->has_error = false;
  for (;;) {
    if (!append(out, ts_tree_cursor_current_node(&cursor))) {
      status = XCSH_NO_MEMORY;
      goto done;
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      if (depth == out->path_capacity &&
          !grow((void **)&out->path, &out->path_capacity, sizeof(uint32_t), FIRST_PATH)) {
        status = XCSH_NO_MEMORY;
        goto done;
      }
      out->path[depth++] = out->count - 1;
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (depth == 0) goto done;
      ts_tree_cursor_goto_parent(&cursor);
      out->nodes[out->path[--depth]].next = out->count;
    }
  }
done:
  ts_tree_cursor_delete(&cursor);
  return status;
}

xcsh_status xcsh_parse(void *parser, const char *source, uint32_t length, uint64_t timeout_micros, xcsh_tree *out) {
  ts_parser_set_timeout_micros(parser, timeout_micros);
  void *tree = ts_parser_parse_string(parser, NULL, source, length);
  if (!tree) {
    // Without a reset the next parse would resume this file.
    ts_parser_reset(parser);
    return XCSH_STOPPED;
  }
  xcsh_status status = flatten(tree, out);
  ts_tree_delete(tree);
  return status;
}

void xcsh_tree_free(xcsh_tree *tree) {
  free(tree->nodes);
  free(tree->path);
  *tree = (xcsh_tree){0};
}

uint16_t xcsh_named_symbol(const void *language, const char *name, uint32_t length) {
  return ts_language_symbol_for_name(language, name, length, true);
}
