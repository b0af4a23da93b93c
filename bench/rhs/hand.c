// Right-hand sides as a careful person writes them: by Newton and Euler in the frame that makes
// them short, constants computed once, angles once.
#include "hand.h"

#include <math.h>

// --- sleigh: p = m, J, a; z = x, y, theta, v, w --------------------------------------------------

void hand_sleigh_fixed(const double *p, double *c) {
    c[0] = -p[0] * p[2] / (p[1] + p[0] * p[2] * p[2]);
}

void hand_sleigh(double t, const double *z, const double *p, const double *c,
                 double *restrict out) {
    const double s = sin(z[2]), k = cos(z[2]), v = z[3], w = z[4], u = p[2] * w;
    (void)t;
    out[0] = v * k - u * s;
    out[1] = v * s + u * k;
    out[2] = w;
    out[3] = u * w;
    out[4] = c[0] * v * w;
}

// --- rolling disc: p = m, r, g; z = x, y, psi, theta, phi, w1, w2, w3 ----------------------------

void hand_rolling_disc_fixed(const double *p, double *c) { c[0] = 0.8 * p[2] / p[1]; }

void hand_rolling_disc(double t, const double *z, const double *p, const double *c,
                       double *restrict out) {
    const double w1 = z[5], w2 = z[6], w3 = z[7], s = sin(z[3]), k = cos(z[3]);
    // tilted = w3 tan(theta)
    const double turning = w3 / k, tilted = turning * s, rolling = w2 - tilted,
                 speed = p[1] * rolling;
    (void)t;
    out[0] = speed * cos(z[2]);
    out[1] = speed * sin(z[2]);
    out[2] = turning;
    out[3] = w1;
    out[4] = rolling;
    out[5] = w3 * (1.2 * w2 - 0.2 * tilted) + c[0] * s;
    out[6] = (-2.0 / 3.0) * w1 * w3;
    out[7] = w1 * (tilted - 2.0 * w2);
}

// --- pendulum on a skate -------------------------------------------------------------------------
// p = M, mS, mD, rho, kap, kap1, kap2, g; z = x, y, phi, theta, theta1, eta1 .. eta4
// u = rho eta1 forward, rho w to the left with w = eta2 = phi'. A point y to the left has the
// velocity (u - w y, rho w + y', z') and the acceleration (u' - w' y - 2 w y' - rho w^2, rho w' +
// y'' + w (u - w y), z''). Kane's equations in (u, w, theta', theta1').

void hand_t15_3_1_pendulum_on_skate_fixed(const double *p, double *c) {
    const double M = p[0], mS = p[1], mD = p[2], rho = p[3], kap = p[4], kap1 = p[5],
                 L = p[5] + p[6], g = p[7];
    const double A = M + mS + mD, K = mS * kap1 + mD * L;
    c[0] = A * rho;
    c[1] = 1.0 / A;
    c[2] = A * rho * rho + M * rho * rho / 3.0;
    c[3] = K;
    c[4] = rho * K;
    c[5] = L;
    c[6] = mS * kap1 * kap1 + mD * L * L;
    c[7] = g * K;
    c[8] = mS * kap1;
    c[9] = mD * L;
    c[10] = 1.0 / kap;
    c[11] = mD * L * L;
    c[12] = 1.0 / rho;
    c[13] = mD * kap;
}

