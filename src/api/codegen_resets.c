// Resets and clocks as functions of the state before, for code: each gives new values of z and of
// parameters. What a run solves for where it is (contact_law_project) is a linear system here.
#include "api/codegen_job.h"

#include "integrate/integration.h"
#include "model/contact_modes.h"

#include <string.h>

typedef codegen_job job;

// One reset: (q, q') after it, as functions of those before, where nothing else is solved for; what
// is to hold of the velocities after it, left = right; parameters in use and their new values
typedef struct {
    expr *q, *qd;
    bool moves; // a coordinate is set
    uint32_t set_count;
    expr *left, *right;
    uint32_t parameters, *parameter;
    expr *value;
} jump;

static uint32_t index_of(uint32_t count, const expr *list, expr e) {
    uint32_t i = 0;
    while (i < count && list[i] != e) i++;
    return i;
}

static jump new_jump(arena *a, const mechanics *s, uint32_t count) {
    jump x = {.q = arena_array(a, expr, s->n + 1),
              .qd = arena_array(a, expr, s->n + 1),
              .left = arena_array(a, expr, count + 1),
              .right = arena_array(a, expr, count + 1),
              .parameter = arena_array(a, uint32_t, count + 1),
              .value = arena_array(a, expr, count + 1)};
    memcpy(x.q, s->q, sizeof *x.q * s->n), memcpy(x.qd, s->qd, sizeof *x.qd * s->n);
    return x;
}

static jump read_jump(const job *j, const reset *r) {
    const mechanics *s = j->system;
    const simulation *sim = j->sim;
    jump x = new_jump(j->arena, s, r->count);
    for (uint32_t k = 0; k < r->count; k++) {
        const expr symbol = r->values[k].symbol;
        const uint32_t iq = index_of(s->n, s->q, symbol), iv = index_of(s->n, s->qd, symbol),
                       ip = index_of(sim->stated_count, sim->parameter, symbol);
        expr value;
        model_concrete(j->m, false, 1, &r->values[k].value, &value);
        if (iq < s->n) x.q[iq] = value, x.moves = true;
        else if (ip < sim->stated_count)
            x.parameter[x.parameters] = ip, x.value[x.parameters++] = value;
        else {
            x.left[x.set_count] = iv < s->n ? symbol : s->psi[index_of(s->m, s->eta, symbol)];
            x.right[x.set_count++] = value;
            if (iv < s->n) x.qd[iv] = value;
        }
    }
    return x;
}

static bool sets_quasi(const job *j, const reset *r) {
    const mechanics *s = j->system;
    for (uint32_t k = 0; k < r->count; k++)
        if (index_of(s->n, s->qd, r->values[k].symbol) == s->n && s->has_quasi &&
            index_of(s->m, s->eta, r->values[k].symbol) < s->m)
            return true;
    return false;
}

static hamel_status refuse(const job *j, const reset *r, const char *why) {
    diag_error(j->m->ctx, r->at, "`hamel simulate` follows it", "an FMU cannot have reset `%s`: %s",
               reset_words(j->m, r), why);
    return HAMEL_USAGE;
}

// --- velocities ----------------------------------------------------------------------------------

// V(eta) = J eta + b, the velocities at the new place, and their conditions C eta = right - c
typedef struct {
    uint32_t n, m, k;
    const expr *eta;
    expr *J, *b, *M, *C, *c;
} velocities;

