// B, C and D of the linear motion around a steady one.
#include "study/response.h"

#include "model/inputs.h"

enum { MOST_ORDERS = 4 };

typedef struct {
    const linearisation *l;
    const steady_motion *at;
    const ode *o;
    const mechanics *s; // with open inputs
    arena *arena;
    response *out;
    arb_mat_t follow; // dz/du where constraints on positions hold u: (n + m) x inputs
} work;

void response_inputs(steady_motion *at, const mechanics *stated) {
    const model *m = stated->model;
    state_reserve(&at->x);
    arb_t zero;
    arb_init(zero);
    for (uint32_t i = 0; i < m->givens_count; i++) {
        expr u = m->givens[i].symbol;
        for (int order = 0; order < MOST_ORDERS && m->givens[i].is_input; order++) {
            state_reserve(&at->x);
            state_set(&at->x, u, zero);
            u = expr_symbol_derivative(stated->pool, u);
        }
    }
    arb_clear(zero);
}

// Slopes of some expressions by some symbols, as a matrix of balls
static void slopes(const work *w, uint32_t rows, const expr *e, uint32_t columns, const expr *by,
                   arb_mat_t out) {
    const uint32_t count = rows * columns;
    arb_mat_init(out, rows, columns);
    if (!count) return;
    expr *slope = arena_array(w->arena, expr, count);
    expr_jacobian(w->s->pool, rows, e, columns, by, slope);
    state_reserve((state *)&w->at->x);
    program *prog = program_create(w->s->pool, count, slope);
    arb_ptr value = _arb_vec_init(count);
    program_run_arb(prog, w->at->x.value, w->at->x.precision, value);
    for (uint32_t i = 0; i < count; i++)
        arb_set(arb_mat_entry(out, i / columns, i % columns), value + i);
    _arb_vec_clear(value, count);
    program_free(prog);
}

// phi(q, u) = 0 on positions: dq_tied = -(dphi/dq_tied)^-1 dphi/du du, the free ones fixed
static bool find_follow(work *w) {
    const mechanics *s = w->s;
    const uint32_t size = s->n + s->m;
    arb_mat_init(w->follow, size, w->out->inputs);
    expr *phi = arena_array(w->arena, expr, s->k + 1),
         *tied = arena_array(w->arena, expr, s->n + 1);
    uint32_t *place = arena_array(w->arena, uint32_t, s->n + 1), h = 0, ties = 0;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) phi[h++] = c->phi;
    }
    for (uint32_t i = 0, next = 0; i < s->n; i++) {
        if (next < w->l->size && w->l->kept[next] == i) next++;
        else place[ties] = i, tied[ties++] = s->q[i];
    }
    if (!h || !w->out->inputs) return true;
    arb_mat_t left, right, x;
    slopes(w, h, phi, ties, tied, left);
    slopes(w, h, phi, w->out->inputs, w->out->input, right);
    arb_mat_init(x, ties, w->out->inputs);
    arb_mat_neg(right, right);
    const bool good = arb_mat_solve(x, left, right, w->at->x.precision);
    for (uint32_t i = 0; i < ties && good; i++)
        for (uint32_t j = 0; j < w->out->inputs; j++)
            arb_set(arb_mat_entry(w->follow, place[i], j), arb_mat_entry(x, i, j));
    arb_mat_clear(left), arb_mat_clear(right), arb_mat_clear(x);
    return good;
}

// de/du + de/dz dz/du and de/dz T, for expressions in (z, u)
static void respond(const work *w, uint32_t rows, const expr *e, arb_mat_t by_state,
                    arb_mat_t by_input) {
    const slong bits = w->at->x.precision;
    arb_mat_t z, moved;
    slopes(w, rows, e, w->o->size, w->o->state, z);
    slopes(w, rows, e, w->out->inputs, w->out->input, by_input);
    arb_mat_init(moved, rows, w->out->inputs);
    arb_mat_mul(moved, z, w->follow, bits);
    arb_mat_add(by_input, by_input, moved, bits);
    arb_mat_init(by_state, rows, w->l->size);
    arb_mat_mul(by_state, z, w->l->tangent, bits);
    arb_mat_clear(z), arb_mat_clear(moved);
}

static bool is_finite(const arb_mat_t a) {
    for (slong i = 0; i < arb_mat_nrows(a); i++)
        for (slong j = 0; j < arb_mat_ncols(a); j++)
            if (!arb_is_finite(arb_mat_entry(a, i, j))) return false;
    return true;
}

// Observables one by one: one without a derivative here (a root of 0, a multiplier of what was set
// aside) is left out
static void find_outputs(work *w) {
    const model *m = w->s->model;
    response *out = w->out;
    const uint32_t most = m->observables_count;
    named_expression *shown = arena_array(w->arena, named_expression, most + 1);
    arb_mat_init(out->c, most, w->l->size), arb_mat_init(out->d, most, out->inputs);
    for (uint32_t i = 0; i < most; i++) {
        const expr e = ode_expression(w->o, m->observables[i].value);
        arb_mat_t c, d;
        respond(w, 1, &e, c, d);
        const uint32_t row = out->outputs;
        const bool good = is_finite(c) && is_finite(d);
        for (uint32_t j = 0; j < w->l->size && good; j++)
            arb_set(arb_mat_entry(out->c, row, j), arb_mat_entry(c, 0, j));
        for (uint32_t j = 0; j < out->inputs && good; j++)
            arb_set(arb_mat_entry(out->d, row, j), arb_mat_entry(d, 0, j));
        if (good) shown[out->outputs++] = m->observables[i];
        arb_mat_clear(c), arb_mat_clear(d);
    }
    out->output = shown;
}

void response_create(const linearisation *l, const steady_motion *at, const ode *o,
                     const mechanics *stated, response *out) {
    const mechanics *s = o->eq->system;
    *out = (response){0};
    work w = {.l = l, .at = at, .o = o, .s = s, .arena = &s->model->ctx->arena, .out = out};
    out->inputs = mechanics_inputs_in(stated, o->size, l->rate, &out->input);
    if (!find_follow(&w)) arb_mat_indeterminate(w.follow);
    arb_mat_t a, b;
    respond(&w, o->size, l->rate, a, b);
    arb_mat_init(out->b, l->size, out->inputs);
    for (uint32_t i = 0; i < l->size; i++)
        for (uint32_t j = 0; j < out->inputs; j++)
            arb_set(arb_mat_entry(out->b, i, j), arb_mat_entry(b, l->kept[i], j));
    find_outputs(&w);
    arb_mat_clear(a), arb_mat_clear(b), arb_mat_clear(w.follow);
}

void response_clear(response *r) {
    if (r->output) arb_mat_clear(r->b), arb_mat_clear(r->c), arb_mat_clear(r->d);
}
