// The linear motion in closed form.
#include "study/exact_linear.h"

#include "expr/vanish.h"
#include "study/steady_problem.h"

typedef struct {
    const steady_problem *p;
    const steady_motion *at;
    const ode *o;
    const linearisation *l;
    const response *r;
    const second_order *second;
    const model *m;
    pool *pool;
    state *x;
    exact_linear out;
    grid tangent, follow; // dz = T d(state), dz/du
    grid projector;
} work;

enum { LARGEST_POLYNOMIAL = 8 };

static void put(const work *w, grid g) {
    exact_state_put(&w->out.at, w->pool, g.rows * g.columns, g.at, g.at);
    grid_clear(w->pool, g);
}

// --- A and B -------------------------------------------------------------------------------------

// Coordinates that constraints on positions tie to the others: dq_tied = -phi_tied^-1 (phi_free
// dq_free + phi_u du)
static bool find_tangent(work *w) {
    const mechanics *s = w->o->eq->system;
    const uint32_t n = s->n, size = w->l->size, inputs = w->r->inputs;
    uint32_t *tied = arena_array(&w->m->ctx->arena, uint32_t, n + 1), ties = 0, h = 0;
    expr *phi = arena_array(&w->m->ctx->arena, expr, s->k + 1);
    w->tangent = grid_create(w->m, n + s->m, size);
    w->follow = grid_create(w->m, n + s->m, inputs);
    for (uint32_t j = 0; j < size; j++) GRID(w->tangent, w->l->kept[j], j) = EXPR_ONE;
    for (uint32_t i = 0, next = 0; i < n; i++) {
        if (next < size && w->l->kept[next] == i) next++;
        else tied[ties++] = i;
    }
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) phi[h++] = c->phi;
    }
    if (!h) return true;
    grid by_q = grid_create(w->m, h, n), by_u = grid_create(w->m, h, inputs);
    expr_jacobian(w->pool, h, phi, n, s->q, by_q.at);
    expr_jacobian(w->pool, h, phi, inputs, w->r->input, by_u.at);
    put(w, by_q), put(w, by_u);
    grid left = grid_create(w->m, h, ties), right = grid_create(w->m, h, size + inputs), x;
    for (uint32_t i = 0; i < h; i++) {
        for (uint32_t j = 0; j < ties; j++) GRID(left, i, j) = GRID(by_q, i, tied[j]);
        for (uint32_t j = 0; j < size && w->l->kept[j] < n; j++)
            GRID(right, i, j) = expr_neg(w->pool, GRID(by_q, i, w->l->kept[j]));
        for (uint32_t j = 0; j < inputs; j++)
            GRID(right, i, size + j) = expr_neg(w->pool, GRID(by_u, i, j));
    }
    if (ties != h || !grid_solve(w->x, left, right, &x)) return false;
    for (uint32_t i = 0; i < ties; i++) {
        for (uint32_t j = 0; j < size; j++) GRID(w->tangent, tied[i], j) = GRID(x, i, j);
        for (uint32_t j = 0; j < inputs; j++) GRID(w->follow, tied[i], j) = GRID(x, i, size + j);
    }
    return true;
}

static grid kept_rows(const work *w, grid full) {
    grid out = grid_create(w->m, w->l->size, full.columns);
    for (uint32_t i = 0; i < w->l->size; i++)
        for (uint32_t j = 0; j < full.columns; j++) GRID(out, i, j) = GRID(full, w->l->kept[i], j);
    return out;
}

static bool find_matrices(work *w) {
    const uint32_t z = w->o->size, inputs = w->r->inputs;
    grid slope = grid_create(w->m, z, z), direct = grid_create(w->m, z, inputs);
    for (uint32_t i = 0; i < z * z; i++) slope.at[i] = w->l->slope[i];
    expr_jacobian(w->pool, z, w->l->rate, inputs, w->r->input, direct.at);
    put(w, slope), put(w, direct);
    if (!find_tangent(w)) return false;
    w->out.a = kept_rows(w, grid_product(w->m, slope, w->tangent));
    grid moved = grid_product(w->m, slope, w->follow);
    for (uint32_t i = 0; i < z * inputs; i++)
        moved.at[i] = expr_add(w->pool, moved.at[i], direct.at[i]);
    w->out.b = kept_rows(w, moved);
    return true;
}