void hand_t15_3_1_pendulum_on_skate(double t, const double *z, const double *p, const double *c,
                                    double *restrict out) {
    const double mS = p[1], mD = p[2], rho = p[3], kap = p[4], kap1 = p[5], g = p[7], L = c[5];
    const double u = rho * z[5], w = z[6], a = z[7], b = z[8];
    const double sf = sin(z[2]), cf = cos(z[2]), s = sin(z[3]), k = cos(z[3]), s1 = sin(z[4]),
                 k1 = cos(z[4]);
    const double ss = s * k1 + k * s1, kk = k * k1 - s * s1; // of theta + theta1
    const double yS = kap1 * s, yD = L * s + kap * s1, vS = kap1 * k * a,
                 vD = L * k * a + kap * k1 * b;
    const double mSy = mS * yS, mDy = mD * yD, B = -(mSy + mDy);
    const double aa = a * a, bb = b * b, uw = u * w, ww = w * w;
    (void)t;
    // rows: A u' + B w' = r0;  B u' + W w' + Ra a' + Rb b' = r1;  Ra w' + I a' + mD L kap kk b' =
    // r2;  rho k1 w' + L kk a' + kap b' = r3 (after division by mD kap)
    const double W = c[2] + mSy * yS + mDy * yD, Ra = c[4] * k, Rb = rho * k1;
    const double r0 = 2.0 * w * (mS * vS + mD * vD) + c[0] * ww;
    const double r1 =
        rho * (c[3] * s * aa + c[13] * s1 * bb) - c[0] * uw - 2.0 * w * (mSy * vS + mDy * vD);
    const double r2 =
        c[7] * s - k * (c[3] * uw - ww * (c[8] * yS + c[9] * yD)) + c[9] * kap * ss * bb;
    const double r3 = L * ss * aa - g * s1 - k1 * (uw - ww * yD);
    // b' = (r3 - Rb w' - L kk a') / kap and u' = (r0 - B w') / A are eliminated, then a'
    const double q = c[9] * kk, d = 1.0 / (c[6] - q * L * kk), e = Ra - q * Rb, r2e = r2 - q * r3;
    const double BA = B * c[1], mRb = mD * Rb;
    const double turn =
        (r1 - BA * r0 - mRb * r3 - e * d * r2e) / (W - BA * B - mRb * Rb - e * d * e);
    const double lean = (r2e - e * turn) * d;
    out[0] = u * cf - rho * w * sf;
    out[1] = u * sf + rho * w * cf;
    out[2] = w;
    out[3] = a;
    out[4] = b;
    out[5] = (r0 - B * turn) * c[1] * c[12];
    out[6] = turn;
    out[7] = lean;
    out[8] = (r3 - Rb * turn - L * kk * lean) * c[10];
}

// --- rattleback ----------------------------------------------------------------------------------
// p = m, a, b, c, h, g, Ix, Iy, Iz, Ixy; z = x, y, psi, theta, phi, psi', theta', phi'
// In the body: up has the components n, the contact is rho from the centre of mass, v = rho x w, n'
// = n x w, and (I + m (rho^2 - rho rho^T)) w' = m rho x (rho' x w + w x v + g n) - w x I w.

void hand_rattleback_fixed(const double *p, double *c) {
    c[0] = p[1] * p[1];
    c[1] = p[2] * p[2];
    c[2] = p[3] * p[3];
}

void hand_rattleback(double t, const double *z, const double *p, const double *c,
                     double *restrict out) {
    const double m = p[0], h = p[4], g = p[5], Ix = p[6], Iy = p[7], Iz = p[8], Ixy = p[9];
    const double turn = z[5], pitch = z[6], roll = z[7];
    const double sp = sin(z[2]), kp = cos(z[2]), st = sin(z[3]), kt = cos(z[3]), sf = sin(z[4]),
                 kf = cos(z[4]);
    const double n1 = -st, n2 = kt * sf, n3 = kt * kf;
    const double w1 = roll - turn * st, w2 = pitch * kf + turn * n2, w3 = turn * n3 - pitch * sf;
    const double s1 = c[0] * n1, s2 = c[1] * n2, s3 = c[2] * n3, DD = s1 * n1 + s2 * n2 + s3 * n3,
                 D = 1.0 / sqrt(DD);
    const double x = -s1 * D, y = -s2 * D, l = h - s3 * D; // rho
    const double v1 = y * w3 - l * w2, v2 = l * w1 - x * w3, v3 = x * w2 - y * w1;
    const double d1 = n2 * w3 - n3 * w2, d2 = n3 * w1 - n1 * w3, d3 = n1 * w2 - n2 * w1; // n'
    const double f = (s1 * d1 + s2 * d2 + s3 * d3) * D * D;
    // rho'
    const double e1 = (s1 * f - c[0] * d1) * D, e2 = (s2 * f - c[1] * d2) * D,
                 e3 = (s3 * f - c[2] * d3) * D;
    const double a1 = e2 * w3 - e3 * w2 + w2 * v3 - w3 * v2 + g * n1;
    const double a2 = e3 * w1 - e1 * w3 + w3 * v1 - w1 * v3 + g * n2;
    const double a3 = e1 * w2 - e2 * w1 + w1 * v2 - w2 * v1 + g * n3;
    const double L1 = Ix * w1 + Ixy * w2, L2 = Ixy * w1 + Iy * w2, L3 = Iz * w3;
    const double t1 = m * (y * a3 - l * a2) - (w2 * L3 - w3 * L2);
    const double t2 = m * (l * a1 - x * a3) - (w3 * L1 - w1 * L3);
    const double t3 = m * (x * a2 - y * a1) - (w1 * L2 - w2 * L1);
    const double mx = m * x, my = m * y, ml = m * l, xx = mx * x, yy = my * y, ll = ml * l;
    const double A = Ix + yy + ll, B = Iy + xx + ll, C = Iz + xx + yy, F = Ixy - mx * y,
                 G = -mx * l, H = -my * l;
    const double cA = B * C - H * H, cF = G * H - F * C, cG = F * H - G * B,
                 q = 1.0 / (A * cA + F * cF + G * cG);
    const double cB = A * C - G * G, cH = F * G - A * H, cC = A * B - F * F;
    const double b1 = (cA * t1 + cF * t2 + cG * t3) * q, b2 = (cF * t1 + cB * t2 + cH * t3) * q,
                 b3 = (cG * t1 + cH * t2 + cC * t3) * q;
    const double sideways = v2 * kf - v3 * sf, upright = v2 * sf + v3 * kf,
                 ahead = v1 * kt + upright * st;
    const double turning = (b2 * sf + b3 * kf + pitch * (roll + turn * st)) / kt;
    (void)t;
    out[0] = ahead * kp - sideways * sp;
    out[1] = ahead * sp + sideways * kp;
    out[2] = turn;
    out[3] = pitch;
    out[4] = roll;
    out[5] = turning;
    out[6] = b2 * kf - b3 * sf - turn * roll * kt;
    out[7] = b1 + turning * st + turn * pitch * kt;
}

