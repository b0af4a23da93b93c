// Runge-Kutta pairs as a person writes them who wants them fast: the number of components known to
// the compiler, the rates inlined, every sum written out, no zero multiplied. The control of the
// step is hamel's, so that both take the same steps.
#include <math.h>

#define INLINE static inline __attribute__((always_inline))
enum { HAND_MOST = 8 };

typedef void hand_rate(double t, const double *z, double *dz);
typedef struct {
    long attempts;
    double t, z[HAND_MOST];
} hand_result;

// --- the step ------------------------------------------------------------------------------------

typedef struct {
    double alpha, beta, before;
    int rejected;
} hand_control;

INLINE hand_control hand_control_of(int order) {
    const double beta = 0.2 / order;
    return (hand_control){.alpha = 1.0 / order - 0.75 * beta, .beta = beta, .before = 1e-4};
}
INLINE double hand_size(double strong, double weak) {
    return weak == 0 ? sqrt(strong) : strong / sqrt(strong + 0.01 * weak);
}
INLINE double hand_shrink(hand_control *c, double size) {
    const double factor = 0.9 * pow(size, -c->alpha);
    c->rejected = 1;
    return factor > 0.2 ? factor : 0.2;
}
INLINE double hand_grow(hand_control *c, double size) {
    const double seen = size > 1e-8 ? size : 1e-8, most = c->rejected ? 1 : 6,
                 factor = 0.9 * pow(seen, -c->alpha) * pow(c->before, c->beta);
    c->before = size > 1e-4 ? size : 1e-4, c->rejected = 0;
    return factor < 0.2 ? 0.2 : factor > most ? most : factor;
}

// --- the pairs -----------------------------------------------------------------------------------

INLINE hand_result hand_dop853(const int n, hand_rate *rate, const double *start, double end,
                               double tolerance) {
    double k0[HAND_MOST], k1[HAND_MOST], k2[HAND_MOST], k3[HAND_MOST], k4[HAND_MOST], k5[HAND_MOST],
        k6[HAND_MOST], k7[HAND_MOST], k8[HAND_MOST], k9[HAND_MOST], k10[HAND_MOST], k11[HAND_MOST],
        k12[HAND_MOST], z[HAND_MOST], z1[HAND_MOST], w[HAND_MOST];
    hand_control c = hand_control_of(8);
    hand_result r = {0};
    double h = 1e-3;
    for (int i = 0; i < n; i++) z[i] = start[i];
    rate(0, z, k0);
    while (r.t < end) {
        const double t = r.t;
        const int to_end = t + 1.0000001 * h >= end;
        if (to_end) h = end - t;
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
        double strong = 0, weak = 0;
        for (int i = 0; i < n; i++) {
            const double a = fabs(z[i]), b = fabs(z1[i]),
                         scale = h / (tolerance * (1 + (a > b ? a : b)));
            const double e =
                scale * (0.0131200449941948807325 * k0[i] - 1.22515644637620444072 * k5[i] -
                         0.495758949657250191521 * k6[i] + 1.66437718245498653696 * k7[i] -
                         0.350328848749973681689 * k8[i] + 0.33417911871301747903 * k9[i] +
                         0.0819232064851157124657 * k10[i] - 0.0223553078638862952588 * k11[i]);
            strong += e * e;
            const double e3 =
                scale *
                ((0.0542937341165687622381 - 31.0 / 127) * k0[i] + 4.45031289275240888144 * k5[i] +
                 1.89151789931450038304 * k6[i] - 5.80120396001058478147 * k7[i] +
                 (0.311164366957819894409 - 0.733846688281611857341) * k8[i] -
                 0.152160949662516078556 * k9[i] + 0.201365400804030348375 * k10[i] +
                 (0.0447106157277725905177 - 3.0 / 136) * k11[i]);
            weak += e3 * e3;
        }
        const double size = hand_size(strong / n, weak / n);
        r.attempts++;
        if (!(size <= 1)) {
            h *= hand_shrink(&c, size);
            continue;
        }
        rate(t + h, z1, k12);
        for (int i = 0; i < n; i++) z[i] = z1[i], k0[i] = k12[i];
        r.t = to_end ? end : t + h;
        h *= hand_grow(&c, size);
    }
    for (int i = 0; i < n; i++) r.z[i] = z[i];
    return r;
}

INLINE hand_result hand_tsit5(const int n, hand_rate *rate, const double *start, double end,
                              double tolerance) {
    double k0[HAND_MOST], k1[HAND_MOST], k2[HAND_MOST], k3[HAND_MOST], k4[HAND_MOST], k5[HAND_MOST],
        k6[HAND_MOST], z[HAND_MOST], z1[HAND_MOST], w[HAND_MOST];
    hand_control c = hand_control_of(5);
    hand_result r = {0};
    double h = 1e-3;
    for (int i = 0; i < n; i++) z[i] = start[i];
    rate(0, z, k0);
    while (r.t < end) {
        const double t = r.t;
        const int to_end = t + 1.0000001 * h >= end;
        if (to_end) h = end - t;
        for (int i = 0; i < n; i++) w[i] = z[i] + h * (0.161 * k0[i]);
        rate(t + 0.161 * h, w, k1);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (-0.008480655492356989 * k0[i] + 0.335480655492357 * k1[i]);
        rate(t + 0.327 * h, w, k2);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (2.8971530571054935 * k0[i] - 6.359448489975075 * k1[i] +
                               4.3622954328695815 * k2[i]);
        rate(t + 0.9 * h, w, k3);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (5.325864828439257 * k0[i] - 11.748883564062828 * k1[i] +
                               7.4955393428898365 * k2[i] - 0.09249506636175525 * k3[i]);
        rate(t + 0.9800255409045097 * h, w, k4);
        for (int i = 0; i < n; i++)
            w[i] = z[i] + h * (5.86145544294642 * k0[i] - 12.92096931784711 * k1[i] +
                               8.159367898576159 * k2[i] - 0.071584973281401 * k3[i] -
                               0.028269050394068383 * k4[i]);
        rate(t + h, w, k5);
        for (int i = 0; i < n; i++)
            z1[i] = z[i] + h * (0.09646076681806523 * k0[i] + 0.01 * k1[i] +
                                0.4798896504144996 * k2[i] + 1.379008574103742 * k3[i] -
                                3.290069515436081 * k4[i] + 2.324710524099774 * k5[i]);
        rate(t + h, z1, k6);
        double strong = 0, weak = 0;
        for (int i = 0; i < n; i++) {
            const double a = fabs(z[i]), b = fabs(z1[i]),
                         scale = h / (tolerance * (1 + (a > b ? a : b)));
            const double e = scale * (-0.00178001105222577714 * k0[i] -
                                      0.0008164344596567469 * k1[i] + 0.007880878010261995 * k2[i] -
                                      0.1447110071732629 * k3[i] + 0.5823571654525552 * k4[i] -
                                      0.45808210592918697 * k5[i] + 0.015151515151515152 * k6[i]);
            strong += e * e;
        }
        const double size = hand_size(strong / n, weak / n);
        r.attempts++;
        if (!(size <= 1)) {
            h *= hand_shrink(&c, size);
            continue;
        }
        for (int i = 0; i < n; i++) z[i] = z1[i], k0[i] = k6[i];
        r.t = to_end ? end : t + h;
        h *= hand_grow(&c, size);
    }
    for (int i = 0; i < n; i++) r.z[i] = z[i];
    return r;
}
