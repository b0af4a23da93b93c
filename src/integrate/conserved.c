// What the equations keep, as a sign of errors.
#include "integrate/conserved.h"

#include "derive/formalism.h"
#include "execute/machine.h"
#include "expr/vanish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// No explicit time, no constraint of order 2 and more, reactions that do no work.
static bool forces_alone_change_energy(const simulation *s) {
    const mechanics *w = s->eq->system;
    const formalism *form = formalism_find(s->eq->form);
    if ((form && form->mechanics) || w->h || expr_depends_on_time(w->pool, w->lagrangian))
        return false;
    for (uint32_t nu = 0; nu < w->k; nu++) {
        const constraint *c = &s->m->constraints[w->constraint[nu]];
        if (c->order == 0 ? c->rheonomic : !c->homogeneous) return false;
    }
    return true;
}

bool energy_is_kept(const simulation *s) {
    const mechanics *w = s->eq->system;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->force[i] != EXPR_ZERO) return false;
    return forces_alone_change_energy(s);
}

// --- in words ------------------------------------------------------------------------------------

bool column_is_kept(const simulation *s, uint32_t column) {
    const column_kind kind = s->column[column].kind;
    if (kind != COLUMN_ENERGY) return kind == COLUMN_INVARIANT || kind == COLUMN_RESIDUAL;
    const mechanics *w = s->eq->system;
    const expr power = expr_dot(w->pool, w->n, w->force, w->qd); // sum_i Q_i q'_i
    return forces_alone_change_energy(s) &&
           (power == EXPR_ZERO || expr_all_vanish(w->pool, 1, &power));
}

const char *column_drift_name(const simulation *s, uint32_t column) {
    return arena_format(&s->m->ctx->arena, "%s of %s",
                        column_is_kept(s, column) ? "drift" : "change", s->column[column].name);
}

const char *column_drift_size(const simulation *s, uint32_t column, double first, double moved) {
    arena *a = &s->m->ctx->arena;
    const double relative = moved / fabs(first);
    return s->column[column].kind != COLUMN_RESIDUAL && isfinite(relative)
               ? arena_format(a, "%.3g (relative %.3g)", moved, relative)
               : arena_format(a, "%.3g", moved);
}

// --- as a function of the state ------------------------------------------------------------------

struct conserved {
    tape *code;
    machine at;
    double *z;
};

conserved *conserved_create(const simulation *s, uint32_t column) {
    conserved *w = memory_new(conserved);
    *w = (conserved){.code = simulation_tape(s, 1, &s->column[column].value)};
    machine_init(&w->at, w->code, s->parameter_value);
    w->z = memory_array(double, s->o->size + 1);
    return w;
}

void conserved_free(conserved *w) {
    if (!w) return;
    machine_free(&w->at);
    tape_free(w->code);
    memory_free(w->z);
    memory_free(w);
}

bool conserved_value(conserved *w, double t, const double *z, double *out) {
    return machine_run(&w->at, t, z, out);
}

// By differences: only its size matters.
bool conserved_weight(conserved *w, double t, const double *z, double *out) {
    const uint32_t n = w->code->state_count;
    memcpy(w->z, z, sizeof(double) * n);
    *out = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double step = 1e-6 * (1 + fabs(z[i]));
        double above, below;
        w->z[i] = z[i] + step;
        if (!machine_run(&w->at, t, w->z, &above)) return false;
        w->z[i] = z[i] - step;
        if (!machine_run(&w->at, t, w->z, &below)) return false;
        w->z[i] = z[i];
        *out += fabs(above - below) / (2 * step) * (1 + fabs(z[i]));
    }
    return true;
}
