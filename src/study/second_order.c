// M, C, K and the matrix of the inputs, in balls.
#include "study/second_order.h"

typedef struct {
    const linearisation *l;
    const steady_motion *at;
    const equations *eq;
    second_order *out;
    slong bits, c;           // c coordinates and as many velocities
    uint32_t *place, *speed; // where they stand among what stays
} work;

// Which of the variables that stay are coordinates, and which velocities
static bool sort_variables(work *w) {
    const mechanics *s = w->at->s;
    const quotient *q = w->l->rest;
    arena *a = &s->model->ctx->arena;
    uint32_t places = 0, speeds = 0;
    w->place = arena_array(a, uint32_t, q->count + 1);
    w->speed = arena_array(a, uint32_t, q->count + 1);
    expr *name = arena_array(a, expr, q->count + 1);
    for (uint32_t i = 0; i < q->count; i++) {
        const uint32_t z = w->l->kept[q->remaining[i]];
        if (z < s->n) name[places] = s->q[z], w->place[places++] = i;
        else w->speed[speeds++] = i;
    }
    w->out->coordinate = name;
    w->out->count = places, w->c = places;
    return places == speeds && places;
}

static void block(const arb_mat_t from, slong count, const uint32_t *row, const uint32_t *column,
                  arb_mat_t out) {
    arb_mat_init(out, count, count);
    for (slong i = 0; i < count; i++)
        for (slong j = 0; j < count; j++)
            arb_set(arb_mat_entry(out, i, j), arb_mat_entry(from, row[i], column[j]));
}

// The reduced mass matrix M, m x m, of Maggi's equations
static bool mass_matrix(const work *w, arb_mat_t out) {
    const equations *eq = w->eq;
    const mechanics *s = eq->system;
    const uint32_t m = eq->unknown_count, count = m * m;
    arena *a = &s->model->ctx->arena;
    expr *matrix = arena_array(a, expr, count + 1), *rest = arena_array(a, expr, m + 1);
    equations_affine(eq, matrix, rest);
    arb_mat_init(out, m, m);
    if (m != s->m) return false;
    model_concrete(s->model, false, count, matrix, matrix);
    state_reserve((state *)&w->at->x);
    program *prog = program_create(s->pool, count, matrix);
    arb_ptr value = _arb_vec_init(count);
    program_run_arb(prog, w->at->x.value, w->bits, value);
    for (uint32_t i = 0; i < count; i++) arb_set(arb_mat_entry(out, i / m, i % m), value + i);
    _arb_vec_clear(value, count);
    program_free(prog);
    return true;
}

// L = P Q: p'' = L eta' + ..; c x m
static void lift(const work *w, const arb_mat_t p, arb_mat_t out) {
    const mechanics *s = w->at->s;
    arb_mat_t q;
    arb_mat_init(q, w->c, s->m), arb_mat_init(out, w->c, s->m);
    for (slong i = 0; i < w->c; i++)
        for (uint32_t j = 0; j < w->l->size; j++)
            if (w->l->kept[j] >= s->n)
                arb_set(arb_mat_entry(q, i, w->l->kept[j] - s->n),
                        arb_mat_entry(w->l->rest->projector.v, w->speed[i], j));
    arb_mat_mul(out, p, q, w->bits);
    arb_mat_clear(q);
}

// M_p = (L M^-1 L^T)^-1
static bool find_mass(const work *w, const arb_mat_t p) {
    arb_mat_t mass, l, turned, x, g;
    const bool has = mass_matrix(w, mass);
    lift(w, p, l);
    arb_mat_init(turned, arb_mat_ncols(l), w->c), arb_mat_init(x, arb_mat_ncols(l), w->c);
    arb_mat_init(g, w->c, w->c);
    arb_mat_transpose(turned, l);
    bool good = has && arb_mat_solve(x, mass, turned, w->bits);
    if (good) arb_mat_mul(g, l, x, w->bits);
    good = good && arb_mat_inv(w->out->m, g, w->bits);
    arb_mat_clear(mass), arb_mat_clear(l), arb_mat_clear(turned), arb_mat_clear(x);
    arb_mat_clear(g);
    return good;
}

typedef struct {
    arb_mat_t r, p, g, h;
} blocks;

