// Taylor's method written by hand for two systems with a dozen products each, behind
// hand_taylor.h.

// A rolling disc, m = 1, r = 1/2, g = 9.81; z = x, y, psi, theta, phi, w1, w2, w3; as in pairs.c:
//   u = w3/cos(theta), q = u sin(theta), p = w2 - q, e = 1.2 w2 - 0.2 q, f = q - 2 w2
static hand_result hand_rolling_disc(const double *start, double end, double tolerance) {
    enum { N = 8 };
    _Alignas(32) double c[(HAND_ORDER + 1) * N], low[N] = {0};
    double wc = 0, ws = 0, us = 0, uc = 0;
    hand_products w;
    hand_result r = {0};
    (void)tolerance;
    for (int i = 0; i < N; i++) r.z[i] = start[i];
    while (r.t < end) {
        double w1 = r.z[5], w2 = r.z[6], w3 = r.z[7];
        const double s0 = sin(r.z[3]), c0 = cos(r.z[3]), S0 = sin(r.z[2]), C0 = cos(r.z[2]),
                     over = 1 / c0, u0 = w3 * over, q0 = u0 * s0, p0 = w2 - q0,
                     e0 = 1.2 * w2 - 0.2 * q0, f0 = q0 - 2 * w2, w10 = w1, w30 = w3,
                     less = -u0 * over;
        double s = s0, co = c0, S = S0, C = C0, u = u0, q, p = p0, e, f, pc = p0 * C0, ps = p0 * S0,
               we = w3 * e0, ww = w1 * w3, wf = w1 * f0;
        for (int i = 0; i < N; i++) c[i] = r.z[i];
        wc = w1 * c0, ws = w1 * s0, us = u0 * S0, uc = u0 * C0;
        for (int k = 1; k <= HAND_ORDER; k++) {
            double *z = c + k * N, part = HAND_OVER[k];
            z[0] = 0.5 * pc * part, z[1] = 0.5 * ps * part, z[2] = u * part, z[3] = w1 * part,
            z[4] = p * part, w1 = z[5] = (we + 0.8 * 9.81 / 0.5 * s) * part,
            w2 = z[6] = -2.0 / 3.0 * ww * part, w3 = z[7] = wf * part;
            if (k == HAND_ORDER) break;
            hand_sums(&w, k, 3);
            const double *sum = w.sum;
            s = wc * part, co = -ws * part, S = uc * part, C = -us * part;
            wc = w10 * co + (w1 * c0 + sum[0]), ws = w10 * s + (w1 * s0 + sum[1]);
            u = w3 * over + (co * less - sum[2] * over);
            q = s0 * u + (s * u0 + sum[3]);
            uc = u0 * C + (u * C0 + sum[4]), us = u0 * S + (u * S0 + sum[5]);
            p = w2 - q, e = 1.2 * w2 - 0.2 * q, f = q - 2 * w2;
            pc = p * C0 + (p0 * C + sum[6]), ps = p * S0 + (p0 * S + sum[7]);
            we = e * w30 + (e0 * w3 + sum[8]), ww = w10 * w3 + (w1 * w30 + sum[9]);
            wf = f * w10 + (f0 * w1 + sum[10]);
            hand_put(&w, k, 0, (hand_four){w1, w1, co, s}, (hand_four){co, s, u, u});
            hand_put(&w, k, 1, (hand_four){u, u, p, p}, (hand_four){C, S, C, S});
            hand_put(&w, k, 2, (hand_four){w3, w1, w1, 0}, (hand_four){e, w3, f, 0});
        }
        hand_step(&r, N, HAND_ORDER, HAND_REACH, c, low, end);
    }
    return r;
}

