// The second run, and the difference.
#include "simulate/verify.h"

#include "integrate/conserved.h"
#include "integrate/extended.h"
#include "record/sinks.h"
#include "simulate/charts.h"
#include "simulate/run_memory.h"
#include "simulate/projection.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 1000 };
static const double CLOSER = 3; // the second run looks closer, at other places
// below it rounding in double precision is a part of what would be compared
static const double FINEST_DOUBLE = 1e-13;

struct kept_rows {
    sink base;
    const run *r;
    uint32_t width, count;
    uint64_t seen, stride;
    double *time;     // MOST_ROWS
    int64_t *number;  // as many: see run.h
    expansion *value; // `width` for each
};

// --- the rows of the first run -------------------------------------------------------------------

static bool is_compared(column_kind k) { return k == COLUMN_COORDINATE || k == COLUMN_VELOCITY; }

// Every second row is dropped when the store is full.
static void thin_out(kept_rows *k) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < k->count; i += 2, left++) {
        k->time[left] = k->time[i], k->number[left] = k->number[i];
        memmove(k->value + (size_t)left * k->width, k->value + (size_t)i * k->width,
                sizeof(expansion) * k->width);
    }
    k->count = left;
    k->stride *= 2;
}

// What is compared of the row that r has made, with all its digits
static void take(const run *r, const double *row, expansion *out) {
    const simulation *sim = r->state.f->sim;
    const extended *exact = r->state.extended;
    for (uint32_t i = 0; i < sim->column_count; i++)
        if (is_compared(sim->column[i].kind))
            *out++ = exact ? exact->value(exact, i) : (expansion){{row[i]}};
}

static bool row(sink *base, const double *value) {
    kept_rows *k = (kept_rows *)base;
    if (k->seen++ % k->stride == 0) {
        if (k->count == MOST_ROWS) thin_out(k);
        if ((k->seen - 1) % k->stride == 0) {
            k->time[k->count] = value[0], k->number[k->count] = k->r->record.number;
            take(k->r, value, k->value + (size_t)k->count++ * k->width);
        }
    }
    return true;
}

static bool finish(sink *base, const run_position *here, const char *outcome, text *why) {
    (void)base, (void)here, (void)outcome, (void)why; // the rows are compared afterwards
    return true;
}

kept_rows *kept_rows_create(run *r) {
    const simulation *sim = r->state.f->sim;
    kept_rows *k = memory_new(kept_rows);
    *k = (kept_rows){.base = {.row = row, .finish = finish}, .r = r, .stride = 1};
    for (uint32_t i = 0; i < sim->column_count; i++) k->width += is_compared(sim->column[i].kind);
    k->time = memory_array(double, MOST_ROWS), k->number = memory_array(int64_t, MOST_ROWS);
    k->value = memory_array(expansion, (size_t)MOST_ROWS * (k->width + 1));
    r->record.out = sink_tee(r->record.out, &k->base);
    return k;
}

void kept_rows_free(kept_rows *k) {
    if (!k) return;
    memory_free(k->time), memory_free(k->number), memory_free(k->value);
    memory_free(k);
}

// --- the second run ------------------------------------------------------------------------------

typedef struct {
    const integrator *method;
    const extended_kind *kind; // NULL: in double
    double tolerance, step;
} plan;

// The tolerance a hundredth, or half the step. What a precision cannot tell apart, the
// next one can, by Taylor's method; where there is none the second run is the coarser one,
// and what it is off by is not less.
static plan plan_of(const run *first) {
    const run_request *asked = &first->asked;
    const integration *in = &first->state;
    const extended_kind *kind = in->extended ? in->extended->kind : NULL;
    plan p = {.method = first->first ? first->first : asked->method,
              .kind = kind,
              .tolerance = asked->tolerance / 100};
    if (p.method->fixed_step) {
        const double mean = (in->t - in->f->sim->t0) / fmax(1, (double)first->record.steps);
        p.step = (asked->step > 0 ? asked->step : mean) / 2;
        return p;
    }
    if (p.tolerance >= (kind ? kind->finest : FINEST_DOUBLE)) return p;
    const integrator *method = integrator_extended();
    const extended_kind *wider = integrator_refusal(method, in) ? NULL : extended_beyond(kind);
    if (wider) p.method = method, p.kind = wider, p.tolerance = fmax(p.tolerance, wider->finest);
    else p.tolerance = asked->tolerance * 100;
    return p;
}

double verify_tolerance(double tolerance) {
    return tolerance / 100 >= FINEST_DOUBLE ? tolerance / 100 : tolerance * 100;
}

typedef struct {
    sink base;
    const run *r;
    const kept_rows *kept;
    verification *out;
    expansion *work;
} comparison;

