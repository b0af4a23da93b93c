// Steady motions from many starts: damped least squares in doubles on all rows,
//   (J^T J + mu D) d = -J^T F,   D = diag(J^T J),
// from points of Halton's sequence in the box. What converges goes to Newton's method in balls.
#include "base/budget.h"
#include "study/steady_box.h"

#include <math.h>
#include <string.h>

enum { MOST_STARTS = 160, MOST_STEPS = 60, MOST_VARIABLES = 200 };
static const double SOLVED = 1e-11, NEARLY = 1e-9,
                    ROUNDING = 1e-9; // residuals, rows scaled by their slopes

typedef struct descent {
    program *prog; // F, then dF/d(variables)
    uint32_t rows, variables;
    uint32_t *index; // by variable: symbol
    double *value;   // by symbol
    uint32_t symbols;
    double *out, *scale, *normal, *right, *step, *kept;
} descent;

// The i-th number of van der Corput's sequence to a base: 1/2, 1/4, 3/4, ..
static double radical_inverse(uint32_t i, uint32_t base) {
    double value = 0, digit = 1;
    for (; i; i /= base) digit /= base, value += digit * (i % base);
    return value;
}

static double evaluate(descent *d) {
    program_run_double(d->prog, d->value, d->out);
    double sum = 0;
    for (uint32_t i = 0; i < d->rows; i++) sum += pow(d->out[i] * d->scale[i], 2);
    return isfinite(sum) ? sum : INFINITY;
}

static void scale_rows(descent *d) {
    for (uint32_t i = 0; i < d->rows; i++) {
        double largest = 0;
        for (uint32_t j = 0; j < d->variables; j++) {
            const double slope = fabs(d->out[d->rows + i * d->variables + j]);
            if (isfinite(slope)) largest = fmax(largest, slope);
        }
        d->scale[i] = largest > 1 ? 1 / largest : 1;
    }
}

// Cholesky; false where the matrix is not definite
static bool solve_normal(descent *d, double damping) {
    const uint32_t n = d->variables;
    double *a = d->normal, *x = d->step;
    memcpy(x, d->right, sizeof *x * n);
    for (uint32_t i = 0; i < n; i++) a[i * n + i] += damping * a[i * n + i] + 1e-30;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0)) return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (uint32_t i = j + 1; i < n; i++) {
            for (uint32_t k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++) x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
    budget_check_work((int64_t)n * n * n / 3000 + 1);
    return true;
}

static void load_normal(descent *d) {
    const uint32_t n = d->variables;
    memset(d->normal, 0, sizeof(double) * n * n);
    memset(d->right, 0, sizeof(double) * n);
    for (uint32_t r = 0; r < d->rows; r++) {
        const double *slope = d->out + d->rows + r * n, s = d->scale[r] * d->scale[r];
        for (uint32_t i = 0; i < n; i++) {
            if (slope[i] == 0) continue;
            d->right[i] -= s * slope[i] * d->out[r];
            for (uint32_t j = 0; j <= i; j++) d->normal[i * n + j] += s * slope[i] * slope[j];
        }
    }
}

static bool descend(descent *d) {
    double damping = 1e-3, norm;
    program_run_double(d->prog, d->value, d->out);
    scale_rows(d);
    norm = evaluate(d);
    for (int count = 0; count < MOST_STEPS && isfinite(norm); count++) {
        if (norm < SOLVED * SOLVED && damping < 1e-10) return true;
        load_normal(d);
        for (uint32_t i = 0; i < d->variables; i++) d->kept[i] = d->value[d->index[i]];
        bool better = false;
        for (int tries = 0; tries < 12 && !better; tries++) {
            if (tries) program_run_double(d->prog, d->value, d->out), load_normal(d);
            if (solve_normal(d, damping)) {
                for (uint32_t i = 0; i < d->variables; i++)
                    d->value[d->index[i]] = d->kept[i] + d->step[i];
                const double now = evaluate(d);
                better = now < norm || now < SOLVED * SOLVED * 1e-6;
                if (better) norm = now;
            }
            damping = better ? damping * 0.1 : damping * 8 + 1e-12;
            for (uint32_t i = 0; i < d->variables && !better; i++)
                d->value[d->index[i]] = d->kept[i];
        }
        if (!better) break;
    }
    return norm < NEARLY * NEARLY;
}

// --- starts --------------------------------------------------------------------------------------

