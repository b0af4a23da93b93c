// Exponents by repeated orthonormalisation.
#include "study/lyapunov.h"

#include "base/budget.h"
#include "base/random.h"
#include "model/mechanics.h"
#include "study/tangent_space.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 20, LEAST_INTERVALS = 400 };
static const double LONGEST_INTERVAL = 1, TRANSIENT = 0.1;
static const double MOST_GROWTH = 12; // log of the growth over an interval: columns stay apart

typedef struct {
    flow *w;
    tangent_space *space;
    uint32_t size, count;
    double *normal, *length, *saved;
    double from, to;
    double reached; // the end of the last interval that counts
    double *log;    // of each exponent and block: log[block * count + i]
    double spent[BLOCKS];
} work;

uint32_t lyapunov_count(const simulation *sim) {
    tangent_space *space = tangent_space_create(sim);
    const uint32_t count = sim->o->size - tangent_space_normals(space);
    tangent_space_free(space);
    return count;
}

static bool orthonormalise(work *k) {
    const simulation *sim = flow_system(k->w);
    double *z = flow_state(k->w);
    const bool finite = tangent_space_at(k->space, sim, flow_time(k->w), z, k->normal);
    tangent_space_orthonormalise(k->size, tangent_space_normals(k->space), k->normal, k->count,
                                 z + k->size, k->length);
    return finite;
}

// Columns at random, the same in every run
static void begin(work *k) {
    uint64_t stream = 1;
    double *column = flow_state(k->w) + k->size;
    for (uint32_t i = 0; i < k->size * k->count; i++)
        column[i] = (double)(random_next(&stream) >> 11) * 0x1p-52 - 1;
    orthonormalise(k);
}

static void count_interval(work *k, double from, double to) {
    if (from < k->from) return;
    const double part = (0.5 * (from + to) - k->from) / (k->to - k->from);
    const uint32_t block = part < 1 ? (uint32_t)(part * BLOCKS) : BLOCKS - 1;
    k->spent[block] += to - from, k->reached = to;
    for (uint32_t i = 0; i < k->count; i++) k->log[block * k->count + i] += log(k->length[i]);
}

static bool grew_too_much(const work *k) {
    for (uint32_t i = 0; i < k->count; i++)
        if (!isfinite(k->length[i]) || fabs(log(k->length[i])) > MOST_GROWTH) return true;
    return false;
}

// Is the time of the call over, or does somebody want it to end?
static run_status is_over(void) {
    switch (budget_spent()) {
    case RECOVERY_INTERRUPTED: return RUN_INTERRUPTED;
    case RECOVERY_TIME: return RUN_LIMIT;
    default: return RUN_DONE;
    }
}

static run_status follow(work *k, double start) {
    double interval = fmin(LONGEST_INTERVAL, (k->to - start) / LEAST_INTERVALS);
    for (double t = start; t < k->to;) {
        const double next = t + 1.001 * interval < k->to ? t + interval : k->to;
        run_status status = is_over();
        if (!status) status = flow_run(k->w, next);
        if (status) return status;
        if (!orthonormalise(k)) return RUN_NOT_FINITE;
        // growth that was too large counts still where it could be measured
        const bool large = grew_too_much(k);
        if (large) interval /= 2;
        for (uint32_t i = 0; i < k->count; i++)
            if (!(k->length[i] > 0) || !isfinite(k->length[i])) return RUN_NOT_FINITE;
        count_interval(k, t, next);
        t = next;
    }
    return RUN_DONE;
}

// --- means ---------------------------------------------------------------------------------------

// Mean over the time that counts, with its error: of exponent i, or of all together
static double mean_of(const work *k, uint32_t first, uint32_t count, double *error) {
    double rate[BLOCKS], mean = 0, spread = 0, half[2] = {0}, time = 0, of_half[2] = {0};
    uint32_t used = 0, blocks = 0;
    for (uint32_t b = 0; b < BLOCKS; b++)
        if (k->spent[b] > 0) blocks = b + 1;
    for (uint32_t b = 0; b < blocks; b++) {
        if (!(k->spent[b] > 0)) continue;
        double sum = 0;
        for (uint32_t i = first; i < first + count; i++) sum += k->log[b * k->count + i];
        rate[used++] = sum / k->spent[b];
        mean += sum, time += k->spent[b];
        half[2 * b / blocks] += sum, of_half[2 * b / blocks] += k->spent[b];
    }
    for (int h = 0; h < 2; h++) half[h] /= of_half[h];
    mean /= time;
    for (uint32_t b = 0; b < used; b++) spread += (rate[b] - mean) * (rate[b] - mean);
    const double standard = used > 1 ? sqrt(spread / (used - 1) / used) : INFINITY;
    // a factor in the length of a change that only comes and goes is worth its logarithm over the
    // time, however steady the growth looks: here 1.65; an oscillator with k = 2 has up to 1.42
    static const double FACTOR = 0.5;
    *error = fmax(fmax(standard, fabs(half[0] - half[1]) / 2), FACTOR / time);
    return mean;
}

static void sort(lyapunov *l) {
    for (uint32_t i = 1; i < l->count; i++)
        for (uint32_t j = i; j > 0 && l->exponent[j] > l->exponent[j - 1]; j--) {
            const double e = l->exponent[j], r = l->error[j];
            l->exponent[j] = l->exponent[j - 1], l->error[j] = l->error[j - 1];
            l->exponent[j - 1] = e, l->error[j - 1] = r;
        }
}

// j + (sum of the first j)/|the next|, j the largest number whose sum is not negative
static double dimension_of(const lyapunov *l) {
    double sum = 0;
    for (uint32_t j = 0; j < l->count; j++) {
        const double next = sum + l->exponent[j];
        if (next < -3 * l->sum_error && next < 0) return j + sum / fabs(l->exponent[j]);
        sum = next;
    }
    return l->count;
}

void lyapunov_find(flow *w, double end, lyapunov *out) {
    const simulation *sim = flow_system(w);
    arena *a = &sim->m->ctx->arena;
    const uint32_t size = sim->o->size;
    work k = {.w = w, .space = tangent_space_create(sim), .size = size, .to = end};
    k.count = size - tangent_space_normals(k.space);
    const double start = flow_time(w);
    k.from = start + TRANSIENT * (end - start);
    k.normal = memory_zeros(double, (size_t)size *(size + 1) + 1);
    k.length = memory_zeros(double, k.count + 1);
    k.log = memory_zeros(double, BLOCKS *(size_t)k.count + 1);
    *out = (lyapunov){.count = k.count, .from = k.from, .to = end};
    begin(&k);
    out->status = follow(&k, start);
    const bool ended = out->status == RUN_INTERRUPTED || out->status == RUN_LIMIT;
    if (ended && k.reached > k.from)
        out->to = k.reached, out->cut = out->status, out->status = RUN_DONE;
    if (!out->status) {
        out->exponent = arena_array(a, double, k.count + 1);
        out->error = arena_array(a, double, k.count + 1);
        for (uint32_t i = 0; i < k.count; i++) out->exponent[i] = mean_of(&k, i, 1, &out->error[i]);
        out->sum = mean_of(&k, 0, k.count, &out->sum_error);
        sort(out);
        out->dimension = dimension_of(out);
    }
    tangent_space_free(k.space);
    memory_free(k.normal), memory_free(k.length), memory_free(k.log);
}
