// Critical values where proofs come to a halt: in short gaps between pieces.
#include "study/critical_test.h"
#include "study/discs.h"

#include <acb_mat.h>
#include <math.h>
#include <stdlib.h>

enum { BITS = CRITICAL_BITS, MOST_STEPS = 200 };
static const slong CLOSE = CRITICAL_CLOSE;

// The same but for what digits leave, of values that are not proved more
static bool are_near(const arb_t a, const arb_t b, bool proved) {
    arb_t d;
    arb_init(d);
    arb_sub(d, a, b, BITS);
    const slong size =
        arf_cmpabs_2exp_si(arb_midref(a), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(a)) : 0;
    const bool near = arf_cmpabs_2exp_si(arb_midref(d), size + (proved ? CLOSE + 26 : -50)) < 0;
    arb_clear(d);
    return near;
}

// What a test is at the ends of a gap and where its derivative is 0 between
typedef struct {
    arb_t a, b, x;       // values of the parameter
    arb_t at_a, at_b, f; // the test there; f in x
    bool has_x;
} gap;

static void gap_open(const critical_test *f, const arb_t low, const arb_t high, gap *g) {
    const critical_test slope = {f->s, f->kind, f->test, true};
    arb_t a, b, sa, sb;
    arb_init(a), arb_init(b), arb_init(sa), arb_init(sb);
    arb_init(g->a), arb_init(g->b), arb_init(g->x);
    arb_init(g->at_a), arb_init(g->at_b), arb_init(g->f);
    arb_set(g->a, low), arb_set(g->b, high), arb_set(a, low), arb_set(b, high);
    g->has_x = critical_test_value(f, low, g->at_a) && critical_test_value(f, high, g->at_b) &&
               critical_test_value(&slope, low, sa) && critical_test_value(&slope, high, sb) &&
               arf_sgn(arb_midref(sa)) * arf_sgn(arb_midref(sb)) < 0 &&
               critical_test_root(&slope, a, b, sa, sb, g->x) && critical_test_value(f, g->x, g->f);
    arb_clear(a), arb_clear(b), arb_clear(sa), arb_clear(sb);
}

static void gap_close(gap *g) {
    arb_clear(g->a), arb_clear(g->b), arb_clear(g->x);
    arb_clear(g->at_a), arb_clear(g->at_b), arb_clear(g->f);
}

static int sign_of(const arb_t v) { return arf_sgn(arb_midref(v)); }

// 0 as far as digits tell
static bool is_nothing(const gap *g) {
    const double size = fabs(ball_middle(g->at_a)) + fabs(ball_middle(g->at_b));
    return fabs(ball_middle(g->f)) <= 1e-30 * size;
}

static void add_touching(const critical_test *f, const gap *g, critical_values *out) {
    critical_value c = {.kind = f->test, .even = true};
    bool certain;
    arb_init(c.value);
    arb_set(c.value, g->x);
    if (f->test == TEST_HOPF) c.frequency = critical_test_pair(f, c.value, &certain);
    critical_push(out, &c);
}

static bool is_settled(stability_verdict v) { return v == STABLE_YES || v == STABLE_MARGINAL; }

// On one side no root has a positive real part, on the other one has: one crosses between.
static bool differ(stability_verdict a, stability_verdict b) {
    return (a == STABLE_NO && is_settled(b)) || (b == STABLE_NO && is_settled(a));
}

static stability_verdict verdict_at(scan *s, spectrum_kind kind, const arb_t p) {
    path_point at;
    stability_verdict v = STABLE_UNDECIDED;
    if (critical_point(s, p, BITS, true, NULL, &at) && at.proved) {
        v = spectrum_judge(&(spectrum){.c = at.polynomial}, kind, BITS);
        if (v == STABLE_UNDECIDED) v = discs_judge(at.linear.quotient.v, BITS);
    }
    path_point_clear(&at);
    return v;
}

// Eigenvalues with 256 bits, then as doubles; re is the array that is to be freed
typedef struct {
    slong count;
    double *re, *im;
} eigenvalues;

