// The list of formalisms.
#include "derive/formalism.h"

#include "base/names.h"

#include <string.h>

#define FORMALISM(id) extern const formalism formalism_##id;
#include "derive/formalisms.def"
#undef FORMALISM

static const formalism *const formalisms[] = {
#define FORMALISM(id) &formalism_##id,
#include "derive/formalisms.def"
#undef FORMALISM
};

enum { COUNT = sizeof formalisms / sizeof *formalisms };

uint32_t formalism_count(void) { return COUNT; }
const formalism *formalism_at(uint32_t index) { return formalisms[index]; }

const formalism *formalism_find(const char *id) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (strcmp(formalisms[i]->id, id) == 0) return formalisms[i];
    return NULL;
}

const char *formalism_nearest(const char *id) {
    const char *best = NULL;
    unsigned least = (unsigned)strlen(id) / 3 + 2;
    for (uint32_t i = 0; i < COUNT; i++) {
        const unsigned d = names_distance(id, formalisms[i]->id, least);
        if (d < least) least = d, best = formalisms[i]->id;
    }
    return best;
}

const char *formalism_refusal(const formalism *f, const mechanics *system) {
    const model *m = system->model;
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].status == CONSTRAINT_ACTIVE && m->constraints[i].order > 1)
            return arena_format(&m->ctx->arena, "constraint `%s` is of order %d; this form treats constraints on positions and velocities",
                                m->constraints[i].name, m->constraints[i].order);
    return f->refusal(system);
}

equations *formalism_derive(const formalism *f, const mechanics *system) {
    equations *eq = equations_create(system, f->id);
    f->derive(system, eq);
    return eq;
}
