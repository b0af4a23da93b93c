// The linear motion around a steady one, and its eigenvalues in balls.
#include "study/linearise.h"

#include "study/steady_problem.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    steady_problem *w;
    const steady_motion *at;
    const ode *o;
    linearisation *out;
    uint32_t *kept; // positions in z of what stays
} work;

// --- A -------------------------------------------------------------------------------------------

// f - X: rates as seen by an observer who goes with the group
static void relative_rates(const work *w, expr *out) {
    const mechanics *s = w->w->s;
    pool *p = s->pool;
    const uint32_t n = s->n, m = s->m;
    expr *variable = arena_array(w->w->arena, expr, 2 * n),
         *direction = arena_array(w->w->arena, expr, 2 * n),
         *moved = arena_array(w->w->arena, expr, m + 1);
    for (uint32_t i = 0; i < n; i++) {
        variable[i] = s->q[i], direction[i] = w->w->field[i];
        variable[n + i] = s->qd[i], direction[n + i] = w->w->pace[i];
    }
    // eta = Psi(q, q') moves with q and q'; these in terms of (q, eta) again
    expr_pushforward(p, 2 * n, variable, direction, m, s->psi, moved);
    expr_substitute(p, n, s->qd, w->o->velocity, m, moved, moved);
    for (uint32_t i = 0; i < n; i++) out[i] = expr_sub(p, w->o->rate[i], w->w->field[i]);
    for (uint32_t i = 0; i < m; i++) out[n + i] = expr_sub(p, w->o->rate[n + i], moved[i]);
}

static void evaluate(const work *w, uint32_t count, const expr *e, arb_ptr out) {
    program *prog = program_create(w->w->p, count, e);
    program_run_arb(prog, w->at->x.value, w->at->x.precision, out);
    program_free(prog);
}

// dq = T dq_free on the tangent space of the constraints on positions: the matrix from what stays
// to z
static bool tangent(work *w, arb_mat_t t) {
    const mechanics *s = w->w->s;
    const uint32_t n = s->n, size = n + s->m;
    const slong bits = w->at->x.precision;
    expr *phi = arena_array(w->w->arena, expr, s->k + 1),
         *slope = arena_array(w->w->arena, expr, s->k * n + 1);
    uint32_t h = 0;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) phi[h++] = c->phi;
    }
    expr_jacobian(s->pool, h, phi, n, s->q, slope);
    double *v = h ? state_doubles((state *)&w->at->x, h * n, slope) : NULL;
    uint32_t *row = arena_array(w->w->arena, uint32_t, h + n),
             *column = arena_array(w->w->arena, uint32_t, h + n);
    if (h && pivots_choose(h, n, v, NULL, 1, row, column) < h) return false;
    bool *solved = arena_array(w->w->arena, bool, size);
    for (uint32_t i = 0; i < h; i++) solved[column[i]] = true;
    for (uint32_t i = 0; i < size; i++)
        if (!solved[i]) w->kept[w->out->size++] = i;
    arb_mat_init(t, size, w->out->size);
    for (uint32_t j = 0; j < w->out->size; j++) arb_one(arb_mat_entry(t, w->kept[j], j));
    if (!h) return true;
    const uint32_t open = n - h;
    arb_ptr value = _arb_vec_init(h * n);
    evaluate(w, h * n, slope, value);
    arb_mat_t left, right, x;
    arb_mat_init(left, h, h), arb_mat_init(right, h, open), arb_mat_init(x, h, open);
    for (uint32_t i = 0; i < h; i++) {
        for (uint32_t j = 0; j < h; j++)
            arb_set(arb_mat_entry(left, i, j), value + i * n + column[j]);
        for (uint32_t j = 0; j < open; j++)
            arb_neg(arb_mat_entry(right, i, j), value + i * n + w->kept[j]);
    }
    const bool good = arb_mat_solve(x, left, right, bits);
    for (uint32_t i = 0; i < h && good; i++)
        for (uint32_t j = 0; j < open; j++)
            arb_set(arb_mat_entry(t, column[i], j), arb_mat_entry(x, i, j));
    arb_mat_clear(left), arb_mat_clear(right), arb_mat_clear(x);
    _arb_vec_clear(value, h * n);
    if (!good) arb_mat_clear(t);
    return good;
}

