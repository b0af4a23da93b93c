// Critical values: brackets from a scan, refined by false position, proved by signs.
#include "study/critical.h"

#include "study/discs.h"
#include "study/steady_problem.h"

#include <acb_mat.h>
#include <math.h>
#include <stdlib.h>

enum { BITS = 256, MOST_STEPS = 200 };
static const slong CLOSE = -124; // 2^CLOSE, relative: the radius that is proved, 5e-38

// --- values with many digits ---------------------------------------------------------------------

static bool go_to(scan *s, const path_point *from, const arb_t p, slong bits, path_point *out) {
    path_point_copy(from, bits, out);
    return path_point_predict(s->path, out, p) && path_point_solve(s->path, out);
}

// From a point near by. Beside a crossing of branches Newton's method finds the wrong one of two,
// whose tangent does not lead back: then by halves of the way.
static bool reach(scan *s, const path_point *near, const arb_t p, slong bits, path_point *out) {
    enum { MOST_HALVES = 64 };
    path_point from, step;
    arb_t x;
    bool good = go_to(s, near, p, bits, out);
    if (good && scan_leads_back(s, near, out)) return true;
    arb_init(x);
    path_point_copy(near, bits, &from);
    bool found = false, going = true;
    for (int i = 0; i < MOST_HALVES && going && !found; i++) {
        arb_add(x, path_point_p(s->path, &from), p, bits), arb_mul_2exp_si(x, x, -1);
        arb_get_mid_arb(x, x);
        going = go_to(s, &from, x, bits, &step) && scan_leads_back(s, &from, &step);
        path_point_clear(&from);
        from = step;
        if (!going) break;
        found = go_to(s, &from, p, bits, &step) && scan_leads_back(s, &from, &step);
        if (found) path_point_clear(out), *out = step;
        else path_point_clear(&step);
    }
    path_point_clear(&from);
    arb_clear(x);
    return found || good;
}

bool critical_point(scan *s, const arb_t p, slong bits, bool prove, path_point *middle,
                    path_point *out) {
    arb_t centre;
    arb_init(centre);
    arb_get_mid_arb(centre, p);
    const scan_row *near = scan_near(s, ball_middle(centre));
    bool good = reach(s, &near->at, centre, bits, out);
    arb_clear(centre);
    if (good && prove) {
        path_point_set_p(s->path, out, p);
        path_point_enclose(s->path, out);
    }
    return good && path_point_linearise(s->path, out, middle) && out->linear.count == s->count;
}

typedef struct {
    scan *s;
    spectrum_kind kind;
    int test;
    bool slope; // its derivative is meant
} test_function;

static bool slope_at(const test_function *f, const arb_t p, arb_t out) {
    path_point middle, at = {0};
    const bool good = critical_point(f->s, p, BITS, false, NULL, &middle) &&
                      critical_point(f->s, p, BITS, false, &middle, &at);
    const spectrum here = {at.polynomial, middle.polynomial, at.polynomial_rate, NULL};
    if (good) spectrum_test_rate(&here, f->kind, f->test, BITS, out);
    path_point_clear(&middle), path_point_clear(&at);
    return good;
}

static bool value_at(const test_function *f, const arb_t p, arb_t out) {
    path_point at;
    if (f->slope) return slope_at(f, p, out);
    const bool good = critical_point(f->s, p, BITS, false, NULL, &at);
    if (good) spectrum_test(&(spectrum){.c = at.polynomial}, f->kind, f->test, BITS, out);
    path_point_clear(&at);
    return good;
}

// --- tests that say nothing ----------------------------------------------------------------------

enum { PLACES = 3 };

// 0 at places that are nowhere special
static bool vanishes(scan *s, spectrum_kind kind, int test) {
    const double low = s->row[0].p, high = s->row[s->row_count - 1].p;
    static const double part[PLACES] = {0.2360679775, 0.6180339887, 0.8541019662};
    arb_t p, v;
    arb_init(p), arb_init(v);
    bool all = true;
    for (int i = 0; i < PLACES && all; i++) {
        arb_set_d(p, low + part[i] * (high - low));
        const test_function f = {s, kind, test, false};
        all = value_at(&f, p, v);
        arb_add_error_2exp_si(v, -BITS * 3 / 4);
        all = all && arb_contains_zero(v);
    }
    arb_clear(p), arb_clear(v);
    return all;
}

