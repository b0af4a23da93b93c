// Taylor's method written by hand for a few systems, as well as one can who knows the equations and
// the tolerance: fused products, factors of all products side by side so that four sums are taken
// at once, those of two orders from one load, the coefficient that is there last added last. States
// are added up with what rounding leaves out of them, so that they err as hamel's do. Nothing is
// looked at: no defect, no drift, no place between. To be compiled for the machine at hand.
#include <math.h>

enum { HAND_ORDER = 28, HAND_MOST = 16 };
// log of the part of the radius that errs as order 19 of Jorba and Zou 2005 does, which is the best
// where all work is sums of products one by one
static const double HAND_REACH = -1.411;
static const double HAND_OVER[HAND_ORDER + 1] = {
    0,        1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
    1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28};
#define HAND_INLINE static inline __attribute__((always_inline))

typedef struct {
    _Alignas(32) double z[8];
    long steps;
    double t;
} hand_result;

typedef double hand_four __attribute__((vector_size(32), may_alias));
enum { HAND_ROW = 16 }; // eight first factors of products and as many second ones
typedef struct {        // of up to eight products
    _Alignas(32) double f[(HAND_ORDER + 1) * HAND_ROW], later[HAND_ROW];
} hand_block;
typedef struct {
    hand_block block[HAND_MOST / 8];
    _Alignas(32) double sum[HAND_MOST];
} hand_products;

// Coefficients k of four factors, first and second ones, as the vectors that they are loaded as
HAND_INLINE void hand_put(hand_products *w, int k, int four, hand_four a, hand_four b) {
    hand_four *to = (hand_four *)(w->block[four / 2].f + k * HAND_ROW) + four % 2;
    to[0] = a, to[2] = b;
}

// sum_{j=1..k-1} a_j b_{k-j} of two vectors of products, for an even k, and of the next order what
// does not need coefficients k
HAND_INLINE void hand_sums_even(hand_block *w, hand_four *sum, int k) {
    enum { ROW = HAND_ROW / 4 };
    const hand_four *x = (const hand_four *)w->f, *m = x + k / 2 * ROW, *l = m, *r = m + ROW;
    const hand_four zero = {0};
    hand_four *later = (hand_four *)w->later, t0 = zero, t1 = zero, g0 = zero, g1 = zero, u0 = zero,
              u1 = zero, v0 = zero, v1 = zero;
    if (k > 2) {
        hand_four c0 = r[0], c1 = r[1], d0 = r[2], d1 = r[3];
        u0 = l[0] * d0, u1 = l[1] * d1, v0 = c0 * l[2], v1 = c1 * l[3];
        for (int j = k / 2 - 1; j > 1; j--) {
            l -= ROW, r += ROW;
            t0 += l[0] * d0, t1 += l[1] * d1, g0 += c0 * l[2], g1 += c1 * l[3];
            c0 = r[0], c1 = r[1], d0 = r[2], d1 = r[3];
            u0 += l[0] * d0, u1 += l[1] * d1, v0 += c0 * l[2], v1 += c1 * l[3];
        }
        t0 += x[ROW] * d0, t1 += x[ROW + 1] * d1, g0 += c0 * x[ROW + 2], g1 += c1 * x[ROW + 3];
    }
    sum[0] = m[0] * m[2] + (t0 + g0), sum[1] = m[1] * m[3] + (t1 + g1);
    later[0] = u0, later[1] = v0, later[2] = u1, later[3] = v1;
}

// The same for an odd k, of which the order before has all but the ends
HAND_INLINE void hand_sums_odd(hand_block *w, hand_four *sum, int k) {
    enum { ROW = HAND_ROW / 4 };
    const hand_four *x = (const hand_four *)w->f + ROW, *l = x + (k - 2) * ROW,
                    *later = (const hand_four *)w->later;
    sum[0] = (x[0] * l[2] + later[0]) + (l[0] * x[2] + later[1]);
    sum[1] = (x[1] * l[3] + later[2]) + (l[1] * x[3] + later[3]);
}

// One order at a time: six or eight chains of sums, which is as good where there are more vectors
HAND_INLINE void hand_sums_of_order(hand_products *w, int k, const int vectors) {
    hand_four *sum = (hand_four *)w->sum, s[4] = {0}, h[4] = {0};
    for (int j = (k - 1) / 2; j > 0; j--)
        _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) {
            const hand_four *x = (const hand_four *)w->block[i / 2].f + i % 2,
                            *l = x + j * (HAND_ROW / 4), *r = x + (k - j) * (HAND_ROW / 4);
            s[i] += l[0] * r[2], h[i] += r[0] * l[2];
        }
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) {
        const hand_four *m = (const hand_four *)(w->block[i / 2].f + k / 2 * HAND_ROW) + i % 2;
        s[i] += h[i];
        if (k % 2 == 0) s[i] += m[0] * m[2];
        sum[i] = s[i];
    }
}

