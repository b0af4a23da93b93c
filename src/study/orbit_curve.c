// Points and tangents of a curve of periodic orbits.
#include "study/orbit_curve.h"

#include "base/random.h"
#include "model/mechanics.h"
#include "study/least_squares.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 12, MORE_ROWS = 3 };
static const double ROUNDING = 1e-14, GOOD = 1e-10; // of |F|, scaled: nothing to improve, enough
static const double FAMILIES = 1e-14;               // damping: steps along families are least

// --- memory --------------------------------------------------------------------------------------

// H = sum q' dL/dq' - L and its gradient by z
static tape *energy_code(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    const uint32_t size = sim->o->size;
    expr *e = memory_array(expr, size + 1), *momentum = memory_array(expr, s->n + 1);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, momentum);
    *e = expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, momentum), s->lagrangian);
    ode_expressions(sim->o, 1, e, e);
    expr_gradient(s->pool, *e, size, sim->o->state, e + 1);
    tape *t = tape_create(s->pool, size, sim->o->state, sim->m->time, sim->parameter_count,
                          sim->parameter, size + 1, e);
    memory_free(e), memory_free(momentum);
    return t;
}

double orbit_energy(const simulation *sim, const double *z) {
    tape *t = energy_code(sim);
    machine look;
    double *out = memory_array(double, sim->o->size + 1);
    machine_init(&look, t, sim->parameter_value);
    machine_run(&look, sim->t0, z, out);
    const double energy = out[0];
    machine_free(&look), tape_free(t), memory_free(out);
    return energy;
}

void orbit_curve_open(orbit_curve *w, const orbit_family *of, uint32_t multiple,
                      uint32_t segments) {
    *w = (orbit_curve){.of = of, .multiple = multiple};
    shooting_open(&w->s, &of->problem, segments);
    const uint32_t states = segments * w->s.size, columns = w->s.columns + 1;
    w->columns = columns, w->rows = w->s.rows + of->by_energy;
    const size_t rows = w->rows + MORE_ROWS + columns;
    w->scale = memory_zeros(double, 4 * columns + rows * (columns + 1) + w->s.size + 1);
    w->step = w->scale + columns, w->phase = w->step + columns, w->room = w->phase + columns;
    w->f = w->room + columns, w->j = w->f + rows;
    for (uint32_t c = 0; c < columns; c++) w->scale[c] = 1;
    for (uint32_t c = 0; c < states; c++) w->scale[c] = of->size * sqrt(segments);
    if (!of->problem.period_is_given) w->scale[states] = of->period * multiple;
    w->scale[columns - 1] = of->high - of->low;
    if (!of->by_energy) return;
    w->energy = energy_code(of->problem.sim);
    machine_init(&w->look, w->energy, of->problem.sim->parameter_value);
}

void orbit_curve_close(orbit_curve *w) {
    shooting_close(&w->s);
    if (w->energy) machine_free(&w->look), tape_free(w->energy);
    memory_free(w->scale);
}

// --- the unknowns --------------------------------------------------------------------------------

// T(p), and dT/dp in `slope`, where p gives it
static double period_at(const orbit_curve *w, double p, double *slope) {
    const double first = w->of->period * w->multiple, at = w->of->p;
    *slope = 0;
    switch (w->of->law) {
    case PERIOD_INVERSE: *slope = -first * at / (p * p); return first * at / p;
    case PERIOD_GROWS: *slope = first / at; return first * p / at;
    case PERIOD_KNOWN: {
        const double once = w->of->period_of(w->of->data, p, slope);
        return *slope *= w->multiple, once * w->multiple;
    }
    default: return first;
    }
}

void orbit_curve_take(const orbit_curve *w, const double *z, double period, const double *speed,
                      double p, double *y) {
    const uint32_t states = w->s.segments * w->s.size, free = !w->of->problem.period_is_given;
    memcpy(y, z, sizeof(double) * states);
    if (free) y[states] = period;
    for (uint32_t a = 0; a < w->of->problem.moves; a++) y[states + free + a] = speed[a];
    y[w->columns - 1] = p;
    for (uint32_t c = 0; c < w->columns; c++) y[c] /= w->scale[c];
}

// x of the shooting; its states, and those of y, are moved onto the constraints
static void open_unknowns(orbit_curve *w, double *y, double *slope) {
    const uint32_t states = w->s.segments * w->s.size, free = !w->of->problem.period_is_given;
    double *x = w->s.x;
    for (uint32_t c = 0; c < states; c++) x[c] = y[c] * w->scale[c];
    *shooting_period(&w->s, x) = period_at(w, orbit_curve_p(w, y), slope);
    if (free) *shooting_period(&w->s, x) = y[states] * w->scale[states];
    for (uint32_t a = 0; a < w->of->problem.moves; a++)
        shooting_speeds(&w->s, x)[a] = y[states + free + a] * w->scale[states + free + a];
    for (uint32_t k = 0; k < w->s.segments; k++)
        shooting_project(&w->s, w->of->problem.t0 + k * x[states] / w->s.segments,
                         x + k * w->s.size);
    for (uint32_t c = 0; c < states && w->s.normals; c++) y[c] = x[c] / w->scale[c];
}

