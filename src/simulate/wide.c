// Precisions beyond double.
#include "simulate/wide.h"

#include "simulate/wide_kinds.h"

#include <stddef.h>
#include <string.h>

static const wide_kind kinds[] = {{"long", 1e-19, wide_create_long}, {"quad", 1e-33, wide_create_quad}};

const wide_kind *wide_find(const char *id) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].id, id) == 0) return &kinds[i];
    return NULL;
}

void wide_free(wide *w) {
    if (w) w->release(w);
}