// --- snake of four links: p = m, l, J; z = x, y, theta[1..4], x', y' -----------------------------
// In the frame of link i its front moves with (f_i, g_i); the blade makes theta_i' = w_i = 2
// g_i / l, the centre moves with (f_i, 0) and the rear with (f_i, -g_i), so that f_{i+1} =
// f_i cos + g_i sin, g_{i+1} = f_i sin - g_i cos of the angle theta_i - theta_{i+1}. Kane:
// sum m f_i' df_i + J w_i' dw_i = 0.

enum { LINKS = 4 };

void hand_snake_fixed(const double *p, double *c) {
    c[0] = 2.0 / p[1];
    c[1] = 4.0 * p[2] / (p[0] * p[1] * p[1]); // J w' dw = m c1 g' dg
}

void hand_snake(double t, const double *z, const double *p, const double *c, double *restrict out) {
    double s[LINKS], k[LINKS];
    for (int i = 0; i < LINKS; i++) s[i] = sin(z[2 + i]), k[i] = cos(z[2 + i]);
    const double rate = c[0], J = c[1];
    (void)t;
    (void)p;
    // (f, g) = P (f_1, g_1); (f', g') = P (f_1', g_1') + (F, G)
    double f = z[6] * k[0] + z[7] * s[0], g = z[7] * k[0] - z[6] * s[0], w = rate * g;
    const double f1 = f, g1 = g, w1 = w;
    double p11 = 1.0, p12 = 0.0, p21 = 0.0, p22 = 1.0, F = 0.0, G = 0.0;
    double a = 1.0, b = 0.0, d = J, r1 = 0.0, r2 = 0.0; // the first link
    out[2] = w;
    for (int i = 1; i < LINKS; i++) {
        const double C = k[i - 1] * k[i] + s[i - 1] * s[i], S = s[i - 1] * k[i] - k[i - 1] * s[i];
        const double q11 = C * p11 + S * p21, q12 = C * p12 + S * p22, q21 = S * p11 - C * p21,
                     q22 = S * p12 - C * p22;
        const double nf = C * f + S * g, ng = S * f - C * g, nw = rate * ng, turn = w - nw;
        const double nF = C * F + S * G - turn * ng, nG = S * F - C * G + turn * nf;
        p11 = q11, p12 = q12, p21 = q21, p22 = q22, f = nf, g = ng, w = nw, F = nF, G = nG;
        out[2 + i] = w;
        a += p11 * p11 + J * p21 * p21, b += p11 * p12 + J * p21 * p22,
            d += p12 * p12 + J * p22 * p22;
        r1 -= p11 * F + J * p21 * G, r2 -= p12 * F + J * p22 * G;
    }
    // The acceleration of the tip
    const double q = 1.0 / (a * d - b * b), fd = (d * r1 - b * r2) * q - w1 * g1,
                 gd = (a * r2 - b * r1) * q + w1 * f1;
    out[0] = z[6];
    out[1] = z[7];
    out[6] = fd * k[0] - gd * s[0];
    out[7] = fd * s[0] + gd * k[0];
}
