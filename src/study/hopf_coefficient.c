// The first Lyapunov coefficient, from exact second and third derivatives of the rates.
#include "study/hopf_coefficient.h"

#include "study/steady_problem.h"

#include <acb_mat.h>
#include <math.h>
#include <string.h>

enum { BITS = 128 };
static const uint32_t MOST_OPERATIONS = 400000;

typedef struct {
    steady_path *a;
    path_point *at;
    uint32_t size;
    expr *rate, *variable; // of the system without coordinates that no rate depends on
    expr *d[3];            // directions: symbols
    program *second, *third;
    arb_ptr value;
} forms;

// Coordinates that the rates of the others do not depend on are left out, until none is left.
static void reduce(forms *g) {
    const linear_problem *l = &g->a->linear;
    pool *p = g->a->w->p;
    bool *out = arena_array(g->a->w->arena, bool, l->size + 1);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < l->size; i++) {
            bool used = out[i];
            for (uint32_t j = 0; j < l->size && !used; j++)
                used = !out[j] && j != i && expr_depends_on(p, l->rate[j], 1, &l->o->state[i]);
            if (!used && !expr_depends_on(p, l->rate[i], 1, &l->o->state[i])) out[i] = again = true;
        }
    }
    for (uint32_t i = 0; i < l->size; i++)
        if (!out[i]) g->variable[g->size] = l->o->state[i], g->rate[g->size++] = l->rate[i];
}

static bool make_programs(forms *g) {
    steady_problem *w = g->a->w;
    const uint32_t n = g->size;
    expr *e = arena_array(w->arena, expr, n + 1);
    for (int k = 0; k < 3; k++) {
        g->d[k] = arena_array(w->arena, expr, n + 1);
        for (uint32_t i = 0; i < n; i++)
            g->d[k][i] =
                expr_symbol(w->p, arena_format(w->arena, "along[%d,%u]", k, i + 1), ROLE_LOCAL);
    }
    expr_pushforward(w->p, n, g->variable, g->d[0], n, g->rate, e);
    if (program_operations(w->p, n, e) > MOST_OPERATIONS / 20) return false;
    expr_pushforward(w->p, n, g->variable, g->d[1], n, e, e);
    g->second = program_create(w->p, n, e);
    expr_pushforward(w->p, n, g->variable, g->d[2], n, e, e);
    g->third = program_create(w->p, n, e);
    state_reserve(&g->at->x);
    return true;
}

// out = B(x, y) or, with z, C(x, y, z); all real, columns of n
static void apply(forms *g, arb_srcptr x, arb_srcptr y, arb_srcptr z, arb_ptr out) {
    for (uint32_t i = 0; i < g->size; i++) {
        state_set(&g->at->x, g->d[0][i], x + i);
        state_set(&g->at->x, g->d[1][i], y + i);
        if (z) state_set(&g->at->x, g->d[2][i], z + i);
    }
    program_run_arb(z ? g->third : g->second, g->at->x.value, BITS, out);
}

// out = B(x, y) of complex columns
static void second_form(forms *g, acb_srcptr x, acb_srcptr y, acb_ptr out) {
    const uint32_t n = g->size;
    arb_ptr p = _arb_vec_init(5 * n), xr = p, xi = p + n, yr = p + 2 * n, yi = p + 3 * n,
            v = p + 4 * n;
    for (uint32_t i = 0; i < n; i++) {
        arb_set(xr + i, acb_realref(x + i)), arb_set(xi + i, acb_imagref(x + i));
        arb_set(yr + i, acb_realref(y + i)), arb_set(yi + i, acb_imagref(y + i));
        acb_zero(out + i);
    }
    apply(g, xr, yr, NULL, v);
    for (uint32_t i = 0; i < n; i++) arb_set(acb_realref(out + i), v + i);
    apply(g, xi, yi, NULL, v);
    for (uint32_t i = 0; i < n; i++)
        arb_sub(acb_realref(out + i), acb_realref(out + i), v + i, BITS);
    apply(g, xr, yi, NULL, v);
    for (uint32_t i = 0; i < n; i++) arb_set(acb_imagref(out + i), v + i);
    apply(g, xi, yr, NULL, v);
    for (uint32_t i = 0; i < n; i++)
        arb_add(acb_imagref(out + i), acb_imagref(out + i), v + i, BITS);
    _arb_vec_clear(p, 5 * n);
}

// out = C(q, q, q*) = sum over x of (q_r, q_i) of C(x, x, q_r) + i C(x, x, q_i)
static void third_form(forms *g, acb_srcptr q, acb_ptr out) {
    const uint32_t n = g->size;
    arb_ptr p = _arb_vec_init(3 * n), part[2] = {p, p + n}, v = p + 2 * n;
    for (uint32_t i = 0; i < n; i++) {
        arb_set(part[0] + i, acb_realref(q + i)), arb_set(part[1] + i, acb_imagref(q + i));
        acb_zero(out + i);
    }
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++) {
            apply(g, part[x], part[x], part[y], v);
            for (uint32_t i = 0; i < n; i++) {
                arb_ptr to = y ? acb_imagref(out + i) : acb_realref(out + i);
                arb_add(to, to, v + i, BITS);
            }
        }
    _arb_vec_clear(p, 3 * n);
}

static bool load_matrix(forms *g, acb_mat_t a) {
    const uint32_t n = g->size;
    expr *slope = arena_array(g->a->w->arena, expr, n * n + 1);
    expr_jacobian(g->a->w->p, n, g->rate, n, g->variable, slope);
    program *prog = program_create(g->a->w->p, n * n, slope);
    arb_ptr v = _arb_vec_init(n * n + 1);
    program_run_arb(prog, g->at->x.value, BITS, v);
    bool finite = true;
    for (uint32_t i = 0; i < n * n; i++) {
        finite = finite && arb_is_finite(v + i);
        acb_set_arb(acb_mat_entry(a, i / n, i % n), v + i);
    }
    acb_mat_get_mid(a, a);
    program_free(prog);
    _arb_vec_clear(v, n * n + 1);
    return finite;
}

