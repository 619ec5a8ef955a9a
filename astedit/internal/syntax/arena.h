#ifndef XCSH_ARENA_H
#define XCSH_ARENA_H

#include <stddef.h>

// xcsh_arena holds everything that tree-sitter allocates while one file is
// parsed and flattened. Nothing in it is given back one by one: entering the
// arena again empties it.
typedef struct xcsh_arena xcsh_arena;

xcsh_arena *xcsh_arena_new(void);
void xcsh_arena_delete(xcsh_arena *arena);

// xcsh_arena_enter empties the arena and makes it the calling thread's until
// xcsh_arena_leave. What tree-sitter allocates in between must not be touched
// after the next enter, and nothing that it allocated before may be touched in
// between.
void xcsh_arena_enter(xcsh_arena *arena);
void xcsh_arena_leave(void);

// xcsh_arena_in_use is the calling thread's, NULL for none.
extern _Thread_local xcsh_arena *xcsh_arena_in_use;

// xcsh_arena_held returns the bytes that the arena holds of the system's memory.
size_t xcsh_arena_held(const xcsh_arena *arena);

#endif