static velocities find_velocities(const job *j, const jump *x) {
    const mechanics *s = j->system;
    const ode *o = j->sim->o;
    pool *p = s->pool;
    arena *a = j->arena;
    const uint32_t n = s->n, m = s->m, k = x->set_count;
    velocities v = {n,
                    m,
                    k,
                    o->state + n,
                    arena_array(a, expr, n * m + 1),
                    arena_array(a, expr, n + 1),
                    arena_array(a, expr, n * n + 1),
                    arena_array(a, expr, k * m + 1),
                    arena_array(a, expr, k + 1)};
    expr *V = arena_array(a, expr, n + 1), *momentum = arena_array(a, expr, n + 1),
         *left = arena_array(a, expr, k + 1);
    expr_substitute(p, n, s->q, x->q, n, o->velocity, V);
    expr_jacobian(p, n, V, m, v.eta, v.J);
    for (uint32_t i = 0; i < n; i++) v.b[i] = expr_at_zero(p, V[i], m, v.eta);
    expr_gradient(p, s->kinetic, n, s->qd, momentum);
    expr_jacobian(p, n, momentum, n, s->qd, v.M);
    expr_substitute(p, n, s->q, x->q, n * n, v.M, v.M);
    if (!k) return v;
    expr_substitute(p, n, s->q, x->q, k, x->left, left);
    expr_substitute(p, n, s->qd, V, k, left, left);
    expr_jacobian(p, k, left, m, v.eta, v.C);
    for (uint32_t i = 0; i < k; i++) v.c[i] = expr_at_zero(p, left[i], m, v.eta);
    return v;
}

static bool are_linear(const job *j, const velocities *v) {
    pool *p = j->m->pool;
    return !expr_any_depends_on(p, v->n * v->m, v->J, v->m, v->eta) &&
           !expr_any_depends_on(p, v->k * v->m, v->C, v->m, v->eta) &&
           !expr_any_depends_on(p, v->n * v->n, v->M, v->n, j->system->qd);
}

// Of all that are possible the nearest to those before, in the measure of the kinetic energy:
//   J^T M J eta + C^T nu = J^T M (q' - b),  C eta = right - c;
// where the conditions alone determine eta, these. `first`: where eta stands in the equations.
static uint32_t write_equations(const job *j, const jump *x, const velocities *v, expr *A,
                                expr *right) {
    pool *p = j->m->pool;
    const uint32_t n = v->n, m = v->m, k = v->k, first = k == m ? 0 : m, all = first + k;
    expr *MJ = arena_array(j->arena, expr, n * m + 1);
    for (uint32_t i = 0; i < all * all; i++) A[i] = EXPR_ZERO;
    for (uint32_t nu = 0; nu < k; nu++) {
        for (uint32_t l = 0; l < m; l++) A[(first + nu) * all + l] = v->C[nu * m + l];
        right[first + nu] = expr_sub(p, x->right[nu], v->c[nu]);
    }
    if (!first) return all;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < m; l++)
            MJ[i * m + l] = expr_dot_column(p, n, v->M + i * n, v->J, m, l);
    for (uint32_t i = 0; i < m; i++) {
        right[i] = EXPR_ZERO;
        for (uint32_t h = 0; h < n; h++) {
            const expr moved = expr_sub(p, j->system->qd[h], v->b[h]);
            right[i] = expr_add_product(p, right[i], MJ[h * m + i], moved);
            for (uint32_t l = 0; l < m; l++)
                A[i * all + l] =
                    expr_add_product(p, A[i * all + l], v->J[h * m + i], MJ[h * m + l]);
        }
        for (uint32_t nu = 0; nu < k; nu++) A[i * all + m + nu] = v->C[nu * m + i];
    }
    return all;
}

// --- one reset as a function ---------------------------------------------------------------------

// The values as functions of (z, t), and code for them that may solve one system more
static tape *make_tape(const job *j, uint32_t count, expr *value, matrix_system *own) {
    const simulation *sim = j->sim;
    const ode *o = sim->o;
    matrix_system both[2];
    uint32_t systems = 0;
    ode_open_expressions(o, count, value, value);
    if (o->system.n) both[systems++] = o->system;
    if (own->n) {
        expr *matrix = arena_array(j->arena, expr, own->n * own->n),
             *right = arena_array(j->arena, expr, own->n);
        ode_open_expressions(o, own->n * own->n, own->matrix, matrix);
        ode_open_expressions(o, own->n, own->right, right);
        own->matrix = matrix, own->right = right;
        both[systems++] = *own;
    }
    return tape_create_with(j->m->pool, o->size, o->state, j->m->time, sim->parameter_count,
                            sim->parameter, systems, both, count, value);
}

