// The form that code is made from where nobody names one: of those with the same state the one
// whose z' costs least.
#include "api/api_internal.h"

#include "derive/formalism.h"
#include "equations/assembly.h"
#include "equations/cost.h"
#include "equations/ode.h"

#include <string.h>

// Operations beyond which the usual form is taken as it is
enum { WORTH_A_LOOK = 600 };

static bool has_same_unknowns(const equations *a, const equations *b) {
    return a->explicit_velocities == b->explicit_velocities &&
           a->unknown_count == b->unknown_count &&
           memcmp(a->unknown, b->unknown, sizeof(expr) * a->unknown_count) == 0 &&
           !a->auxiliaries_count && !b->auxiliaries_count;
}

// Of matrix and right-hand side as derived: about what z' will cost, found at once
static uint32_t cost_of_system(const equations *eq) {
    const uint32_t n = eq->unknown_count;
    expr *value = memory_array(expr, (size_t)n * n + n);
    equations_affine(eq, value, value + (size_t)n * n);
    const uint32_t cost = cost_of_running(eq->system->pool, n * n + n, value);
    memory_free(value);
    return cost;
}

static uint32_t cost_of_rate(const equations *eq) {
    const ode *o = ode_create(eq);
    return cost_of_running(eq->system->pool, o->size, o->rate);
}

// The form with the shortest system; the usual one if none is shorter
static const formalism *shortest(const mechanics *s, const formalism *usual, const equations *eq) {
    const formalism *best = usual;
    uint32_t least = cost_of_system(eq);
    for (uint32_t i = 0; i < formalism_count() && least <= WORTH_A_LOOK; i++) {
        const formalism *f = formalism_at(i);
        if (f->mechanics || f == usual || formalism_refusal(f, s)) continue;
        equations *other = formalism_derive(f, s);
        const uint32_t cost = has_same_unknowns(eq, other) ? cost_of_system(other) : UINT32_MAX;
        if (cost < least) least = cost, best = f;
        equations_free(other);
    }
    return best;
}

// Where points and bodies move, z' is put together from them and is the same for all these forms.
const formalism *api_cheapest_form(const mechanics *s) {
    const formalism *usual = formalism_default(s), *best = usual;
    if (formalism_refusal(usual, s)) return usual;
    equations *eq = formalism_derive(usual, s);
    if (!assembly_is_possible(eq)) best = shortest(s, usual, eq);
    if (best != usual) {
        equations *other = formalism_derive(best, s);
        if (cost_of_rate(other) >= cost_of_rate(eq)) best = usual;
        equations_free(other);
    }
    equations_free(eq);
    return best;
}
