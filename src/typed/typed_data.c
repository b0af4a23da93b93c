// Functions from data as they were typed: by their second derivatives at the points, where the pool
// goes by the first. M_i = f''(t_i) solve
//   h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (d_i - d_(i-1)),
// h_i = t_(i+1) - t_i, d_i = (f_(i+1) - f_i)/h_i, and f''' is the same on the first two pieces and
// on the last two.
#include "typed/evaluator.h"

#include "expr/spline.h"

typedef struct {
    const spline *f;
    slong precision;
} data_points;

static void gap(const data_points *p, const fmpq *a, const fmpq *b, arb_t out) {
    arb_t x;
    arb_init(x);
    arb_set_fmpq(out, b, p->precision), arb_set_fmpq(x, a, p->precision);
    arb_sub(out, out, x, p->precision);
    arb_clear(x);
}
static void width(const data_points *p, uint32_t i, arb_t h) {
    gap(p, &p->f->at[i], &p->f->at[i + 1], h);
}
static void rise(const data_points *p, uint32_t i, arb_t d) {
    arb_t h;
    arb_init(h);
    width(p, i, h);
    gap(p, &p->f->value[i], &p->f->value[i + 1], d);
    arb_div(d, d, h, p->precision);
    arb_clear(h);
}

// The rows of M_1 and M_(n-2) without M_0 and M_(n-1): with h the piece at the end and g the next,
// (h + 2 g) M + (g - h) M' = r g/(h + g)
static void without_end(const data_points *p, const arb_t h, const arb_t g, arb_t diagonal,
                        arb_t beside, arb_t right) {
    arb_t sum;
    arb_init(sum);
    arb_add(sum, h, g, p->precision);
    arb_add(diagonal, sum, g, p->precision);
    arb_sub(beside, g, h, p->precision);
    arb_mul(right, right, g, p->precision), arb_div(right, right, sum, p->precision);
    arb_clear(sum);
}

// M_end from its neighbours: ((h + g) M - h M')/g
static void find_end(const data_points *p, const arb_t h, const arb_t g, const arb_t next,
                     const arb_t after, arb_t out) {
    arb_add(out, h, g, p->precision);
    arb_mul(out, out, next, p->precision);
    arb_submul(out, h, after, p->precision);
    arb_div(out, out, g, p->precision);
}

// Elimination from the last point to the first: M_i = right_i - factor_i M_(i-1)
static void solve(const data_points *p, arb_ptr m) {
    const uint32_t n = p->f->count;
    const slong prec = p->precision;
    arb_ptr factor = _arb_vec_init(n), w = _arb_vec_init(8);
    arb_ptr h = w, g = w + 1, low = w + 2, middle = w + 3, high = w + 4, right = w + 5, d = w + 6;
    for (uint32_t i = n - 2; i >= 1; i--) {
        width(p, i - 1, h), width(p, i, g);
        rise(p, i, right), rise(p, i - 1, d);
        arb_sub(right, right, d, prec), arb_mul_ui(right, right, 6, prec);
        arb_add(middle, h, g, prec), arb_mul_ui(middle, middle, 2, prec);
        arb_set(low, h), arb_set(high, g);
        if (i == 1) without_end(p, h, g, middle, high, right);
        else if (i == n - 2) without_end(p, g, h, middle, low, right);
        if (i < n - 2) {
            arb_submul(middle, high, factor + i + 1, prec);
            arb_submul(right, high, m + i + 1, prec);
        }
        arb_div(factor + i, low, middle, prec), arb_div(m + i, right, middle, prec);
    }
    for (uint32_t i = 2; i <= n - 2; i++) arb_submul(m + i, factor + i, m + i - 1, prec);
    width(p, 0, h), width(p, 1, g);
    find_end(p, h, g, m + 1, m + 2, m);
    width(p, n - 2, h), width(p, n - 3, g);
    find_end(p, h, g, m + n - 2, m + n - 3, m + n - 1);
    _arb_vec_clear(factor, n), _arb_vec_clear(w, 8);
}

// Three points: one parabola. Two, or straight lines: nothing bends.
static void solve_few(const data_points *p, arb_ptr m) {
    arb_t h;
    arb_init(h);
    if (p->f->count == 3 && !p->f->linear) {
        rise(p, 1, m), rise(p, 0, m + 1);
        arb_sub(m, m, m + 1, p->precision);
        gap(p, &p->f->at[0], &p->f->at[2], h);
        arb_div(m, m, h, p->precision), arb_mul_ui(m, m, 2, p->precision);
        arb_set(m + 1, m), arb_set(m + 2, m);
    }
    arb_clear(h);
}

static arb_srcptr moments(spline *f, slong precision) {
    enum { MORE = 64 };
    if (f->moments.precision >= precision + MORE) return f->moments.ball;
    if (f->moments.precision) _arb_vec_clear(f->moments.ball, f->count);
    const data_points p = {f, precision + 2 * MORE};
    arb_ptr m = _arb_vec_init(f->count);
    if (f->count < 4 || f->linear) solve_few(&p, m);
    else solve(&p, m);
    f->moments = (spline_memory){p.precision, m};
    return m;
}

