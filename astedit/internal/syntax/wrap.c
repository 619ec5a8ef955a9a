// Functions of the runtime that are stood in for while an arena is in use.
//
// A tree in an arena belongs to one thread and is thrown away as a whole once it is
// flattened. The runtime prepares for more: it counts references atomically, for
// trees that threads share, and balances lists, for edits to come. Both together
// took a tenth of all parsing. The linker's --wrap puts the functions below in their
// place; everywhere else the runtime's own do their work. Where the linker cannot
// (macOS), trees are the same and cost more.

#ifdef __linux__

#include "arena.h"
#include "runtime.h"

#include <stdlib.h>

// Weak for the reason that flatten.c gives. The linker takes __real_x for x.
__attribute__((weak)) void ts_subtree_retain(runtime_subtree s) { (void)s; abort(); }
__attribute__((weak)) void ts_subtree_release(void *pool, runtime_subtree s) { (void)pool; (void)s; abort(); }
__attribute__((weak)) void ts_subtree_balance(runtime_subtree s, void *pool, const void *language) {
  (void)s; (void)pool; (void)language; abort();
}
void __real_ts_subtree_retain(runtime_subtree s);
void __real_ts_subtree_release(void *pool, runtime_subtree s);
void __real_ts_subtree_balance(runtime_subtree s, void *pool, const void *language);

void __wrap_ts_subtree_retain(runtime_subtree s) {
  if (s.small.is_small) return;
  if (!xcsh_arena_in_use) {
    __real_ts_subtree_retain(s);
    return;
  }
  ((runtime_large *)s.large)->references++;
}

void __wrap_ts_subtree_release(void *pool, runtime_subtree s) {
  if (s.small.is_small) return;
  if (!xcsh_arena_in_use || s.large->references == 1) {
    __real_ts_subtree_release(pool, s);
    return;
  }
  ((runtime_large *)s.large)->references--;
}

void __wrap_ts_subtree_balance(runtime_subtree s, void *pool, const void *language) {
  if (!xcsh_arena_in_use) __real_ts_subtree_balance(s, pool, language);
}

#endif