static bool seems_even(scan *s, uint32_t zeros) {
    const double low = s->row[0].p, high = s->row[s->row_count - 1].p;
    path_point at;
    arb_t p, v;
    arb_init(p), arb_init(v);
    arb_set_d(p, low + 0.6180339887 * (high - low));
    bool even = critical_point(s, p, BITS, false, NULL, &at);
    for (slong k = zeros + 1; k <= arb_poly_degree(at.polynomial) && even; k += 2) {
        arb_poly_get_coeff_arb(v, at.polynomial, k);
        arb_add_error_2exp_si(v, -BITS * 3 / 4);
        even = arb_contains_zero(v);
    }
    arb_clear(p), arb_clear(v);
    path_point_clear(&at);
    return even && (s->count - zeros) % 2 == 0;
}

void critical_look_at(scan *s, spectrum_kind *kind, bool idle[TESTS]) {
    while (kind->zeros < s->count && vanishes(s, *kind, TEST_ZERO)) kind->zeros++;
    if (!kind->even && s->count > kind->zeros)
        kind->even = kind->guessed = seems_even(s, kind->zeros);
    idle[TEST_ZERO] = kind->zeros == s->count;
    idle[TEST_HOPF] = kind->even || vanishes(s, *kind, TEST_HOPF);
    idle[TEST_DOUBLE] = vanishes(s, *kind, TEST_DOUBLE);
}

// --- refinement ----------------------------------------------------------------------------------

// The Illinois variant of false position, in midpoints; a and b have values of opposite signs
static bool refine(const test_function *f, arb_t a, arb_t b, arb_t fa, arb_t fb, arb_t out) {
    arb_t fx, d, x;
    arb_init(fx), arb_init(d), arb_init(x);
    bool good = true, done = false;
    int last = 0;
    arb_get_mid_arb(fa, fa), arb_get_mid_arb(fb, fb);
    for (int i = 0; i < MOST_STEPS && good && !done; i++) {
        arb_sub(d, fb, fa, BITS); // x = (a fb - b fa)/(fb - fa)
        arb_mul(x, a, fb, BITS), arb_submul(x, b, fa, BITS), arb_div(x, x, d, BITS);
        arb_get_mid_arb(x, x);
        good = arb_is_finite(x) && value_at(f, x, fx);
        arb_get_mid_arb(fx, fx);
        arb_sub(d, x, out, BITS);
        arb_get_mid_arb(d, d);
        const slong size =
            arf_cmpabs_2exp_si(arb_midref(x), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(x)) : 0;
        done = good &&
               ((i && arf_cmpabs_2exp_si(arb_midref(d), size + CLOSE - 12) < 0) || arb_is_zero(fx));
        arb_set(out, x);
        const bool as_a = arf_sgn(arb_midref(fx)) == arf_sgn(arb_midref(fa));
        if (as_a) arb_set(a, x), arb_set(fa, fx);
        else arb_set(b, x), arb_set(fb, fx);
        if (last == (as_a ? 1 : 2)) arb_mul_2exp_si(as_a ? fb : fa, as_a ? fb : fa, -1);
        last = as_a ? 1 : 2;
    }
    arb_clear(fx), arb_clear(d), arb_clear(x);
    return done;
}

// The value at an end of a ball, of the motion that is enclosed over all of it: from different rows
// it need not be the same one.
static bool value_of_same(const test_function *f, path_point *over, const arb_t p, arb_t out) {
    path_point at;
    const bool good =
        critical_point(f->s, p, BITS, true, NULL, &at) && path_point_holds(f->s->path, over, &at);
    if (good) spectrum_test(&(spectrum){.c = at.polynomial}, f->kind, f->test, BITS, out);
    path_point_clear(&at);
    return good;
}

static bool have_opposite_signs(const arb_t v, const arb_t w) {
    return (arb_is_positive(v) && arb_is_negative(w)) || (arb_is_negative(v) && arb_is_positive(w));
}

