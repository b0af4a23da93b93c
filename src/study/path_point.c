// One point on a path of steady motions, or all of a piece of it: solved, enclosed, linearised.
#include "study/steady_path.h"
#include "study/steady_problem.h"

#include <math.h>

enum { MOST_STEPS = 40, MOST_INFLATIONS = 6 };

// --- values --------------------------------------------------------------------------------------

void path_point_init(const steady_path *a, slong bits, path_point *out) {
    *out = (path_point){0};
    state_copy_midpoints(&a->from->x, bits, &out->x);
    state_reserve(&out->x);
    for (uint32_t i = 0; i < a->zeros; i++) arb_zero(state_get(&out->x, a->w->unknown[a->zero[i]]));
    arb_poly_init(out->polynomial), arb_poly_init(out->polynomial_rate);
}

void path_point_copy(const path_point *from, slong bits, path_point *out) {
    *out = (path_point){0};
    state_copy_midpoints(&from->x, bits, &out->x);
    state_reserve(&out->x);
    arb_poly_init(out->polynomial), arb_poly_init(out->polynomial_rate);
}

static void forget_box(path_point *at) {
    if (at->around) _arb_vec_clear(at->around, at->around_count);
    at->around = NULL, at->around_count = 0;
    at->proved = false;
}

static void forget_linear(path_point *at) {
    if (at->has_linear) linear_matrices_clear(&at->linear);
    at->has_linear = false;
}

void path_point_clear(path_point *at) {
    if (!at->x.value) return;
    forget_linear(at);
    forget_box(at);
    state_clear(&at->x);
    arb_poly_clear(at->polynomial), arb_poly_clear(at->polynomial_rate);
}

arb_ptr path_point_p(const steady_path *a, path_point *at) { return state_get(&at->x, a->p); }

static arb_ptr unknown(const steady_path *a, path_point *at, uint32_t i) {
    return state_get(&at->x, a->w->unknown[a->solved[i]]);
}

static void set(steady_path *a, path_point *at, expr symbol, const arb_t value) {
    state_set(&at->x, symbol, value);
    arb_ptr v = _arb_vec_init(a->settings + 1);
    program_run_arb(a->set, at->x.value, at->x.precision > 64 ? at->x.precision : 64, v);
    for (uint32_t i = 0; i < a->settings; i++) state_set(&at->x, a->setting[i], v + i);
    _arb_vec_clear(v, a->settings + 1);
}

void path_point_set_p(steady_path *a, path_point *at, const arb_t p) { set(a, at, a->p, p); }

void path_point_set_second(steady_path *a, path_point *at, const arb_t value) {
    set(a, at, a->second, value);
}

static void evaluate(steady_path *a, path_point *at) {
    linear_problem_run(a->rows, &at->x, at->x.precision, a->value);
}

static arb_ptr slope(const steady_path *a, uint32_t i, uint32_t unknown) {
    return a->value + a->rank + (size_t)i * a->w->unknowns + unknown;
}

static arb_ptr rate(const steady_path *a, uint32_t i) {
    return a->value + (size_t)a->rank * (a->w->unknowns + 1) + i;
}

static void load_slopes(const steady_path *a, arb_mat_t j) {
    for (uint32_t i = 0; i < a->rank; i++)
        for (uint32_t k = 0; k < a->rank; k++)
            arb_set(arb_mat_entry(j, i, k), slope(a, i, a->solved[k]));
}

// --- prediction and correction -------------------------------------------------------------------

bool path_point_predict(steady_path *a, path_point *at, const arb_t p) {
    const uint32_t r = a->rank;
    const slong bits = at->x.precision;
    arb_mat_t j, right, step;
    arb_mat_init(j, r, r), arb_mat_init(right, r, 1), arb_mat_init(step, r, 1);
    evaluate(a, at);
    load_slopes(a, j);
    for (uint32_t i = 0; i < r; i++) arb_set(arb_mat_entry(right, i, 0), rate(a, i));
    const bool good = arb_mat_approx_solve(step, j, right, bits);
    arb_t d;
    arb_init(d);
    arb_sub(d, p, path_point_p(a, at), bits);
    mag_zero(arb_radref(d));
    for (uint32_t i = 0; i < r && good; i++) {
        arb_submul(unknown(a, at, i), arb_mat_entry(step, i, 0), d, bits);
        mag_zero(arb_radref(unknown(a, at, i)));
    }
    arb_clear(d);
    path_point_set_p(a, at, p);
    forget_linear(at);
    forget_box(at);
    arb_mat_clear(j), arb_mat_clear(right), arb_mat_clear(step);
    return good;
}

