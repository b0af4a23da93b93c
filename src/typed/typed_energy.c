// The energies and forces of the statements as they were typed: L at a level of derivatives; Q_i.
#include "typed/typed_motion.h"

// --- sums over statements ------------------------------------------------------------------------

static bool has_statement(const model *m, statement_kind kind) {
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (m->statements[i].statement->kind == kind) return true;
    return false;
}

static bool add(evaluator *ev, jet *sum, const jet *term, bool minus) {
    *sum = (minus ? jet_sub : jet_add)(&ev->jets, sum, term);
    return true;
}

// *sum += (or -=) what all statements of a kind say
static bool add_statements(evaluator *ev, statement_kind kind, bool minus, const level *l,
                           jet *sum) {
    const model *m = ev->model;
    for (uint32_t i = 0; i < m->statement_count; i++) {
        const instance *in = &m->statements[i];
        if (in->statement->kind != kind) continue;
        jet term;
        const typed_binding *around = evaluator_import(ev, in->bindings);
        if (!evaluator_scalar(ev, in->statement->items->value, around, l, &term)) return false;
        add(ev, sum, &term, minus);
    }
    return true;
}

// --- points and bodies ---------------------------------------------------------------------------

// 1/2 m v.v
static bool add_translation(evaluator *ev, const entry *e, const level *l, jet *sum) {
    jet mass, v[3];
    if (!kinematics_mass(ev, e, l, &mass) || !kinematics_place(ev, e, l, 1, v)) return false;
    const jet square = jet_dot(&ev->jets, v, v), half = jet_rational(&ev->jets, 1, 2);
    jet term = jet_mul(&ev->jets, &mass, &square);
    term = jet_mul(&ev->jets, &half, &term);
    return add(ev, sum, &term, false);
}

// 1/2 w.I w in the axes of the body
static bool add_rotation(evaluator *ev, const entry *e, const level *l, jet *sum) {
    if (!entry_clause(e, "rotation")) return true;
    jet inertia[9], w[3], momentum[3];
    if (!kinematics_inertia(ev, e, l, inertia) || !kinematics_omega(ev, e, l, true, w))
        return false;
    jet_matrix_times_vector(&ev->jets, inertia, w, momentum);
    const jet square = jet_dot(&ev->jets, w, momentum), half = jet_rational(&ev->jets, 1, 2);
    const jet term = jet_mul(&ev->jets, &half, &square);
    return add(ev, sum, &term, false);
}

static const instance *gravity_of(const model *m) {
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (m->statements[i].statement->kind == STATEMENT_GRAVITY) return &m->statements[i];
    return NULL;
}

static bool gravity_vector(evaluator *ev, const instance *in, const level *l, jet g[3]) {
    return evaluator_vector(ev, in->statement->items->value, evaluator_import(ev, in->bindings), l,
                            g);
}

bool typed_system_find_gravity(typed_system *sys) {
    const model *m = sys->ev.model;
    sys->gravity = gravity_of(m);
    sys->gravity_in_potential = sys->gravity != NULL;
    for (uint32_t i = 0; i < m->coordinates_count && sys->gravity_in_potential; i++) {
        jet g[3];
        if (!gravity_vector(&sys->ev, sys->gravity, level_by(&sys->ev, &sys->ev.ground, sys->q[i]),
                            g))
            return false;
        sys->gravity_in_potential = !(g[0].mask | g[1].mask | g[2].mask);
    }
    return true;
}

// m g.X
static bool add_weight(typed_system *sys, const entry *e, const level *l, jet *sum) {
    evaluator *ev = &sys->ev;
    jet mass, g[3], x[3];
    if (!kinematics_mass(ev, e, l, &mass) || !gravity_vector(ev, sys->gravity, l, g) ||
        !kinematics_place(ev, e, l, 0, x))
        return false;
    jet term = jet_dot(&ev->jets, g, x);
    term = jet_mul(&ev->jets, &mass, &term);
    return add(ev, sum, &term, false);
}

static bool is_heavy(const entry *e) { return e->kind == ENTRY_POINT || e->kind == ENTRY_BODY; }

bool typed_lagrangian(typed_system *sys, const level *l, jet *out) {
    evaluator *ev = &sys->ev;
    const scope *names = ev->model->scope;
    *out = jet_rational(&ev->jets, 0, 1);
    if (has_statement(ev->model, STATEMENT_LAGRANGIAN))
        return add_statements(ev, STATEMENT_LAGRANGIAN, false, l, out);
    if (!add_statements(ev, STATEMENT_KINETIC, false, l, out) ||
        !add_statements(ev, STATEMENT_POTENTIAL, true, l, out))
        return false;
    for (uint32_t i = 0; i < names->count; i++) {
        const entry *e = names->entries[i];
        if (!is_heavy(e)) continue;
        if (!add_translation(ev, e, l, out)) return false;
        if (e->kind == ENTRY_BODY && !add_rotation(ev, e, l, out)) return false;
        if (sys->gravity_in_potential && !add_weight(sys, e, l, out)) return false;
    }
    return true;
}

