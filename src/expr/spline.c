// Splines through data: the slopes at the points, the polynomials between them, their values.
#include "expr/spline.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>

spline *spline_create(uint32_t count, bool linear) {
    spline *f = memory_new(spline);
    *f = (spline){.count = count, .linear = linear};
    f->at = memory_zeros(fmpq, 2 * (size_t)count), f->value = f->at + count;
    for (uint32_t i = 0; i < 2 * count; i++)
        fmpz_init(&f->at[i].num), fmpz_init_set_ui(&f->at[i].den, 1);
    return f;
}

static void forget(spline_memory *m, uint32_t count) {
    if (m->precision) _arb_vec_clear(m->ball, count);
    m->precision = 0;
}

void spline_free(spline *f) {
    if (!f) return;
    for (uint32_t i = 0; i < f->count; i++) {
        fmpz_clear(&f->at[i].num), fmpz_clear(&f->at[i].den);
        fmpz_clear(&f->value[i].num), fmpz_clear(&f->value[i].den);
    }
    forget(&f->slopes, f->count), forget(&f->moments, f->count);
    memory_free(f->at), memory_free(f->knot), memory_free(f->coefficient);
    memory_free(f);
}

// --- slopes --------------------------------------------------------------------------------------

typedef struct {
    const spline *f;
    slong precision;
    arb_ptr h, d; // of the piece i: its length, (f_(i+1) - f_i)/h
} differences;

static void set_difference(arb_t out, const fmpq *a, const fmpq *b, slong precision) {
    fmpq_t gap;
    fmpq_init(gap);
    fmpq_sub(gap, a, b);
    arb_set_fmpq(out, gap, precision);
    fmpq_clear(gap);
}

static differences differences_of(const spline *f, slong precision) {
    differences w = {.f = f, .precision = precision};
    w.h = _arb_vec_init(2 * (slong)f->count), w.d = w.h + f->count;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        set_difference(w.h + i, &f->at[i + 1], &f->at[i], precision);
        set_difference(w.d + i, &f->value[i + 1], &f->value[i], precision);
        arb_div(w.d + i, w.d + i, w.h + i, precision);
    }
    return w;
}

// The row of the first point, of the last one with the pieces in their order from the end:
// h_1 s_0 + (h_0 + h_1) s_1 = ((3 h_0 + 2 h_1) h_1 d_0 + h_0^2 d_1)/(h_0 + h_1)
// which says that f''' does not jump at the point beside it: "not a knot".
static void end_row(const differences *w, uint32_t end, uint32_t beside, arb_t own, arb_t other,
                    arb_t right) {
    const slong prec = w->precision;
    arb_t a;
    arb_init(a);
    arb_set(own, w->h + beside);
    arb_add(other, w->h + end, w->h + beside, prec);
    arb_mul_ui(a, other, 2, prec);
    arb_add(a, a, w->h + end, prec);
    arb_mul(a, a, w->h + beside, prec);
    arb_mul(right, a, w->d + end, prec);
    arb_mul(a, w->h + end, w->h + end, prec);
    arb_addmul(right, a, w->d + beside, prec);
    arb_div(right, right, other, prec);
    arb_clear(a);
}

// h_i s_(i-1) + 2 (h_(i-1) + h_i) s_i + h_(i-1) s_(i+1) = 3 (h_i d_(i-1) + h_(i-1) d_i): f'' does
// not jump there
static void inner_row(const differences *w, uint32_t i, arb_t diagonal, arb_t right) {
    const slong prec = w->precision;
    arb_add(diagonal, w->h + i - 1, w->h + i, prec);
    arb_mul_ui(diagonal, diagonal, 2, prec);
    arb_mul(right, w->h + i, w->d + i - 1, prec);
    arb_addmul(right, w->h + i - 1, w->d + i, prec);
    arb_mul_ui(right, right, 3, prec);
}

// Elimination from the first point on: s_i = right_i - factor_i s_(i+1). All pivots are positive.
static void eliminate(const differences *w, arb_ptr s) {
    const uint32_t n = w->f->count;
    const slong prec = w->precision;
    arb_ptr factor = _arb_vec_init(n);
    arb_t own, other, right;
    arb_init(own), arb_init(other), arb_init(right);
    end_row(w, 0, 1, own, factor, right);
    arb_div(factor, factor, own, prec), arb_div(s, right, own, prec);
    for (uint32_t i = 1; i + 1 < n; i++) {
        inner_row(w, i, own, right);
        arb_submul(own, w->h + i, factor + i - 1, prec);
        arb_submul(right, w->h + i, s + i - 1, prec);
        arb_div(factor + i, w->h + i - 1, own, prec), arb_div(s + i, right, own, prec);
    }
    end_row(w, n - 2, n - 3, own, other, right);
    arb_submul(own, other, factor + n - 2, prec);
    arb_submul(right, other, s + n - 2, prec);
    arb_div(s + n - 1, right, own, prec);
    for (uint32_t i = n - 1; i-- > 0;) arb_submul(s + i, factor + i, s + i + 1, prec);
    arb_clear(own), arb_clear(other), arb_clear(right);
    _arb_vec_clear(factor, n);
}

