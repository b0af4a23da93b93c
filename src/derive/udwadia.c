// Udwadia-Kalaba: M q'' = h + A^T (A M^-1 A^T)^-1 (b - A M^-1 h), A = dPhi/dq', A q'' = b the
// differentiated constraints, or A = dPhi/dq'' and the constraint itself where it is of order 2;
// for independent rows A^T (A M^-1 A^T)^-1 is their M^(1/2) (A M^(-1/2))^+. Where M is singular
// (Udwadia-Phohomsiri): with the projector P = I - A^+ A on the kernel of A,
//   P (M q'' - h) + A^+ (A q'' - b) = 0,   A^+ = A^T (A A^T)^-1.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/lagrange.h"
#include "derive/refusal.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"

typedef struct {
    const mechanics *s; // all rows of A among its k
    pool *p;
    arena *arena;
    expr *defect, *rest; // N = M q'' - h and -h
    expr *mass;          // n x n
} work;

// X = L^-1 R for a symmetric L, by elimination in an order that is good at the sampled
// state; false if L is singular there.
static bool solve(const work *w, uint32_t size, const expr *l, uint32_t count, const expr *r,
                  expr *x) {
    uint32_t *row = arena_array(w->arena, uint32_t, size),
             *column = arena_array(w->arena, uint32_t, size);
    if (sample_pivots_find(w->s, size, l, row, column) < size) return false;
    matrix_solve(w->p, size, l, count, r, row, column, x);
    return true;
}

// A X for X n x count
static void times_a(const work *w, uint32_t count, const expr *x, expr *out) {
    const mechanics *s = w->s;
    for (uint32_t nu = 0; nu < s->k; nu++)
        for (uint32_t c = 0; c < count; c++)
            out[nu * count + c] =
                expr_dot_column(w->p, s->n, mechanics_slopes(s) + nu * s->n, x, count, c);
}

// value = N + A^T u
static void add_reaction(const work *w, const expr *u, expr *value) {
    const mechanics *s = w->s;
    for (uint32_t i = 0; i < s->n; i++)
        value[i] = expr_add(w->p, w->defect[i],
                            expr_dot_column(w->p, s->k, u, mechanics_slopes(s), s->n, i));
}

// A^T, n x k
static expr *transposed(const work *w) {
    expr *t = arena_array(w->arena, expr, w->s->n * w->s->k);
    for (uint32_t nu = 0; nu < w->s->k; nu++)
        for (uint32_t i = 0; i < w->s->n; i++)
            t[i * w->s->k + nu] = mechanics_slopes(w->s)[nu * w->s->n + i];
    return t;
}

// M regular: -u = (A M^-1 A^T)^-1 (b - A M^-1 h), residual N + A^T u
static bool regular_mass(const work *w, const expr *minus_b, expr *value) {
    const mechanics *s = w->s;
    expr *h = arena_array(w->arena, expr, s->n), *ma = arena_array(w->arena, expr, s->n * s->k),
         *mh = arena_array(w->arena, expr, s->n);
    expr *ama = arena_array(w->arena, expr, s->k * s->k), *amh = arena_array(w->arena, expr, s->k),
         *u = arena_array(w->arena, expr, s->k);
    for (uint32_t i = 0; i < s->n; i++) h[i] = expr_neg(w->p, w->rest[i]);
    if (!solve(w, s->n, w->mass, s->k, transposed(w), ma) || // M^-1 A^T
        !solve(w, s->n, w->mass, 1, h, mh))                  // M^-1 h
        return false;
    times_a(w, s->k, ma, ama);             // A M^-1 A^T
    times_a(w, 1, mh, amh);                // A M^-1 h
    for (uint32_t nu = 0; nu < s->k; nu++) // -(b - A M^-1 h)
        amh[nu] = expr_add(w->p, minus_b[nu], amh[nu]);
    if (!solve(w, s->k, ama, 1, amh, u)) return false;
    add_reaction(w, u, value);
    return true;
}

// M singular: residual N + A^T (A A^T)^-1 (A q'' - b - A N)
static void singular_mass(const work *w, const expr *rate, expr *value) {
    const mechanics *s = w->s;
    expr *aa = arena_array(w->arena, expr, s->k * s->k), *r = arena_array(w->arena, expr, s->k),
         *u = arena_array(w->arena, expr, s->k);
    times_a(w, s->k, transposed(w), aa); // A A^T
    times_a(w, 1, w->defect, r);         // A N
    for (uint32_t nu = 0; nu < s->k; nu++) r[nu] = expr_sub(w->p, rate[nu], r[nu]);
    solve(w, s->k, aa, 1, r, u);
    add_reaction(w, u, value);
}

static void derive(const mechanics *given, equations *eq) {
    mechanics rows = *given, *s = &rows; // all k + h constraints in one list
    rows.k += rows.h, rows.h = 0;
    work w = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    expr *zero = arena_array(w.arena, expr, s->n), *value = arena_array(w.arena, expr, s->n);
    expr *rate = arena_array(w.arena, expr, s->k), *minus_b = arena_array(w.arena, expr, s->k);
    w.defect = arena_array(w.arena, expr, s->n), w.rest = arena_array(w.arena, expr, s->n),
    w.mass = arena_array(w.arena, expr, s->n * s->n);
    lagrange_defect(s, w.defect);                                     // N = M q'' - h
    expr_substitute(w.p, s->n, s->qdd, zero, s->n, w.defect, w.rest); // -h
    expr_jacobian(w.p, s->n, w.defect, s->n, s->qdd, w.mass);         // M
    for (uint32_t nu = 0; nu < s->k; nu++)                            // A q'' - b
        rate[nu] = nu < given->k ? expr_ddt(w.p, s->phi[nu]) : s->phi[nu];
    expr_substitute(w.p, s->n, s->qdd, zero, s->k, rate, minus_b);
    if (!regular_mass(&w, minus_b, value)) singular_mass(&w, rate, value);
    deliver_accelerations(eq, value);
    eq->recovery = deliver_recovery(eq, given);
}

const formalism formalism_udwadia = {
    .id = "udwadia",
    .name = "Udwadia-Kalaba equations",
    .paper = "Udwadia and Kalaba 1992, Udwadia and Phohomsiri 2006",
    .formula = "M q'' = h + M^(1/2) (A M^(-1/2))^+ (b - A M^-1 h)",
    .latex =
        "M \\ddot{q} = h + M^{1/2} \\left(A M^{-1/2}\\right)^{+} \\left(b - A M^{-1} h\\right)",
    .history = "Udwadia and Kalaba solved Gauss's principle in 1992 by a generalised inverse, with "
               "no choice of independent velocities at all; Udwadia and Phohomsiri (2006) allowed "
               "singular mass matrices.",
    .use = "When constraints are many, redundant or change, and for control: the constraint force "
           "stands there explicitly.",
    .applies = "always, up to constraints of order 2",
    .highest_order = 2,
    .refusal = refusal_never,
    .derive = derive,
};