static const uint32_t PRIME[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
enum { PRIMES = sizeof PRIME / sizeof *PRIME };

// Start number i: ranged unknowns over the box; other velocities also at and around rest, so that
// roots of either sign are met.
static void place(const box_search *b, uint32_t i, state *x) {
    arb_t v;
    arb_init(v);
    for (uint32_t r = 0; r < b->ranges; r++) {
        const double part = radical_inverse(i, PRIME[r % PRIMES]);
        const steady_range *a = &b->range[r];
        const double now = ball_middle(state_get(x, a->symbol));
        if (!i && now >= a->low && now <= a->high) continue; // the first start: the state itself
        arb_set_d(v, i < 2 ? a->low / 2 + a->high / 2        // the second: the middle
                           : a->low + (a->high - a->low) * fmod(part + 0.37 * (r / PRIMES), 1));
        state_set(x, a->symbol, v);
    }
    const mechanics *s = b->w->s;
    for (uint32_t j = 0; i % 4 && j < 2 * s->n; j++) {
        if (b->out->use[j] != UNKNOWN_OTHER) continue;
        static const double AROUND[] = {1, -1, 0.25};
        const double now = ball_middle(state_get(x, b->w->unknown[j]));
        arb_set_d(v, AROUND[i % 4 - 1] * (1 + fabs(now)) * (1 + 0.125 * (j % 8)));
        state_set(x, b->w->unknown[j], v);
    }
    arb_clear(v);
    steady_rows_guess_speeds(b->w, x);
}

void steady_starts_open(box_search *b) {
    const steady_problem *w = b->w;
    descent *d = b->descent = arena_new(w->arena, descent);
    *d = (descent){.rows = w->rows + w->s->n};
    expr *variable = arena_array(w->arena, expr, w->unknowns);
    d->index = arena_array(w->arena, uint32_t, w->unknowns);
    for (uint32_t j = 0; j < w->unknowns; j++) {
        if (b->out->use[j] == UNKNOWN_HELD) continue;
        d->index[d->variables] = expr_symbol_index(w->p, w->unknown[j]);
        variable[d->variables++] = w->unknown[j];
    }
    const uint32_t n = d->variables, count = d->rows * (n + 1);
    expr *e = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < d->rows; i++) e[i] = i < w->rows ? w->row[i] : w->motion[i - w->rows];
    expr_jacobian(w->p, d->rows, e, n, variable, e + d->rows);
    d->prog = program_create(w->p, count, e);
    d->out = memory_zeros(double, count + 1), d->scale = memory_zeros(double, d->rows + 1);
    d->normal = memory_zeros(double, n *n + 1), d->right = memory_zeros(double, n + 1);
    d->step = memory_zeros(double, n + 1), d->kept = memory_zeros(double, n + 1);
    d->symbols = pool_symbol_count(w->p);
    d->value = memory_zeros(double, d->symbols + 1);
}

void steady_starts_close(box_search *b) {
    descent *d = b->descent;
    memory_free(d->out), memory_free(d->scale), memory_free(d->normal), memory_free(d->right);
    memory_free(d->step), memory_free(d->kept), memory_free(d->value);
    program_free(d->prog);
}

bool steady_box_try(box_search *b, state *x) {
    const steady_problem *w = b->w;
    descent *d = b->descent;
    for (uint32_t j = 0; j < x->capacity && j < d->symbols; j++)
        d->value[j] = ball_middle(x->value + j);
    if (!descend(d)) return false;
    arb_t v;
    arb_init(v);
    for (uint32_t j = 0; j < w->unknowns; j++) {
        const double value = d->value[expr_symbol_index(w->p, w->unknown[j])];
        // rounding in the place of 0 would make rows look independent that are not
        arb_set_d(v, fabs(value) < ROUNDING ? 0 : value);
        if (b->out->use[j] != UNKNOWN_HELD) state_set(x, w->unknown[j], v);
    }
    arb_clear(v);
    return steady_box_add(b, x);
}

void steady_box_start(box_search *b) {
    const steady_problem *w = b->w;
    const uint32_t starts = b->descent->variables > MOST_VARIABLES ? 1 : MOST_STARTS;
    state x;
    state_copy(&b->out->x, b->out->x.precision, &x);
    state_reserve(&x);
    for (uint32_t i = 0; i < starts; i++) {
        for (uint32_t j = 0; j < w->unknowns; j++) // what an earlier start has moved
            state_set(&x, w->unknown[j], state_get(&b->out->x, w->unknown[j]));
        place(b, i, &x);
        b->out->starts++;
        steady_box_try(b, &x);
    }
    state_clear(&x);
}
