// Taylor's method written by hand for two systems, as well as one can who knows the equations and
// the tolerance: every order without a loop (compilers unroll them all, the order being fixed),
// sums of products from the middle outwards, so that the newest coefficients come last, in two
// halves that do not wait for each other, with fused products. Order and step as Jorba and Zou 2005
// have them. To be compiled for the machine at hand.
#include <math.h>

enum { HAND_ORDER = 19 }; // ceil(-log(1e-15) / 2 + 1)
#define HAND_UNROLL _Pragma("GCC unroll 32")

typedef struct {
    long steps;
    double t, z[8];
} hand_result;

static inline double hand_step(double before, double last) {
    const int p = HAND_ORDER;
    const double growth = fmax(log(before) / (p - 1), log(last) / p);
    return exp(-growth - 2 - 0.7 / (p - 1));
}

static inline double hand_norm(double c, double z) { return fabs(c) / fmax(1, fabs(z)); }

// sum_{j=0..k} a_j b_{k-j}
static inline __attribute__((always_inline)) double hand_product(const double *a, const double *b,
                                                                 int k) {
    double s = k % 2 ? 0 : a[k / 2] * b[k / 2], h = 0;
    HAND_UNROLL
    for (int j = (k - 1) / 2; j >= 0; j--)
        if (2 * j != k) s = fma(a[j], b[k - j], s), h = fma(a[k - j], b[j], h);
    return s + h;
}

// the same with b = a
static inline __attribute__((always_inline)) double hand_square(const double *a, int k) {
    double s = 0;
    HAND_UNROLL
    for (int j = (k - 1) / 2; j >= 0; j--)
        if (2 * j != k) s = fma(a[j], a[k - j], s);
    return k % 2 ? 2 * s : fma(2, s, a[k / 2] * a[k / 2]);
}

// The series at h, even and odd powers apart
static inline double hand_at(const double *c, double h) {
    double odd = c[HAND_ORDER], even = c[HAND_ORDER - 1];
    HAND_UNROLL
    for (int k = HAND_ORDER - 2; k > 0; k -= 2)
        odd = fma(odd, h * h, c[k]), even = fma(even, h * h, c[k - 1]);
    return fma(odd, h, even);
}

// theta'' = -(g/l) sin(theta), g = 9.81, l = 1
static hand_result hand_pendulum(const double *start, double end, double tolerance) {
    enum { p = HAND_ORDER };
    const double factor = -9.81;
    double q[p + 1], w[p + 1], s[p + 1], c[p + 1], ws[p + 1], wc[p + 1];
    hand_result r = {0};
    (void)tolerance;
    q[0] = start[0], w[0] = start[1];
    while (r.t < end) {
        s[0] = sin(q[0]), c[0] = cos(q[0]);
        HAND_UNROLL
        for (int k = 0; k < p; k++) {
            if (k) s[k] = wc[k - 1] * (1.0 / k), c[k] = -ws[k - 1] * (1.0 / k);
            wc[k] = hand_product(w, c, k), ws[k] = hand_product(w, s, k);
            q[k + 1] = w[k] * (1.0 / (k + 1));
            w[k + 1] = factor * s[k] * (1.0 / (k + 1));
        }
        double h = hand_step(fmax(hand_norm(q[p - 1], q[0]), hand_norm(w[p - 1], w[0])),
                             fmax(hand_norm(q[p], q[0]), hand_norm(w[p], w[0])));
        if (r.t + h > end) h = end - r.t;
        q[0] = hand_at(q, h), w[0] = hand_at(w, h), r.t += h, r.steps++;
    }
    r.z[0] = q[0], r.z[1] = w[0];
    return r;
}

// Chaplygin's sleigh: v' = a w^2, w' = -m a v w/(J + m a^2), theta' = w, x' = v cos
// - a w sin, y' = v sin + a w cos; m = 1, J = 2, a = 1/2
static hand_result hand_sleigh(const double *start, double end, double tolerance) {
    enum { p = HAND_ORDER };
    const double m = 1, inertia = 2, a = 0.5, factor = -m * a / (inertia + m * a * a);
    double x[p + 1], y[p + 1], q[p + 1], v[p + 1], w[p + 1];
    double s[p + 1], c[p + 1], ws[p + 1], wc[p + 1];
    hand_result r = {0};
    (void)tolerance;
    x[0] = start[0], y[0] = start[1], q[0] = start[2], v[0] = start[3], w[0] = start[4];
    while (r.t < end) {
        s[0] = sin(q[0]), c[0] = cos(q[0]);
        HAND_UNROLL
        for (int k = 0; k < p; k++) {
            const double over = 1.0 / (k + 1);
            if (k) s[k] = wc[k - 1] * (1.0 / k), c[k] = -ws[k - 1] * (1.0 / k);
            wc[k] = hand_product(w, c, k), ws[k] = hand_product(w, s, k);
            x[k + 1] = fma(-a, ws[k], hand_product(v, c, k)) * over;
            y[k + 1] = fma(a, wc[k], hand_product(v, s, k)) * over;
            q[k + 1] = w[k] * over;
            v[k + 1] = a * hand_square(w, k) * over;
            w[k + 1] = factor * hand_product(v, w, k) * over;
        }
        double *const all[] = {x, y, q, v, w}, before = 0, last = 0;
        for (int i = 0; i < 5; i++) {
            before = fmax(before, hand_norm(all[i][p - 1], all[i][0]));
            last = fmax(last, hand_norm(all[i][p], all[i][0]));
        }
        double h = hand_step(before, last);
        if (r.t + h > end) h = end - r.t;
        for (int i = 0; i < 5; i++) all[i][0] = hand_at(all[i], h);
        r.t += h, r.steps++;
    }
    for (int i = 0; i < 5; i++) r.z[i] = (double[]){x[0], y[0], q[0], v[0], w[0]}[i];
    return r;
}
