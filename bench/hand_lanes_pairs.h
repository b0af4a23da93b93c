// dop853 in the lanes of a processor, as a person writes it who wants it fast: vector types, every
// sum written out, lanes refilled as their runs end. Include it in a file that is compiled for
// AVX-512 or AVX2; hand_lanes_ready() finds the functions of SLEEF, then call hand_lanes_dop853()
// with a rate.
#include <dlfcn.h>
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>

#define HAND_INLINE static inline __attribute__((always_inline))
enum { HAND_LANES_MOST = 8 };

#ifdef __AVX512F__
enum { HAND_WIDTH = 8 };
typedef __m512d hand_lanes;
#define HAND_SLEEF(name) "Sleef_finz_" name "d8_u10avx512f"
HAND_INLINE hand_lanes hand_all(double x) { return _mm512_set1_pd(x); }
HAND_INLINE hand_lanes hand_abs(hand_lanes x) { return _mm512_abs_pd(x); }
HAND_INLINE hand_lanes hand_larger(hand_lanes a, hand_lanes b) { return _mm512_max_pd(a, b); }
HAND_INLINE hand_lanes hand_smaller(hand_lanes a, hand_lanes b) { return _mm512_min_pd(a, b); }
HAND_INLINE hand_lanes hand_root(hand_lanes x) { return _mm512_sqrt_pd(x); }
HAND_INLINE unsigned hand_at_most(hand_lanes a, hand_lanes b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}
HAND_INLINE hand_lanes hand_pick(unsigned m, hand_lanes yes, hand_lanes no) {
    return _mm512_mask_blend_pd((__mmask8)m, no, yes);
}
#else
enum { HAND_WIDTH = 4 };
typedef __m256d hand_lanes;
#define HAND_SLEEF(name) "Sleef_finz_" name "d4_u10avx2"
HAND_INLINE hand_lanes hand_all(double x) { return _mm256_set1_pd(x); }
HAND_INLINE hand_lanes hand_abs(hand_lanes x) { return _mm256_andnot_pd(hand_all(-0.0), x); }
HAND_INLINE hand_lanes hand_larger(hand_lanes a, hand_lanes b) { return _mm256_max_pd(a, b); }
HAND_INLINE hand_lanes hand_smaller(hand_lanes a, hand_lanes b) { return _mm256_min_pd(a, b); }
HAND_INLINE hand_lanes hand_root(hand_lanes x) { return _mm256_sqrt_pd(x); }
HAND_INLINE unsigned hand_at_most(hand_lanes a, hand_lanes b) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ));
}
HAND_INLINE hand_lanes hand_pick(unsigned m, hand_lanes yes, hand_lanes no) {
    for (int i = 0; i < HAND_WIDTH; i++) no[i] = m >> i & 1 ? yes[i] : no[i];
    return no;
}
#endif

typedef struct {
    hand_lanes sine, cosine;
} hand_circular;
static hand_circular (*hand_both)(hand_lanes);
static hand_lanes (*hand_sin)(hand_lanes), (*hand_exp)(hand_lanes), (*hand_log)(hand_lanes);

static bool hand_lanes_ready(void) {
    void *sleef = dlopen("libsleef.so.3", RTLD_NOW);
    if (!sleef) return false;
    *(void **)&hand_both = dlsym(sleef, HAND_SLEEF("sincos"));
    *(void **)&hand_sin = dlsym(sleef, HAND_SLEEF("sin"));
    *(void **)&hand_exp = dlsym(sleef, HAND_SLEEF("exp"));
    *(void **)&hand_log = dlsym(sleef, HAND_SLEEF("log"));
    return hand_both && hand_sin && hand_exp && hand_log;
}

typedef void hand_lanes_rate(hand_lanes t, const hand_lanes *z, hand_lanes *dz);