// --- forces --------------------------------------------------------------------------------------

// F.dX/dq_i for a force on a point or on the centre of a body
static bool add_work(typed_system *sys, const entry *e, const jet force[3], uint32_t i, jet *sum) {
    evaluator *ev = &sys->ev;
    const level *along = level_by(ev, &ev->ground, sys->q[i]);
    jet x[3];
    if (!kinematics_place(ev, e, along, 0, x)) return false;
    for (int j = 0; j < 3; j++) x[j] = jet_coefficient(&ev->jets, &x[j], level_bit(along));
    const jet term = jet_dot(&ev->jets, force, x);
    return add(ev, sum, &term, false);
}

// M.d omega/dq'_i
static bool add_turning(typed_system *sys, const entry *e, const jet moment[3], uint32_t i,
                        jet *sum) {
    evaluator *ev = &sys->ev;
    const level *along = level_by(ev, &ev->ground, sys->qd[i]);
    jet w[3];
    if (!kinematics_omega(ev, e, along, false, w)) return false;
    for (int j = 0; j < 3; j++) w[j] = jet_coefficient(&ev->jets, &w[j], level_bit(along));
    const jet term = jet_dot(&ev->jets, moment, w);
    return add(ev, sum, &term, false);
}

static bool add_applied(typed_system *sys, const instance *in, uint32_t i, jet *sum) {
    evaluator *ev = &sys->ev;
    const item *it = in->statement->items;
    const typed_binding *around = evaluator_import(ev, in->bindings);
    const bool on_body = in->statement->flag || in->statement->kind == STATEMENT_TORQUE;
    const entry *e =
        evaluator_find_entry(ev, on_body ? SPACE_BODIES : SPACE_VALUES, it->target, around);
    if (!e) return evaluator_fail(ev, TYPED_NO_VALUE, it->at, "nothing has this name");
    if (!on_body) {
        jet term;
        if (expr_symbol_index(ev->model->pool, e->symbol) != sys->q[i]) return true;
        return evaluator_scalar(ev, it->value, around, &ev->ground, &term) &&
               add(ev, sum, &term, false);
    }
    jet v[3];
    if (!evaluator_vector(ev, it->value, around, &ev->ground, v)) return false;
    return in->statement->kind == STATEMENT_TORQUE ? add_turning(sys, e, v, i, sum)
                                                   : add_work(sys, e, v, i, sum);
}

// Gravity that depends on the place acts as a force m g.
static bool add_weights(typed_system *sys, uint32_t i, jet *sum) {
    evaluator *ev = &sys->ev;
    const scope *names = ev->model->scope;
    if (!sys->gravity || sys->gravity_in_potential) return true;
    for (uint32_t j = 0; j < names->count; j++) {
        const entry *e = names->entries[j];
        jet mass, g[3];
        if (!is_heavy(e)) continue;
        if (!kinematics_mass(ev, e, &ev->ground, &mass) ||
            !gravity_vector(ev, sys->gravity, &ev->ground, g))
            return false;
        for (int k = 0; k < 3; k++) g[k] = jet_mul(&ev->jets, &mass, &g[k]);
        if (!add_work(sys, e, g, i, sum)) return false;
    }
    return true;
}

bool typed_force(typed_system *sys, uint32_t i, jet *out) {
    evaluator *ev = &sys->ev;
    const model *m = ev->model;
    *out = jet_rational(&ev->jets, 0, 1);
    for (uint32_t j = 0; j < m->statement_count; j++) {
        const statement_kind kind = m->statements[j].statement->kind;
        if (kind != STATEMENT_FORCE && kind != STATEMENT_TORQUE) continue;
        if (!add_applied(sys, &m->statements[j], i, out)) return false;
    }
    if (!add_weights(sys, i, out)) return false;
    const level *along = level_by(ev, &ev->ground, sys->qd[i]); // - dD/dq'_i
    jet dissipation = jet_rational(&ev->jets, 0, 1);
    if (!add_statements(ev, STATEMENT_DISSIPATION, false, along, &dissipation)) return false;
    dissipation = jet_coefficient(&ev->jets, &dissipation, level_bit(along));
    return add(ev, out, &dissipation, true);
}