// f(x - r) and f(x + r) have opposite signs, and the motion is enclosed between
static bool prove(const test_function *f, arb_t x) {
    arb_t left, right, v, w, ball;
    arb_init(left), arb_init(right), arb_init(v), arb_init(w), arb_init(ball);
    const slong size =
        arf_cmpabs_2exp_si(arb_midref(x), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(x)) : 0;
    bool proved = false;
    // where values are small a wider ball may do
    for (slong more = 0; more <= 24 && !proved; more += 12) {
        arb_get_mid_arb(ball, x);
        mag_set_ui_2exp_si(arb_radref(ball), 1, size + CLOSE + more);
        arb_get_lbound_arf(arb_midref(left), ball, BITS), mag_zero(arb_radref(left));
        arb_get_ubound_arf(arb_midref(right), ball, BITS), mag_zero(arb_radref(right));
        path_point at;
        proved = critical_point(f->s, ball, BITS, true, NULL, &at) && at.proved;
        proved = proved && value_of_same(f, &at, left, v) && value_of_same(f, &at, right, w) &&
                 have_opposite_signs(v, w);
        path_point_clear(&at);
    }
    if (proved) arb_set(x, ball);
    arb_clear(left), arb_clear(right), arb_clear(v), arb_clear(w), arb_clear(ball);
    return proved;
}

// --- Hopf or not ---------------------------------------------------------------------------------

// D_(n-1) = 0 where two eigenvalues have the sum 0: a pair on the imaginary axis, or a and -a. The
// frequency of the pair; 0 if there is none. `certain`: no other two can be meant.
static double imaginary_pair(const test_function *f, const arb_t p, bool *certain) {
    path_point at;
    double frequency = 0;
    *certain = false;
    if (critical_point(f->s, p, BITS, true, NULL, &at)) {
        const uint32_t n = f->s->count;
        acb_mat_t a, right;
        acb_ptr near = _acb_vec_init(n), e = _acb_vec_init(n);
        acb_mat_init(a, n, n), acb_mat_init(right, n, n);
        acb_mat_set_arb_mat(a, at.linear.quotient.v);
        acb_mat_approx_eig_qr(near, NULL, right, a, NULL, 0, BITS);
        *certain = acb_mat_eig_multiple(e, a, near, right, BITS);
        acb_t sum;
        acb_init(sum);
        uint32_t zeros = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = i + 1; j < n; j++) {
                acb_srcptr of = *certain ? e : near;
                acb_add(sum, of + i, of + j, BITS);
                if (!*certain) {
                    arb_add_error_2exp_si(acb_realref(sum), -64);
                    arb_add_error_2exp_si(acb_imagref(sum), -64);
                }
                if (!acb_contains_zero(sum)) continue;
                zeros++;
                if (!arb_contains_zero(acb_imagref(of + i)))
                    frequency = fabs(ball_middle(acb_imagref(of + i)));
            }
        *certain = *certain && zeros == 1;
        acb_clear(sum);
        _acb_vec_clear(near, n), _acb_vec_clear(e, n);
        acb_mat_clear(a), acb_mat_clear(right);
    }
    path_point_clear(&at);
    return frequency;
}

// --- all of them ---------------------------------------------------------------------------------

static void push(critical_values *out, const critical_value *v) {
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 16;
        memory_grow(out->at, out->capacity);
    }
    out->at[out->count++] = *v;
}

// Where the path jumps from one motion to another the test jumps, too: that is no zero.
static bool is_zero_at(const test_function *f, const arb_t x, double size) {
    arb_t v;
    arb_init(v);
    const bool good = value_at(f, x, v);
    const double here = fabs(ball_middle(v));
    arb_clear(v);
    return good && here <= 1e-12 * size;
}

