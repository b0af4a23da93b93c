// The second run, and the difference.
#include "simulate/verify.h"

#include "simulate/charts.h"

#include "simulate/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000 };
static const double SMALLEST_TOLERANCE = 1e-16; // below it nothing is left to gain in double precision

struct kept_rows {
    sink base;
    sink *to; // NULL: rows go nowhere else
    const simulation *s;
    uint32_t width, count;
    uint64_t seen, stride;
    double *time, *row; // MOST_ROWS, and `width` values each
};

static bool is_compared(column_kind k) { return k == COLUMN_COORDINATE || k == COLUMN_VELOCITY; }

// Every second row is dropped when the store is full.
static void thin_out(kept_rows *k) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < k->count; i += 2, left++) {
        k->time[left] = k->time[i];
        memmove(k->row + (size_t)left * k->width, k->row + (size_t)i * k->width, sizeof(double) * k->width);
    }
    k->count = left;
    k->stride *= 2;
}

static void take(const simulation *s, const double *value, double *out) {
    for (uint32_t i = 0; i < s->column_count; i++)
        if (is_compared(s->column[i].kind)) *out++ = value[i];
}

static bool row(sink *base, const double *value) {
    kept_rows *k = (kept_rows *)base;
    if (k->seen++ % k->stride == 0) {
        if (k->count == MOST_ROWS) thin_out(k);
        if ((k->seen - 1) % k->stride == 0) {
            k->time[k->count] = value[0];
            take(k->s, value, k->row + (size_t)k->count++ * k->width);
        }
    }
    return !k->to || k->to->row(k->to, value);
}

static bool pulse(sink *base) {
    kept_rows *k = (kept_rows *)base;
    return !k->to || !k->to->pulse || k->to->pulse(k->to);
}

static bool restore(sink *base, run *r) { return ((kept_rows *)base)->to->restore(((kept_rows *)base)->to, r); }

static bool finish(sink *base, const char *outcome) {
    kept_rows *k = (kept_rows *)base;
    return !k->to || k->to->finish(k->to, outcome);
}

kept_rows *keep_rows(run *r) {
    kept_rows *k = memory_resize(NULL, sizeof *k);
    *k = (kept_rows){.base = {.row = row, .pulse = pulse, .finish = finish, .restore = r->out && r->out->restore ? restore : NULL}, .to = r->out, .s = r->f->system, .stride = 1};
    for (uint32_t i = 0; i < k->s->column_count; i++) k->width += is_compared(k->s->column[i].kind);
    k->time = memory_resize(NULL, sizeof(double) * MOST_ROWS * (k->width + 1)), k->row = k->time + MOST_ROWS;
    r->out = &k->base;
    return k;
}

void kept_rows_free(kept_rows *k) {
    if (!k) return;
    free(k->time);
    free(k);
}

// --- the comparison ----------------------------------------------------------------------------------------------------------------

typedef struct {
    sink base;
    const kept_rows *kept;
    verification *out;
    double *work;
} comparison;

static bool compare(sink *base, const double *value) {
    comparison *c = (comparison *)base;
    const kept_rows *k = c->kept;
    if (c->out->rows == k->count || value[0] != k->time[c->out->rows]) return true;
    const double *before = k->row + (size_t)c->out->rows++ * k->width;
    take(k->s, value, c->work);
    for (uint32_t i = 0; i < k->width; i++) {
        const double size = fabs(before[i] - c->work[i]) / (1 + fabs(c->work[i]));
        if (size > c->out->error) c->out->error = size, c->out->t = value[0];
    }
    return true;
}

verification verify_run(const run *first, const integrator *method, const double *start, const kept_rows *kept) {
    field *f = first->charts ? charts_begin(first->charts) : first->f;
    const uint64_t rates = f->rate_calls, jets = f->jet_calls, jacobians = f->jacobian_calls;
    verification v = {.tolerance = fmax(first->tolerance / 100, SMALLEST_TOLERANCE)};
    if (!method->adaptive && first->steps) v.step = (first->step > 0 ? first->step : (first->t - f->system->t0) / (double)first->steps) / 2;
    comparison c = {.base = {.row = compare}, .kept = kept, .out = &v, .work = memory_resize(NULL, sizeof(double) * (kept->width + 1))};
    double *z = memory_resize(NULL, sizeof(double) * (f->size + 1));
    memcpy(z, start, sizeof(double) * f->size);
    run again = {.f = f, .t = f->system->t0, .z = z, .end = kept->time[kept->count - 1], .tolerance = v.tolerance, .step = v.step,
                 .times = kept->time, .time_count = kept->count, .out = &c.base, .interrupted = first->interrupted, .charts = first->charts, .winding = first->winding};
    if (method->adaptive) again.holonomic = holonomic_create(f->system, integrator_residual(method, v.tolerance));
    run_status status = run_begin(&again);
    if (!status && again.end > again.t) status = run_integrate(&again, method);
    v.complete = v.rows == kept->count;
    run_free(&again);
    holonomic_free(again.holonomic);
    free(z), free(c.work);
    f->rate_calls = rates, f->jet_calls = jets, f->jacobian_calls = jacobians; // the summary counts the first run
    return v;
}