// s -= step; how large that is, relative to 1 + |s|
static double move(steady_path *a, path_point *at, arb_mat_t step) {
    double largest = 0;
    for (uint32_t i = 0; i < a->rank; i++) {
        arb_ptr s = unknown(a, at, i), d = arb_mat_entry(step, i, 0);
        const double size = 1 + fabs(ball_middle(s)), change = fabs(ball_middle(d)) / size;
        largest = isfinite(change) ? fmax(largest, change) : INFINITY;
        arb_sub(s, s, d, at->x.precision);
        mag_zero(arb_radref(s));
    }
    return largest;
}

bool path_point_solve(steady_path *a, path_point *at) {
    const uint32_t r = a->rank;
    const slong bits = at->x.precision;
    // Newton's method doubles the digits: behind a step of half of them comes the last one
    const double enough = ldexp(1, (int)(bits > 53 ? -bits / 2 - 8 : -36));
    arb_mat_t j, right, step;
    arb_mat_init(j, r, r), arb_mat_init(right, r, 1), arb_mat_init(step, r, 1);
    bool good = true, done = false;
    double before = INFINITY;
    for (int count = 0; count < MOST_STEPS && good && !done; count++) {
        evaluate(a, at);
        load_slopes(a, j);
        for (uint32_t i = 0; i < r; i++) arb_set(arb_mat_entry(right, i, 0), a->value + i);
        good = arb_mat_approx_solve(step, j, right, bits);
        const double change = good ? move(a, at, step) : INFINITY;
        done = change <= enough;
        good = isfinite(change) && (count < 3 || change < before);
        before = change;
    }
    arb_mat_clear(j), arb_mat_clear(right), arb_mat_clear(step);
    forget_linear(at);
    forget_box(at);
    return done;
}

// --- proof ---------------------------------------------------------------------------------------

// With p = p0 + d the motion is looked for along its tangent: s = x + t d + e, where x is the
// solution at p0 and t = ds/dp there, both exact numbers.
typedef struct {
    steady_path *a;
    path_point *at;
    arb_mat_t y, centre, tangent, shift, j, box, image; // shift = Y F(x + t d, p)
    arb_t p, p0, d;
} krawczyk;

// s = x + t d + e, with e = 0 or in the box
static void set_unknowns(krawczyk *k, bool with_box) {
    const slong bits = k->at->x.precision;
    for (uint32_t i = 0; i < k->a->rank; i++) {
        arb_ptr s = unknown(k->a, k->at, i);
        arb_set(s, arb_mat_entry(k->centre, i, 0));
        arb_addmul(s, arb_mat_entry(k->tangent, i, 0), k->d, bits);
        if (with_box) arb_add(s, s, arb_mat_entry(k->box, i, 0), bits);
    }
}

// K(E) = -Y F(x + t d, p) + (I - Y dF/ds(x + t d + E, p)) E inside of E: a zero for each p, and one
// only in x + t d + E
static bool is_inside(krawczyk *k) {
    steady_path *a = k->a;
    const uint32_t r = a->rank;
    const slong bits = k->at->x.precision;
    set_unknowns(k, true);
    evaluate(a, k->at);
    load_slopes(a, k->j);
    arb_mat_mul(k->j, k->y, k->j, bits);
    arb_mat_neg(k->j, k->j);
    for (uint32_t i = 0; i < r; i++)
        arb_add_ui(arb_mat_entry(k->j, i, i), arb_mat_entry(k->j, i, i), 1, bits);
    arb_mat_mul(k->image, k->j, k->box, bits);
    arb_mat_sub(k->image, k->image, k->shift, bits);
    bool inside = true;
    for (uint32_t i = 0; i < r; i++)
        inside = inside &&
                 arb_contains_interior(arb_mat_entry(k->box, i, 0), arb_mat_entry(k->image, i, 0));
    return inside;
}

