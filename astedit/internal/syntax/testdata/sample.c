#include <stdio.h>
#include "local.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
# define LOG(...) fprintf(stderr, __VA_ARGS__)
#else
# define LOG(...)
#endif

typedef struct node { struct node *next; union { int i; double d; } value; unsigned flags : 3; } node;
enum color { RED, GREEN = 5, BLUE };
static const char *const names[] = { [RED] = "red", [GREEN] = "gr" "een", [BLUE] = "bl\tue" };

static inline int sum(const node *head, int (*weigh)(const node *, void *), void *arg) {
    int total = 0, *p = &total;
    for (const node *n = head; n != NULL; n = n->next) {
        if (!weigh) { total += n->value.i; continue; } else *p += (*weigh)(n, arg);
        switch (n->flags & 0x3u) { case RED: case 1: total <<= 1; break; default: goto done; }
    }
done:
    do { total--; } while (total > 100 && total % 7);
    return (int) MAX(total, sizeof(node) * 'a');
}

int main(int argc, char **argv) {
    node n = { .next = NULL, .value = { .i = argc } };
    printf("%d %s\n", sum(&n, 0, argv[0]), names[argc % 3]);
    return n.value.i == 0 ? 0 : ~1;
}