// z after it: of (q', eta) solved for where there are constraints or quasi-velocities, else stated
static hamel_status new_state(const job *j, const reset *r, const jump *x, expr *z,
                              matrix_system *own) {
    const mechanics *s = j->system;
    const ode *o = j->sim->o;
    pool *p = s->pool;
    for (uint32_t nu = 0; nu < s->k && x->moves; nu++)
        if (s->model->constraints[s->constraint[nu]].order == 0)
            return refuse(j, r, "it moves what a constraint on positions holds");
    if (s->h) return refuse(j, r, "there are constraints of order 2");
    if (!s->k && !sets_quasi(j, r)) {
        expr *from = arena_array(j->arena, expr, 2 * s->n),
             *to = arena_array(j->arena, expr, 2 * s->n);
        memcpy(from, s->q, sizeof *from * s->n), memcpy(from + s->n, s->qd, sizeof *from * s->n);
        memcpy(to, x->q, sizeof *to * s->n), memcpy(to + s->n, x->qd, sizeof *to * s->n);
        expr_substitute(p, 2 * s->n, from, to, o->size, o->start, z);
        return HAMEL_OK;
    }
    if (!o->velocity || o->size != s->n + s->m || x->set_count > s->m)
        return refuse(j, r, "this form keeps all velocities; --form maggi does not");
    const velocities v = find_velocities(j, x);
    if (!are_linear(j, &v)) return refuse(j, r, "velocities follow from equations of degree 2");
    const uint32_t most = s->m + x->set_count;
    expr *A = arena_array(j->arena, expr, most * most), *right = arena_array(j->arena, expr, most),
         *unknown = arena_array(j->arena, expr, most);
    const uint32_t all = write_equations(j, x, &v, A, right);
    for (uint32_t i = 0; i < all; i++) unknown[i] = expr_symbol(p, "after", ROLE_PARAMETER);
    *own = (matrix_system){all, 1, false, A, right, unknown};
    for (uint32_t i = 0; i < o->size; i++) z[i] = i < s->n ? x->q[i] : unknown[i - s->n];
    return HAMEL_OK;
}

static hamel_status add_reset(job *j, uint32_t number, fmu_reset *to) {
    const model *m = j->m;
    const reset *r = &m->resets[number];
    const uint32_t size = j->sim->o->size, most = size + r->count;
    const jump x = read_jump(j, r);
    expr *value = arena_array(j->arena, expr, most);
    uint32_t *target = arena_array(j->arena, uint32_t, most);
    matrix_system own = {0};
    *to = (fmu_reset){.name = reset_words(m, r),
                      .event = reset_is_clock(r) ? -1 : (int)r->event,
                      .id = arena_format(j->arena, "reset_%u", number),
                      .target = target};
    if (reset_is_clock(r)) {
        to->period = model_constant(m, r->period);
        to->each = rows_in_a_unit(to->period);
    }
    if (x.moves || x.set_count) {
        const hamel_status status = new_state(j, r, &x, value, &own);
        if (status) return status;
        for (; to->count < size; to->count++) target[to->count] = to->count;
    }
    for (uint32_t i = 0; i < x.parameters; i++) {
        value[to->count] = x.value[i];
        target[to->count++] = size + x.parameter[i];
    }
    if (!to->count) return HAMEL_OK;
    codegen_add_made(
        j,
        (project_function){.id = to->id,
                           .about = arena_format(j->arena, "new values at reset %s", to->name)},
        make_tape(j, to->count, value, &own));
    return HAMEL_OK;
}

hamel_status codegen_resets_list(job *j, project_fmu *u) {
    fmu_reset *list = arena_array(j->arena, fmu_reset, j->m->resets_count + 1);
    for (uint32_t i = 0; i < j->m->resets_count; i++) {
        const hamel_status status = add_reset(j, i, &list[i]);
        if (status) return status;
    }
    u->reset = list, u->reset_count = j->m->resets_count;
    return HAMEL_OK;
}
