// Defects of multiple shooting and their derivatives.
#include "study/shooting.h"

#include "execute/elimination.h"
#include "integrate/shifts.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

static const double FIRMLY = 1e4; // weight of dphi dz = 0: steps along the constraints

// --- memory --------------------------------------------------------------------------------------

void shooting_open(shooting *s, const orbit_problem *p, uint32_t segments) {
    const uint32_t size = p->sim->o->size, n = p->sim->eq->system->n;
    *s = (shooting){.p = p, .n = n, .size = size, .segments = segments};
    s->space = tangent_space_create(p->sim);
    s->normals = tangent_space_normals(s->space);
    s->g = move_create(p->sim, p->moves, p->move);
    s->rows = segments * (size + s->normals);
    s->columns = segments * size + !p->period_is_given + p->moves;
    s->across = size + p->parameters;
    const size_t columns = segments * size + 1 + p->moves, square = (size_t)size * size;
    s->x = memory_zeros(double, 3 * columns);
    s->trial = s->x + columns, s->step = s->trial + columns;
    s->f = memory_zeros(double, (size_t)s->rows *(s->columns + 3) + 1);
    s->by_period = s->f + s->rows, s->by_parameter = s->by_period + s->rows;
    s->j = s->by_parameter + s->rows;
    s->flows = memory_zeros(double, (segments + 1) * square + size),
    s->moved = s->flows + segments * square;
    s->end = memory_zeros(double, (size_t)(size + n) * (1 + s->across) + 1);
    s->velocity = s->end + size * (1 + s->across);
}

void shooting_close(shooting *s) {
    tangent_space_free(s->space), move_free(s->g);
    memory_free(s->x), memory_free(s->f), memory_free(s->flows), memory_free(s->end);
}

void shooting_take_parameters(shooting *s) {
    tangent_space_take_parameters(s->space);
    move_take_parameters(s->g, s->p->move);
}

// --- the defect ----------------------------------------------------------------------------------

void shooting_take_turns_off(const shooting *s, double *difference) {
    const shifts *w = s->p->turns;
    for (uint32_t k = 0; w && k < w->list_count; k++) {
        const shift *of = &w->list[k];
        const double period = w->period[of->leader].part[0];
        if (period == 1) continue; // a translation
        const double turns = nearbyint(difference[of->leader] / period);
        for (uint32_t i = 0; i < s->n && turns != 0; i++)
            if (of->direction[i]) difference[i] -= turns * of->direction[i] * w->period[i].part[0];
    }
}

bool shooting_go(shooting *s, const double *z, double from, double to) {
    const uint32_t size = s->size;
    double *unit = memory_zeros(double, (size_t)size * s->across + 1);
    for (uint32_t i = 0; i < size; i++) unit[i * size + i] = 1;
    flow_start(s->p->w, from, z, unit);
    memory_free(unit);
    if (!flow_velocities(s->p->w, s->velocity) || flow_run(s->p->w, to)) return false;
    if (!flow_in_first_chart(s->p->w, s->end)) return false;
    bool finite = true;
    for (uint32_t i = 0; i < size * (s->across + 1); i++) finite = finite && isfinite(s->end[i]);
    return finite;
}

bool shooting_target(shooting *s, const double *z, const double *speed, double *target) {
    const uint32_t n = s->n;
    double *dq = memory_zeros(double, (size_t)n * s->across + 1);
    for (uint32_t i = 0; i < n; i++) dq[i * n + i] = 1; // columns of q; those of eta leave q
    move_set(s->g, speed);
    const bool finite = move_state(s->g, s->p->t0, z, s->velocity, s->across, dq, s->velocity + n,
                                   target, s->moved);
    memory_free(dq);
    return finite;
}

void shooting_slope_of_move(shooting *s, const double *z, const double *velocity, double *speed,
                            uint32_t a, double *out) {
    static const double H = 1e-5;
    double *low = memory_array(double, s->size + 1);
    const double here = speed[a];
    speed[a] = here + H, move_set(s->g, speed);
    move_state(s->g, s->p->t0, z, velocity, 0, NULL, NULL, out, NULL);
    speed[a] = here - H, move_set(s->g, speed);
    move_state(s->g, s->p->t0, z, velocity, 0, NULL, NULL, low, NULL);
    for (uint32_t i = 0; i < s->size; i++) out[i] = (out[i] - low[i]) / (2 * H);
    speed[a] = here;
    memory_free(low);
}

static double *entry(const shooting *s, uint32_t row, uint32_t column) {
    return s->j + (size_t)row * s->columns + column;
}

static bool take_constraints(shooting *s, const double *z, double t, uint32_t row, uint32_t first) {
    const uint32_t h = s->normals;
    if (!h) return true;
    const double *phi = tangent_space_values(s->space, s->p->sim, t, z);
    for (uint32_t k = 0; k < h && phi; k++) {
        s->f[row + k] = phi[k];
        for (uint32_t i = 0; i < s->size; i++)
            *entry(s, row + k, first + i) = FIRMLY * phi[h + k * s->size + i];
    }
    return phi != NULL;
}