static void look_between(const test_function *f, const arb_t left, const arb_t right,
                         critical_values *out) {
    arb_t a, b, fa, fb;
    critical_value c = {.kind = f->test};
    arb_init(a), arb_init(b), arb_init(fa), arb_init(fb), arb_init(c.value);
    arb_set(a, left), arb_set(b, right);
    bool good = value_at(f, a, fa) && value_at(f, b, fb) &&
                arf_sgn(arb_midref(fa)) * arf_sgn(arb_midref(fb)) < 0;
    const double size = fabs(ball_middle(fa)) + fabs(ball_middle(fb));
    good = good && refine(f, a, b, fa, fb, c.value) && is_zero_at(f, c.value, size);
    if (good) {
        bool certain = true;
        c.proved = prove(f, c.value);
        if (f->test == TEST_HOPF) c.frequency = imaginary_pair(f, c.value, &certain);
        good = f->test != TEST_HOPF || c.frequency > 0;
        c.proved = c.proved && certain && !f->kind.guessed && !f->kind.zeros;
    }
    if (good) push(out, &c);
    else arb_clear(c.value);
    arb_clear(a), arb_clear(b), arb_clear(fa), arb_clear(fb);
}

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

static int by_value(const void *a, const void *b) {
    const critical_value *x = a, *y = b;
    const int order = arf_cmp(arb_midref(x->value), arb_midref(y->value));
    return order ? order : x->kind - y->kind;
}

static void keep_inside(arb_srcptr low, arb_srcptr high, critical_values *out) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        critical_value *c = &out->at[i];
        if (arb_lt(c->value, low) || arb_gt(c->value, high)) arb_clear(c->value);
        else out->at[kept++] = *c;
    }
    out->count = kept;
}

void critical_find(scan *s, spectrum_kind kind, const bool idle[TESTS], arb_srcptr low,
                   arb_srcptr high, critical_values *out) {
    *out = (critical_values){0};
    for (int t = 0; t < TESTS; t++) {
        if (idle[t]) continue;
        const test_function f = {s, kind, t, false};
        arb_t left, right;
        arb_init(left), arb_init(right);
        for (uint32_t i = 0; i + 1 < s->row_count; i++) {
            const double a = s->row[i].test[t], b = s->row[i + 1].test[t];
            if (a == 0 && i > 0) continue; // it was in the interval before
            arb_set_d(left, s->row[i].p), arb_set_d(right, s->row[i + 1].p);
            if (b == 0 && i + 2 < s->row_count) arb_set_d(right, s->row[i + 2].p);
            if ((a > 0) != (b > 0) || b == 0) look_between(&f, left, right, out);
        }
        arb_clear(left), arb_clear(right);
    }
    if (out->count) qsort(out->at, out->count, sizeof *out->at, by_value);
    keep_inside(low, high, out);
}

// --- where proofs come to a halt -----------------------------------------------------------------

// What a test is at the ends of a gap and where its derivative is 0 between
typedef struct {
    arb_t a, b, x;       // values of the parameter
    arb_t at_a, at_b, f; // the test there; f in x
    bool has_x;
} gap;