static eigenvalues eigenvalues_at(const scan *s, const path_point *at) {
    const slong n = s->count;
    eigenvalues out = {n, memory_array(double, 2 * n + 1), NULL};
    out.im = out.re + n;
    acb_mat_t a;
    acb_ptr e = _acb_vec_init(n);
    acb_mat_init(a, n, n);
    acb_mat_set_arb_mat(a, at->linear.quotient.v);
    if (n) acb_mat_approx_eig_qr(e, NULL, NULL, a, NULL, 0, BITS);
    for (slong i = 0; i < n; i++) {
        out.re[i] = ball_middle(acb_realref(e + i));
        out.im[i] = ball_middle(acb_imagref(e + i));
    }
    _acb_vec_clear(e, n);
    acb_mat_clear(a);
    return out;
}

bool critical_seems_stable(scan *s, spectrum_kind kind, const critical_value *from, double to) {
    path_point at;
    arb_t p, part;
    arb_init(p), arb_init(part);
    arb_set_d(p, to), arb_set_d(part, 0.4863);
    arb_sub(p, p, from->value, BITS), arb_mul(p, p, part, BITS), arb_add(p, p, from->value, BITS);
    arb_get_mid_arb(p, p);
    stability_verdict v = verdict_at(s, kind, p);
    if (v == STABLE_UNDECIDED && critical_point(s, p, BITS, false, NULL, &at)) {
        double size = 0, most = -INFINITY;
        eigenvalues e = eigenvalues_at(s, &at);
        for (slong i = 0; i < e.count; i++)
            size = fmax(size, hypot(e.re[i], e.im[i])), most = fmax(most, e.re[i]);
        v = most <= 1e-20 * size ? STABLE_YES : STABLE_NO;
        memory_free(e.re);
        path_point_clear(&at);
    }
    arb_clear(p), arb_clear(part);
    return is_settled(v);
}

// Which kind: where eigenvalues on the axis are 0, or where they are not
static int kind_at(scan *s, spectrum_kind kind, const arb_t p, double *frequency) {
    path_point at;
    int found = kind.even ? TEST_DOUBLE : TEST_HOPF;
    if (critical_point(s, p, BITS, false, NULL, &at)) {
        eigenvalues e = eigenvalues_at(s, &at);
        double size = 0;
        for (slong i = 0; i < e.count; i++) size = fmax(size, hypot(e.re[i], e.im[i]));
        for (slong i = 0; i < e.count; i++) {
            if (hypot(e.re[i], e.im[i]) < 1e-6 * size) found = TEST_ZERO;
            else if (fabs(e.re[i]) < 1e-6 * size) *frequency = fabs(e.im[i]);
        }
        memory_free(e.re);
    }
    path_point_clear(&at);
    if (found != TEST_HOPF) *frequency = 0;
    return found;
}

// The motion is enclosed over the ball, and is the one at both ends
static bool is_one_motion(scan *s, const arb_t ball, const arb_t a, const arb_t b) {
    path_point over, left = {0}, right = {0};
    const bool one =
        critical_point(s, ball, BITS, true, NULL, &over) && over.proved &&
        critical_point(s, a, BITS, true, NULL, &left) && path_point_holds(s->path, &over, &left) &&
        critical_point(s, b, BITS, true, NULL, &right) && path_point_holds(s->path, &over, &right);
    path_point_clear(&over), path_point_clear(&left), path_point_clear(&right);
    return one;
}

// Nowhere special between a and b, and elsewhere where the critical value itself was hit
static stability_verdict verdict_between(scan *s, spectrum_kind kind, const arb_t a, const arb_t b,
                                         arb_t x) {
    static const double part[] = {0.4863, 0.3127, 0.7019};
    stability_verdict v = STABLE_UNDECIDED;
    arb_t p;
    arb_init(p);
    for (int k = 0; k < 3 && v == STABLE_UNDECIDED; k++) {
        arb_set_d(p, part[k]);
        arb_sub(x, b, a, BITS), arb_mul(x, x, p, BITS), arb_add(x, x, a, BITS);
        arb_get_mid_arb(x, x);
        v = verdict_at(s, kind, x);
    }
    arb_clear(p);
    return v;
}