// --- the equations -------------------------------------------------------------------------------

static bool take_energy(orbit_curve *w, const double *y) {
    const uint32_t row = w->s.rows, size = w->s.size;
    const double unit = w->scale[w->columns - 1];
    double *out = memory_array(double, size + 1), *j = w->j + (size_t)row * w->columns;
    const bool finite = machine_run(&w->look, w->of->problem.t0, w->s.x, out);
    w->f[row] = (out[0] - orbit_curve_p(w, y)) / unit;
    memset(j, 0, sizeof(double) * w->columns);
    for (uint32_t i = 0; i < size; i++) j[i] = out[1 + i] * w->scale[i] / unit;
    j[w->columns - 1] = -1;
    memory_free(out);
    return finite;
}

double orbit_curve_evaluate(orbit_curve *w, double *y) {
    const uint32_t last = w->columns - 1;
    double slope, sum = 0;
    for (uint32_t c = 0; c < w->columns; c++)
        if (!isfinite(y[c])) return INFINITY;
    if (!w->of->by_energy) {
        w->of->set(w->of->data, orbit_curve_p(w, y));
        shooting_take_parameters(&w->s);
    }
    open_unknowns(w, y, &slope);
    if (!isfinite(shooting_evaluate(&w->s, w->s.x))) return INFINITY;
    for (uint32_t i = 0; i < w->s.rows; i++) {
        double *row = w->j + (size_t)i * w->columns;
        w->f[i] = w->s.f[i] / w->of->size;
        for (uint32_t c = 0; c < last; c++)
            row[c] = w->s.j[(size_t)i * last + c] * w->scale[c] / w->of->size;
        row[last] = w->of->by_energy ? 0
                                     : (w->s.by_parameter[i] + slope * w->s.by_period[i]) *
                                           w->scale[last] / w->of->size;
    }
    if (w->of->by_energy && !take_energy(w, y)) return INFINITY;
    for (uint32_t i = 0; i < w->rows; i++) sum += w->f[i] * w->f[i];
    return isfinite(sum) ? sqrt(sum) : INFINITY;
}

static double dot(uint32_t n, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add_row(orbit_curve *w, uint32_t row, const double *of, double value) {
    memcpy(w->j + (size_t)row * w->columns, of, sizeof(double) * w->columns);
    w->f[row] = value;
}

uint32_t orbit_curve_correct(orbit_curve *w, const double *t, double *y) {
    double *guess = w->room, before = INFINITY;
    memcpy(guess, y, sizeof(double) * w->columns);
    for (uint32_t step = 1; step <= MOST_STEPS; step++) {
        const double defect = orbit_curve_evaluate(w, y);
        double off = 0;
        for (uint32_t c = 0; c < w->columns; c++) off += t[c] * (y[c] - guess[c]);
        // several segments have their rounding each
        const bool ends = defect < ROUNDING * w->s.segments || (step > 3 && defect > before / 4);
        if (!isfinite(defect) || (step > 2 && defect > 4 * before && defect > GOOD)) return 0;
        if (step > 1 && ends) return defect < GOOD ? step : 0;
        add_row(w, w->rows, t, off);
        least_squares_step(w->rows + 1, w->columns, w->j, w->f, FAMILIES, w->step);
        for (uint32_t c = 0; c < w->columns; c++) y[c] += w->step[c];
        before = defect;
    }
    return 0;
}

// --- directions ----------------------------------------------------------------------------------

// The direction of the motion as a change of y, of length 1; false where time is no freedom
static bool find_phase(orbit_curve *w) {
    const uint32_t size = w->s.size;
    double *rate = w->f + w->rows + MORE_ROWS; // room that nothing else uses now
    memset(w->phase, 0, sizeof(double) * w->columns);
    if (w->of->problem.period_is_given) return false;
    for (uint32_t k = 0; k < w->s.segments; k++) {
        if (!flow_rate(w->of->problem.w, w->of->problem.t0, w->s.x + k * size, rate)) return false;
        for (uint32_t i = 0; i < size; i++)
            w->phase[k * size + i] = rate[i] / w->scale[k * size + i];
    }
    const double length = sqrt(dot(w->columns, w->phase, w->phase));
    for (uint32_t c = 0; c < w->columns && length > 0; c++) w->phase[c] /= length;
    return length > 0;
}

bool orbit_curve_tangent(orbit_curve *w, const double *before, double *t) {
    uint32_t rows = w->rows;
    memset(w->f, 0, sizeof(double) * w->rows);
    if (find_phase(w)) add_row(w, rows++, w->phase, 0);
    add_row(w, rows++, before, -1);
    least_squares_step(rows, w->columns, w->j, w->f, FAMILIES, t);
    const double length = sqrt(dot(w->columns, t, t));
    for (uint32_t c = 0; c < w->columns; c++) t[c] /= length;
    return isfinite(length) && length > 0;
}

// Inverse iteration: the least of |A q|, with A the derivatives and the rows t and phase, is found
// by (A^T A + d) q_new = q, which are the normal equations of [A; sqrt(d)] q_new = [0; q/sqrt(d)].
void orbit_curve_other(orbit_curve *w, const double *t, double *q) {
    enum { ROUNDS = 4 };
    static const double SMALL = 1e-6;
    uint64_t stream = 11;
    uint32_t rows = w->rows;
    memset(w->f, 0, sizeof(double) * (w->rows + MORE_ROWS));
    if (find_phase(w)) add_row(w, rows++, w->phase, 0);
    add_row(w, rows++, t, 0);
    for (uint32_t c = 0; c < w->columns; c++) {
        q[c] = (double)(random_next(&stream) >> 11) * 0x1p-52 - 1;
        memset(w->j + (size_t)(rows + c) * w->columns, 0, sizeof(double) * w->columns);
        w->j[(size_t)(rows + c) * w->columns + c] = SMALL;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t c = 0; c < w->columns; c++) w->f[rows + c] = -q[c] / SMALL;
        least_squares_step(rows + w->columns, w->columns, w->j, w->f, 0, q);
        const double length = sqrt(dot(w->columns, q, q));
        for (uint32_t c = 0; c < w->columns; c++) q[c] /= length;
    }
}

