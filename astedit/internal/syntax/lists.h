#ifndef XCSH_LISTS_H
#define XCSH_LISTS_H

#include <stdbool.h>

// xcsh_free_lists lets the parse of a later text reuse whole stretches of this tree's
// lists. It reports false where a list has become so deep that the tree should not be
// followed any more. tree is a runtime_tree, whose layout is known.
bool xcsh_free_lists(void *tree);

#endif