// A box around 0 that is somewhat larger than the image
static void inflate(krawczyk *k) {
    for (uint32_t i = 0; i < k->a->rank; i++) {
        arb_ptr b = arb_mat_entry(k->box, i, 0);
        mag_t reach, least;
        mag_init(reach), mag_init(least);
        arb_get_mag(reach, arb_mat_entry(k->image, i, 0));
        mag_mul_ui(reach, reach, 5), mag_mul_2exp_si(reach, reach, -2);
        mag_set_ui_2exp_si(least, 1, -k->at->x.precision + 24);
        mag_add(reach, reach, least);
        arb_zero(b);
        mag_swap(arb_radref(b), reach);
        mag_clear(reach), mag_clear(least);
    }
}

static bool is_regular(arb_srcptr v, uint32_t size, slong bits) {
    arb_mat_t m;
    arb_t det;
    arb_mat_init(m, size, size), arb_init(det);
    for (uint32_t i = 0; i < size * size; i++) arb_set(arb_mat_entry(m, i / size, i % size), v + i);
    arb_mat_det(det, m, bits);
    const bool regular = !arb_contains_zero(det);
    arb_mat_clear(m), arb_clear(det);
    return regular;
}

// The rows that were left out follow from the others over the balls.
bool path_point_rows_follow(steady_path *a, path_point *at) {
    const uint32_t count = a->identities, all = count * count + a->block * a->block;
    if (!all) return true;
    const slong bits = at->x.precision;
    arb_ptr v = _arb_vec_init(all);
    program_run_arb(a->checks, at->x.value, bits, v);
    const bool follow = (!count || is_regular(v, count, bits)) &&
                        (!a->block || is_regular(v + count * count, a->block, bits));
    _arb_vec_clear(v, all);
    return follow;
}

// At p0: Y = (dF/ds)^-1, t = -Y dF/dp, nearly; shift = F there
static bool prepare(krawczyk *k) {
    steady_path *a = k->a;
    const uint32_t r = a->rank;
    const slong bits = k->at->x.precision;
    path_point_set_p(a, k->at, k->p0);
    evaluate(a, k->at);
    load_slopes(a, k->j);
    arb_mat_get_mid(k->j, k->j);
    if (!arb_mat_approx_inv(k->y, k->j, bits)) return false;
    for (uint32_t i = 0; i < r; i++) {
        arb_get_mid_arb(arb_mat_entry(k->centre, i, 0), unknown(a, k->at, i));
        arb_neg(arb_mat_entry(k->image, i, 0), rate(a, i));
        arb_set(arb_mat_entry(k->shift, i, 0), a->value + i);
    }
    arb_mat_approx_mul(k->tangent, k->y, k->image, bits);
    arb_mat_get_mid(k->tangent, k->tangent);
    return arb_mat_is_finite(k->tangent);
}

// F(x + t d, p0 + d) = F(x, p0) + (dF/dp + dF/ds t) d, the bracket over the whole ball: it is small
static void move_along(krawczyk *k) {
    steady_path *a = k->a;
    const uint32_t r = a->rank;
    const slong bits = k->at->x.precision;
    path_point_set_p(a, k->at, k->p);
    if (arb_is_zero(k->d)) return;
    set_unknowns(k, false);
    evaluate(a, k->at);
    load_slopes(a, k->j);
    arb_mat_mul(k->image, k->j, k->tangent, bits);
    for (uint32_t i = 0; i < r; i++) {
        arb_ptr v = arb_mat_entry(k->image, i, 0);
        arb_add(v, v, rate(a, i), bits);
        arb_addmul(arb_mat_entry(k->shift, i, 0), v, k->d, bits);
    }
}