static bool find_matrix(work *w) {
    const uint32_t size = w->w->s->n + w->w->s->m;
    linearisation *out = w->out;
    arb_mat_t t, full, product;
    if (!tangent(w, t)) return false;
    expr *rate = arena_array(w->w->arena, expr, size),
         *slope = arena_array(w->w->arena, expr, size * size), *names;
    relative_rates(w, rate);
    expr_jacobian(w->w->p, size, rate, size, w->o->state, slope);
    state_reserve((state *)&w->at->x);
    arb_ptr value = _arb_vec_init(size * size);
    evaluate(w, size * size, slope, value);
    arb_mat_init(full, size, size), arb_mat_init(product, size, out->size);
    for (uint32_t i = 0; i < size * size; i++)
        arb_set(arb_mat_entry(full, i / size, i % size), value + i);
    arb_mat_mul(product, full, t, w->at->x.precision);
    arb_mat_init(out->a, out->size, out->size);
    names = arena_array(w->w->arena, expr, out->size + 1);
    bool finite = true;
    for (uint32_t i = 0; i < out->size; i++) {
        names[i] = w->o->state[w->kept[i]];
        for (uint32_t j = 0; j < out->size; j++) {
            arb_set(arb_mat_entry(out->a, i, j), arb_mat_entry(product, w->kept[i], j));
            finite = finite && arb_is_finite(arb_mat_entry(out->a, i, j));
        }
    }
    out->state = names;
    arb_mat_clear(t), arb_mat_clear(full), arb_mat_clear(product);
    _arb_vec_clear(value, size * size);
    return finite;
}

// --- without the neutral directions --------------------------------------------------------------

// In a basis of the neutral directions U and unit vectors e_j for the rest, A is block triangular:
// A e_j = U a + sum_i b_ij e_i, so B = A_cc - U_c U_p^-1 A_pc with p the rows that U is solved in
// and c the others.
static bool quotient(work *w, arb_mat_t b) {
    const mechanics *s = w->w->s;
    const steady_motion *at = w->at;
    linearisation *out = w->out;
    const uint32_t n = s->n, size = out->size, open = at->directions;
    const slong bits = at->x.precision;
    double *v = arena_array(w->w->arena, double, open *size + 1);
#define U(i, k)                                                                                    \
    (at->direction + (size_t)(w->kept[i] < n ? w->kept[i] : w->kept[i] + n) * open + (k))
    for (uint32_t k = 0; k < open; k++)
        for (uint32_t i = 0; i < size; i++)
            v[k * size + i] = arf_get_d(arb_midref(U(i, k)), ARF_RND_NEAR);
    uint32_t *column = arena_array(w->w->arena, uint32_t, open + size),
             *row = arena_array(w->w->arena, uint32_t, open + size),
             *other = arena_array(w->w->arena, uint32_t, size + 1);
    const uint32_t u = out->neutral = pivots_choose(open, size, v, NULL, 1, column, row);
    bool *taken = arena_array(w->w->arena, bool, size + 1);
    for (uint32_t i = 0; i < u; i++) taken[row[i]] = true;
    for (uint32_t i = 0; i < size; i++)
        if (!taken[i]) other[out->count++] = i;
    const uint32_t c = out->count;
    arb_mat_t up, uc, apc, x;
    arb_mat_init(up, u, u), arb_mat_init(uc, c, u), arb_mat_init(apc, u, c), arb_mat_init(x, u, c);
    arb_mat_init(b, c, c);
    for (uint32_t i = 0; i < u; i++) {
        for (uint32_t k = 0; k < u; k++) arb_set(arb_mat_entry(up, i, k), U(row[i], column[k]));
        for (uint32_t k = 0; k < c; k++) arb_set(arb_mat_entry(uc, k, i), U(other[k], column[i]));
        for (uint32_t j = 0; j < c; j++)
            arb_set(arb_mat_entry(apc, i, j), arb_mat_entry(out->a, row[i], other[j]));
    }
#undef U
    const bool good = arb_mat_solve(x, up, apc, bits);
    if (good) arb_mat_mul(b, uc, x, bits);
    for (uint32_t i = 0; i < c && good; i++)
        for (uint32_t j = 0; j < c; j++)
            arb_sub(arb_mat_entry(b, i, j), arb_mat_entry(out->a, other[i], other[j]),
                    arb_mat_entry(b, i, j), bits);
    arb_mat_clear(up), arb_mat_clear(uc), arb_mat_clear(apc), arb_mat_clear(x);
    return good;
}

