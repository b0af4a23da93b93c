// The linear motion around a steady one, and its eigenvalues in balls.
#include "study/linearise.h"

#include "study/clusters.h"
#include "study/steady_problem.h"

#include <math.h>
#include <stdlib.h>

// --- eigenvalues ---------------------------------------------------------------------------------

// The slowest to decay, or fastest to grow, first; pairs with the positive frequency first
static int by_growth(const void *a, const void *b) {
    const acb_srcptr x = a, y = b;
    const double growth = ball_middle(acb_realref(y)) - ball_middle(acb_realref(x));
    if (fabs(growth) > 1e-12) return growth > 0 ? 1 : -1;
    return arf_cmp(arb_midref(acb_imagref(y)), arb_midref(acb_imagref(x)));
}

static void find_eigenvalues(linearisation *out, slong bits) {
    const uint32_t c = out->count;
    acb_mat_t a, right;
    out->eigenvalue = _acb_vec_init(c);
    if (!c) {
        out->enclosed = true;
        return;
    }
    acb_mat_init(a, c, c), acb_mat_init(right, c, c);
    acb_mat_set_arb_mat(a, out->reduced);
    acb_ptr near = _acb_vec_init(c);
    acb_mat_approx_eig_qr(near, NULL, right, a, NULL, 0, bits);
    out->enclosed = acb_mat_eig_multiple(out->eigenvalue, a, near, right, bits);
    if (!out->enclosed) {
        out->enclosed = clusters_enclose(out->reduced, near, bits);
        for (uint32_t i = 0; i < c; i++) acb_set(out->eigenvalue + i, near + i);
    }
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

// The directions to moved copies and to other motions of the family, d(q, q', eta)
static void load_directions(const steady_motion *at, matrix_jet *out) {
    const uint32_t rows = 2 * at->s->n + at->s->m;
    matrix_jet_init(out, rows, at->directions, false);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < at->directions; k++)
            arb_set(arb_mat_entry(out->v, i, k), at->direction + (size_t)i * at->directions + k);
}

static void point_into_matrices(const ode *o, arena *memory, linearisation *out) {
    const linear_matrices *m = &out->at;
    expr *names = arena_array(memory, expr, m->size + 1);
    for (uint32_t i = 0; i < m->size; i++) names[i] = o->state[m->kept[i]];
    out->state = names, out->size = m->size, out->kept = m->kept;
    out->a = m->a.v, out->tangent = m->tangent.v;
    out->neutral = m->neutral, out->count = m->count, out->rest = &m->rest;
    out->reduced = m->quotient.v;
}

void linearisation_create(steady_problem *p, const steady_motion *at, const ode *o,
                          linearisation *out) {
    *out = (linearisation){0};
    const slong bits = at->x.precision;
    linear_problem problem;
    matrix_jet direction;
    linear_problem_create(p, o, NULL, &problem);
    load_directions(at, &direction);
    linear_matrices_evaluate(&problem, (state *)&at->x, bits, &direction, NULL, &out->at);
    matrix_jet_clear(&direction);
    linear_problem_clear(&problem);
    out->rate = problem.rate, out->slope = problem.slope;
    point_into_matrices(o, p->arena, out);
    if (!out->at.good) return;
    find_eigenvalues(out, bits);
    out->enclosed = out->enclosed && at->proved;
    out->stable = judge(out);
}

void linearisation_clear(linearisation *l) {
    linear_matrices_clear(&l->at);
    if (l->eigenvalue) _acb_vec_clear(l->eigenvalue, l->count);
}