// A double pendulum, m1 = l1 = 1, m2 = 0.8, l2 = 0.7; S, C of theta1 - theta2; as in pairs.c:
//   b = m2 l2 C, D = m d - b^2, theta2'' = (m f2 - b f1)/D, theta1'' = (f1 - b theta2'')/m
static hand_result hand_double_pendulum(const double *start, double end, double tolerance) {
    enum { N = 4 };
    static const double m = 1.8, m2 = 0.8, l2 = 0.7, g = 9.81, ml = 0.8 * 0.7;
    const double d = m2 * l2 * l2;
    _Alignas(32) double c[(HAND_ORDER + 1) * N], low[N] = {0};
    hand_products w;
    hand_result r = {0};
    (void)tolerance;
    for (int i = 0; i < N; i++) r.z[i] = start[i];
    while (r.t < end) {
        double w1 = r.z[2], w2 = r.z[3], v = w1 - w2;
        const double s10 = sin(r.z[0]), c10 = cos(r.z[0]), s20 = sin(r.z[1]), c20 = cos(r.z[1]),
                     S0 = s10 * c20 - c10 * s20, C0 = c10 * c20 + s10 * s20, w10 = w1, w20 = w2,
                     v0 = v, W10 = w1 * w1, W20 = w2 * w2, D0 = m * d - ml * ml * C0 * C0;
        double s1 = s10, c1, s2 = s20, c2, S, C, W1, W2, SW1 = S0 * W10, SW2 = S0 * W20, D,
               f1 = -ml * SW2 - m * g * s10, f2 = ml * (SW1 - g * s20),
               x2 = (m * f2 - ml * C0 * f1) / D0, Cx = C0 * x2, x1 = (f1 - ml * Cx) / m,
               wc1 = w1 * c10, ws1 = w1 * s10, wc2 = w2 * c20, ws2 = w2 * s20, vC = v * C0,
               vS = v * S0, Cf;
        const double f10 = f1, x20 = x2, over = 1 / D0, less = -x20 * over;
        for (int i = 0; i < N; i++) c[i] = r.z[i];
        for (int k = 1; k <= HAND_ORDER; k++) {
            double *z = c + k * N, part = HAND_OVER[k];
            z[0] = w1 * part, z[1] = w2 * part, w1 = z[2] = x1 * part, w2 = z[3] = x2 * part;
            if (k == HAND_ORDER) break;
            hand_sums(&w, k, 4);
            const double *sum = w.sum;
            v = w1 - w2;
            s1 = wc1 * part, c1 = -ws1 * part, s2 = wc2 * part, c2 = -ws2 * part;
            S = vC * part, C = -vS * part;
            wc1 = w10 * c1 + (w1 * c10 + sum[0]), ws1 = w10 * s1 + (w1 * s10 + sum[1]);
            wc2 = w20 * c2 + (w2 * c20 + sum[2]), ws2 = w20 * s2 + (w2 * s20 + sum[3]);
            vC = v0 * C + (v * C0 + sum[4]), vS = v0 * S + (v * S0 + sum[5]);
            W1 = 2 * w10 * w1 + sum[6], W2 = 2 * w20 * w2 + sum[7];
            SW1 = S0 * W1 + (S * W10 + sum[8]), SW2 = S0 * W2 + (S * W20 + sum[9]);
            D = (2 * C0 * C + sum[10]) * (-ml * ml);
            f1 = -ml * SW2 - m * g * s1, f2 = ml * (SW1 - g * s2);
            Cf = C0 * f1 + (C * f10 + sum[11]);
            x2 = f2 * (m * over) + (Cf * (-ml * over) + (D * less - sum[12] * over));
            Cx = C0 * x2 + (C * x20 + sum[13]);
            x1 = f1 * (1 / m) + Cx * (-ml / m);
            hand_put(&w, k, 0, (hand_four){w1, w1, w2, w2}, (hand_four){c1, s1, c2, s2});
            hand_put(&w, k, 1, (hand_four){v, v, w1, w2}, (hand_four){C, S, w1, w2});
            hand_put(&w, k, 2, (hand_four){S, S, C, C}, (hand_four){W1, W2, C, f1});
            hand_put(&w, k, 3, (hand_four){D, C, 0, 0}, (hand_four){x2, x2, 0, 0});
        }
        hand_step(&r, N, HAND_ORDER, HAND_REACH, c, low, end);
    }
    return r;
}