// --- the quotient --------------------------------------------------------------------------------

// The symmetries as directions of what stays: X_a of the coordinates, and of eta = Psi(q, q') which
// moves with them
static grid group_directions(const work *w) {
    const mechanics *s = w->p->s;
    const uint32_t n = s->n, m = s->m, g = w->p->group->count;
    grid full = grid_create(w->m, n + m, g);
    expr *variable = arena_array(&w->m->ctx->arena, expr, 2 * n),
         *direction = arena_array(&w->m->ctx->arena, expr, 2 * n),
         *moved = arena_array(&w->m->ctx->arena, expr, m + 1);
    for (uint32_t a = 0; a < g; a++) {
        const symmetry *x = &w->p->group->at[a];
        for (uint32_t i = 0; i < n; i++) {
            variable[i] = s->q[i], direction[i] = GRID(full, i, a) = x->field[i];
            variable[n + i] = s->qd[i];
            direction[n + i] = expr_dot(w->pool, n, x->matrix + i * n, s->qd);
        }
        expr_pushforward(w->pool, 2 * n, variable, direction, m, s->psi, moved);
        expr_substitute(w->pool, n, s->qd, w->o->velocity, m, moved, moved);
        for (uint32_t i = 0; i < m; i++) GRID(full, n + i, a) = moved[i];
    }
    put(w, full);
    return kept_rows(w, full);
}

// A basis of the kernel of (A, -X), less its part in the speeds: columns of U
static bool neutral_directions(work *w, grid *out) {
    const uint32_t size = w->l->size, g = w->p->group->count, width = size + g;
    const grid x = group_directions(w);
    grid all = grid_create(w->m, size, width);
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t j = 0; j < size; j++) GRID(all, i, j) = GRID(w->out.a, i, j);
        for (uint32_t a = 0; a < g; a++) GRID(all, i, size + a) = expr_neg(w->pool, GRID(x, i, a));
    }
    arena *arena = &w->m->ctx->arena;
    uint32_t *row = arena_array(arena, uint32_t, size + width),
             *column = arena_array(arena, uint32_t, size + width),
             *open = arena_array(arena, uint32_t, width + 1), opens = 0;
    const uint32_t rank = pivots_choose(size, width, grid_values(w->x, all), NULL, 1, row, column);
    for (uint32_t j = 0; j < width; j++) {
        bool solved = false;
        for (uint32_t i = 0; i < rank; i++) solved = solved || column[i] == j;
        if (!solved) open[opens++] = j;
    }
    grid right = grid_part(w->m, all, rank, row, opens, open), solution;
    for (uint32_t i = 0; i < rank * opens; i++) right.at[i] = expr_neg(w->pool, right.at[i]);
    if (!grid_solve(w->x, grid_part(w->m, all, rank, row, rank, column), right, &solution))
        return false;
    grid kernel = grid_create(w->m, width, opens);
    for (uint32_t k = 0; k < opens; k++) {
        GRID(kernel, open[k], k) = EXPR_ONE;
        for (uint32_t i = 0; i < rank; i++) GRID(kernel, column[i], k) = GRID(solution, i, k);
    }
    const grid zero = grid_product(w->m, all, kernel);
    for (uint32_t i = 0; i < zero.rows * zero.columns; i++)
        if (zero.at[i] != EXPR_ZERO) return false; // the rank in numbers is not the generic one
    uint32_t *every = arena_array(arena, uint32_t, width);
    for (uint32_t i = 0; i < width; i++) every[i] = i;
    *out = grid_part(w->m, kernel, size, every, opens, every);
    return true;
}

