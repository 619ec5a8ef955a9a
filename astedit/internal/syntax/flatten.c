// Parsing and flattening over tree-sitter's public C interface.
//
// The runtime's C code lives inside the bindings' module and its headers cannot
// be included from here. The functions used are therefore declared below as weak
// definitions: the linker replaces them by the bindings' strong ones, and this
// package still links alone (cgo does so while building it). Weak references
// would do the same on Linux but fail on macOS.

#include "advance.h"
#include "lists.h"
#include "nodes.h"

#include <string.h>

typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

#define WEAK __attribute__((weak))

WEAK void *ts_parser_new(void) { return NULL; }
WEAK void ts_parser_delete(void *p) { (void)p; abort(); }
WEAK bool ts_parser_set_language(void *p, const void *l) { (void)p; (void)l; abort(); }
WEAK void ts_parser_set_cancellation_flag(void *p, const size_t *f) { (void)p; (void)f; abort(); }
WEAK void ts_parser_set_timeout_micros(void *p, uint64_t t) { (void)p; (void)t; abort(); }
WEAK bool ts_parser_set_included_ranges(void *p, const xcsh_range *r, uint32_t n) { (void)p; (void)r; (void)n; abort(); }
WEAK void *ts_parser_parse_string(void *p, const void *old, const char *s, uint32_t n) {
  (void)p; (void)old; (void)s; (void)n; abort();
}
WEAK void ts_tree_delete(void *t) { (void)t; abort(); }
WEAK void ts_tree_edit(void *t, const xcsh_edit *e) { (void)t; (void)e; abort(); }
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
WEAK bool ts_node_is_extra(TSNode n) { (void)n; abort(); }
WEAK bool ts_node_is_missing(TSNode n) { (void)n; abort(); }
WEAK bool ts_node_has_error(TSNode n) { (void)n; abort(); }
WEAK int ts_language_symbol_type(const void *l, uint16_t s) { (void)l; (void)s; abort(); }
WEAK uint16_t ts_language_symbol_for_name(const void *l, const char *s, uint32_t n, bool named) {
  (void)l; (void)s; (void)n; (void)named; abort();
}

enum { KEPT_NODES = 1 << 20 }; // kept from file to file: 16 MiB

bool xcsh_runtime_linked(void) {
  void *parser = ts_parser_new();
  if (!parser) return false;
  ts_parser_delete(parser);
  return true;
}

bool xcsh_loads(const void *language) {
  void *parser = ts_parser_new();
  bool loads = ts_parser_set_language(parser, language); // false where the grammar's ABI is not the runtime's
  ts_parser_delete(parser);
  return loads;
}

// append_node adds node, whose parts the caller has asked for already: each of the
// library's functions takes the node by value.
static bool append_node(const uint8_t *kinds, TSNode node, uint16_t symbol, uint32_t start, uint32_t end, xcsh_tree *out) {
  uint16_t flags = ts_node_is_extra(node) ? XCSH_EXTRA : 0;
  if (start == end && ts_node_is_missing(node)) flags |= XCSH_MISSING; // a missing node has no text
  return append(kinds, symbol, start, end, flags, out);
}

// flatten_cursor walks without recursion: the path of open ancestors is on the heap,
// so nesting as deep as the parser accepts cannot overflow a stack.
static xcsh_status flatten_cursor(const void *tree, const char *source, const uint8_t *kinds, xcsh_tree *out) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  bool room = true;
  uint32_t depth = 0;
  uint32_t covered = 0; // end of the text that the open node's children have had
  out->count = 0;
  out->has_error = false;
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    uint16_t symbol = ts_node_symbol(node);
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    if (depth > 0 && covered < start) room = append_hidden(kinds, out->path[depth - 1], covered, start, out);
    bool kept = !is_dropped(kinds, symbol);
    room = room && (!kept || append_node(kinds, node, symbol, start, end, out));
    if (!room) break;
    if (kept && ts_tree_cursor_goto_first_child(&cursor)) {
      if (!(room = open_node(&depth, out))) break;
      covered = start;
      continue;
    }
    if (kept) trim_token(source, kinds, depth, out);
    covered = end;
    bool more = true;
    while (room && more && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!(more = depth > 0)) break;
      ts_tree_cursor_goto_parent(&cursor);
      room = close_node(kinds, &depth, &covered, out);
    }
    if (!room || !more) break;
  }
  ts_tree_cursor_delete(&cursor);
  return room ? XCSH_OK : XCSH_NO_MEMORY;
}

static bool same_nodes(const xcsh_tree *a, const xcsh_tree *b) {
  return a->count == b->count && a->has_error == b->has_error && memcmp(a->nodes, b->nodes, a->count * sizeof(xcsh_node)) == 0;
}