// Between a value where it is stable and one where it is not, by halves: of any multiplicity. Where
// digits end before it is known to fewer, if to any.
static void look_by_verdicts(scan *s, spectrum_kind kind, const critical_gap *g,
                             critical_values *out) {
    arb_t a, b, x;
    critical_value c = {.even = true, .proved = true};
    arb_init(a), arb_init(b), arb_init(x), arb_init(c.value);
    arb_set(a, g->low), arb_set(b, g->high);
    const slong size =
        arf_cmpabs_2exp_si(arb_midref(b), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(b)) : 0;
    for (int i = 0; i < MOST_STEPS; i++) {
        arb_sub(x, b, a, BITS);
        if (arf_cmpabs_2exp_si(arb_midref(x), size + CLOSE) < 0) break;
        const stability_verdict v = verdict_between(s, kind, a, b, x);
        if (v == STABLE_UNDECIDED) break;
        arb_set((v == STABLE_NO) == (g->left == STABLE_NO) ? a : b, x);
    }
    arb_union(c.value, a, b, BITS);
    if (mag_cmp_2exp_si(arb_radref(c.value), size - 64) < 0 && is_one_motion(s, c.value, a, b)) {
        c.kind = kind_at(s, kind, c.value, &c.frequency);
        critical_push(out, &c);
    } else {
        arb_clear(c.value);
    }
    arb_clear(a), arb_clear(b), arb_clear(x);
}

static void look_with_test(const critical_test *f, const critical_gap *at, critical_values *out) {
    gap g;
    gap_open(f, at->low, at->high, &g);
    const int a = sign_of(g.at_a), b = sign_of(g.at_b), x = g.has_x ? sign_of(g.f) : 0;
    if (a * b < 0) {
        critical_test_between(f, at->low, at->high, out);
    } else if (g.has_x && a * b > 0 && is_nothing(&g)) {
        if (!differ(at->left, at->right)) add_touching(f, &g, out);
    } else if (g.has_x && a * b > 0 && x * a < 0) {
        critical_test_between(f, at->low, g.x, out);
        critical_test_between(f, g.x, at->high, out);
    }
    gap_close(&g);
}

void critical_look_into(scan *s, spectrum_kind kind, const bool idle[TESTS], const critical_gap *at,
                        critical_values *out) {
    const uint32_t before = out->count;
    for (int t = 0; t < TESTS; t++)
        if (!idle[t] && (t != TEST_DOUBLE || kind.even))
            look_with_test(&(critical_test){s, kind, t, false}, at, out);
    if (out->count == before && differ(at->left, at->right)) look_by_verdicts(s, kind, at, out);
}

bool critical_is_small(scan *s, spectrum_kind kind, int test, const critical_gap *at) {
    const critical_test f = {s, kind, test, false};
    double largest = 0;
    arb_t a, b;
    arb_init(a), arb_init(b);
    for (uint32_t i = 0; i < s->row_count; i++) largest = fmax(largest, fabs(s->row[i].test[test]));
    const bool good = critical_test_value(&f, at->low, a) && critical_test_value(&f, at->high, b);
    const double here = fabs(ball_middle(a)) + fabs(ball_middle(b));
    arb_clear(a), arb_clear(b);
    return good && here < 1e-6 * largest;
}

void critical_add(critical_values *out, int kind, arb_srcptr value) {
    critical_value c = {.kind = kind};
    arb_init(c.value);
    arb_set(c.value, value);
    critical_push(out, &c);
}

void critical_merge(critical_values *out, critical_values *more) {
    for (uint32_t i = 0; i < more->count; i++) {
        critical_value *known = NULL, *next = &more->at[i];
        for (uint32_t k = 0; k < out->count && !known; k++)
            if (out->at[k].kind == next->kind &&
                are_near(out->at[k].value, next->value, out->at[k].proved && next->proved))
                known = &out->at[k];
        if (!known) {
            critical_push(out, next);
            continue;
        }
        if (!known->proved) arb_swap(known->value, next->value), known->proved = next->proved;
        arb_clear(next->value);
    }
    more->count = 0;
    if (out->count) qsort(out->at, out->count, sizeof *out->at, critical_by_value);
}