// R(s) = R(s with Z = 0) + dR/dZ Z, and both are 0: so is Z where dR/dZ is regular, over all that
// lies between. Then Z is known exactly.
static bool rests(steady_path *a, path_point *at) {
    const uint32_t count = a->rests;
    const slong bits = at->x.precision;
    if (!count) return true;
    arb_ptr v = _arb_vec_init(count * count);
    arb_t zero;
    arb_init(zero);
    for (uint32_t i = 0; i < count; i++) {
        arb_ptr z = unknown(a, at, a->rest[i]);
        arb_union(z, z, zero, bits);
    }
    evaluate(a, at);
    for (uint32_t i = 0; i < count * count; i++)
        arb_set(v + i, slope(a, a->rest_row[i / count], a->solved[a->rest[i % count]]));
    const bool regular = is_regular(v, count, bits);
    for (uint32_t i = 0; i < count; i++) arb_zero(unknown(a, at, a->rest[i]));
    arb_clear(zero);
    _arb_vec_clear(v, count * count);
    return regular;
}

static bool enclose(krawczyk *k) {
    steady_path *a = k->a;
    const slong bits = k->at->x.precision;
    arb_set(k->p, path_point_p(a, k->at));
    arb_get_mid_arb(k->p0, k->p);
    arb_sub(k->d, k->p, k->p0, bits);
    const bool good = prepare(k);
    if (good) move_along(k);
    else path_point_set_p(a, k->at, k->p);
    if (!good) return false;
    arb_mat_mul(k->shift, k->y, k->shift, bits);
    arb_mat_set(k->image, k->shift);
    bool inside = false;
    for (int i = 0; i < MOST_INFLATIONS && !inside; i++) {
        inflate(k);
        inside = is_inside(k);
        if (!arb_mat_is_finite(k->image)) break;
    }
    set_unknowns(k, false);
    for (uint32_t i = 0; i < a->rank && inside; i++) {
        arb_ptr s = unknown(a, k->at, i);
        arb_add(s, s, arb_mat_entry(k->image, i, 0), bits);
    }
    return inside;
}

// p0, then x, t and E
static void keep_box(krawczyk *k) {
    path_point *at = k->at;
    const uint32_t r = k->a->rank;
    at->around_count = 3 * r + 1;
    at->around = _arb_vec_init(at->around_count);
    arb_set(at->around, k->p0);
    for (uint32_t i = 0; i < r; i++) {
        arb_set(at->around + 1 + i, arb_mat_entry(k->centre, i, 0));
        arb_set(at->around + 1 + r + i, arb_mat_entry(k->tangent, i, 0));
        arb_set(at->around + 1 + 2 * r + i, arb_mat_entry(k->box, i, 0));
    }
}

bool path_point_holds(const steady_path *a, const path_point *over, const path_point *at) {
    const uint32_t r = a->rank;
    const slong bits = 2 * over->x.precision;
    path_point *here = (path_point *)at;
    arb_t d, e;
    arb_init(d), arb_init(e);
    bool same = over->proved && at->proved;
    if (same) arb_sub(d, path_point_p(a, here), over->around, bits);
    for (uint32_t i = 0; i < r && same; i++) { // s - x - t d
        arb_sub(e, unknown(a, here, i), over->around + 1 + i, bits);
        arb_submul(e, over->around + 1 + r + i, d, bits);
        same = arb_contains(over->around + 1 + 2 * r + i, e);
    }
    arb_clear(d), arb_clear(e);
    return same;
}

void path_point_enclose(steady_path *a, path_point *at) {
    const uint32_t r = a->rank;
    krawczyk k = {.a = a, .at = at};
    arb_mat_init(k.y, r, r), arb_mat_init(k.j, r, r), arb_mat_init(k.centre, r, 1);
    arb_mat_init(k.shift, r, 1), arb_mat_init(k.box, r, 1), arb_mat_init(k.image, r, 1);
    arb_mat_init(k.tangent, r, 1);
    arb_init(k.p), arb_init(k.p0), arb_init(k.d);
    forget_linear(at);
    forget_box(at);
    // slopes are those that proofs take where no function jumps or bends over the balls
    at->proved = a->proves && enclose(&k) && rests(a, at) && path_point_rows_follow(a, at) &&
                 state_avoids_zeros(&at->x, a->breaks);
    if (at->proved) keep_box(&k);
    arb_mat_clear(k.y), arb_mat_clear(k.j), arb_mat_clear(k.centre);
    arb_mat_clear(k.shift), arb_mat_clear(k.box), arb_mat_clear(k.image);
    arb_mat_clear(k.tangent);
    arb_clear(k.p), arb_clear(k.p0), arb_clear(k.d);
}
