// A grammar's parse table as a plain matrix.
//
// Generated grammars have a matrix for the states with many symbols only, and for
// the others lists that the runtime searches from their start: twice a token, and
// once a node. That search took an eighth of all parsing. The runtime reads which
// states are in the matrix from the grammar itself, so a copy of the grammar that
// says "all of them" needs nothing else.

#include "dense.h"
#include "runtime.h"

#include <stdint.h>
#include <stdlib.h>

enum {
  TAIL_POINTERS = 11, // three structures and a number among them, each as large as a pointer
  OLDEST_ABI = 13,
  LATEST_ABI = 14, // has one pointer more
};

typedef struct {
  runtime_language head;
  const void *tail[TAIL_POINTERS + 1];
} language;

// fill writes the row of a state from its list: groups of a value, a count and as
// many symbols that have the value.
static void fill(uint16_t *row, const uint16_t *list) {
  for (uint16_t groups = *list++; groups > 0; groups--) {
    uint16_t value = *list++;
    for (uint16_t count = *list++; count > 0; count--) row[*list++] = value;
  }
}

void *xcsh_dense(const void *source, size_t limit) {
  const language *from = source;
  const runtime_language *h = &from->head;
  if (h->version < OLDEST_ABI || h->version > LATEST_ABI || h->large_state_count >= h->state_count) return NULL;
  size_t width = h->symbol_count, cells = width * h->state_count;
  if (cells > limit / sizeof(uint16_t)) return NULL;
  language *copy = calloc(1, sizeof(*copy));
  uint16_t *table = calloc(cells, sizeof(uint16_t));
  if (!copy || !table) {
    free(copy);
    free(table);
    return NULL;
  }
  for (size_t i = 0; i < width * h->large_state_count; i++) table[i] = h->parse_table[i];
  for (size_t state = h->large_state_count; state < h->state_count; state++) {
    fill(table + width * state, h->small_parse_table + h->small_parse_table_map[state - h->large_state_count]);
  }
  copy->head = *h;
  copy->head.parse_table = table;
  copy->head.large_state_count = h->state_count;
  for (int i = 0; i < TAIL_POINTERS + (h->version == LATEST_ABI); i++) copy->tail[i] = from->tail[i];
  return copy;
}

void xcsh_dense_free(void *dense) {
  if (!dense) return;
  free((void *)((language *)dense)->head.parse_table);
  free(dense);
}