static xcsh_status flatten(const xcsh_job *job, const void *tree, const char *source, const uint8_t *kinds,
                           const xcsh_tree *before, const xcsh_edit *edit, xcsh_tree *out) {
  if (job->walk == XCSH_SUBTREES) {
    return xcsh_flatten_subtrees(tree, job->language, source, kinds, before && before->tracked ? before : NULL, edit, out);
  }
  out->tracked = false;
  xcsh_status status = flatten_cursor(tree, source, kinds, out);
  out->same = false;
  if (job->walk == XCSH_BOTH && status == XCSH_OK && xcsh_knows_subtrees) {
    xcsh_tree other = {0};
    out->same = xcsh_flatten_subtrees(tree, job->language, source, kinds, NULL, NULL, &other) == XCSH_OK && same_nodes(out, &other);
    xcsh_tree_free(&other);
  }
  return status;
}

// give_back frees an array that one huge file needed.
static void give_back(xcsh_tree *out) {
  if (out->capacity > KEPT_NODES) xcsh_tree_free(out);
}

static void *new_parser(const xcsh_job *job) {
  void *parser = ts_parser_new();
  if (job->walk == XCSH_SUBTREES) xcsh_advance_fast(parser); // the layout is known
  ts_parser_set_language(parser, job->language);
  ts_parser_set_cancellation_flag(parser, job->cancel_flag);
  ts_parser_set_timeout_micros(parser, job->timeout_micros);
  return parser;
}

// Every file has a parser of its own: it lives in the file's arena as the tree
// does, and making one costs less than releasing a tree. Deleting it also ends
// the grammar's scanner, whose memory may be the C library's.
xcsh_status xcsh_parse(const xcsh_job *job, const uint8_t *kinds, const char *source, uint32_t length,
                       const xcsh_range *ranges, uint32_t range_count, xcsh_tree *out) {
  give_back(out);
  if (job->arena) xcsh_arena_enter(job->arena);
  xcsh_status status = XCSH_STOPPED;
  void *parser = new_parser(job);
  bool in_order = range_count == 0 || ts_parser_set_included_ranges(parser, ranges, range_count);
  if (!in_order) abort(); // the caller's fault: parsing anything else would give wrong matches
  void *tree = ts_parser_parse_string(parser, NULL, source, length);
  if (tree) {
    status = flatten(job, tree, source, kinds, NULL, NULL, out);
    if (!job->arena) ts_tree_delete(tree);
  }
  ts_parser_delete(parser);
  if (job->arena) xcsh_arena_leave();
  return status;
}

static void *parse_after(const xcsh_job *job, void *old, const char *source, uint32_t length) {
  void *parser = new_parser(job);
  void *tree = ts_parser_parse_string(parser, old, source, length);
  ts_parser_delete(parser);
  return tree;
}

// A text with an error is parsed whole: what the runtime makes of an error depends on
// the nodes that it finds before it, and those of an older tree are others.
xcsh_status xcsh_follow(const xcsh_job *job, const uint8_t *kinds, const char *source, uint32_t length, const xcsh_edit *edit,
                        void **tree, const xcsh_tree *before, xcsh_tree *out) {
  void *old = *tree, *next;
  *tree = NULL;
  out->tracked = true;
  if (!old) before = NULL;
  if (old) ts_tree_edit(old, edit);
  next = parse_after(job, old, source, length);
  if (old && next && ts_node_has_error(ts_tree_root_node(next))) {
    ts_tree_delete(next);
    before = NULL;
    next = parse_after(job, NULL, source, length);
  }
  xcsh_status status = next ? flatten(job, next, source, kinds, before, edit, out) : XCSH_STOPPED;
  bool shallow = status != XCSH_OK || job->walk != XCSH_SUBTREES || xcsh_free_lists(next);
  if (old) ts_tree_delete(old); // only now: before names its subtrees by their addresses
  *tree = next;
  if (status != XCSH_OK || !shallow) xcsh_forget(tree);
  return status;
}

void xcsh_forget(void **tree) {
  if (*tree) ts_tree_delete(*tree);
  *tree = NULL;
}

void xcsh_tree_free(xcsh_tree *tree) {
  free(tree->nodes);
  free(tree->path);
  free(tree->frames);
  free(tree->origins);
  *tree = (xcsh_tree){0};
}

uint16_t xcsh_named_symbol(const void *language, const char *name, uint32_t length) {
  return ts_language_symbol_for_name(language, name, length, true);
}

// The public TSSymbolTypeRegular: named, and not hidden.
#define REGULAR 0

bool xcsh_is_named(const void *language, uint16_t symbol) { return ts_language_symbol_type(language, symbol) == REGULAR; }