// The states at `end` of so many runs from the states in `start`, n numbers each; the step begins
// with h = 1e-3
HAND_INLINE void hand_lanes_dop853(const int n, hand_lanes_rate *rate, long count,
                                   const double *start, double end, double tolerance, double *out) {
    hand_lanes k0[HAND_LANES_MOST], k1[HAND_LANES_MOST], k2[HAND_LANES_MOST], k3[HAND_LANES_MOST],
        k4[HAND_LANES_MOST], k5[HAND_LANES_MOST], k6[HAND_LANES_MOST], k7[HAND_LANES_MOST],
        k8[HAND_LANES_MOST], k9[HAND_LANES_MOST], k10[HAND_LANES_MOST], k11[HAND_LANES_MOST],
        k12[HAND_LANES_MOST], z[HAND_LANES_MOST], z1[HAND_LANES_MOST], w[HAND_LANES_MOST];
    const double beta = 0.2 / 8, alpha = 1.0 / 8 - 0.75 * beta;
    hand_lanes t = hand_all(end), h = hand_all(1e-3), before = hand_all(log(1e-4));
    unsigned rejected = 0, busy = 0;
    long next = 0, run[HAND_WIDTH];
    for (int i = 0; i < n; i++) z[i] = hand_all(0);
    for (;;) {
        if (busy != (1u << HAND_WIDTH) - 1 && next < count) { // runs into idle lanes
            for (int lane = 0; lane < HAND_WIDTH && next < count; lane++) {
                if (busy >> lane & 1) continue;
                for (int i = 0; i < n; i++) z[i][lane] = start[next * n + i];
                t[lane] = 0, h[lane] = 1e-3, before[lane] = log(1e-4);
                rejected &= ~(1u << lane), busy |= 1u << lane, run[lane] = next++;
            }
            rate(t, z, k0);
        }
        if (!busy) break;
        const unsigned last = hand_at_most(hand_all(end), t + 1.0000001 * h);
        h = hand_pick(last, end - t, h);
        for (int i = 0; i < n; i++) w[i] = z[i] + h * (0.0526001519587677318786 * k0[i]);
        rate(t + 0.0526001519587677318786 * h, w, k1);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.0197250569845378994545 * k0[i] + 0.0591751709536136983634 * k1[i]);
        rate(t + 0.0789002279381515978178 * h, w, k2);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.0295875854768068491817 * k0[i] + 0.0887627564304205475451 * k2[i]);
        rate(t + 0.118350341907227396727 * h, w, k3);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.241365134159266685502 * k0[i] - 0.884549479328286085345 * k2[i] +
                               0.924834003261792003116 * k3[i]);
        rate(t + 0.281649658092772603273 * h, w, k4);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.037037037037037037037 * k0[i] + 0.17082860872947387128 * k3[i] +
                               0.125467687566822425017 * k4[i]);
        rate(t + 1.0 / 3 * h, w, k5);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.037109375 * k0[i] + 0.170252211019544039315 * k3[i] +
                               0.060216538980455960685 * k4[i] - 0.017578125 * k5[i]);
        rate(t + 0.25 * h, w, k6);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.0370920001185047927109 * k0[i] + 0.17038392571223999381 * k3[i] +
                               0.107262030446373284652 * k4[i] - 0.0153194377486244017528 * k5[i] +
                               0.00827378916381402288758 * k6[i]);
        rate(t + 4.0 / 13 * h, w, k7);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.624110958716075717114 * k0[i] - 3.36089262944694129407 * k3[i] -
                               0.868219346841726006818 * k4[i] + 27.5920996994467083049 * k5[i] +
                               20.1540675504778934086 * k6[i] - 43.4898841810699588477 * k7[i]);
        rate(t + 127.0 / 195 * h, w, k8);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (0.47766253643826436589 * k0[i] - 2.48811461997166764193 * k3[i] -
                               0.590290826836842996371 * k4[i] + 21.2300514481811942347 * k5[i] +
                               15.2792336328824235833 * k6[i] - 33.2882109689848629194 * k7[i] -
                               0.0203312017085086261358 * k8[i]);
        rate(t + 0.6 * h, w, k9);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (-0.937142430085987325717 * k0[i] + 5.1863724288440637083 * k3[i] +
                               1.09143734899672957819 * k4[i] - 8.14978701074692612514 * k5[i] -
                               18.5200656599969598642 * k6[i] + 22.7394870993505042819 * k7[i] +
                               2.49360555267965238987 * k8[i] - 3.04676447189821950038 * k9[i]);
        rate(t + 6.0 / 7 * h, w, k10);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (2.27331014751653820792 * k0[i] - 10.5344954667372501984 * k3[i] -
                               2.0008720582248624991 * k4[i] - 17.9589318631187989173 * k5[i] +
                               27.9488845294199600508 * k6[i] - 2.85899827713502369474 * k7[i] -
                               8.87285693353062954434 * k8[i] + 12.3605671757943030647 * k9[i] +
                               0.643392746015763530356 * k10[i]);
        rate(t + h, w, k11);
        for (int i = 0; i < n; i++)
            z1[i] =
                z[i] + h * (0.0542937341165687622381 * k0[i] + 4.45031289275240888144 * k5[i] +
                            1.89151789931450038304 * k6[i] - 5.80120396001058478147 * k7[i] +
                            0.311164366957819894409 * k8[i] - 0.152160949662516078556 * k9[i] +
                            0.201365400804030348375 * k10[i] + 0.0447106157277725905177 * k11[i]);
        hand_lanes strong = hand_all(0), weak = strong;
        for (int i = 0; i < n; i++) {
            const hand_lanes a = hand_abs(z[i]), b = hand_abs(z1[i]),
                             scale = h / (tolerance * (1 + hand_larger(a, b)));
            const hand_lanes e =
                scale * (0.0131200449941948807325 * k0[i] - 1.22515644637620444072 * k5[i] -
                         0.495758949657250191521 * k6[i] + 1.66437718245498653696 * k7[i] -
                         0.350328848749973681689 * k8[i] + 0.33417911871301747903 * k9[i] +
                         0.0819232064851157124657 * k10[i] - 0.0223553078638862952588 * k11[i]);
            strong += e * e;
            const hand_lanes e3 =
                scale *
                ((0.0542937341165687622381 - 31.0 / 127) * k0[i] + 4.45031289275240888144 * k5[i] +
                 1.89151789931450038304 * k6[i] - 5.80120396001058478147 * k7[i] +
                 (0.311164366957819894409 - 0.733846688281611857341) * k8[i] -
                 0.152160949662516078556 * k9[i] + 0.201365400804030348375 * k10[i] +
                 (0.0447106157277725905177 - 3.0 / 136) * k11[i]);
            weak += e3 * e3;
        }
        const hand_lanes size = strong / n / hand_root(strong / n + 0.01 * weak / n);
        const unsigned good = hand_at_most(size, hand_all(1)) & busy, bad = busy & ~good;
        rate(t + h, z1, k12);
        const hand_lanes seen = hand_log(hand_larger(size, hand_all(1e-8)));
        hand_lanes factor = 0.9 * hand_exp(beta * before - alpha * seen);
        factor = hand_larger(hand_all(0.2), factor);
        factor = hand_smaller(factor, hand_pick(rejected, hand_all(1), hand_all(6)));
        if (bad)
            factor =
                hand_pick(bad, hand_larger(hand_all(0.2), 0.9 * hand_exp(-alpha * seen)), factor);
        before = hand_pick(good, hand_larger(seen, hand_all(log(1e-4))), before);
        t = hand_pick(good, hand_pick(last, hand_all(end), t + h), t);
        for (int i = 0; i < n; i++)
            z[i] = hand_pick(good, z1[i], z[i]), k0[i] = hand_pick(good, k12[i], k0[i]);
        h *= factor, rejected = (rejected & ~good) | bad;
        const unsigned over = good & last;
        for (int lane = 0; lane < HAND_WIDTH && over; lane++)
            for (int i = 0; i < n && (over >> lane & 1); i++) out[run[lane] * n + i] = z[i][lane];
        busy &= ~over;
    }
}

// --- rates ---------------------------------------------------------------------------------------

HAND_INLINE void hand_lanes_pendulum(hand_lanes t, const hand_lanes *z, hand_lanes *dz) {
    (void)t;
    dz[0] = z[1], dz[1] = -9.81 * hand_sin(z[0]);
}

HAND_INLINE void hand_lanes_sleigh(hand_lanes t, const hand_lanes *z, hand_lanes *dz) {
    const hand_circular at = hand_both(z[2]);
    const hand_lanes s = at.sine, c = at.cosine, v = z[3], w = z[4], u = 0.5 * w;
    (void)t;
    dz[0] = v * c - u * s, dz[1] = v * s + u * c, dz[2] = w, dz[3] = u * w;
    dz[4] = -0.5 / 2.25 * v * w;
}