// P = (1, -U_c U_p^-1), with the same variables taken out as in balls
static bool find_projector(work *w) {
    const quotient *q = w->l->rest;
    const uint32_t size = w->l->size;
    arena *arena = &w->m->ctx->arena;
    grid u;
    if (!neutral_directions(w, &u)) return false;
    uint32_t *taken = arena_array(arena, uint32_t, size + 1), count = 0;
    for (uint32_t i = 0, next = 0; i < size; i++) {
        if (next < q->count && q->remaining[next] == i) next++;
        else taken[count++] = i;
    }
    uint32_t *every = arena_array(arena, uint32_t, u.columns + 1),
             *row = arena_array(arena, uint32_t, u.columns + size + 1),
             *column = arena_array(arena, uint32_t, u.columns + size + 1);
    for (uint32_t i = 0; i < u.columns; i++) every[i] = i;
    const uint32_t all = pivots_choose(size, u.columns, grid_values(w->x, u), NULL, 1, row, column);
    const grid own = grid_part(w->m, u, count, taken, u.columns, every);
    const uint32_t rank =
        pivots_choose(count, u.columns, grid_values(w->x, own), NULL, 1, row, column);
    if (rank != q->neutral || all != rank) return false;
    const grid up = grid_part(w->m, u, count, taken, rank, column),
               uc = grid_part(w->m, u, q->count, q->remaining, rank, column);
    grid x; // X U_p = U_c, from its transpose
    if (!grid_solve(w->x, grid_transposed(w->m, up), grid_transposed(w->m, uc), &x)) return false;
    w->projector = grid_create(w->m, q->count, size);
    for (uint32_t i = 0; i < q->count; i++) {
        GRID(w->projector, i, q->remaining[i]) = EXPR_ONE;
        for (uint32_t k = 0; k < count; k++)
            GRID(w->projector, i, taken[k]) = expr_neg(w->pool, GRID(x, k, i));
    }
    const grid pa = grid_product(w->m, w->projector, w->out.a);
    uint32_t *rows = arena_array(arena, uint32_t, q->count + 1);
    for (uint32_t i = 0; i < q->count; i++) rows[i] = i;
    w->out.reduced = grid_part(w->m, pa, q->count, rows, q->count, q->remaining);
    return true;
}

// --- second order --------------------------------------------------------------------------------

static grid minus(const work *w, grid a) {
    for (uint32_t i = 0; i < a.rows * a.columns; i++) a.at[i] = expr_neg(w->pool, a.at[i]);
    return a;
}

static grid sum(const work *w, grid a, grid b) {
    grid out = grid_create(w->m, a.rows, a.columns);
    for (uint32_t i = 0; i < a.rows * a.columns; i++)
        out.at[i] = expr_add(w->pool, a.at[i], b.at[i]);
    return out;
}

static grid unit(const work *w, uint32_t n) {
    grid out = grid_create(w->m, n, n);
    for (uint32_t i = 0; i < n; i++) GRID(out, i, i) = EXPR_ONE;
    return out;
}

// M_p = (L M^-1 L^T)^-1, L = P Q
static bool find_mass(work *w, grid p, const uint32_t *speed) {
    const equations *eq = w->o->eq;
    const mechanics *s = eq->system;
    const uint32_t m = s->m, c = w->second->count;
    grid mass = grid_create(w->m, m, m), q = grid_create(w->m, c, m), x;
    expr *rest = arena_array(&w->m->ctx->arena, expr, m + 1);
    if (eq->unknown_count != m) return false;
    equations_affine(eq, mass.at, rest);
    model_concrete(s->model, false, m * m, mass.at, mass.at);
    put(w, mass);
    for (uint32_t i = 0; i < c; i++)
        for (uint32_t j = 0; j < w->l->size; j++)
            if (w->l->kept[j] >= s->n)
                GRID(q, i, w->l->kept[j] - s->n) = GRID(w->projector, speed[i], j);
    const grid l = grid_product(w->m, p, q);
    return grid_solve(w->x, mass, grid_transposed(w->m, l), &x) &&
           grid_solve(w->x, grid_product(w->m, l, x), unit(w, c), &w->out.m);
}

