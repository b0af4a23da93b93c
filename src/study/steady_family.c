// The family that a steady motion belongs to: its dimension, unknowns that tell its members apart,
// and how everything changes with them.
//
// The directions around a motion span T, those along the symmetries, (X_a(q), A_a q'), span M in T.
// The dimension of the family is dim T - dim M. Unknowns are chosen twice: dim M of them on which M
// is regular (what the symmetries move), then others on which T/M is: the parameters.
#include "study/steady_problem.h"

#include <arb_mat.h>
#include <math.h>
#include <stdlib.h>

// entries below this, of vectors with largest entries 1, are rounding
static const double NOISE = 1e-10;
// a parameter that was asked for is taken unless another one is so much better
static const double CHOICE_THRESHOLD = 1e-3;

typedef struct {
    const steady_problem *w;
    const uint8_t *rank;
    steady_motion *m;
    uint32_t height;  // 2 n + m: q, q', eta
    double *around;   // directions x height: T
    double *moved;    // symmetries x height: M
    uint32_t *column; // dim M unknowns, then the parameters
    uint32_t copies, all;
} work;

static expr unknown_at(const work *w, uint32_t i) {
    const mechanics *s = w->w->s;
    return i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->eta[i - 2 * s->n];
}

// Rows scaled to largest entries 1, rounding made 0
static void tidy(uint32_t rows, uint32_t width, double *v) {
    for (uint32_t r = 0; r < rows; r++) {
        double largest = 0;
        for (uint32_t i = 0; i < width; i++) largest = fmax(largest, fabs(v[r * width + i]));
        for (uint32_t i = 0; i < width; i++) {
            double *x = &v[r * width + i];
            *x = largest > 0 && fabs(*x) > NOISE * largest ? *x / largest : 0;
        }
    }
}

static void load(work *w) {
    const steady_problem *p = w->w;
    const mechanics *s = p->s;
    const uint32_t n = s->n, g = p->group->count, open = w->m->directions, height = w->height;
    for (uint32_t i = 0; i < height; i++)
        for (uint32_t k = 0; k < open; k++)
            w->around[k * height + i] = ball_middle(w->m->direction + (size_t)i * open + k);
    // eta moves with q and q': dPsi (X, A q')
    expr *variable = arena_array(p->arena, expr, 2 * n), *e = arena_array(p->arena, expr, height);
    for (uint32_t i = 0; i < n; i++) variable[i] = s->q[i], variable[n + i] = s->qd[i];
    for (uint32_t a = 0; a < g; a++) {
        const symmetry *x = &p->group->at[a];
        for (uint32_t i = 0; i < n; i++) {
            e[i] = x->field[i];
            e[n + i] = expr_dot(p->p, n, x->matrix + i * n, s->qd);
        }
        expr_pushforward(p->p, 2 * n, variable, e, s->m, s->psi, e + 2 * n);
        const double *v = state_doubles(&w->m->x, height, e);
        for (uint32_t i = 0; i < height; i++) w->moved[a * height + i] = isfinite(v[i]) ? v[i] : 0;
    }
    tidy(open, height, w->around), tidy(g, height, w->moved);
}

// Which unknowns are preferred: cost by column
static uint32_t choose(const work *w, uint32_t rows, const double *v, bool for_symmetries,
                       uint32_t *column) {
    const uint32_t height = w->height, n = w->w->s->n;
    double *cost = memory_array(double, (size_t)rows *height + 1);
    uint32_t *row = memory_array(uint32_t, rows + height + 1),
             *at = memory_array(uint32_t, rows + height + 1);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = 0; i < height; i++) {
            const uint8_t firm = i < 2 * n || w->w->s->has_quasi ? w->rank[i] : STANDS_NOT;
            const double kind = i < n ? 0 : i < 2 * n ? 1 : 2;
            cost[r * height + i] = for_symmetries ? kind : 3 * (STANDS_ASKED - firm) + kind;
        }
    const uint32_t rank = pivots_choose(rows, height, v, cost, CHOICE_THRESHOLD, row, at);
    for (uint32_t i = 0; i < rank; i++) column[i] = at[i];
    memory_free(cost), memory_free(row), memory_free(at);
    return rank;
}