// f = (M a^3 + M' b^3)/(6 h) + (f_i/h - M h/6) a + (f_(i+1)/h - M' h/6) b, a = t_(i+1) - t,
// b = t - t_i; and its derivatives
static void value_on(spline *f, uint32_t i, uint32_t order, const arb_t t, slong precision,
                     arb_t out) {
    const data_points p = {f, precision + 64};
    const slong prec = p.precision;
    const arb_srcptr m = moments(f, precision) + i;
    arb_ptr w = _arb_vec_init(6), h = w, a = w + 1, b = w + 2, x = w + 3, y = w + 4;
    width(&p, i, h);
    arb_set_fmpq(x, &f->at[i], prec), arb_sub(b, t, x, prec);
    arb_set_fmpq(x, &f->at[i + 1], prec), arb_sub(a, x, t, prec);
    switch (order) {
    case 0:
        for (uint32_t k = 0; k < 2; k++) { // M/(6h) (a^2 - h^2) a + f_i/h a
            const arb_srcptr s = k ? b : a;
            arb_mul(x, s, s, prec), arb_submul(x, h, h, prec), arb_mul(x, x, m + k, prec);
            arb_div_ui(x, x, 6, prec);
            arb_set_fmpq(y, &f->value[i + k], prec), arb_add(x, x, y, prec);
            arb_mul(x, x, s, prec);
            if (k) arb_add(out, out, x, prec);
            else arb_set(out, x);
        }
        arb_div(out, out, h, prec);
        break;
    case 1: // d + (M' (3 b^2 - h^2) - M (3 a^2 - h^2))/(6 h)
        for (uint32_t k = 0; k < 2; k++) {
            arb_mul(x, k ? b : a, k ? b : a, prec), arb_mul_ui(x, x, 3, prec);
            arb_submul(x, h, h, prec), arb_mul(x, x, m + k, prec);
            if (k) arb_add(out, out, x, prec);
            else arb_neg(out, x);
        }
        arb_div(out, out, h, prec), arb_div_ui(out, out, 6, prec);
        rise(&p, i, x), arb_add(out, out, x, prec);
        break;
    case 2: // (M a + M' b)/h
        arb_mul(out, m, a, prec), arb_addmul(out, m + 1, b, prec), arb_div(out, out, h, prec);
        break;
    default: arb_sub(out, m + 1, m, prec), arb_div(out, out, h, prec);
    }
    _arb_vec_clear(w, 6);
}

// -1: t is before the point; 1: behind it; 0: it is there, or cannot be told from it
static int side(const spline *f, uint32_t i, const arb_t t, slong prec) {
    arb_t at;
    arb_init(at);
    arb_set_fmpq(at, &f->at[i], prec);
    const int s = arb_lt(t, at) ? -1 : arb_gt(t, at) ? 1 : 0;
    arb_clear(at);
    return s;
}

bool typed_data_value(evaluator *ev, spline *f, uint32_t order, const arb_t t, span at, jet *out) {
    const slong precision = ev->jets.precision, prec = precision + 64;
    if (order > spline_degree(f))
        return evaluator_fail(ev, TYPED_UNDEFINED, at,
                              "the function through these data has no such derivative");
    if (!spline_reaches(f, t, prec))
        return evaluator_fail(ev, TYPED_UNDEFINED, at, "this time is outside of the data");
    uint32_t low = 0, high = f->count - 1; // the last point that t is not before
    while (high > low) {
        const uint32_t middle = high - (high - low) / 2;
        if (side(f, middle, t, prec) < 0) high = middle - 1;
        else low = middle;
    }
    const bool inner = low > 0 && low < f->count - 1, on_point = inner && !side(f, low, t, prec);
    if (on_point && order == spline_degree(f))
        return evaluator_fail(ev, arb_is_exact(t) ? TYPED_UNDEFINED : TYPED_TOO_WIDE, at,
                              "this derivative jumps at the points of the data");
    enum { MOST_PIECES = 8 }; // that a time may lie on
    const uint32_t last = low < f->count - 1 ? low : low - 1;
    uint32_t first = last;
    while (first > 0 && !arb_is_exact(t) && !side(f, first, t, prec)) first--;
    if (last - first >= MOST_PIECES)
        return evaluator_fail(ev, TYPED_TOO_WIDE, at, "the time is not known well enough");
    arb_ptr value = _arb_vec_init(2);
    value_on(f, last, order, t, precision, value);
    for (uint32_t i = first; i < last; i++) {
        value_on(f, i, order, t, precision, value + 1);
        arb_union(value, value, value + 1, precision);
    }
    *out = jet_ball(&ev->jets, value);
    _arb_vec_clear(value, 2);
    return true;
}