HAND_INLINE void hand_sums(hand_products *w, int k, const int vectors) {
    hand_four *sum = (hand_four *)w->sum;
    if (vectors > 2) hand_sums_of_order(w, k, vectors);
    else if (k == 1) sum[0] = sum[1] = (hand_four){0};
    else if (k % 2) hand_sums_odd(&w->block[0], sum, k);
    else hand_sums_even(&w->block[0], sum, k);
}

// The same for one vector and a k that the compiler knows
HAND_INLINE void hand_sums_unrolled(hand_products *w, const int k) {
    enum { ROW = HAND_ROW / 4 };
    const hand_four *x = (const hand_four *)w->block[0].f, zero = {0};
    hand_four t = zero, g = zero, u = zero, v = zero, *later = (hand_four *)w->block[0].later;
    if (k < 2 || k % 2) {
        const hand_four *a = x + ROW, *l = x + (k - 1) * ROW;
        *(hand_four *)w->sum = zero;
        if (k > 1) *(hand_four *)w->sum = (a[0] * l[2] + later[0]) + (l[0] * a[2] + later[1]);
        return;
    }
    _Pragma("GCC unroll 32") for (int j = k / 2; j > 0; j--) {
        const hand_four *l = x + j * ROW, *r = x + (k - j) * ROW;
        if (2 * j < k) t += l[0] * r[2], g += r[0] * l[2];
        if (j > 1) u += l[0] * r[ROW + 2], v += r[ROW] * l[2];
    }
    const hand_four *m = x + k / 2 * ROW;
    *(hand_four *)w->sum = m[0] * m[2] + (t + g);
    later[0] = u, later[1] = v;
}

#define HAND_SIZE(x) ((hand_four)((hand_bits)(x)&0x7fffffffffffffff))
#define HAND_LARGER(a, b)                                                                          \
    ((hand_four)(((hand_bits)((a) > (b)) & (hand_bits)(a)) |                                       \
                 (~(hand_bits)((a) > (b)) & (hand_bits)(b))))
typedef long long hand_bits __attribute__((vector_size(32), may_alias));

HAND_INLINE double hand_largest(hand_four x) { return fmax(fmax(x[0], x[1]), fmax(x[2], x[3])); }

// The step, and the states at its end; c: rows of n, a multiple of four; low: what states have
// beyond double. z + low + (c_1 h + .. + c_p h^p), even and odd powers apart
HAND_INLINE void hand_step(hand_result *r, const int n, const int order, double reach,
                           const double *coefficient, double *low, double end) {
    const hand_four *c = (const hand_four *)coefficient, one = {1, 1, 1, 1};
    const int row = n / 4;
    hand_four before = {0}, last = {0};
    _Pragma("GCC unroll 2") for (int i = 0; i < row; i++) {
        const hand_four z = HAND_SIZE(c[i]), scale = HAND_LARGER(z, one),
                        a = HAND_SIZE(c[(order - 1) * row + i]) / scale,
                        b = HAND_SIZE(c[order * row + i]) / scale;
        before = HAND_LARGER(a, before), last = HAND_LARGER(b, last);
    }
    const double longest = exp(reach - fmax(log(hand_largest(before)) / (order - 1),
                                            log(hand_largest(last)) / order)),
                 t1 = r->t + longest < end ? r->t + longest : end, step = t1 - r->t;
    const hand_four h = {step, step, step, step}, square = h * h;
    _Pragma("GCC unroll 2") for (int i = 0; i < row; i++) {
        hand_four odd = {0}, even = c[order * row + i];
        _Pragma("GCC unroll 14") for (int k = order - 1; k > 1; k -= 2) {
            odd = odd * square + c[k * row + i], even = even * square + c[(k - 1) * row + i];
        }
        hand_four *beyond = (hand_four *)low + i;
        const hand_four way = h * (c[row + i] + h * (odd * h + even)) + *beyond, to = c[i] + way,
                        gone = to - c[i];
        *beyond = (c[i] - (to - gone)) + (way - gone);
        ((hand_four *)r->z)[i] = to;
    }
    r->t = t1, r->steps++;
}