// --- what is known of an orbit -------------------------------------------------------------------

// The extreme values of the cubic with these values and slopes at 0 and 1
static void widen(double a, double b, double da, double db, double *low, double *high) {
    const double c3 = 2 * (a - b) + da + db, c2 = 3 * (b - a) - 2 * da - db,
                 d = c2 * c2 - 3 * c3 * da;
    double at[3] = {1, NAN, NAN};
    // 3 c3 u^2 + 2 c2 u + da = 0, without cancellation
    const double sum = -(c2 + copysign(sqrt(fmax(d, 0)), c2));
    if (d >= 0) at[1] = sum / (3 * c3), at[2] = da / sum;
    for (int i = 0; i < 3; i++)
        if (at[i] >= 0 && at[i] <= 1) {
            const double v = a + at[i] * (da + at[i] * (c2 + at[i] * c3));
            *low = fmin(*low, v), *high = fmax(*high, v);
        }
}

void orbit_curve_range(orbit_curve *w, orbit_point *out) {
    arena *memory = &w->of->problem.sim->m->ctx->arena;
    enum { LOOKS = 24 };
    const uint32_t n = w->s.n, looks = LOOKS * w->multiple;
    flow *along = w->of->problem.w;
    double *zero = memory_zeros(double, (size_t)w->s.size * w->s.across + 1),
           *v = memory_array(double, 2 * (size_t)n * (1 + w->s.across) + n), *last = v + n,
           *velocity = last + n;
    const double t0 = w->of->problem.t0, h = out->period / looks;
    out->low = arena_array(memory, double, 2 * n), out->high = out->low + n;
    flow_start(along, t0, w->s.x, zero);
    for (uint32_t k = 0; k <= looks; k++) {
        const double *q = flow_state(along);
        if (k && flow_run(along, t0 + k * h)) break;
        if (!flow_velocities(along, velocity)) break;
        for (uint32_t i = 0; i < n; i++) {
            if (!k) out->low[i] = out->high[i] = q[i];
            else widen(last[i], q[i], h * v[i], h * velocity[i], &out->low[i], &out->high[i]);
            last[i] = q[i], v[i] = velocity[i];
        }
    }
    memory_free(zero), memory_free(v);
}

void orbit_curve_point(orbit_curve *w, const double *y, const double *tangent, orbit_point *out) {
    static const double ON_CIRCLE = 1e-7;
    const orbit_problem *p = &w->of->problem;
    arena *a = &p->sim->m->ctx->arena;
    const size_t bytes = sizeof(double) * w->columns;
    const uint32_t size = w->s.size;
    *out = (orbit_point){.p = orbit_curve_p(w, y), .period = *shooting_period(&w->s, w->s.x)};
    out->y = arena_array(a, double, 2 * w->columns), out->tangent = out->y + w->columns;
    memcpy(out->y, y, bytes), memcpy(out->tangent, tangent, bytes);
    orbit here = {.z = w->s.x, .period = out->period, .speed = shooting_speeds(&w->s, w->s.x)};
    here.monodromy = memory_array(double, (size_t)size *size);
    shooting_monodromy(&w->s, here.monodromy);
    floquet_find(p, &here, w->of->group, !p->period_is_given, &out->floquet);
    memory_free(here.monodromy);
    out->stable = true;
    for (uint32_t i = 0; i < out->floquet.count; i++)
        if (hypot(out->floquet.re[i], out->floquet.im[i]) > 1 + ON_CIRCLE) out->stable = false;
}