// The slowest to decay, or fastest to grow, first; pairs with the positive frequency first
static int by_growth(const void *a, const void *b) {
    const acb_srcptr x = a, y = b;
    const double growth = arf_get_d(arb_midref(acb_realref(y)), ARF_RND_NEAR) -
                          arf_get_d(arb_midref(acb_realref(x)), ARF_RND_NEAR);
    if (fabs(growth) > 1e-12) return growth > 0 ? 1 : -1;
    return arf_cmp(arb_midref(acb_imagref(y)), arb_midref(acb_imagref(x)));
}

static void find_eigenvalues(work *w, const arb_mat_t b) {
    linearisation *out = w->out;
    const uint32_t c = out->count;
    const slong bits = w->at->x.precision;
    acb_mat_t a, right;
    out->eigenvalue = _acb_vec_init(c);
    if (!c) {
        out->enclosed = true;
        return;
    }
    acb_mat_init(a, c, c), acb_mat_init(right, c, c);
    acb_mat_set_arb_mat(a, b);
    acb_ptr near = _acb_vec_init(c);
    acb_mat_approx_eig_qr(near, NULL, right, a, NULL, 0, bits);
    out->enclosed = acb_mat_eig_multiple(out->eigenvalue, a, near, right, bits);
    if (!out->enclosed)
        for (uint32_t i = 0; i < c; i++) acb_set(out->eigenvalue + i, near + i);
    qsort(out->eigenvalue, c, sizeof *out->eigenvalue, by_growth);
    _acb_vec_clear(near, c);
    acb_mat_clear(a), acb_mat_clear(right);
}

static stability_verdict judge(const linearisation *l) {
    bool all = true;
    if (!l->enclosed) return STABLE_UNDECIDED;
    for (uint32_t i = 0; i < l->count; i++) {
        if (arb_is_positive(acb_realref(l->eigenvalue + i))) return STABLE_NO;
        all = all && arb_is_negative(acb_realref(l->eigenvalue + i));
    }
    return all ? STABLE_YES : STABLE_UNDECIDED;
}

void linearisation_create(steady_problem *p, const steady_motion *at, const ode *o,
                          linearisation *out) {
    *out = (linearisation){0};
    work w = {.w = p, .at = at, .o = o, .out = out};
    w.kept = arena_array(p->arena, uint32_t, p->s->n + p->s->m + 1);
    if (!find_matrix(&w)) return;
    arb_mat_t b;
    if (!quotient(&w, b)) {
        arb_mat_clear(b);
        return;
    }
    find_eigenvalues(&w, b);
    out->enclosed = out->enclosed && at->proved;
    out->stable = judge(out);
    arb_mat_clear(b);
}

void linearisation_clear(linearisation *l) {
    if (l->state) arb_mat_clear(l->a);
    if (l->eigenvalue) _acb_vec_clear(l->eigenvalue, l->count);
}