static void gap_open(const test_function *f, const arb_t low, const arb_t high, gap *g) {
    const test_function slope = {f->s, f->kind, f->test, true};
    arb_t a, b, sa, sb;
    arb_init(a), arb_init(b), arb_init(sa), arb_init(sb);
    arb_init(g->a), arb_init(g->b), arb_init(g->x);
    arb_init(g->at_a), arb_init(g->at_b), arb_init(g->f);
    arb_set(g->a, low), arb_set(g->b, high), arb_set(a, low), arb_set(b, high);
    g->has_x = value_at(f, low, g->at_a) && value_at(f, high, g->at_b) && slope_at(f, low, sa) &&
               slope_at(f, high, sb) && arf_sgn(arb_midref(sa)) * arf_sgn(arb_midref(sb)) < 0 &&
               refine(&slope, a, b, sa, sb, g->x) && value_at(f, g->x, g->f);
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

static void add_touching(const test_function *f, const gap *g, critical_values *out) {
    critical_value c = {.kind = f->test, .even = true};
    bool certain;
    arb_init(c.value);
    arb_set(c.value, g->x);
    if (f->test == TEST_HOPF) c.frequency = imaginary_pair(f, c.value, &certain);
    push(out, &c);
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

// Between a value where it is stable and one where it is not, by halves: of any multiplicity
static void look_by_verdicts(scan *s, spectrum_kind kind, const critical_gap *g,
                             critical_values *out) {
    arb_t a, b, x;
    critical_value c = {.even = true};
    arb_init(a), arb_init(b), arb_init(x), arb_init(c.value);
    arb_set(a, g->low), arb_set(b, g->high);
    const slong size =
        arf_cmpabs_2exp_si(arb_midref(b), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(b)) : 0;
    for (int i = 0; i < MOST_STEPS; i++) {
        arb_sub(x, b, a, BITS);
        if (arf_cmpabs_2exp_si(arb_midref(x), size + CLOSE) < 0) break;
        // nowhere special, and elsewhere where the value itself was hit
        static const double part[] = {0.4863, 0.3127, 0.7019};
        stability_verdict v = STABLE_UNDECIDED;
        for (int k = 0; k < 3 && v == STABLE_UNDECIDED; k++) {
            arb_set_d(c.value, part[k]);
            arb_sub(x, b, a, BITS), arb_mul(x, x, c.value, BITS), arb_add(x, x, a, BITS);
            arb_get_mid_arb(x, x);
            v = verdict_at(s, kind, x);
        }
        if (v == STABLE_UNDECIDED) break;
        arb_set((v == STABLE_NO) == (g->left == STABLE_NO) ? a : b, x);
    }
    arb_union(c.value, a, b, BITS);
    // where digits end before: known to fewer, if to any
    bool good = mag_cmp_2exp_si(arb_radref(c.value), size - 64) < 0;
    good = good && is_one_motion(s, c.value, a, b);
    if (good) {
        c.proved = true, c.kind = kind_at(s, kind, c.value, &c.frequency);
        push(out, &c);
    } else {
        arb_clear(c.value);
    }
    arb_clear(a), arb_clear(b), arb_clear(x);
}

static void look_with_test(const test_function *f, const critical_gap *at, critical_values *out) {
    gap g;
    gap_open(f, at->low, at->high, &g);
    const int a = sign_of(g.at_a), b = sign_of(g.at_b), x = g.has_x ? sign_of(g.f) : 0;
    if (a * b < 0) {
        look_between(f, at->low, at->high, out);
    } else if (g.has_x && a * b > 0 && is_nothing(&g)) {
        if (!differ(at->left, at->right)) add_touching(f, &g, out);
    } else if (g.has_x && a * b > 0 && x * a < 0) {
        look_between(f, at->low, g.x, out);
        look_between(f, g.x, at->high, out);
    }
    gap_close(&g);
}

void critical_look_into(scan *s, spectrum_kind kind, const bool idle[TESTS], const critical_gap *at,
                        critical_values *out) {
    const uint32_t before = out->count;
    for (int t = 0; t < TESTS; t++)
        if (!idle[t] && (t != TEST_DOUBLE || kind.even))
            look_with_test(&(test_function){s, kind, t, false}, at, out);
    if (out->count == before && differ(at->left, at->right)) look_by_verdicts(s, kind, at, out);
}

void critical_add(critical_values *out, int kind, arb_srcptr value) {
    critical_value c = {.kind = kind};
    arb_init(c.value);
    arb_set(c.value, value);
    push(out, &c);
}

void critical_merge(critical_values *out, critical_values *more) {
    for (uint32_t i = 0; i < more->count; i++) {
        critical_value *known = NULL, *next = &more->at[i];
        for (uint32_t k = 0; k < out->count && !known; k++)
            if (out->at[k].kind == next->kind &&
                are_near(out->at[k].value, next->value, out->at[k].proved && next->proved))
                known = &out->at[k];
        if (!known) {
            push(out, next);
            continue;
        }
        if (!known->proved) arb_swap(known->value, next->value), known->proved = next->proved;
        arb_clear(next->value);
    }
    more->count = 0;
    if (out->count) qsort(out->at, out->count, sizeof *out->at, by_value);
}

double critical_middle(const critical_value *c) { return ball_middle(c->value); }

void critical_clear(critical_values *c) {
    for (uint32_t i = 0; i < c->count; i++) arb_clear(c->at[i].value);
    memory_free(c->at);
}