// theta'' = -(g/l) sin(theta), g = 9.81, l = 1: all orders written out, without a loop
HAND_INLINE void hand_pendulum_order(hand_products *w, double *z, const double *first, double *last,
                                     const int k) {
    const double factor = -9.81, part = HAND_OVER[k], w0 = first[0], s0 = first[1], c0 = first[2];
    hand_sums_unrolled(w, k);
    z[4 * k] = last[0] * part, z[4 * k + 1] = factor * last[1] * part;
    const double s = last[2] * part, c = -last[3] * part, v = z[4 * k + 1];
    last[0] = v, last[1] = s;
    last[2] = w0 * c + (v * c0 + w->sum[0]), last[3] = w0 * s + (v * s0 + w->sum[1]);
    hand_put(w, k, 0, (hand_four){v, v, 0, 0}, (hand_four){c, s, 0, 0});
}

static hand_result hand_pendulum(const double *start, double end, double tolerance) {
    enum { P = HAND_ORDER };
    _Alignas(32) double z[4 * (P + 1)] = {0}, low[4] = {0};
    hand_products w;
    hand_result r = {0};
    (void)tolerance;
    r.z[0] = start[0], r.z[1] = start[1];
    while (r.t < end) {
        const double first[] = {r.z[1], sin(r.z[0]), cos(r.z[0])};
        double last[] = {first[0], first[1], first[0] * first[2], first[0] * first[1]};
        z[0] = r.z[0], z[1] = r.z[1];
#define ORDER(k) hand_pendulum_order(&w, z, first, last, k)
        ORDER(1), ORDER(2), ORDER(3), ORDER(4), ORDER(5), ORDER(6), ORDER(7), ORDER(8), ORDER(9),
            ORDER(10), ORDER(11), ORDER(12), ORDER(13), ORDER(14), ORDER(15), ORDER(16), ORDER(17),
            ORDER(18), ORDER(19), ORDER(20), ORDER(21), ORDER(22), ORDER(23), ORDER(24), ORDER(25),
            ORDER(26), ORDER(27);
#undef ORDER
        z[4 * P] = last[0] / P, z[4 * P + 1] = -9.81 * last[1] / P;
        hand_step(&r, 4, P, HAND_REACH, z, low, end);
    }
    return r;
}

// Chaplygin's sleigh: v' = a w^2, w' = -m a v w/(J + m a^2), theta' = w, x' = v cos
// - a w sin, y' = v sin + a w cos; m = 1, J = 2, a = 1/2; z = x, y, theta, v, w
static hand_result hand_sleigh(const double *start, double end, double tolerance) {
    enum { N = 5 };
    const double a = 0.5, factor = -0.5 / 2.25;
    _Alignas(32) double z[(HAND_ORDER + 1) * 8] = {0}, low[8] = {0};
    hand_products products, *w = &products;
    hand_result r = {0};
    (void)tolerance;
    for (int i = 0; i < N; i++) r.z[i] = start[i];
    while (r.t < end) {
        const double s0 = sin(r.z[2]), c0 = cos(r.z[2]), v0 = r.z[3], w0 = r.z[4];
        double wc = w0 * c0, ws = w0 * s0, vc = v0 * c0, vs = v0 * s0, vw = v0 * w0, ww = w0 * w0,
               u = w0, v;
        for (int i = 0; i < N; i++) z[i] = r.z[i];
        for (int k = 1; k <= HAND_ORDER; k++) {
            double *to = z + k * 8, part = HAND_OVER[k];
            to[0] = (vc - a * ws) * part, to[1] = (vs + a * wc) * part, to[2] = u * part;
            v = to[3] = a * ww * part, u = to[4] = factor * vw * part;
            if (k == HAND_ORDER) break;
            hand_sums(w, k, 2);
            const double s = wc * part, c = -ws * part, *sum = w->sum;
            wc = w0 * c + (u * c0 + sum[0]), ws = w0 * s + (u * s0 + sum[1]);
            vc = v0 * c + (v * c0 + sum[2]), vs = v0 * s + (v * s0 + sum[3]);
            vw = v0 * u + (v * w0 + sum[4]), ww = 2 * w0 * u + sum[5];
            hand_put(w, k, 0, (hand_four){u, u, v, v}, (hand_four){c, s, c, s});
            hand_put(w, k, 1, (hand_four){v, u, 0, 0}, (hand_four){u, u, 0, 0});
        }
        hand_step(&r, 8, HAND_ORDER, HAND_REACH, z, low, end);
    }
    return r;
}
