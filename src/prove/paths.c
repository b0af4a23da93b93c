// Every path that obeys the constraints: eta' and the virtual displacements
// delta q = B w are arbitrary.
#include "derive/manifold.h"
#include "prove/court.h"

static expr arbitrary(equations *eq, const char *name) {
    const expr symbol = expr_symbol(eq->system->pool, name, ROLE_LOCAL);
    model_push(eq, arbitrary, symbol);
    return symbol;
}

void make_paths(court *c) {
    const mechanics *s = c->system;
    arena *a = &c->m->ctx->arena;
    const manifold m = manifold_create(s);
    equations *eq = equations_create(s, "paths");
    expr *value = arena_array(a, expr, s->m), *w = arena_array(a, expr, s->m);
    for (uint32_t i = 0; i < s->m; i++) {
        value[i] = expr_sub(s->pool, m.v.eta_rate[i],
                            arbitrary(eq, arena_format(a, "acceleration %u", i + 1)));
        w[i] = arbitrary(eq, arena_format(a, "displacement %u", i + 1));
    }
    deliver_projected(eq, &m, value);
    eq->recovery = NULL; // a path has no reactions
    c->path_equations = eq;
    c->displacement = w;
}
