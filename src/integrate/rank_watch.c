// Do the constraints keep their rank along a step?
#include "integrate/rank_watch.h"

#include "execute/elimination.h"
#include "execute/machine.h"
#include "execute/range_machine.h"

#include <string.h>

// The rank is lost where the smallest pivot falls to this part of those at the ends of the step; or
// to what errors leave of the largest in the run, where it dips
static const double LOST = 5e-5, ERRORS = 1e-7, DIP = 0.05; // A^+ by A A^T is known down to 3e-5
static const double CHANGED = 0.5; // |A - A_0| |A_0^+| up to which a step need not be looked into
enum { DEEPEST = 28, MOST_BOXES = 1000 };

struct rank_watch {
    uint32_t k, n;
    const tape *code; // k x n rows
    machine rows;
    range_machine ranges;
    double *first, *here, *work; // rows where the step begins, at another place
    double *inverse;             // n x k: A^+ = A^T (A A^T)^-1
    double *reach;               // n: the sum of each of its rows, without signs
    double *middle;              // state in the middle of the step
    bool known;                  // `first` is
    bool hides;                  // ends and middle do not tell what is between
    double largest;              // margin that was seen
    double tolerance;
};

// --- the rows ------------------------------------------------------------------------------------

// The smallest pivot of an elimination with full pivoting
static double margin(rank_watch *w, const double *a) {
    memcpy(w->work, a, sizeof(double) * w->k * w->n);
    return elimination_pivots(w->k, w->n, w->work).smallest;
}

// A A^+ = E, which a singular matrix does not allow
static bool is_inverse(const rank_watch *w, const double *a) {
    for (uint32_t i = 0; i < w->k; i++)
        for (uint32_t j = 0; j < w->k; j++) {
            double sum = i == j ? -1 : 0;
            for (uint32_t m = 0; m < w->n; m++) sum += a[i * w->n + m] * w->inverse[m * w->k + j];
            if (!(fabs(sum) < 1e-6)) return false;
        }
    return true;
}

// A^+ of the rows; false where they are dependent.
static bool find_inverse(rank_watch *w, const double *a) {
    const uint32_t k = w->k, n = w->n;
    double *gram = w->work, *solution = gram + k * k; // (A A^T)^-1
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            double sum = 0;
            for (uint32_t m = 0; m < n; m++) sum += a[i * n + m] * a[j * n + m];
            gram[i * k + j] = sum, solution[i * k + j] = i == j;
        }
    elimination_solve(k, gram, k, solution);
    for (uint32_t m = 0; m < n; m++) {
        w->reach[m] = 0;
        for (uint32_t c = 0; c < k; c++) {
            double sum = 0;
            for (uint32_t i = 0; i < k; i++) sum += a[i * n + m] * solution[i * k + c];
            w->inverse[m * k + c] = sum, w->reach[m] += fabs(sum);
        }
        if (!isfinite(w->reach[m])) return false;
    }
    return is_inverse(w, a);
}

// The largest row sum of |change| |A^+|: below 1 the rows stay independent
static double spread(const rank_watch *w, const double *change) {
    double most = 0;
    for (uint32_t i = 0; i < w->k; i++) {
        double sum = 0;
        for (uint32_t m = 0; m < w->n; m++) sum += fabs(change[i * w->n + m]) * w->reach[m];
        most = fmax(most, sum);
    }
    return most;
}

// --- a step --------------------------------------------------------------------------------------

void rank_watch_begin(rank_watch *w, double t, const double *z) {
    w->known = machine_run(&w->rows, t, z, w->first);
    if (w->known && w->largest == 0) w->largest = margin(w, w->first);
}

void rank_watch_restart(rank_watch *w, double t, const double *z) {
    w->largest = 0;
    rank_watch_begin(w, t, z);
}

static bool changes_little(rank_watch *w, double t, const double *z) {
    if (!machine_run(&w->rows, t, z, w->here)) return false;
    double *change = w->work + w->k * w->n;
    for (uint32_t i = 0; i < w->k * w->n; i++) change[i] = w->here[i] - w->first[i];
    return spread(w, change) <= CHANGED;
}

typedef struct {
    rank_watch *w;
    const dense *inside;
    const curve *c;
    double least; // a margin below it is a loss
    double *z;
    uint32_t boxes;
} descent;

// .. with the ranges of z and t set
static bool keeps_in_box(rank_watch *w) {
    const tape *t = w->code;
    for (uint32_t i = 0; i < t->step_count; i++)
        if (t->step[i].level != TAPE_FIXED) range_machine_step(&w->ranges, i);
    double *change = w->work + w->k * w->n;
    for (uint32_t i = 0; i < t->output_count; i++) {
        const range e = w->ranges.value[t->output[i]];
        w->here[i] = e.lo + range_width(e) / 2;
        if (!isfinite(w->here[i])) return false;
    }
    if (!find_inverse(w, w->here)) return false;
    for (uint32_t i = 0; i < t->output_count; i++)
        change[i] = range_width(w->ranges.value[t->output[i]]) / 2;
    return spread(w, change) < 1;
}

