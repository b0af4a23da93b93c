// Critical values: brackets from a scan, refined by false position, proved by signs.
#include "study/critical_test.h"

#include "study/steady_problem.h"

#include <acb_mat.h>
#include <math.h>
#include <stdlib.h>

enum { BITS = CRITICAL_BITS, MOST_STEPS = 200 };
static const slong CLOSE = CRITICAL_CLOSE;

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

static bool slope_at(const critical_test *f, const arb_t p, arb_t out) {
    path_point middle, at = {0};
    const bool good = critical_point(f->s, p, BITS, false, NULL, &middle) &&
                      critical_point(f->s, p, BITS, false, &middle, &at);
    const spectrum here = {at.polynomial, middle.polynomial, at.polynomial_rate, NULL};
    if (good) spectrum_test_rate(&here, f->kind, f->test, BITS, out);
    path_point_clear(&middle), path_point_clear(&at);
    return good;
}

bool critical_test_value(const critical_test *f, const arb_t p, arb_t out) {
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
        const critical_test f = {s, kind, test, false};
        all = critical_test_value(&f, p, v);
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

bool critical_test_root(const critical_test *f, arb_t a, arb_t b, arb_t fa, arb_t fb, arb_t out) {
    arb_t fx, d, x;
    arb_init(fx), arb_init(d), arb_init(x);
    bool good = true, done = false;
    int last = 0;
    arb_get_mid_arb(fa, fa), arb_get_mid_arb(fb, fb);
    for (int i = 0; i < MOST_STEPS && good && !done; i++) {
        arb_sub(d, fb, fa, BITS); // x = (a fb - b fa)/(fb - fa)
        arb_mul(x, a, fb, BITS), arb_submul(x, b, fa, BITS), arb_div(x, x, d, BITS);
        arb_get_mid_arb(x, x);
        good = arb_is_finite(x) && critical_test_value(f, x, fx);
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
static bool value_of_same(const critical_test *f, path_point *over, const arb_t p, arb_t out) {
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
static bool prove(const critical_test *f, arb_t x) {
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
double critical_test_pair(const critical_test *f, const arb_t p, bool *certain) {
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

void critical_push(critical_values *out, const critical_value *v) {
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? 2 * out->capacity : 16;
        memory_grow(out->at, out->capacity);
    }
    out->at[out->count++] = *v;
}

// Where the path jumps from one motion to another the test jumps, too: that is no zero.
static bool is_zero_at(const critical_test *f, const arb_t x, double size) {
    arb_t v;
    arb_init(v);
    const bool good = critical_test_value(f, x, v);
    const double here = fabs(ball_middle(v));
    arb_clear(v);
    return good && here <= 1e-12 * size;
}

void critical_test_between(const critical_test *f, const arb_t left, const arb_t right,
                           critical_values *out) {
    arb_t a, b, fa, fb;
    critical_value c = {.kind = f->test};
    arb_init(a), arb_init(b), arb_init(fa), arb_init(fb), arb_init(c.value);
    arb_set(a, left), arb_set(b, right);
    bool good = critical_test_value(f, a, fa) && critical_test_value(f, b, fb) &&
                arf_sgn(arb_midref(fa)) * arf_sgn(arb_midref(fb)) < 0;
    const double size = fabs(ball_middle(fa)) + fabs(ball_middle(fb));
    good = good && critical_test_root(f, a, b, fa, fb, c.value) && is_zero_at(f, c.value, size);
    if (good) {
        bool certain = true;
        c.proved = prove(f, c.value);
        if (f->test == TEST_HOPF) c.frequency = critical_test_pair(f, c.value, &certain);
        good = f->test != TEST_HOPF || c.frequency > 0;
        c.proved = c.proved && certain && !f->kind.guessed && !f->kind.zeros;
    }
    if (good) critical_push(out, &c);
    else arb_clear(c.value);
    arb_clear(a), arb_clear(b), arb_clear(fa), arb_clear(fb);
}

int critical_by_value(const void *a, const void *b) {
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
        const critical_test f = {s, kind, t, false};
        arb_t left, right;
        arb_init(left), arb_init(right);
        for (uint32_t i = 0; i + 1 < s->row_count; i++) {
            const double a = s->row[i].test[t], b = s->row[i + 1].test[t];
            if (a == 0 && i > 0) continue; // it was in the interval before
            arb_set_d(left, s->row[i].p), arb_set_d(right, s->row[i + 1].p);
            if (b == 0 && i + 2 < s->row_count) arb_set_d(right, s->row[i + 2].p);
            if ((a > 0) != (b > 0) || b == 0) critical_test_between(&f, left, right, out);
        }
        arb_clear(left), arb_clear(right);
    }
    if (out->count) qsort(out->at, out->count, sizeof *out->at, critical_by_value);
    keep_inside(low, high, out);
}

double critical_middle(const critical_value *c) { return ball_middle(c->value); }

void critical_clear(critical_values *c) {
    for (uint32_t i = 0; i < c->count; i++) arb_clear(c->at[i].value);
    memory_free(c->at);
}