void shooting_project(const shooting *s, double t, double *z) {
    enum { ROUNDS = 6 };
    const uint32_t h = s->normals, n = s->size;
    double *gram = memory_array(double, (size_t)h *h + h + 1), *x = gram + h * h;
    for (int round = 0; round < ROUNDS && h; round++) {
        const double *phi = tangent_space_values(s->space, s->p->sim, t, z), *a = phi + h;
        if (!phi) break;
        for (uint32_t i = 0; i < h; i++) {
            x[i] = phi[i];
            for (uint32_t j = 0; j < h; j++) {
                gram[i * h + j] = 0;
                for (uint32_t k = 0; k < n; k++) gram[i * h + j] += a[i * n + k] * a[j * n + k];
            }
        }
        elimination_solve(h, gram, 1, x);
        for (uint32_t i = 0; i < h; i++)
            for (uint32_t k = 0; k < n; k++) z[k] -= a[i * n + k] * x[i];
    }
    memory_free(gram);
}

// One segment: its rows of F and J
static bool take_segment(shooting *s, double *x, uint32_t k, double *first_velocity) {
    const uint32_t size = s->size, row = k * (size + s->normals), m = s->segments;
    const bool last = k + 1 == m;
    const double period = *shooting_period(s, x), from = s->p->t0 + k * period / m,
                 to = s->p->t0 + (k + 1) * period / m;
    double *z = x + k * size, *rate = memory_array(double, size + 1),
           *target = memory_array(double, size + 1);
    bool good = to > from && shooting_go(s, z, from, to);
    const size_t velocities = sizeof(double) * s->n * (1 + s->across);
    if (good && !k) memcpy(first_velocity, s->velocity, velocities);
    if (good)
        memcpy(s->flows + (size_t)k * size * size, s->end + size, sizeof(double) * size * size);
    if (good && last) {
        memcpy(s->velocity, first_velocity, velocities);
        good = shooting_target(s, x, shooting_speeds(s, x), target);
    } else if (good) {
        memcpy(target, x + (k + 1) * size, sizeof(double) * size);
    }
    good = good && flow_rate(s->p->w, to, s->end, rate);
    for (uint32_t i = 0; i < size && good; i++) {
        s->f[row + i] = s->end[i] - target[i];
        for (uint32_t c = 0; c < size; c++) {
            *entry(s, row + i, k * size + c) += s->end[(1 + c) * size + i];
            const double to_next = last ? s->moved[c * size + i] : c == i;
            *entry(s, row + i, (last ? 0 : k + 1) * size + c) -= to_next;
        }
        s->by_period[row + i] = rate[i] / m;
        if (!s->p->period_is_given) *entry(s, row + i, m * size) = rate[i] / m;
        if (s->p->parameters)
            s->by_parameter[row + i] =
                s->end[(1 + size) * size + i] - (last ? s->moved[size * size + i] : 0);
    }
    if (good) shooting_take_turns_off(s, s->f + row);
    for (uint32_t a = 0; a < s->p->moves && good && last; a++) {
        shooting_slope_of_move(s, x, first_velocity, shooting_speeds(s, x), a, rate);
        for (uint32_t i = 0; i < size; i++)
            *entry(s, row + i, m * size + !s->p->period_is_given + a) = -rate[i];
    }
    if (good) good = take_constraints(s, z, from, row + size, k * size);
    memory_free(rate), memory_free(target);
    return good;
}

double shooting_evaluate(shooting *s, double *x) {
    double *velocity = memory_array(double, (size_t)s->n *(1 + s->across) + 1), sum = 0;
    memset(s->j, 0, sizeof(double) * s->rows * s->columns);
    bool good = *shooting_period(s, x) > 0;
    for (uint32_t k = 0; k < s->segments && good; k++) good = take_segment(s, x, k, velocity);
    memory_free(velocity);
    if (!good) return INFINITY;
    for (uint32_t i = 0; i < s->rows; i++) sum += s->f[i] * s->f[i];
    return isfinite(sum) ? sqrt(sum) : INFINITY;
}

void shooting_monodromy(const shooting *s, double *out) {
    const uint32_t n = s->size;
    double *a = memory_array(double, 2 * (size_t)n * n), *b = a + n * n;
    for (uint32_t i = 0; i < n * n; i++) out[i] = i / n == i % n;
    for (uint32_t k = 0; k < s->segments; k++) {
        const double *flow = s->flows + (size_t)k * n * n; // flow[c * n + i] = dphi_i/dz_c
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                b[i * n + j] = 0;
                for (uint32_t l = 0; l < n; l++) b[i * n + j] += flow[l * n + i] * out[l * n + j];
            }
        memcpy(out, b, sizeof(double) * n * n);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < n; c++) a[i * n + c] = s->moved[c * n + i];
    elimination_solve(n, a, n, out);
    memory_free(a);
}
