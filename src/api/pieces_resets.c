// Resets and clocks: new values between two pieces.
#include "api/pieces.h"

#include "expr/program.h"

#include <float.h>
#include <math.h>

// The new values of one reset, from the state before
static void find_values(const pieces *w, const reset *r, double *value) {
    const mechanics *s = w->free;
    const pool *p = s->pool;
    expr *e = memory_array(expr, r->count + 1);
    for (uint32_t i = 0; i < r->count; i++) e[i] = r->values[i].value;
    model_concrete(s->model, false, r->count, e, e);
    program *prog = program_create(s->pool, r->count, e);
    double *symbol = memory_zeros(double, pool_symbol_count(p) + 1);
    symbol[expr_symbol_index(p, s->model->time)] = w->t;
    for (uint32_t i = 0; i < w->n; i++) {
        symbol[expr_symbol_index(p, s->q[i])] = w->q[i];
        symbol[expr_symbol_index(p, s->qd[i])] = w->qd[i];
    }
    for (uint32_t i = 0; i < w->parameters; i++)
        symbol[expr_symbol_index(p, s->model->parameters[i].symbol)] = w->parameter[i];
    program_run_double(prog, symbol, value);
    program_free(prog);
    memory_free(e), memory_free(symbol);
}

// One of them, where it belongs; true: it changes the state
static bool take_value(pieces *w, expr symbol, double value, bool *fixed, double *eta) {
    const mechanics *s = w->free;
    bool moved = false;
    for (uint32_t i = 0; i < w->n; i++) {
        if (s->q[i] == symbol) w->q[i] = value, fixed[i] = moved = true;
        if (s->qd[i] == symbol) w->qd[i] = value, fixed[w->n + i] = moved = true;
    }
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        if (s->eta[i] == symbol) eta[i] = value, moved = true;
    for (uint32_t i = 0; i < w->parameters; i++)
        if (s->model->parameters[i].symbol == symbol) w->parameter[i] = value;
    return moved;
}

// All values of a reset together; then the rest of the state, as the constraints have it
static bool apply(pieces *w, const reset *r) {
    const mechanics *s = w->free;
    double *value = memory_array(double, r->count + s->m + 1), *eta = value + r->count;
    bool *fixed = memory_zeros(bool, 2 * w->n + 1), moved = false, good = true;
    for (uint32_t i = 0; i < s->m; i++) eta[i] = NAN;
    find_values(w, r, value);
    for (uint32_t k = 0; k < r->count && good; k++) {
        good = isfinite(value[k]);
        if (good) moved |= take_value(w, r->values[k].symbol, value[k], fixed, eta);
        else
            pieces_fail(w, NULL, "reset `%s`: the new value of `%s` is no finite number", r->name,
                        expr_symbol_text(s->pool, r->values[k].symbol));
    }
    if (good && !contact_law_project(w->law, w->t, w->q, w->qd, w->parameter, fixed, fixed + w->n,
                                     s->has_quasi ? eta : NULL))
        good = pieces_fail(
            w, NULL, "reset `%s`: its new values contradict the constraints of the model", r->name);
    if (good && !contact_law_determines(w->law, w->t, w->q, w->qd, w->parameter))
        good = pieces_fail(
            w, "does every direction of motion still carry mass?",
            "reset `%s`: with its new values no equation determines the accelerations", r->name);
    memory_free(value), memory_free(fixed);
    if (good && (moved || r->event != UINT32_MAX))
        list_push(w, changes, ((piece_change){.t = w->t, .kind = CHANGE_RESET, .name = r->name}));
    return good;
}

// Tick number n of a clock: a multiple of its period, not a sum
static double tick_time(const pieces *w, uint32_t i) {
    const reset *r = &w->outer->m->resets[i];
    const double period = model_constant(w->outer->m, r->period), each = rows_in_a_unit(period);
    return w->outer->sim->t0 +
           (each > 0 ? (double)w->ticks[i] / each : (double)w->ticks[i] * period);
}

bool pieces_clocks_end(pieces *w) {
    static const double MOST_TICKS = 1e9; // hours
    const model *m = w->outer->m;
    for (uint32_t i = 0; i < m->resets_count; i++) {
        if (!reset_is_clock(&m->resets[i])) continue;
        const double ticks =
            (w->outer->r.asked.end - w->outer->sim->t0) / model_constant(m, m->resets[i].period);
        if (!(ticks <= MOST_TICKS))
            return pieces_fail(w, "let it tick less often, or the run be shorter",
                               "`every` would tick %.3g times in this run, at most %g are taken",
                               ticks, MOST_TICKS);
    }
    return true;
}

double pieces_next_tick(const pieces *w) {
    double next = INFINITY;
    for (uint32_t i = 0; i < w->outer->m->resets_count; i++)
        if (reset_is_clock(&w->outer->m->resets[i])) next = fmin(next, tick_time(w, i));
    return next;
}

// What the function of a reset is where the piece stands
static double value_there(const piece *p, uint32_t event) {
    const run *r = &p->job.r;
    double *value = memory_zeros(double, p->m->events_count + 1);
    r->state.f->events(r->state.f, r->state.t, r->state.z, value);
    const double found = value[event];
    memory_free(value);
    return found;
}

// How much of that is rounding: what it changes by with the last digits of t and the state
static double rounding_there(piece *p, uint32_t event) {
    enum { LAST = 16 };
    run *r = &p->job.r;
    const double here = value_there(p, event), t = r->state.t;
    r->state.t += LAST * DBL_EPSILON * fabs(t);
    double sum = fabs(value_there(p, event) - here);
    r->state.t = t;
    for (uint32_t i = 0; i < r->state.f->size; i++) {
        const double z = r->state.z[i];
        r->state.z[i] += LAST * DBL_EPSILON * fabs(z);
        sum += fabs(value_there(p, event) - here);
        r->state.z[i] = z;
    }
    return sum;
}

// A reset that leaves its own function where it is, at 0 up to rounding, has been passed: where the
// function goes on to rise it is not reached again before it has been negative, and where it falls
// it is negative from here on.
void pieces_pass_resets(const pieces *w, piece *next) {
    for (uint32_t i = 0; i < next->m->resets_count; i++) {
        if (isnan(w->reached[i])) continue;
        const uint32_t event = next->m->resets[i].event;
        double *value = &next->job.r.event_value[event];
        if (fabs(*value) <= 4 * fabs(w->reached[i]) + rounding_there(next, event))
            *value = pieces_trend(next, event) > 0 ? DBL_MIN : -DBL_MIN;
    }
}

// In the order in which they are stated: those whose event was reached, and clocks that are due
bool pieces_apply_resets(pieces *w, const piece *ended, bool jumped) {
    const model *m = w->outer->m;
    for (uint32_t i = 0; i < m->resets_count; i++) {
        w->reached[i] = NAN;
        if (reset_is_clock(&m->resets[i])) {
            if (tick_time(w, i) > w->t) continue;
            w->ticks[i]++;
        } else {
            if (!ended || !w->fired[ended->m->resets[i].event]) continue;
            if (!jumped) w->reached[i] = value_there(ended, ended->m->resets[i].event);
        }
        if (!apply(w, &m->resets[i])) return false;
    }
    return true;
}
