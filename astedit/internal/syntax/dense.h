#ifndef XCSH_DENSE_H
#define XCSH_DENSE_H

#include <stddef.h>

// xcsh_dense returns a copy of a grammar whose parse table is a plain matrix, and
// with which every text has the same tree. It returns NULL where the matrix would
// take more than limit bytes, where there is no memory for it, and for an ABI that
// it does not know. xcsh_dense_free frees the copy.
void *xcsh_dense(const void *language, size_t limit);
void xcsh_dense_free(void *language);

#endif
