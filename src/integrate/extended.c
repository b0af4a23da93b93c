// Precisions beyond double.
#include "integrate/extended.h"

#include <stddef.h>
#include <string.h>

static const extended_kind kinds[] = {{"long", 1e-19, extended_create_long},
                                      {"quad", 1e-33, extended_create_quad}};

const extended_kind *extended_find(const char *id) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].id, id) == 0) return &kinds[i];
    return NULL;
}

#ifdef HAMEL_QUAD
enum { WITHIN_REACH = 2 };
#else
enum { WITHIN_REACH = 1 };
#endif

const extended_kind *extended_beyond(const extended_kind *k) {
    const extended_kind *next = k ? k + 1 : kinds;
    return next < kinds + WITHIN_REACH ? next : NULL;
}

extended *extended_create(const extended_kind *k, const integration *in) {
    extended *made = k->create(in);
    if (made) made->kind = k;
    return made;
}

void extended_free(extended *w) {
    if (w) w->release(w);
}