// p' = R p + P w, w' = G p + H w, with S p in the place of p, S = P0 P^-1
static bool find_blocks(const work *w, blocks *x) {
    const slong bits = w->bits, c = w->c;
    const uint32_t *from = w->l->rest->remaining;
    arb_mat_t s, back, inverse;
    block(w->l->reduced, c, w->place, w->place, x->r),
        block(w->l->reduced, c, w->place, w->speed, x->p);
    block(w->l->reduced, c, w->speed, w->place, x->g),
        block(w->l->reduced, c, w->speed, w->speed, x->h);
    arb_mat_init(s, c, c), arb_mat_init(back, c, c), arb_mat_init(inverse, c, c);
    for (slong i = 0; i < c; i++) // P0
        for (slong j = 0; j < c; j++)
            arb_set(arb_mat_entry(s, i, j),
                    arb_mat_entry(w->l->a, from[w->place[i]], from[w->speed[j]]));
    const bool good = arb_mat_inv(inverse, x->p, bits);
    if (good && arb_mat_inv(back, s, bits)) {
        arb_mat_mul(back, x->p, back, bits); // S^-1 = P P0^-1
        arb_mat_set(x->p, s);
        arb_mat_mul(s, s, inverse, bits);
        arb_mat_mul(x->r, s, x->r, bits), arb_mat_mul(x->r, x->r, back, bits);
        arb_mat_mul(x->g, x->g, back, bits);
    }
    arb_mat_clear(s), arb_mat_clear(back), arb_mat_clear(inverse);
    return good;
}

static void clear_blocks(blocks *x) {
    arb_mat_clear(x->r), arb_mat_clear(x->p), arb_mat_clear(x->g), arb_mat_clear(x->h);
}

// C = -M (R + P H P^-1), K = -M P (G - H P^-1 R), and F = M P B_w
static bool find_rest(const work *w, blocks *b, const response *inputs) {
    const slong bits = w->bits, c = w->c;
    second_order *out = w->out;
    arb_mat_t inverse, turned, x;
    arb_mat_init(inverse, c, c), arb_mat_init(turned, c, c), arb_mat_init(x, c, c);
    const bool good = arb_mat_inv(inverse, b->p, bits);
    arb_mat_mul(turned, b->p, b->h, bits), arb_mat_mul(turned, turned, inverse, bits); // P H P^-1
    arb_mat_add(x, b->r, turned, bits);
    arb_mat_mul(out->c, out->m, x, bits), arb_mat_neg(out->c, out->c);
    arb_mat_mul(x, turned, b->r, bits), arb_mat_mul(turned, b->p, b->g, bits);
    arb_mat_sub(x, turned, x, bits);
    arb_mat_mul(out->k, out->m, x, bits), arb_mat_neg(out->k, out->k);
    arb_mat_clear(inverse), arb_mat_clear(turned), arb_mat_clear(x);
    const slong count = inputs ? inputs->inputs : 0;
    arb_mat_init(out->f, c, count);
    if (!count || !good) return good;
    arb_mat_t acting, y;
    arb_mat_init(acting, w->l->count, count), arb_mat_init(y, c, count);
    arb_mat_mul(acting, w->l->rest->projector.v, inputs->b, bits);
    bool direct = false; // an input that sets velocities acts on p' itself
    for (slong i = 0; i < c; i++)
        for (slong j = 0; j < count; j++) {
            arb_set(arb_mat_entry(y, i, j), arb_mat_entry(acting, w->speed[i], j));
            direct = direct || !arb_is_zero(arb_mat_entry(acting, w->place[i], j));
        }
    arb_mat_mul(y, b->p, y, bits);
    arb_mat_mul(out->f, out->m, y, bits);
    arb_mat_clear(acting), arb_mat_clear(y);
    return !direct;
}

void second_order_create(const linearisation *l, const response *r, const steady_motion *at,
                         const equations *eq, second_order *out) {
    *out = (second_order){0};
    work w = {.l = l, .at = at, .eq = eq, .out = out, .bits = at->x.precision};
    if (!sort_variables(&w)) {
        out->refusal = out->count ? "not as many velocities as coordinates stay"
                                  : "no coordinate stays when neutral directions are divided out";
        out->count = 0;
        return;
    }
    blocks b;
    const bool regular = find_blocks(&w, &b);
    arb_mat_init(out->m, w.c, w.c), arb_mat_init(out->c, w.c, w.c), arb_mat_init(out->k, w.c, w.c);
    if (!regular || !find_mass(&w, b.p)) {
        out->refusal = "the velocities that stay do not determine the rates of the coordinates";
        arb_mat_init(out->f, w.c, 0);
    } else if (!find_rest(&w, &b, r)) {
        out->refusal = "an input sets velocities";
    }
    clear_blocks(&b);
}

void second_order_clear(second_order *s) {
    if (!s->count) return;
    arb_mat_clear(s->m), arb_mat_clear(s->c), arb_mat_clear(s->k), arb_mat_clear(s->f);
}
