#ifndef XCSH_RUNTIME_H
#define XCSH_RUNTIME_H

// How the pinned runtime lays out what its public interface keeps to itself. Both
// are as the runtime's sources and every generated grammar of ABI 13 and 14 define
// them; go.sum holds the runtime's version, and a language's first text is walked by
// the public interface as well (see flatten.h), so another layout is noticed.

#include "flatten.h"

#include <stdbool.h>
#include <stdint.h>

// runtime_language is a TSLanguage up to what is read here; the rest is copied unseen.
typedef struct {
  uint32_t version, symbol_count, alias_count, token_count, external_token_count;
  uint32_t state_count, large_state_count, production_id_count, field_count;
  uint16_t max_alias_sequence_length;
  const uint16_t *parse_table; // by state * symbol_count + symbol, for the large states
  const uint16_t *small_parse_table;
  const uint32_t *small_parse_table_map; // by state - large_state_count: an index into small_parse_table
  const void *unread[6];
  const uint16_t *public_symbol_map;
  const void *alias_map;
  const uint16_t *alias_sequences; // by production * max_alias_sequence_length + child that is no extra
} runtime_language;

typedef struct {
  uint32_t bytes, row, column;
} runtime_length;

// runtime_small is a leaf that lies in its parent's array.
typedef struct {
  bool is_small : 1; // where a pointer has a 0
  bool visible : 1, named : 1, extra : 1, has_changes : 1, missing : 1, keyword : 1;
  uint8_t symbol;
  uint16_t state;
  uint8_t padding_columns, padding_rows_and_lookahead, padding_bytes, size_bytes;
} runtime_small;

// runtime_large is any other subtree. Its children lie before it.
typedef struct {
  uint32_t references;
  runtime_length padding, size;
  uint32_t lookahead_bytes, error_cost, child_count;
  uint16_t symbol, state;
  bool visible : 1, named : 1, extra : 1, fragile_left : 1, fragile_right : 1, has_changes : 1;
  bool has_external_tokens : 1, has_scanner_change : 1, depends_on_column : 1, missing : 1, keyword : 1;
  union {
    struct {
      uint32_t visible_child_count, named_child_count, visible_descendant_count;
      int32_t dynamic_precedence;
      uint16_t repeat_depth, production;
    };
    void *scanner_state; // a pointer's alignment
  };
} runtime_large;

typedef union {
  runtime_small small;
  const runtime_large *large;
} runtime_subtree;

// runtime_lexer is a parser's lexer, which is the head of a TSParser.
typedef struct runtime_lexer {
  int32_t lookahead; // the character at current
  uint16_t result_symbol;
  void (*advance)(struct runtime_lexer *, bool skip);
  void (*mark_end)(struct runtime_lexer *);
  uint32_t (*get_column)(struct runtime_lexer *);
  bool (*is_at_included_range_start)(const struct runtime_lexer *);
  bool (*eof)(const struct runtime_lexer *);
  runtime_length current, token_start, token_end;
  const xcsh_range *ranges;
  const char *chunk; // a part of the text; NULL for none
  struct {
    void *payload;
    void *read;
    int encoding;
  } input;
  struct {
    void *payload;
    void *log;
  } logger;
  uint32_t range_count, range; // range_count at the end of the text
  uint32_t chunk_start, chunk_size;
  uint32_t lookahead_size; // bytes of the character; 0 where it was not read yet
} runtime_lexer;

// runtime_tree is the head of a TSTree.
typedef struct {
  runtime_subtree root;
} runtime_tree;

#endif
