// --- the length of steps -----------------------------------------------------------------------------

// What a run is, and where it stands: as in integrate/step_control of the program that wrote this.
// Errors are judged in float, which knows them to more digits than they have.
enum {
    HAMEL_REACHED,
    HAMEL_STOPPED, // an event with `stop`
    HAMEL_NO_START,
    HAMEL_NOT_FINITE,
    HAMEL_STUCK,
    HAMEL_SINGULAR,
    HAMEL_LIMIT, // more attempts than are allowed
    HAMEL_OTHER, // the independent velocities became a poor choice
    HAMEL_RUNNING
};

typedef struct {
    double t;
    int outcome, event;
} hamel_end;

typedef struct {
    float log_before; // log2 of the error of the last step
    bool rejected;
} hamel_pace;

HAMEL_DEVICE float hamel_most(float a, float b) { return a > b ? a : b; }
HAMEL_DEVICE float hamel_least(float a, float b) { return a < b ? a : b; }

// h <- h 0.9 size^-alpha before^beta,  alpha = 1/order - 3/4 beta,  beta = 0.2/order
HAMEL_DEVICE float hamel_after_success(hamel_pace *pace, float size, float order) {
    const float beta = 0.2f / order, alpha = 1 / order - 0.75f * beta, SMALLEST = 1e-4f,
                seen = HAMEL_LOG2(hamel_most(size, SMALLEST * SMALLEST)),
                factor = 0.9f * HAMEL_EXP2(beta * pace->log_before - alpha * seen);
    pace->log_before = hamel_most(seen, -13.2877124f); // log2(SMALLEST)
    const float most = pace->rejected ? 1.0f : 6.0f;
    pace->rejected = false;
    return hamel_least(hamel_most(factor, 0.2f), most);
}

HAMEL_DEVICE float hamel_after_rejection(hamel_pace *pace, float size, float order) {
    const float alpha = 1 / order - 0.15f / order;
    pace->rejected = true;
    if (!(size < 1e30f)) return 0.25f; // it is not finite
    return hamel_most(0.2f, 0.9f * HAMEL_EXP2(-alpha * HAMEL_LOG2(size)));
}

HAMEL_DEVICE bool hamel_is_too_small(real t, real h) {
    const real eps = sizeof(real) == 8 ? R(8.9e-16) : R(4.8e-7);
    return !(fabs(h) > eps * fabs(t)) || fabs(h) < R(1e-30);
}
HAMEL_DEVICE bool hamel_is_last(real t, real h, real end) {
    return !(fma(R(1.0000001), h, t) < end) || hamel_is_too_small(t, end - (t + h));
}

// Root mean square of value_i / (tolerance (1 + |z_i|))
HAMEL_DEVICE double hamel_norm(const real *value, const real *z, double tolerance) {
    double sum = 0;
    for (int i = 0; i < hamel_n; i++) {
        const double e = value[i] / (tolerance * (1 + fabs(z[i])));
        sum += e * e;
    }
    return sqrt(sum / hamel_n);
}

HAMEL_DEVICE bool hamel_is_finite(const real *z) {
    real sum = 0;
    HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) sum += 0 * z[i];
    return sum == 0;
}

// A first step (Hairer, Norsett, Wanner II.4); 0 where there is no finite slope
static HAMEL_FAR real hamel_first_step(real t, const real *z, const real *p, const real *c, real end,
                                       double tolerance, int order) {
    real f0[hamel_n], f1[hamel_n], z1[hamel_n];
    hamel_far_rate(t, z, p, c, f0);
    if (!hamel_is_finite(f0)) return 0;
    const double d0 = hamel_norm(z, z, tolerance), d1 = hamel_norm(f0, z, tolerance);
    double step = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    step = fmin(step, (double)(end - t));
    for (int i = 0; i < hamel_n; i++) z1[i] = fma((real)step, f0[i], z[i]);
    hamel_far_rate(t + (real)step, z1, p, c, f1);
    if (!hamel_is_finite(f1)) return (real)step;
    for (int i = 0; i < hamel_n; i++) f1[i] -= f0[i];
    const double most = fmax(d1, hamel_norm(f1, z, tolerance) / step),
                 other = most <= 1e-15 ? fmax(1e-6, step * 1e-3)
                                       : pow(0.01 / most, 1.0 / (order + 1));
    return (real)fmin(100 * step, other);
}

// sweep/panels.h of the program that wrote this
#define PANEL_NUMBER real
#define PANEL_RULE HAMEL_DEVICE
#define PANEL_TABLE HAMEL_TABLE
#define PANEL_ROUNDING (sizeof(real) == 8 ? 1.4e-14 : 7.6e-6)

