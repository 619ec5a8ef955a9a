#ifndef XCSH_ADVANCE_H
#define XCSH_ADVANCE_H

// xcsh_advance_fast gives a new parser a faster step to the next character. The text
// must be UTF-8.
void xcsh_advance_fast(void *parser);

#endif