// x with (s - A) x = right, midpoints
static bool resolve(const acb_mat_t a, const acb_t s, acb_srcptr right, acb_ptr x) {
    const slong n = acb_mat_nrows(a);
    acb_mat_t m, c;
    acb_mat_init(m, n, n), acb_mat_init(c, n, 1);
    acb_mat_neg(m, a);
    for (slong i = 0; i < n; i++) {
        acb_add(acb_mat_entry(m, i, i), acb_mat_entry(m, i, i), s, BITS);
        acb_set(acb_mat_entry(c, i, 0), right + i);
    }
    acb_mat_get_mid(m, m), acb_mat_get_mid(c, c);
    const bool good = acb_mat_approx_solve(c, m, c, BITS);
    for (slong i = 0; i < n; i++) acb_get_mid(x + i, acb_mat_entry(c, i, 0));
    acb_mat_clear(m), acb_mat_clear(c);
    return good;
}

// <u, x> = sum conj(u_i) x_i
static void product(acb_srcptr u, acb_srcptr x, uint32_t n, acb_t out) {
    acb_t c;
    acb_init(c);
    acb_zero(out);
    for (uint32_t i = 0; i < n; i++) {
        acb_conj(c, u + i);
        acb_addmul(out, c, x + i, BITS);
    }
    acb_clear(c);
}

// q and u by inverse iteration from a shift next to i w; false where they are no simple pair
static bool eigenvectors(const acb_mat_t a, double w, acb_ptr q, acb_ptr u) {
    const slong n = acb_mat_nrows(a);
    acb_mat_t turned;
    acb_t s, d;
    acb_init(s), acb_init(d);
    acb_mat_init(turned, n, n);
    acb_mat_transpose(turned, a);
    bool good = true;
    for (int side = 0; side < 2; side++) {
        acb_ptr x = side ? u : q;
        acb_set_d_d(s, 1e-10 * w, side ? -w : w);
        for (slong i = 0; i < n; i++) acb_set_d_d(x + i, 1 + 0.1 * (double)i, 0.3);
        for (int k = 0; k < 5 && good; k++) {
            good = resolve(side ? turned : a, s, x, x);
            product(x, x, (uint32_t)n, d);
            arb_sqrt(acb_realref(d), acb_realref(d), BITS);
            for (slong i = 0; i < n; i++)
                acb_div_arb(x + i, x + i, acb_realref(d), BITS), acb_get_mid(x + i, x + i);
        }
    }
    product(u, q, (uint32_t)n, d);
    good = good && arf_cmpabs_2exp_si(arb_midref(acb_realref(d)), -200) != 0;
    acb_conj(d, d);
    for (slong i = 0; i < n; i++) acb_div(u + i, u + i, d, BITS), acb_get_mid(u + i, u + i);
    for (slong i = 0; i < n; i++) good = good && acb_is_finite(u + i) && acb_is_finite(q + i);
    acb_mat_clear(turned);
    acb_clear(s), acb_clear(d);
    return good;
}

static bool sum_up(forms *g, const acb_mat_t a, double w, double *l1) {
    const uint32_t n = g->size;
    acb_ptr m = _acb_vec_init(6 * n), q = m, u = m + n, h = m + 2 * n, x = m + 3 * n, c = m + 4 * n,
            qc = m + 5 * n;
    acb_t s, part, sum;
    acb_init(s), acb_init(part), acb_init(sum);
    bool good = eigenvectors(a, w, q, u);
    if (good) {
        for (uint32_t i = 0; i < n; i++) acb_conj(qc + i, q + i);
        third_form(g, q, c);
        product(u, c, n, sum);
        second_form(g, q, qc, h); // resolve with s = 0 gives -A^-1 h: twice it is added
        good = resolve(a, s, h, x);
        second_form(g, q, x, c);
        product(u, c, n, part);
        acb_addmul_ui(sum, part, 2, BITS);
        second_form(g, q, q, h);
        acb_set_d_d(s, 0, 2 * w);
        good = good && resolve(a, s, h, x);
        second_form(g, qc, x, c);
        product(u, c, n, part);
        acb_add(sum, sum, part, BITS);
        *l1 = ball_middle(acb_realref(sum)) / (2 * w);
        good = good && isfinite(*l1);
    }
    _acb_vec_clear(m, 6 * n);
    acb_clear(s), acb_clear(part), acb_clear(sum);
    return good;
}

bool hopf_coefficient(steady_path *a, path_point *at, double frequency, double *l1,
                      const char **why) {
    const uint32_t size = a->linear.size;
    arena *room = a->w->arena;
    forms g = {.a = a,
               .at = at,
               .rate = arena_array(room, expr, size + 1),
               .variable = arena_array(room, expr, size + 1)};
    *why = NULL;
    if (a->linear.holonomic) *why = "there are constraints on positions";
    if (!*why) reduce(&g);
    if (!*why && g.size != at->linear.count)
        *why = "there are neutral directions that are no coordinates of their own";
    if (!*why && !make_programs(&g)) *why = "its third derivatives are too long";
    if (!*why) {
        acb_mat_t m;
        acb_mat_init(m, g.size, g.size);
        if (!load_matrix(&g, m) || !sum_up(&g, m, frequency, l1))
            *why = "other eigenvalues are 0, or the rates have no third derivatives there";
        acb_mat_clear(m);
    }
    if (g.second) program_free(g.second);
    if (g.third) program_free(g.third);
    return !*why;
}
