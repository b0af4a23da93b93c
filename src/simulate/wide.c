// Precisions beyond double.
#include "simulate/wide.h"

#include "simulate/wide_kinds.h"

#include <stddef.h>
#include <string.h>

static const wide_kind kinds[] = {{"long", 1e-19, wide_create_long},
                                  {"quad", 1e-33, wide_create_quad}};

const wide_kind *wide_find(const char *id) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].id, id) == 0) return &kinds[i];
    return NULL;
}

#ifdef HAMEL_QUAD
enum { WITHIN_REACH = 2 };
#else
enum { WITHIN_REACH = 1 };
#endif

const wide_kind *wide_beyond(const wide_kind *k) {
    const wide_kind *next = k ? k + 1 : kinds;
    return next < kinds + WITHIN_REACH ? next : NULL;
}

wide *wide_create(const wide_kind *k, const run *r) {
    wide *made = k->create(r);
    if (made) made->kind = k;
    return made;
}

void wide_free(wide *w) {
    if (w) w->release(w);
}
