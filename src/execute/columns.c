// The columns of a run: what is written at each output time.
#include "execute/simulation.h"

#include <string.h>

const char *column_kind_name(column_kind k) {
    static const char *const name[] = {
        [COLUMN_TIME] = "time",
        [COLUMN_COORDINATE] = "coordinate",
        [COLUMN_VELOCITY] = "velocity",
        [COLUMN_QUASI] = "quasi-velocity",
        [COLUMN_MULTIPLIER] = "multiplier",
        [COLUMN_ENERGY] = "energy",
        [COLUMN_INVARIANT] = "invariant",
        [COLUMN_OBSERVABLE] = "observable",
        [COLUMN_RESIDUAL] = "residual",
        [COLUMN_CONTACT] = "contact",
    };
    return name[k];
}

typedef struct {
    simulation *sim;
    const model *m;
    const mechanics *s;
    arena *arena;
    uint32_t capacity;
} builder;

// No two columns have one name: an observable may be called `energy`.
static void add(builder *b, const char *name, column_kind kind, expr value, const char *unit) {
    for (uint32_t i = 0; i < b->sim->column_count; i++)
        if (strcmp(b->sim->column[i].name, name) == 0)
            name = arena_format(b->arena, "observable[%s]", name);
    array_reserve(b->sim->column, b->sim->column_count, b->capacity);
    b->sim->column[b->sim->column_count++] = (column){name, kind, value, unit};
}

static void add_symbol(builder *b, expr symbol, column_kind kind, expr value) {
    add(b, expr_symbol_text(b->m->pool, symbol), kind, value, model_unit(b->m, symbol));
}

// h = sum q'_i dL/dq'_i - L
static expr energy_of(const mechanics *s) {
    expr *p = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, p);
    return expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, p), s->lagrangian);
}

// The same columns in every mode: what the surface does to the body, and what is left of the gap
static void list_contact(builder *b, const contact *c) {
    static const int shown[MODE_COUNT] = {0, 1, -1, 2, 2}; // back: -1; sticking, resting: 2
    pool *p = b->m->pool;
    const bool has_units = b->m->dimensions != NULL, plane = c->tangents == 1; // then with a sign
    const struct {
        const char *name, *unit;
        expr value;
    } column[] = {
        {"mode", NULL, expr_int(p, shown[c->mode])},
        {"gap", "m", c->gap},
        {"normal", "N", c->normal_force},
        {"friction", "N",
         plane ? c->tangent_force[0]
         : c->mode == MODE_SLIDING
             ? expr_mul(p, c->friction, c->normal_force)
             : expr_sqrt(p, expr_dot(p, 2, c->tangent_force, c->tangent_force))},
        {"slip", "m/s", plane ? c->slip[0] : expr_sqrt(p, expr_dot(p, 2, c->slip, c->slip))},
    };
    const size_t count = c->tangents ? sizeof column / sizeof *column : 3;
    for (size_t i = 0; i < count; i++)
        add(b, arena_format(b->arena, "%s[%s]", column[i].name, c->name), COLUMN_CONTACT,
            column[i].value, has_units ? column[i].unit : NULL);
}

static bool is_of_contact(const builder *b, uint32_t nu) {
    return nu < b->s->k + b->s->h && b->m->constraints[b->s->constraint[nu]].of_contact;
}

void simulation_list_columns(simulation *sim, const mechanics *s, bool bare) {
    const model *m = sim->m;
    builder all = {.sim = sim, .m = m, .s = s, .arena = &m->ctx->arena}, *b = &all;
    add_symbol(b, m->time, COLUMN_TIME, m->time);
    for (uint32_t i = 0; i < s->n; i++) add_symbol(b, s->q[i], COLUMN_COORDINATE, s->q[i]);
    for (uint32_t i = 0; i < s->n; i++) add_symbol(b, s->qd[i], COLUMN_VELOCITY, s->qd[i]);
    if (bare) return;
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        add_symbol(b, s->eta[i], COLUMN_QUASI, s->psi[i]);
    const equations *eq = sim->eq;
    for (uint32_t i = 0; i < eq->multiplier_count; i++) // those of a state are other ones
        if (!is_of_contact(b, i))
            add(b, expr_symbol_text(m->pool, eq->multiplier[i]), COLUMN_MULTIPLIER,
                eq->multiplier[i],
                equations_multiplier_is_state(eq, i) ? NULL : model_unit(m, eq->multiplier[i]));
    add(b, "energy", COLUMN_ENERGY, energy_of(s), m->dimensions ? "J" : NULL);
    for (uint32_t i = 0; i < m->invariants_count; i++)
        add(b, arena_format(b->arena, "invariant[%s]", m->invariants[i].name), COLUMN_INVARIANT,
            m->invariants[i].value, m->invariants[i].unit);
    for (uint32_t i = 0; i < m->observables_count; i++)
        add(b, m->observables[i].name, COLUMN_OBSERVABLE, m->observables[i].value,
            m->observables[i].unit);
    for (uint32_t i = 0; i < s->k + s->h; i++) {
        const constraint *c = &m->constraints[s->constraint[i]];
        if (c->of_contact) continue;
        add(b, arena_format(b->arena, "residual[%s]", c->name), COLUMN_RESIDUAL, c->phi, c->unit);
    }
    for (uint32_t i = 0; i < m->contacts_count; i++) list_contact(b, &m->contacts[i]);
}
