// A bump arena as tree-sitter's allocator.
//
// Building a syntax tree is a few small blocks a node, and releasing it node by
// node costs as much again. In an arena a block is a pointer moved on, and the
// whole tree is released by moving it back.
//
// The arena in use is a thread's, and only for one call from Go: between calls
// Go may move on to another thread. Whatever allocates outside such a call, the
// bindings' own parsers included, gets the C library's memory as ever.

#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGN = 16,            // what malloc guarantees
  CLASSES = 64,          // freed blocks are kept by size up to CLASSES * ALIGN bytes
  FIRST_CHUNK = 1 << 20, // most files' trees fit
  KEPT = 16 << 20,       // held from file to file; a huge file's memory goes back
};

// A block is a header and then the bytes that were asked for, aligned.
typedef struct {
  size_t size; // of the bytes after the header
} header;

typedef struct freed {
  struct freed *next;
} freed;

typedef struct chunk {
  struct chunk *next;
  size_t size; // of the whole chunk
} chunk;

struct xcsh_arena {
  chunk *first, *last, *current;
  char *at, *limit; // the next block's place in current
  size_t held;
  freed *lists[CLASSES + 1]; // by (size + sizeof(header)) / ALIGN
};

_Thread_local xcsh_arena *xcsh_arena_in_use;

static void out_of_memory(size_t size) {
  fprintf(stderr, "xcsh-lsp: out of memory for a syntax tree (%zu bytes)\n", size);
  abort(); // tree-sitter's own allocator does so too: its code checks no result
}

static void open_chunk(xcsh_arena *arena, chunk *c) {
  // The first header ends where an aligned block can begin.
  uintptr_t base = (uintptr_t)(c + 1) + sizeof(header);
  arena->current = c;
  arena->at = (char *)((base + ALIGN - 1) / ALIGN * ALIGN - sizeof(header));
  arena->limit = (char *)c + c->size;
}

static void next_chunk(xcsh_arena *arena, size_t stride) {
  size_t least = stride + sizeof(chunk) + 2 * ALIGN;
  if (least < stride) out_of_memory(stride);
  // Chunks that are too small stay unused until the next file.
  while (arena->current && arena->current->next) {
    open_chunk(arena, arena->current->next);
    if ((size_t)(arena->limit - arena->at) >= stride) return;
  }
  size_t size = arena->held < FIRST_CHUNK ? FIRST_CHUNK : arena->held < KEPT ? arena->held : KEPT;
  if (size < least) size = least;
  chunk *c = malloc(size);
  if (!c) out_of_memory(size);
  *c = (chunk){NULL, size};
  if (arena->last) arena->last->next = c; else arena->first = c;
  arena->last = c;
  arena->held += size;
  open_chunk(arena, c);
}

// stride_of returns the bytes that a block takes with its header.
static inline size_t stride_of(size_t size) {
  if (size > SIZE_MAX - 2 * ALIGN) out_of_memory(size);
  return (size + sizeof(header) + ALIGN - 1) / ALIGN * ALIGN;
}

static inline header *header_of(void *block) { return (header *)block - 1; }

static void *arena_malloc(size_t size) {
  xcsh_arena *arena = xcsh_arena_in_use;
  if (!arena) {
    void *block = malloc(size);
    if (!block && size > 0) out_of_memory(size);
    return block;
  }
  size_t stride = stride_of(size), class = stride / ALIGN;
  if (class <= CLASSES && arena->lists[class]) {
    freed *f = arena->lists[class];
    arena->lists[class] = f->next;
    return f;
  }
  if ((size_t)(arena->limit - arena->at) < stride) next_chunk(arena, stride);
  header *h = (header *)arena->at;
  arena->at += stride;
  h->size = stride - sizeof(header);
  return h + 1;
}

static void *arena_calloc(size_t count, size_t size) {
  if (!xcsh_arena_in_use) {
    void *block = calloc(count, size);
    if (!block && count > 0 && size > 0) out_of_memory(size);
    return block;
  }
  if (size && count > SIZE_MAX / size) out_of_memory(SIZE_MAX);
  void *block = arena_malloc(count * size);
  memset(block, 0, count * size);
  return block;
}

static void arena_free(void *block) {
  xcsh_arena *arena = xcsh_arena_in_use;
  if (!arena) {
    free(block);
    return;
  }
  if (!block) return;
  header *h = header_of(block);
  size_t stride = h->size + sizeof(header), class = stride / ALIGN;
  if ((char *)h + stride == arena->at) {
    arena->at = (char *)h; // the last block
  } else if (class <= CLASSES) {
    freed *f = block;
    f->next = arena->lists[class];
    arena->lists[class] = f;
  }
}

static void *arena_realloc(void *block, size_t size) {
  xcsh_arena *arena = xcsh_arena_in_use;
  if (!arena) {
    void *moved = realloc(block, size);
    if (!moved && size > 0) out_of_memory(size);
    return moved;
  }
  if (!block) return arena_malloc(size);
  header *h = header_of(block);
  if (size <= h->size) return block;
  size_t stride = stride_of(size);
  if ((char *)block + h->size == arena->at && (size_t)(arena->limit - (char *)h) >= stride) {
    h->size = stride - sizeof(header); // the last block grows where it is
    arena->at = (char *)h + stride;
    return block;
  }
  void *moved = arena_malloc(size);
  memcpy(moved, block, h->size);
  arena_free(block);
  return moved;
}

// Weak for the reason that flatten.c gives.
__attribute__((weak)) void ts_set_allocator(void *(*m)(size_t), void *(*c)(size_t, size_t), void *(*r)(void *, size_t),
                                            void (*f)(void *)) {
  (void)m; (void)c; (void)r; (void)f;
}

// The allocator is tree-sitter's global variable. It is set before main, while
// there is one thread and no parser: later another thread might read it, and a
// block might be released by another allocator than it came from.
__attribute__((constructor)) static void install(void) {
  ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_free);
}

xcsh_arena *xcsh_arena_new(void) { return calloc(1, sizeof(xcsh_arena)); }

void xcsh_arena_delete(xcsh_arena *arena) {
  if (!arena) return;
  for (chunk *c = arena->first, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(arena);
}

// give_back frees the chunks beyond KEPT bytes.
static void give_back(xcsh_arena *arena) {
  size_t kept = 0;
  chunk **link = &arena->first;
  arena->last = NULL;
  while (*link) {
    chunk *c = *link;
    if (kept + c->size <= KEPT) {
      kept += c->size;
      arena->last = c;
      link = &c->next;
    } else {
      *link = c->next;
      free(c);
    }
  }
  arena->held = kept;
}

void xcsh_arena_enter(xcsh_arena *arena) {
  if (arena->held > KEPT) give_back(arena);
  memset(arena->lists, 0, sizeof(arena->lists));
  arena->current = NULL;
  arena->at = arena->limit = NULL;
  if (arena->first) open_chunk(arena, arena->first);
  xcsh_arena_in_use = arena;
}

void xcsh_arena_leave(void) { xcsh_arena_in_use = NULL; }

size_t xcsh_arena_held(const xcsh_arena *arena) { return arena->held; }
