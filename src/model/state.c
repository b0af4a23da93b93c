// The container of a state: one ball a symbol.
#include "model/state.h"

#include "base/utf8.h"
#include "expr/spline.h"

#include <math.h>

void state_init(state *x, const model *m, slong precision) {
    *x = (state){.model = m, .precision = precision};
    state_reserve(x);
}

void state_clear(state *x) {
    if (x->value) _arb_vec_clear(x->value, x->capacity);
    memory_free(x->known);
    *x = (state){0};
}

void state_reserve(state *x) {
    const uint32_t count = pool_symbol_count(x->model->pool);
    if (count <= x->capacity) return;
    const uint32_t capacity = 2 * count;
    arb_ptr value = _arb_vec_init(capacity);
    memory_grow(x->known, capacity);
    for (uint32_t i = 0; i < x->capacity; i++) arb_swap(value + i, x->value + i);
    for (uint32_t i = x->capacity; i < capacity; i++) x->known[i] = false;
    if (x->value) _arb_vec_clear(x->value, x->capacity);
    x->value = value;
    x->capacity = capacity;
}

arb_ptr state_get(state *x, expr symbol) {
    const uint32_t index = expr_symbol_index(x->model->pool, symbol);
    if (index >= x->capacity) state_reserve(x);
    return x->value + index;
}

double *state_doubles(state *x, uint32_t count, const expr *e) {
    arena *a = &x->model->ctx->arena;
    expr *concrete = arena_array(a, expr, count);
    model_concrete(x->model, true, count, e, concrete);
    state_reserve(x);
    program *prog = program_create(x->model->pool, count, concrete);
    arb_ptr out = _arb_vec_init(count);
    program_run_arb(prog, x->value, x->precision, out);
    double *values = arena_array(a, double, count);
    for (uint32_t i = 0; i < count; i++) values[i] = ball_middle(out + i);
    _arb_vec_clear(out, count);
    program_free(prog);
    return values;
}

bool state_avoids_zeros(state *x, const program *prog) {
    const uint32_t count = prog->output_count;
    if (!count) return true;
    arb_ptr v = _arb_vec_init(count);
    bool avoids = true;
    state_reserve(x);
    program_run_arb(prog, x->value, x->precision, v);
    for (uint32_t i = 0; i < count; i++)
        avoids = avoids && arb_is_finite(v + i) && !arb_contains_zero(v + i);
    _arb_vec_clear(v, count);
    return avoids;
}

void state_set(state *x, expr symbol, const arb_t value) {
    arb_set(state_get(x, symbol), value);
    x->known[expr_symbol_index(x->model->pool, symbol)] = true;
}

void state_copy(const state *from, slong precision, state *to) {
    state_init(to, from->model, precision);
    to->generic = from->generic;
    for (uint32_t i = 0; i < from->capacity; i++)
        if (from->known[i]) state_set(to, pool_symbol(from->model->pool, i)->node, from->value + i);
}

void state_copy_midpoints(const state *from, slong precision, state *to) {
    state_copy(from, precision, to);
    for (uint32_t i = 0; i < to->capacity; i++) mag_zero(arb_radref(to->value + i));
}

// Functions from data have values from the first to the last point.
void state_check_data(state *x) {
    const model *m = x->model;
    arena *a = &m->ctx->arena;
    arb_ptr end = _arb_vec_init(2);
    for (uint32_t i = 0; i < m->givens_count; i++) {
        const spline *f = m->givens[i].data;
        if (!f) continue;
        arb_set_fmpq(end, &f->at[0], x->precision);
        arb_set_fmpq(end + 1, &f->at[f->count - 1], x->precision);
        const arb_ptr t = state_get(x, m->time);
        if (!spline_reaches(f, t, x->precision))
            diag_error(m->ctx, m->givens[i].at, "take a time within the data",
                       "at t = %.10g `%s` has no value: its data (column `%s` of `%s`) reach from "
                       "t = %.10g to t = %.10g",
                       ball_middle(t), f->name, utf8_shown(a, f->column), utf8_shown(a, f->file),
                       ball_middle(end), ball_middle(end + 1));
    }
    _arb_vec_clear(end, 2);
}

bool model_data_range(const model *m, double *from, double *to) {
    bool any = false;
    *from = -INFINITY, *to = INFINITY;
    for (uint32_t i = 0; i < m->givens_count; i++) {
        spline *f = m->givens[i].data;
        if (!f) continue;
        any = true;
        *from = fmax(*from, spline_knots(f)[0]), *to = fmin(*to, spline_knots(f)[f->count - 1]);
    }
    return any;
}

const char *model_data_words(const model *m, spline *f) {
    arena *a = &m->ctx->arena;
    const double *knot = spline_knots(f);
    return arena_format(a, "%s through %u points of `%s`, column `%s`, t = %.10g .. %.10g",
                        f->linear ? "straight lines" : "a cubic spline", f->count,
                        utf8_shown(a, f->file), utf8_shown(a, f->column), knot[0],
                        knot[f->count - 1]);
}

void model_usual_start(const model *m, slong precision, arb_t out) {
    double from, to;
    arb_zero(out);
    if (!model_data_range(m, &from, &to) || (from <= 0 && to >= 0)) return;
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].data && spline_knots(m->givens[i].data)[0] == from)
            arb_set_fmpq(out, &m->givens[i].data->at[0], precision);
}

bool state_find(state *x, const model *m, slong precision, const completion_request *request) {
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(x, m, precision);
    const hamel_status status = state_complete(x, request, idle, &count);
    dependent_constraint_clear(count, idle);
    return status == HAMEL_OK;
}

completion_request completion_request_generic(const completion_request *where, uint64_t seed) {
    completion_request request = where ? *where : (completion_request){0};
    request.mode = COMPLETE_GENERIC, request.seed = seed;
    request.zero_defaults = request.zero_defaults && !seed;
    return request;
}
