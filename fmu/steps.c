// Steps of the integrator of a co-simulation: an explicit Runge-Kutta pair whose error is kept
// below the tolerance; it stops where a function of an event crosses 0. model.h has the numbers of
// the pair.
#include "instance.h"

#include <float.h>

static int fmu_rate_at(const fmu_instance *f, double t, const double *z, double *rate) {
    double u[FMU_ROOM(FMU_INPUTS)];
    fmu_inputs_at(f, t, u);
    fmu_rate(&f->system, t, z, u, rate);
    return fmu_are_finite(FMU_STATES, rate);
}

// z1 after a step h from where the instance is, whose first stage is k[0]. The size of the error,
// 1 being the tolerance: the largest of the states'. Not finite where a stage is not.
static double fmu_attempt(const fmu_instance *f, double h, double k[][FMU_ROOM(FMU_STATES)],
                          double *z1) {
    const double *z = f->now.z;
    double at[FMU_ROOM(FMU_STATES)], size = 0;
    for (int s = 1; s < FMU_STAGES; s++) {
        for (int i = 0; i < FMU_STATES; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++) sum += fmu_pair_a[s][j] * k[j][i];
            at[i] = z[i] + h * sum;
        }
        if (!fmu_rate_at(f, f->now.t + fmu_pair_c[s] * h, at, k[s])) return INFINITY;
    }
    for (int i = 0; i < FMU_STATES; i++) {
        double sum = 0, error = 0, weak = 0;
        for (int s = 0; s < FMU_STAGES; s++) {
            sum += fmu_pair_b[s] * k[s][i];
            error += fmu_pair_error[s] * k[s][i];
            weak += fmu_pair_weak[s] * k[s][i];
        }
        z1[i] = z[i] + h * sum;
        const double scale = f->now.tolerance * fmax(1, fmax(fabs(z[i]), fabs(z1[i])));
        const double whole = error * error + 0.01 * weak * weak;
        if (!isfinite(z1[i]) || !isfinite(whole)) return INFINITY;
        if (whole > 0) size = fmax(size, fabs(h) * error * error / sqrt(whole) / scale);
    }
    return size;
}

// A step that the tolerance allows, h at most: its length, z1 and stages. 0: there is none.
static double fmu_step(fmu_instance *f, double h, double k[][FMU_ROOM(FMU_STATES)], double *z1) {
    static const double SAFE = 0.9, LEAST = 0.2, MOST = 6;
    const double whole = h, shortest = 4 * DBL_EPSILON * fmax(fabs(f->now.t), whole);
    if (!fmu_rate_at(f, f->now.t, f->now.z, k[0])) return 0;
    if (f->now.step > 0) h = fmin(h, f->now.step);
    else h = fmin(h, 0.01 * fmax(fabs(whole), 1e-3));
    for (;;) {
        const double size = fmu_attempt(f, h, k, z1);
        const double factor =
            isfinite(size) ? SAFE * pow(fmax(size, 1e-30), -1.0 / FMU_ERROR_ORDER) : LEAST;
        const double next = h * fmin(MOST, fmax(LEAST, factor));
        if (size <= 1) { // one that was cut by the end says little of what is possible
            f->now.step = h < whole ? next : fmax(next, f->now.step);
            return h;
        }
        f->now.step = next;
        h = next;
        if (!(h > shortest)) return 0;
    }
}

static int fmu_any_crossed(const fmu_instance *f, double t, const double *z, double *value) {
    fmu_events_at(f, t, z, value);
    for (int e = 0; e < FMU_EVENTS; e++)
        if (fmu_has_crossed(f, e, value[e])) return 1;
    return 0;
}

// A look into the step, by the cubic through both ends: the first part of it at whose end a
// function seems to have crossed 0; as a length, 0: nowhere
static double fmu_find_suspect(const fmu_instance *f, double h, const double *rate0,
                               const double *z1, const double *rate1) {
    enum { LOOKS = 12 };
    double z[FMU_ROOM(FMU_STATES)], value[FMU_ROOM(FMU_EVENTS)];
    for (int l = 1; l < LOOKS; l++) {
        const double x = (double)l / LOOKS, y = 1 - x;
        for (int i = 0; i < FMU_STATES; i++)
            z[i] = y * y * (1 + 2 * x) * f->now.z[i] + x * x * (1 + 2 * y) * z1[i] +
                   x * y * h * (y * rate0[i] - x * rate1[i]);
        if (fmu_any_crossed(f, f->now.t + x * h, z, value)) return x * h;
    }
    return fmu_any_crossed(f, f->now.t + h, z1, value) ? h : 0;
}

// Between 0, where nothing has crossed, and h, where something has: the first place where it has,
// to the last digits of the time. By bisection, and the secant of the first function that crossed.
static double fmu_find_crossing(const fmu_instance *f, double h, double k[][FMU_ROOM(FMU_STATES)],
                                double *z1) {
    double low = 0, high = h, z[FMU_ROOM(FMU_STATES)];
    double at_low[FMU_ROOM(FMU_EVENTS)], at_high[FMU_ROOM(FMU_EVENTS)], value[FMU_ROOM(FMU_EVENTS)];
    const double fine = DBL_EPSILON * fmax(fabs(f->now.t), h);
    fmu_events_at(f, f->now.t, f->now.z, at_low);
    fmu_events_at(f, f->now.t + h, z1, at_high);
    for (int round = 0; high - low > fine && round < 200; round++) {
        double x = low + (high - low) / 2;
        for (int e = 0; e < FMU_EVENTS && round % 3; e++) {
            if (!fmu_has_crossed(f, e, at_high[e])) continue;
            const double a = fmu_indicator(f, e, at_low[e]), b = fmu_indicator(f, e, at_high[e]);
            x = low + (high - low) * (a / (a - b));
            x += round % 3 == 1 ? 2 * fine : -2 * fine; // from both sides: one of them closes in
            break;
        }
        if (!(x > low && x < high)) x = low + (high - low) / 2;
        if (!(x > low && x < high)) break;
        fmu_attempt(f, x, k, z);
        if (fmu_any_crossed(f, f->now.t + x, z, value)) {
            high = x;
            memcpy(z1, z, sizeof z), memcpy(at_high, value, sizeof value);
        } else {
            low = x;
            memcpy(at_low, value, sizeof value);
        }
    }
    return high;
}

// One step towards a time, to the first event at most. 0: it cannot be done. `*crossed`: it ends
// where a function has crossed 0.
static int fmu_advance(fmu_instance *f, double to, int *crossed) {
    double k[FMU_STAGES][FMU_ROOM(FMU_STATES)], z1[FMU_ROOM(FMU_STATES)];
    double rate1[FMU_ROOM(FMU_STATES)], value[FMU_ROOM(FMU_EVENTS)];
    double h = fmu_step(f, to - f->now.t, k, z1);
    *crossed = 0;
    if (!(h > 0)) return 0;
    if (FMU_EVENTS > 0 && fmu_rate_at(f, f->now.t + h, z1, rate1)) {
        const double suspect = fmu_find_suspect(f, h, k[0], z1, rate1);
        if (suspect > 0 && suspect < h) fmu_attempt(f, h = suspect, k, z1);
        if (suspect > 0 && fmu_any_crossed(f, f->now.t + h, z1, value)) {
            h = fmu_find_crossing(f, h, k, z1);
            *crossed = 1;
        }
    }
    f->now.t = h < to - f->now.t ? f->now.t + h : to;
    memcpy(f->now.z, z1, sizeof(double) * FMU_STATES);
    fmu_forget(f);
    return 1;
}
