// The matrix A of the linear motion and its quotient by the neutral directions.
#include "study/linear_problem.h"

#include "study/steady_problem.h"

// --- expressions ---------------------------------------------------------------------------------

// f - X: rates as seen by an observer who goes with the group
void linear_problem_rates(const steady_problem *w, const ode *o, expr *out) {
    const mechanics *s = w->s;
    pool *p = s->pool;
    const uint32_t n = s->n, m = s->m;
    expr *variable = arena_array(w->arena, expr, 2 * n),
         *direction = arena_array(w->arena, expr, 2 * n),
         *moved = arena_array(w->arena, expr, m + 1);
    for (uint32_t i = 0; i < n; i++) {
        variable[i] = s->q[i], direction[i] = w->field[i];
        variable[n + i] = s->qd[i], direction[n + i] = w->pace[i];
    }
    // eta = Psi(q, q') moves with q and q'; these in terms of (q, eta) again
    expr_pushforward(p, 2 * n, variable, direction, m, s->psi, moved);
    expr_substitute(p, n, s->qd, o->velocity, m, moved, moved);
    for (uint32_t i = 0; i < n; i++) out[i] = expr_sub(p, o->rate[i], w->field[i]);
    for (uint32_t i = 0; i < m; i++) out[n + i] = expr_sub(p, o->rate[n + i], moved[i]);
}

void path_motion_simplify(const path_motion *along, pool *p, uint32_t count, expr *e) {
    expr *nothing = memory_array(expr, along->zeros + 1);
    for (uint32_t i = 0; i < along->zeros; i++) nothing[i] = EXPR_ZERO;
    expr_substitute(p, along->zeros, along->zero, nothing, count, e, e);
    memory_free(nothing);
}

void linear_problem_create(steady_problem *w, const ode *o, const path_motion *along,
                           linear_problem *out) {
    const mechanics *s = w->s;
    *out = (linear_problem){.w = w, .o = o, .size = s->n + s->m};
    const uint32_t size = out->size;
    out->rate = arena_array(w->arena, expr, size);
    linear_problem_rates(w, o, out->rate);
    expr *phi = arena_array(w->arena, expr, s->k + 1);
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) phi[out->holonomic++] = c->phi;
    }
    const uint32_t count = size * size + out->holonomic * s->n;
    expr *slope = out->slope = arena_array(w->arena, expr, count);
    expr_jacobian(w->p, size, out->rate, size, o->state, slope);
    expr_jacobian(w->p, out->holonomic, phi, s->n, s->q, slope + size * size);
    if (along) path_motion_simplify(along, w->p, count, slope);
    out->slopes = program_create(w->p, count, slope);
    out->value = _arb_vec_init(2 * count);
    if (!along) return;
    expr_pushforward(w->p, along->count, along->symbol, along->velocity, count, slope, slope);
    out->rates = program_create(w->p, count, slope);
}

void linear_problem_clear(linear_problem *l) {
    if (!l->slopes) return;
    _arb_vec_clear(l->value, 2 * l->slopes->output_count);
    program_free(l->slopes);
    if (l->rates) program_free(l->rates);
}

void linear_problem_run(const program *prog, const state *x, slong bits, arb_ptr out) {
    if (bits > 53) {
        program_run_arb(prog, x->value, bits, out);
        return;
    }
    double *symbols = memory_array(double, x->capacity),
           *v = memory_array(double, prog->output_count);
    for (uint32_t i = 0; i < x->capacity; i++) symbols[i] = ball_middle(x->value + i);
    program_run_double(prog, symbols, v);
    for (uint32_t i = 0; i < prog->output_count; i++) arb_set_d(out + i, v[i]);
    memory_free(symbols), memory_free(v);
}

void linear_problem_narrow(const program *prog, const path_ball *ball, slong bits, arb_srcptr rate,
                           arb_ptr v) {
    const uint32_t count = prog->output_count;
    arb_ptr other = _arb_vec_init(count);
    linear_problem_run(prog, ball->middle, bits, other);
    for (uint32_t i = 0; i < count; i++) {
        arb_addmul(other + i, rate + i, ball->shift, bits);
        if (arb_is_finite(other + i) && mag_cmp(arb_radref(other + i), arb_radref(v + i)) < 0)
            arb_set(v + i, other + i);
    }
    _arb_vec_clear(other, count);
}

// --- A -------------------------------------------------------------------------------------------

static double middle(const arb_t v) { return ball_middle(v); }

// Which coordinates depend on the others through the constraints on positions: `column`, and what
// is kept. False where these lose rank.
static bool choose_kept(const linear_problem *l, uint32_t *column, linear_matrices *out) {
    const uint32_t n = l->w->s->n, h = l->holonomic;
    double *v = memory_array(double, h *n + 1);
    for (uint32_t i = 0; i < h * n; i++) v[i] = middle(l->value + l->size * l->size + i);
    uint32_t *row = memory_array(uint32_t, h + n + 1);
    const uint32_t rank = h ? pivots_choose(h, n, v, NULL, 1, row, column) : 0;
    bool *solved = memory_zeros(bool, l->size + 1);
    for (uint32_t i = 0; i < rank; i++) solved[column[i]] = true;
    for (uint32_t i = 0; i < l->size; i++)
        if (!solved[i]) out->kept[out->size++] = i;
    memory_free(v), memory_free(row), memory_free(solved);
    return rank == h;
}