static double difference(expansion a, expansion b) {
    double sum = 0;
    for (int i = EXPANSION_PARTS; i-- > 0;) sum += a.part[i] - b.part[i];
    return fabs(sum);
}

static bool compare(sink *base, const double *value) {
    comparison *c = (comparison *)base;
    const kept_rows *k = c->kept;
    if (c->out->rows == k->count || value[0] != k->time[c->out->rows]) return true;
    const expansion *before = k->value + (size_t)c->out->rows++ * k->width;
    take(c->r, value, c->work);
    for (uint32_t i = 0; i < k->width; i++) {
        const double size = difference(before[i], c->work[i]) / (1 + fabs(c->work[i].part[0]));
        if (size > c->out->error) c->out->error = size, c->out->t = value[0];
    }
    return true;
}

// Rows at the times of those kept; the run itself begins with one at the start.
static void set_times(run_request *asked, double start, const kept_rows *k) {
    const uint32_t more = k->time[0] != start;
    double *time = memory_array(double, k->count + 1);
    int64_t *number = memory_array(int64_t, k->count + 1);
    time[0] = start, number[0] = 0;
    memcpy(time + more, k->time, sizeof(double) * k->count);
    memcpy(number + more, k->number, sizeof(int64_t) * k->count);
    asked->times = time, asked->numbers = number, asked->time_count = k->count + more;
}

// From the start, in the first chart
static void open_again(run *r, const run *first, const plan *p, const double *start,
                       const kept_rows *kept) {
    field *f = first->charts ? charts_begin(first->charts) : first->state.f;
    *r = (run){.asked = {.method = p->method,
                         .end = kept->time[kept->count - 1],
                         .tolerance = p->tolerance,
                         .step = p->step,
                         .interval = first->asked.interval,
                         .interrupted = first->asked.interrupted,
                         .ignores_events = true,
                         .wants_rest = first->asked.wants_rest,
                         .closer = CLOSER},
               .charts = first->charts};
    if (!p->kind && p->method == first->first)
        r->first = first->first, r->other = first->other, r->record.may_change = true;
    double *z = memory_array(double, f->size + 1);
    memcpy(z, start, sizeof(double) * f->size);
    run_open(r, f, f->sim->t0, z);
    r->state.shifts = first->state.shifts;
    run_enter_piece(r);
    set_times(&r->asked, r->state.t, kept);
    if (p->kind) r->state.extended = extended_create(p->kind, &r->state);
    else if (!p->method->fixed_step)
        r->holonomic = holonomic_create(f->sim, integrator_residual(p->method, p->tolerance));
}

static void close_again(run *r) {
    run_free(r);
    holonomic_free(r->holonomic), extended_free(r->state.extended);
    memory_free((void *)r->asked.times), memory_free((void *)r->asked.numbers);
    memory_free(r->state.z);
}

verification verify_run(const run *first, const double *start, const kept_rows *kept) {
    // taken up again for less than the time between two rows
    if (!kept->count) return (verification){0};
    const plan p = plan_of(first);
    verification v = {
        .tolerance = p.tolerance, .step = p.step, .precision = p.kind ? p.kind->id : "double"};
    run again;
    open_again(&again, first, &p, start, kept);
    field *f = again.state.f;
    const uint64_t rates = f->rate_calls, jets = f->jet_calls, jacobians = f->jacobian_calls;
    comparison c = {.base = {.row = compare}, .r = &again, .kept = kept, .out = &v};
    c.work = memory_array(expansion, kept->width + 1);
    again.record.out = &c.base;
    if (!run_begin(&again) && again.asked.end > again.state.t) run_integrate(&again);
    v.complete = v.rows == kept->count;
    close_again(&again);
    memory_free(c.work);
    // the summary counts the first run
    f->rate_calls = rates, f->jet_calls = jets, f->jacobian_calls = jacobians;
    return v;
}

// --- conserved quantities ------------------------------------------------------------------------

double verify_drift(const run *r, uint32_t *column) {
    const simulation *sim = r->state.f->sim;
    const bool energy = simulation_keeps_energy(sim);
    double most = 0;
    *column = 0;
    for (uint32_t i = 0; i < sim->column_count; i++) {
        const column_kind kind = sim->column[i].kind;
        if (!(kind == COLUMN_INVARIANT || (kind == COLUMN_ENERGY && energy)) ||
            !(r->record.deviation[i] > 0))
            continue;
        conserved *w = conserved_create(sim, i);
        double weight = 0;
        const bool finite = conserved_weight(w, r->state.t, r->state.z, &weight);
        const double error = r->record.deviation[i] / fmax(weight, fabs(r->record.first_row[i]));
        if (finite && weight > 0 && error > most) most = error, *column = i;
        conserved_free(w);
    }
    return most;
}