// The parabola through three points: f' at them from its second difference
// a = (d_1 - d_0)/(h_0 + h_1): d_0 - a h_0, d_0 + a h_0, d_1 + a h_1
static void parabola(const differences *w, arb_ptr s) {
    const slong prec = w->precision;
    arb_t a;
    arb_init(a);
    arb_sub(a, w->d + 1, w->d, prec);
    arb_add(s, w->h, w->h + 1, prec);
    arb_div(a, a, s, prec);
    for (int i = 0; i < 3; i++) arb_set(s + i, w->d + (i == 2));
    arb_submul(s, a, w->h, prec), arb_addmul(s + 1, a, w->h, prec);
    arb_addmul(s + 2, a, w->h + 1, prec);
    arb_clear(a);
}

// More bits than are asked for: a little is lost at each point
static arb_srcptr slopes_of(spline *f, slong precision) {
    enum { MORE = 64 };
    if (f->slopes.precision >= precision + MORE) return f->slopes.ball;
    forget(&f->slopes, f->count);
    const slong bits = precision + 2 * MORE;
    const differences w = differences_of(f, bits);
    arb_ptr s = _arb_vec_init(f->count);
    if (f->count == 2) arb_set(s, w.d), arb_set(s + 1, w.d);
    else if (f->count == 3) parabola(&w, s);
    else eliminate(&w, s);
    _arb_vec_clear(w.h, 2 * (slong)f->count);
    f->slopes = (spline_memory){bits, s};
    return s;
}

// --- pieces --------------------------------------------------------------------------------------

// f = f_i + s_i x + (3 d - 2 s_i - s_(i+1))/h x^2 + (s_i + s_(i+1) - 2 d)/h^2 x^3, x = t - t_i
void spline_piece_terms(spline *f, uint32_t i, slong precision, arb_ptr c) {
    const slong prec = precision + 32;
    arb_t h, d;
    arb_init(h), arb_init(d);
    set_difference(h, &f->at[i + 1], &f->at[i], prec);
    set_difference(d, &f->value[i + 1], &f->value[i], prec);
    arb_div(d, d, h, prec);
    arb_set_fmpq(c, &f->value[i], prec);
    if (f->linear) {
        arb_set(c + 1, d), arb_zero(c + 2), arb_zero(c + 3);
    } else {
        const arb_srcptr s = slopes_of(f, precision);
        arb_set(c + 1, s + i);
        arb_add(c + 3, s + i, s + i + 1, prec);
        arb_mul_ui(c + 2, d, 3, prec);
        arb_sub(c + 2, c + 2, c + 3, prec), arb_sub(c + 2, c + 2, s + i, prec);
        arb_div(c + 2, c + 2, h, prec);
        arb_submul_ui(c + 3, d, 2, prec);
        arb_mul(h, h, h, prec);
        arb_div(c + 3, c + 3, h, prec);
    }
    arb_clear(h), arb_clear(d);
}

static void make_doubles(spline *f) {
    enum { BITS = 128 };
    arb_ptr c = _arb_vec_init(SPLINE_TERMS);
    f->knot = memory_array(double, f->count);
    f->coefficient = memory_array(double, (size_t)f->count *SPLINE_TERMS);
    for (uint32_t i = 0; i < f->count; i++) {
        arb_set_fmpq(c, &f->at[i], BITS);
        f->knot[i] = ball_middle(c);
        if (i + 1 == f->count) break;
        spline_piece_terms(f, i, BITS, c);
        for (int j = 0; j < SPLINE_TERMS; j++)
            f->coefficient[i * SPLINE_TERMS + (uint32_t)j] = ball_middle(c + j);
    }
    _arb_vec_clear(c, SPLINE_TERMS);
}

const double *spline_knots(spline *f) {
    if (!f->knot) make_doubles(f);
    return f->knot;
}

uint32_t spline_piece_at(spline *f, double t) {
    const double *knot = spline_knots(f);
    uint32_t low = 0, high = f->count - 1; // knot[low] <= t < knot[high], unless t is outside
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (t < knot[middle]) high = middle;
        else low = middle;
    }
    return low;
}