// An entry of what the programs give, with its derivative
static void load(const linear_problem *l, uint32_t at, bool negative, matrix_jet *to, slong i,
                 slong j) {
    arb_set(arb_mat_entry(to->v, i, j), l->value + at);
    if (negative) arb_neg(arb_mat_entry(to->v, i, j), arb_mat_entry(to->v, i, j));
    if (!to->rates) return;
    arb_set(arb_mat_entry(to->d, i, j), l->value + l->slopes->output_count + at);
    if (negative) arb_neg(arb_mat_entry(to->d, i, j), arb_mat_entry(to->d, i, j));
}

// dq = T dq_free on the tangent space of the constraints on positions: from what is kept to z
static bool tangent(const linear_problem *l, const uint32_t *column, slong bits,
                    linear_matrices *out, matrix_jet *t) {
    const uint32_t n = l->w->s->n, h = l->holonomic, open = n - h, first = l->size * l->size;
    for (uint32_t j = 0; j < out->size; j++) arb_one(arb_mat_entry(t->v, out->kept[j], j));
    if (!h) return true;
    matrix_jet left, right, x;
    matrix_jet_init(&left, h, h, t->rates), matrix_jet_init(&right, h, open, t->rates);
    matrix_jet_init(&x, h, open, t->rates);
    for (uint32_t i = 0; i < h; i++) {
        for (uint32_t j = 0; j < h; j++) load(l, first + i * n + column[j], false, &left, i, j);
        for (uint32_t j = 0; j < open; j++)
            load(l, first + i * n + out->kept[j], true, &right, i, j);
    }
    const bool good = matrix_jet_solve(&x, &left, &right, bits);
    for (uint32_t i = 0; i < h && good; i++)
        for (uint32_t j = 0; j < open; j++) matrix_jet_copy(t, column[i], j, &x, i, j, false);
    matrix_jet_clear(&left), matrix_jet_clear(&right), matrix_jet_clear(&x);
    return good;
}

static bool find_matrix(linear_problem *l, state *x, slong bits, const path_ball *ball,
                        linear_matrices *out) {
    const uint32_t size = l->size, n = l->w->s->n;
    const bool rates = ball;
    arb_ptr rate = l->value + l->slopes->output_count;
    state_reserve(x);
    linear_problem_run(l->slopes, x, bits, l->value);
    if (rates) {
        linear_problem_run(l->rates, x, bits, rate);
        linear_problem_narrow(l->slopes, ball, bits, rate, l->value);
    }
    uint32_t *column = memory_array(uint32_t, l->holonomic + n + 1);
    bool good = choose_kept(l, column, out);
    matrix_jet full, product;
    matrix_jet_init(&out->tangent, size, out->size, rates);
    matrix_jet_init(&full, size, size, rates);
    matrix_jet_init(&product, size, out->size, rates);
    matrix_jet_init(&out->a, out->size, out->size, rates);
    good = good && tangent(l, column, bits, out, &out->tangent);
    for (uint32_t i = 0; i < size * size; i++) load(l, i, false, &full, i / size, i % size);
    matrix_jet_multiply(&product, &full, &out->tangent, bits);
    for (uint32_t i = 0; i < out->size; i++)
        for (uint32_t j = 0; j < out->size; j++)
            matrix_jet_copy(&out->a, i, j, &product, out->kept[i], j, false);
    matrix_jet_clear(&full), matrix_jet_clear(&product);
    memory_free(column);
    return good && arb_mat_is_finite(out->a.v);
}

void linear_matrices_evaluate(linear_problem *l, state *x, slong bits, const matrix_jet *direction,
                              const path_ball *ball, linear_matrices *out) {
    *out = (linear_matrices){.kept = memory_array(uint32_t, l->size + 1)};
    if (find_matrix(l, x, bits, ball, out)) {
        out->good = quotient_create(direction, l->w->s->n, out->size, out->kept, bits, &out->rest);
        out->neutral = out->rest.neutral, out->count = out->rest.count;
    }
    matrix_jet_init(&out->quotient, out->count, out->count, out->a.rates);
    if (out->good) quotient_matrix(&out->rest, &out->a, bits, &out->quotient);
    out->good = out->good && arb_mat_is_finite(out->quotient.v);
}

void linear_matrices_clear(linear_matrices *m) {
    if (!m->kept) return;
    matrix_jet_clear(&m->a), matrix_jet_clear(&m->tangent), matrix_jet_clear(&m->quotient);
    quotient_clear(&m->rest);
    memory_free(m->kept);
}