// T less M: the chosen columns of M eliminated from the rows of T
static void reduce(const work *w) {
    const uint32_t height = w->height, g = w->w->group->count, open = w->m->directions;
    bool *used = memory_zeros(bool, g + 1);
    for (uint32_t c = 0; c < w->copies; c++) {
        const uint32_t j = w->column[c];
        uint32_t best = 0;
        double largest = -1;
        for (uint32_t a = 0; a < g; a++)
            if (!used[a] && fabs(w->moved[a * height + j]) > largest)
                best = a, largest = fabs(w->moved[a * height + j]);
        used[best] = true;
        const double *pivot = w->moved + best * height;
        if (largest < NOISE) continue;
        for (uint32_t r = 0; r < g + open; r++) {
            double *row = r < g ? w->moved + r * height : w->around + (r - g) * height;
            const double factor = row[j] / pivot[j];
            for (uint32_t i = 0; i < height && row != pivot; i++) {
                row[i] -= factor * pivot[i];
                if (fabs(row[i]) < NOISE) row[i] = 0;
            }
        }
    }
    memory_free(used);
}

// d(q, q', eta)/d(chosen unknowns) = T (T on the chosen)^-1; the columns of the parameters
static void find_tangents(work *w) {
    steady_motion *m = w->m;
    const uint32_t all = w->all, height = m->height, family = m->family;
    const slong bits = m->x.precision;
    if (m->directions != all) return; // some speeds move nothing: T is given more than once
    arb_mat_t chosen, full, inverse, out;
    arb_mat_init(chosen, all, all), arb_mat_init(full, height, all);
    arb_mat_init(inverse, all, all), arb_mat_init(out, height, all);
    for (uint32_t i = 0; i < height; i++)
        for (uint32_t k = 0; k < all; k++)
            arb_set(arb_mat_entry(full, i, k), m->direction + (size_t)i * all + k);
    for (uint32_t c = 0; c < all; c++)
        for (uint32_t k = 0; k < all; k++)
            arb_set(arb_mat_entry(chosen, c, k), arb_mat_entry(full, w->column[c], k));
    if (arb_mat_inv(inverse, chosen, bits)) {
        arb_mat_mul(out, full, inverse, bits);
        m->tangent = _arb_vec_init((slong)height * family + 1);
        for (uint32_t i = 0; i < height; i++)
            for (uint32_t k = 0; k < family; k++)
                arb_set(m->tangent + (size_t)i * family + k, arb_mat_entry(out, i, w->copies + k));
    }
    arb_mat_clear(chosen), arb_mat_clear(full), arb_mat_clear(inverse), arb_mat_clear(out);
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void steady_family_find(const steady_problem *p, const uint8_t *rank, steady_motion *m) {
    work w = {.w = p, .rank = rank, .m = m, .height = 2 * p->s->n + p->s->m};
    const uint32_t g = p->group->count, open = m->directions;
    w.around = memory_zeros(double, (size_t)open *w.height + 1);
    w.moved = memory_zeros(double, (size_t)g *w.height + 1);
    w.column = arena_array(p->arena, uint32_t, g + open + w.height + 1);
    load(&w);
    const uint32_t all = choose(&w, open, w.around, false, w.column);
    w.copies = choose(&w, g, w.moved, true, w.column);
    reduce(&w);
    m->family = choose(&w, open, w.around, false, w.column + w.copies);
    w.all = w.copies + m->family;
    if (w.all == all) {
        qsort(w.column + w.copies, m->family, sizeof *w.column, by_number);
        expr *parameter = arena_array(p->arena, expr, m->family + 1);
        for (uint32_t k = 0; k < m->family; k++)
            parameter[k] = unknown_at(&w, w.column[w.copies + k]);
        m->parameter = parameter;
        find_tangents(&w);
    } else m->family = all > w.copies ? all - w.copies : 0;
    memory_free(w.around), memory_free(w.moved);
}