// --- values --------------------------------------------------------------------------------------

double spline_double(spline *f, uint32_t order, double t) {
    const double *knot = spline_knots(f), slack = 8 * DBL_EPSILON * fabs(t);
    if (order > spline_degree(f) || !(t >= knot[0] - slack) || !(t <= knot[f->count - 1] + slack))
        return NAN;
    const uint32_t i = spline_piece_at(f, t);
    const double *c = f->coefficient + (size_t)i * SPLINE_TERMS, x = t - knot[i];
    switch (order) {
    case 0: return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    case 1: return c[1] + x * (2 * c[2] + x * 3 * c[3]);
    case 2: return 2 * c[2] + 6 * x * c[3];
    default: return 6 * c[3];
    }
}

// The derivative of sum_j c_j x^j of this order, x = t - t_i
static void piece_value(spline *f, uint32_t i, uint32_t order, const arb_t t, slong precision,
                        arb_t out) {
    const slong prec = precision + 32;
    arb_ptr c = _arb_vec_init(SPLINE_TERMS + 1), x = c + SPLINE_TERMS;
    spline_piece_terms(f, i, precision, c);
    arb_set_fmpq(x, &f->at[i], prec);
    arb_sub(x, t, x, prec);
    arb_zero(out);
    for (uint32_t j = SPLINE_TERMS; j-- > order;) {
        arb_mul(out, out, x, prec);
        for (uint32_t k = 0; k < order; k++) arb_mul_ui(c + j, c + j, j - k, prec);
        arb_add(out, out, c + j, prec);
    }
    _arb_vec_clear(c, SPLINE_TERMS + 1);
}

// Is t certainly before the point i; certainly behind it
static bool is_before(const spline *f, const arb_t t, uint32_t i, slong prec) {
    arb_t at;
    arb_init(at);
    arb_set_fmpq(at, &f->at[i], prec);
    const bool before = arb_lt(t, at);
    arb_clear(at);
    return before;
}
static bool is_behind(const spline *f, const arb_t t, uint32_t i, slong prec) {
    arb_t at;
    arb_init(at);
    arb_set_fmpq(at, &f->at[i], prec);
    const bool behind = arb_gt(t, at);
    arb_clear(at);
    return behind;
}

// The distance of t from an end of the data, outwards: up to a rounding of t it is none.
static bool is_beyond(const arb_t t, const fmpq *end, bool outwards, slong prec) {
    arb_t at, slack;
    arb_init(at), arb_init(slack);
    arb_set_fmpq(at, end, prec);
    arb_abs(slack, at), arb_mul_2exp_si(slack, slack, -50);
    if (outwards) arb_add(at, at, slack, prec);
    else arb_sub(at, at, slack, prec);
    const bool beyond = outwards ? arb_gt(t, at) : arb_lt(t, at);
    arb_clear(at), arb_clear(slack);
    return beyond;
}

bool spline_reaches(const spline *f, const arb_t t, slong precision) {
    return !is_beyond(t, &f->at[0], false, precision) &&
           !is_beyond(t, &f->at[f->count - 1], true, precision);
}

// The first piece that does not certainly end before t
static uint32_t first_piece(const spline *f, const arb_t t, slong prec) {
    uint32_t low = 0, high = f->count - 2;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (is_behind(f, t, middle + 1, prec)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// A point of the data that is hit exactly belongs to the piece behind it.
static bool is_point(const arb_t t, const fmpq *at) {
    if (!arb_is_exact(t)) return false;
    fmpq_t exact;
    fmpq_init(exact);
    const bool small = arf_cmpabs_2exp_si(arb_midref(t), 1100) < 0;
    if (small) arf_get_fmpq(exact, arb_midref(t));
    const bool same = small && fmpq_equal(exact, at);
    fmpq_clear(exact);
    return same;
}

void spline_ball(spline *f, uint32_t order, const arb_t t, slong precision, arb_t out) {
    const slong prec = precision + 64;
    if (order > spline_degree(f) || !arb_is_finite(t) || !spline_reaches(f, t, prec)) {
        arb_indeterminate(out);
        return;
    }
    uint32_t i = first_piece(f, t, prec);
    if (i + 2 < f->count && is_point(t, &f->at[i + 1])) i++;
    arb_t value, here;
    arb_init(value), arb_init(here);
    piece_value(f, i, order, t, precision, value);
    for (i++; i + 1 < f->count && !is_before(f, t, i, prec); i++) {
        piece_value(f, i, order, t, precision, here);
        arb_union(value, value, here, precision);
    }
    arb_set_round(out, value, precision);
    arb_clear(value), arb_clear(here);
}
