// Taylor's method written by hand for two systems, as one would who knows the equations:
// one loop over j for all products of an order, nothing computed twice. Order and step
// as Jorba and Zou 2005 have them.
#include <math.h>

enum { HAND_MOST = 30 };

typedef struct {
    long steps;
    double t, z[5];
} hand_result;

static inline double hand_step(int p, double before, double last) {
    const double rho = fmin(pow(before, -1.0 / (p - 1)), pow(last, -1.0 / p));
    return rho * exp(-2 - 0.7 / (p - 1));
}

static inline double hand_norm(double c, double z) { return fabs(c) / fmax(1, fabs(z)); }

// theta'' = -(g/l) sin(theta)
static hand_result hand_pendulum(double g, double l, double theta0, double w0, double end,
                                 double tolerance) {
    const int p = (int)ceil(-log(tolerance) / 2 + 1);
    const double factor = -g / l;
    double over[HAND_MOST + 1], q[HAND_MOST + 1], w[HAND_MOST + 1], s[HAND_MOST + 1],
        c[HAND_MOST + 1];
    double ws[HAND_MOST + 1], wc[HAND_MOST + 1];
    for (int k = 1; k <= p; k++) over[k] = 1.0 / k;
    hand_result r = {0};
    q[0] = theta0, w[0] = w0;
    while (r.t < end) {
        s[0] = sin(q[0]), c[0] = cos(q[0]);
        for (int k = 0; k < p; k++) {
            if (k) s[k] = wc[k - 1] * over[k], c[k] = -ws[k - 1] * over[k];
            double a = 0, b = 0, a1 = 0, b1 = 0;
            int j = 0;
            for (; j < k; j += 2) {
                a += w[j] * c[k - j], b += w[j] * s[k - j];
                a1 += w[j + 1] * c[k - j - 1], b1 += w[j + 1] * s[k - j - 1];
            }
            if (j == k) a += w[k] * c[0], b += w[k] * s[0];
            wc[k] = a + a1, ws[k] = b + b1;
            q[k + 1] = w[k] * over[k + 1];
            w[k + 1] = factor * s[k] * over[k + 1];
        }
        double h = hand_step(p, fmax(hand_norm(q[p - 1], q[0]), hand_norm(w[p - 1], w[0])),
                             fmax(hand_norm(q[p], q[0]), hand_norm(w[p], w[0])));
        if (r.t + h > end) h = end - r.t;
        double q1 = q[p], w1 = w[p];
        for (int k = p - 1; k >= 0; k--) q1 = q1 * h + q[k], w1 = w1 * h + w[k];
        q[0] = q1, w[0] = w1, r.t += h, r.steps++;
    }
    r.z[0] = q[0], r.z[1] = w[0];
    return r;
}

// Chaplygin's sleigh: v' = a w^2, w' = -m a v w/(J + m a^2), theta' = w, x' = v cos
// - a w sin, y' = v sin + a w cos
static hand_result hand_sleigh(double m, double inertia, double a, const double *start, double end,
                               double tolerance) {
    const int p = (int)ceil(-log(tolerance) / 2 + 1);
    const double factor = -m * a / (inertia + m * a * a);
    double over[HAND_MOST + 1], x[HAND_MOST + 1], y[HAND_MOST + 1], q[HAND_MOST + 1],
        v[HAND_MOST + 1], w[HAND_MOST + 1];
    double s[HAND_MOST + 1], c[HAND_MOST + 1], ws[HAND_MOST + 1], wc[HAND_MOST + 1];
    for (int k = 1; k <= p; k++) over[k] = 1.0 / k;
    hand_result r = {0};
    x[0] = start[0], y[0] = start[1], q[0] = start[2], v[0] = start[3], w[0] = start[4];
    while (r.t < end) {
        s[0] = sin(q[0]), c[0] = cos(q[0]);
        for (int k = 0; k < p; k++) {
            if (k) s[k] = wc[k - 1] * over[k], c[k] = -ws[k - 1] * over[k];
            double wc0 = 0, ws0 = 0, vc = 0, vs = 0, vw = 0, ww = 0;
            for (int j = 0; j <= k; j++) {
                wc0 += w[j] * c[k - j], ws0 += w[j] * s[k - j];
                vc += v[j] * c[k - j], vs += v[j] * s[k - j];
                vw += v[j] * w[k - j];
            }
            for (int j = 0; 2 * j < k; j++) ww += w[j] * w[k - j];
            ww = k % 2 ? 2 * ww : 2 * ww + w[k / 2] * w[k / 2];
            wc[k] = wc0, ws[k] = ws0;
            x[k + 1] = (vc - a * ws0) * over[k + 1];
            y[k + 1] = (vs + a * wc0) * over[k + 1];
            q[k + 1] = w[k] * over[k + 1];
            v[k + 1] = a * ww * over[k + 1];
            w[k + 1] = factor * vw * over[k + 1];
        }
        double *const all[] = {x, y, q, v, w}, before = 0, last = 0;
        for (int i = 0; i < 5; i++) {
            before = fmax(before, hand_norm(all[i][p - 1], all[i][0]));
            last = fmax(last, hand_norm(all[i][p], all[i][0]));
        }
        double h = hand_step(p, before, last), z[5];
        if (r.t + h > end) h = end - r.t;
        for (int i = 0; i < 5; i++) z[i] = all[i][p];
        for (int k = p - 1; k >= 0; k--)
            for (int i = 0; i < 5; i++) z[i] = z[i] * h + all[i][k];
        for (int i = 0; i < 5; i++) all[i][0] = z[i];
        r.t += h, r.steps++;
    }
    for (int i = 0; i < 5; i++) r.z[i] = (double[]){x[0], y[0], q[0], v[0], w[0]}[i];
    return r;
}