static grid part_of_a(const work *w, uint32_t count, const uint32_t *row, const uint32_t *column) {
    const uint32_t *from = w->l->rest->remaining;
    grid out = grid_create(w->m, count, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            GRID(out, i, j) = GRID(w->out.a, from[row[i]], from[column[j]]);
    return out;
}

// C = -M (R + P H P^-1), K = -M P (G - H P^-1 R), F = M P B_w
static bool find_second(work *w) {
    const uint32_t n = w->p->s->n;
    const quotient *rest = w->l->rest;
    const uint32_t c = w->second->count;
    uint32_t *place = arena_array(&w->m->ctx->arena, uint32_t, rest->count + 1),
             *speed = arena_array(&w->m->ctx->arena, uint32_t, rest->count + 1), places = 0,
             speeds = 0;
    for (uint32_t i = 0; i < rest->count; i++) {
        if (w->l->kept[rest->remaining[i]] < n) place[places++] = i;
        else speed[speeds++] = i;
    }
    const model *m = w->m;
    const grid a = w->out.reduced, h = grid_part(m, a, c, speed, c, speed);
    grid r = grid_part(m, a, c, place, c, place), p = grid_part(m, a, c, place, c, speed),
         g = grid_part(m, a, c, speed, c, place), inverse, back;
    const grid p0 = part_of_a(w, c, place, speed);
    if (!grid_solve(w->x, p, unit(w, c), &inverse)) return false;
    if (grid_solve(w->x, p0, unit(w, c), &back)) { // S p in the place of p, S = P0 P^-1
        const grid s_back = grid_product(m, p, back);
        r = grid_product(m, grid_product(m, grid_product(m, p0, inverse), r), s_back);
        g = grid_product(m, g, s_back);
        p = p0, inverse = back;
    }
    if (!find_mass(w, p, speed)) return false;
    const grid turned = grid_product(m, grid_product(m, p, h), inverse); // P H P^-1
    w->out.c = minus(w, grid_product(m, w->out.m, sum(w, r, turned)));
    const grid stiff = sum(w, grid_product(m, p, g), minus(w, grid_product(m, turned, r)));
    w->out.k = minus(w, grid_product(m, w->out.m, stiff));
    grid b = grid_product(m, w->projector, w->out.b), acting = grid_create(m, c, b.columns);
    for (uint32_t i = 0; i < c; i++)
        for (uint32_t j = 0; j < b.columns; j++) GRID(acting, i, j) = GRID(b, speed[i], j);
    w->out.f = grid_product(m, w->out.m, grid_product(m, p, acting));
    return true;
}

// --- the characteristic polynomial ---------------------------------------------------------------

// det(x - A) by Faddeev and LeVerrier: c_n = 1, c_(n-k) = -tr(A M_k)/k, M_(k+1) = A M_k + c_(n-k)
static void find_polynomial(work *w) {
    const grid a = w->out.reduced;
    const uint32_t n = a.rows;
    if (n > LARGEST_POLYNOMIAL) return;
    expr *coefficient = arena_array(&w->m->ctx->arena, expr, n + 1);
    grid power = unit(w, n);
    coefficient[n] = EXPR_ONE;
    for (uint32_t k = 1; k <= n; k++) {
        power = grid_product(w->m, a, power);
        expr trace = EXPR_ZERO;
        for (uint32_t i = 0; i < n; i++) trace = expr_add(w->pool, trace, GRID(power, i, i));
        coefficient[n - k] = expr_mul(w->pool, trace, expr_rational(w->pool, -1, k));
        for (uint32_t i = 0; i < n; i++)
            GRID(power, i, i) = expr_add(w->pool, GRID(power, i, i), coefficient[n - k]);
    }
    expr_clear_vanishing(w->pool, n + 1, coefficient);
    w->out.coefficients = coefficient;
}

bool exact_linear_is_even(const exact_linear *e, pool *p) {
    if (e->refusal || !e->coefficients || e->reduced.rows % 2) return false;
    for (uint32_t i = 1; i < e->reduced.rows; i += 2)
        if (!expr_all_vanish(p, 1, &e->coefficients[i])) return false;
    return true;
}

exact_linear exact_linear_create(const steady_problem *p, const steady_motion *at, const ode *o,
                                 const mechanics *stated, const linearisation *l, const response *r,
                                 const second_order *second, uint32_t kept_count,
                                 const expr *kept) {
    work w = {.p = p,
              .at = at,
              .o = o,
              .l = l,
              .r = r,
              .second = second,
              .m = p->s->model,
              .pool = p->s->pool,
              .x = (state *)&at->x};
    w.out.at = exact_state_create(p, at, o, stated, kept_count, kept);
    w.out.refusal = w.out.at.refusal;
    if (w.out.refusal) return w.out;
    if (!find_matrices(&w) || !find_projector(&w)) {
        w.out.refusal = "the neutral directions are not found in closed form";
        return w.out;
    }
    w.out.has_second = !second->refusal && find_second(&w);
    find_polynomial(&w);
    return w.out;
}
