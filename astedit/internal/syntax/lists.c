// Lists that an incremental parse can reuse.
//
// A grammar's repetition is a hidden node of two halves. The end of one half is a
// conflict in the parse table, between "join the halves" and "go on", which the runtime
// always decides in the same way; but it marks what a conflict made as fragile, and
// takes nothing apart from fragile nodes' children from one tree to the next. So each
// edit of a file of 10,000 statements put all of them together again. The mark says
// nothing for these nodes. Without it the halves that an edit does not touch are taken
// as they are.
//
// It stays on where a child has it, since that child's reading did depend on what
// follows. Whether what comes out is a whole parse's tree is what TestLiveEqualsParse
// tries, in every language.

#include "lists.h"
#include "runtime.h"

#include <stdlib.h>

enum {
  // NO_STATE is the runtime's mark for a node that no state can take, ERROR_STATE
  // where tokens are skipped; a node with that one would be skipped whole.
  NO_STATE = UINT16_MAX,
  ERROR_STATE = 0,
  // MAX_DEPTH of a list: halves that two trees share are not balanced, so edits here
  // and there make it deeper, and a parse walks down to each. A balanced list of a
  // million has 20.
  MAX_DEPTH = 400,
  FIRST_OPEN = 256,
};

typedef struct {
  runtime_large *node;
  uint32_t next; // child
} open_subtree;

static runtime_subtree *children_of(runtime_large *n) { return (runtime_subtree *)n - n->child_count; }

static bool fragile(runtime_subtree s) { return !s.small.is_small && (s.large->fragile_left || s.large->fragile_right); }

static uint16_t state_of(runtime_subtree s) { return s.small.is_small ? s.small.state : s.large->state; }

// is_half as the runtime decides which nodes it balances.
static bool is_half(const runtime_large *n) { return !n->visible && !n->named && n->child_count >= 2; }

static void free_list(runtime_large *n) {
  if (n->error_cost) return; // an ERROR has the mark of its own
  runtime_subtree *children = children_of(n);
  if (n->state != NO_STATE) { // the mark is its first or last child's
    n->fragile_left = !children[0].small.is_small && children[0].large->fragile_left;
    n->fragile_right = !children[n->child_count - 1].small.is_small && children[n->child_count - 1].large->fragile_right;
    return;
  }
  uint16_t state = state_of(children[0]);
  if (!is_half(n) || state == NO_STATE || state == ERROR_STATE) return;
  for (uint32_t i = 0; i < n->child_count; i++) {
    if (fragile(children[i])) return;
  }
  n->fragile_left = n->fragile_right = false;
  n->state = state; // where its first child was taken
}

// A subtree that the tree before has too has been seen.
static bool is_new(runtime_subtree s) { return !s.small.is_small && s.large->child_count && s.large->references == 1; }

bool xcsh_free_lists(void *tree) {
  runtime_subtree root = ((runtime_tree *)tree)->root;
  if (!is_new(root)) return true;
  uint32_t count = 0, capacity = FIRST_OPEN;
  open_subtree *open = malloc(capacity * sizeof *open);
  if (!open) return true; // as it was: right, and slower
  open[count++] = (open_subtree){(runtime_large *)root.large, 0};
  bool shallow = true;
  while (count) {
    open_subtree *top = &open[count - 1];
    runtime_large *n = top->node;
    runtime_subtree *children = children_of(n);
    while (top->next < n->child_count && !is_new(children[top->next])) top->next++;
    if (top->next == n->child_count) {
      free_list(n);
      if (n->repeat_depth > MAX_DEPTH) shallow = false;
      count--;
      continue;
    }
    runtime_large *child = (runtime_large *)children[top->next++].large;
    if (count == capacity) {
      open_subtree *more = realloc(open, 2 * capacity * sizeof *open);
      if (!more) break;
      open = more;
      capacity *= 2;
    }
    open[count++] = (open_subtree){child, 0};
  }
  free(open);
  return shallow;
}
