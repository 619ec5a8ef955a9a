// The lexer's step from one character to the next.
//
// The runtime's own goes through four functions for every character of every file.
// Nearly all characters are one byte, and the next one lies in the same chunk of text
// and in the same included range: that case is one comparison each. All others are
// left to the runtime.

#include "advance.h"
#include "runtime.h"

#include <stdatomic.h>

typedef void (*advance_function)(runtime_lexer *, bool);

// The runtime's own, the same in every parser.
static _Atomic(advance_function) runtime_advance;

static void advance(runtime_lexer *l, bool skip) {
  uint32_t at = l->current.bytes + 1, in_chunk = at - l->chunk_start;
  if (l->lookahead_size == 1 && l->range < l->range_count && at < l->ranges[l->range].end && l->chunk &&
      in_chunk < l->chunk_size && (uint8_t)l->chunk[in_chunk] < 0x80) {
    if (l->lookahead == '\n') {
      l->current.row++;
      l->current.column = 0;
    } else {
      l->current.column++;
    }
    l->current.bytes = at;
    l->lookahead = l->chunk[in_chunk];
    if (skip) l->token_start = l->current;
    return;
  }
  atomic_load_explicit(&runtime_advance, memory_order_relaxed)(l, skip);
}

void xcsh_advance_fast(void *parser) {
  runtime_lexer *l = parser;
  atomic_store_explicit(&runtime_advance, l->advance, memory_order_relaxed);
  l->advance = advance;
}