bool rank_watch_keeps_in(rank_watch *w, const range *input) {
    memcpy(w->ranges.value, input, sizeof(range) * (w->code->state_count + 1));
    return keeps_in_box(w);
}

static bool keeps_rank(const descent *d, double a, double b) {
    rank_watch *w = d->w;
    const uint32_t n = w->code->state_count;
    for (uint32_t i = 0; i < n; i++) w->ranges.value[i] = curve_values(d->c, i, a, b);
    w->ranges.value[n] = (range){d->c->from + a, d->c->from + b};
    return keeps_in_box(w);
}

static double margin_at(const descent *d, double t) {
    d->inside->at(d->inside, t, d->z);
    return machine_run(&d->w->rows, t, d->z, d->w->here) ? margin(d->w, d->w->here) : NAN;
}

// The first time in [a, b] after the beginning of the curve at which the rank is lost, or INFINITY
static double find_loss(descent *d, double a, double b, uint32_t depth) {
    if (d->boxes++ > MOST_BOXES || keeps_rank(d, a, b)) return INFINITY;
    const double middle = a + (b - a) / 2, t = d->c->from + middle;
    if (margin_at(d, t) <= d->least) return t;
    if (depth == DEEPEST) return INFINITY;
    const double left = find_loss(d, a, middle, depth + 1);
    return left < INFINITY ? left : find_loss(d, middle, b, depth + 1);
}

static double look_into(rank_watch *w, const accepted_step *s) {
    const uint32_t n = w->code->state_count;
    const double before = margin(w, w->first), length = s->to - s->from;
    double after = machine_run(&w->rows, s->to, s->z, w->here) ? margin(w, w->here) : NAN;
    descent d = {.w = w, .inside = s->inside, .c = s->path, .z = memory_array(double, n + 1)};
    curve own = {0};
    if (!s->path) curve_of_dense(&own, n, s->inside->order, s->inside, s->from, length), d.c = &own;
    if (isnan(after)) after = 0;
    const double ends = fmax(before, after);
    w->largest = fmax(w->largest, ends);
    d.least = fmax(LOST * ends, fmin(fmax(ERRORS, 10 * w->tolerance) * w->largest, DIP * ends));
    const double lost = after <= d.least && before > 0 ? fmin(s->to, find_loss(&d, 0, length, 0))
                                                       : find_loss(&d, 0, length, 0);
    curve_free(&own);
    memory_free(d.z);
    return lost;
}

double rank_watch_until(rank_watch *w, const accepted_step *s) {
    double lost = INFINITY;
    if (w->known) {
        bool little = !w->hides && find_inverse(w, w->first) && changes_little(w, s->to, s->z);
        if (little) {
            const double middle = s->from + (s->to - s->from) / 2;
            s->inside->at(s->inside, middle, w->middle);
            little = changes_little(w, middle, w->middle);
        }
        if (!little) lost = look_into(w, s);
    }
    if (lost == INFINITY) rank_watch_begin(w, s->to, s->z);
    return lost;
}

// --- making --------------------------------------------------------------------------------------

static void prepare(rank_watch *w, const simulation *sim, const tape *rows, double tolerance) {
    const uint32_t k = sim->eq->system->k, n = sim->eq->system->n;
    *w = (rank_watch){.k = k, .n = n, .code = rows, .tolerance = tolerance};
    machine_init(&w->rows, rows, sim->parameter_value);
    range_machine_init(&w->ranges, rows, sim->parameter_value, false);
    w->first = memory_zeros(double, (size_t)k *(5 * n + 1) + n + rows->state_count + 1);
    w->hides = sim->rows_can_hide;
    w->here = w->first + k * n, w->inverse = w->here + k * n, w->middle = w->inverse + k * n;
    w->reach = w->middle + rows->state_count;
    w->work = w->reach + n;
}

static void clear(rank_watch *w) {
    machine_free(&w->rows), range_machine_free(&w->ranges);
    memory_free(w->first);
}

rank_watch *rank_watch_create(const simulation *sim, double tolerance) {
    if (!sim->rank_changes) return NULL;
    rank_watch *w = memory_new(rank_watch);
    prepare(w, sim, sim->rows, tolerance);
    return w;
}

void rank_watch_take_parameters(rank_watch *w, const double *parameter_value) {
    machine_set_parameters(&w->rows, parameter_value);
    range_machine_set_parameters(&w->ranges, parameter_value);
}

void rank_watch_free(rank_watch *w) {
    if (!w) return;
    clear(w);
    memory_free(w);
}
