// Which quantities the equations conserve, and their values.
#include "integrate/conserved.h"

#include "derive/formalism.h"
#include "execute/machine.h"
#include "expr/vanish.h"
#include "model/contact_modes.h"

#include <math.h>
#include <string.h>

// No explicit time, no constraint of order 2 and more, reactions that do no work.
static bool forces_alone_change_energy(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    const formalism *form = formalism_find(sim->eq->form);
    if ((form && form->mechanics) || s->h || expr_depends_on_time(s->pool, s->lagrangian))
        return false;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &sim->m->constraints[s->constraint[nu]];
        if (c->order == 0 ? c->rheonomic : !c->homogeneous) return false;
    }
    return true;
}

bool simulation_keeps_energy(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->force[i] != EXPR_ZERO) return false;
    return forces_alone_change_energy(sim);
}

// --- in words ------------------------------------------------------------------------------------

bool column_is_kept(const simulation *sim, uint32_t column) {
    const column_kind kind = sim->column[column].kind;
    if (kind != COLUMN_ENERGY) return kind == COLUMN_INVARIANT || kind == COLUMN_RESIDUAL;
    if (model_is_in_pieces(sim->m)) return false; // impacts, friction and resets change it
    const mechanics *s = sim->eq->system;
    const expr power = expr_dot(s->pool, s->n, s->force, s->qd); // sum_i Q_i q'_i
    return forces_alone_change_energy(sim) &&
           (power == EXPR_ZERO || expr_all_vanish(s->pool, 1, &power));
}

const char *column_drift_name(const simulation *sim, uint32_t column) {
    return arena_format(&sim->m->ctx->arena, "%s of %s",
                        column_is_kept(sim, column) ? "drift" : "change", sim->column[column].name);
}

const char *column_drift_size(const simulation *sim, uint32_t column, double first, double moved,
                              double t) {
    arena *a = &sim->m->ctx->arena;
    const double relative = moved / fabs(first);
    const bool has_scale = sim->column[column].kind != COLUMN_RESIDUAL && isfinite(relative);
    const char *size = has_scale ? arena_format(a, "%.3g (relative %.3g)", moved, relative)
                                 : arena_format(a, "%.3g", moved);
    return moved > 0 ? arena_format(a, "%s at t = %.6g", size, t) : size;
}

// --- as a function of the state ------------------------------------------------------------------

struct conserved {
    tape *code;
    machine at;
    double *z;
};

conserved *conserved_create(const simulation *sim, uint32_t column) {
    conserved *w = memory_new(conserved);
    *w = (conserved){.code = simulation_tape(sim, 1, &sim->column[column].value)};
    machine_init(&w->at, w->code, sim->parameter_value);
    w->z = memory_array(double, sim->o->size + 1);
    return w;
}

void conserved_take_parameters(conserved *w, const simulation *sim) {
    machine_set_parameters(&w->at, sim->parameter_value);
}

void conserved_free(conserved *w) {
    if (!w) return;
    machine_free(&w->at);
    tape_free(w->code);
    memory_free(w->z);
    memory_free(w);
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
