// Symmetries by linear algebra: rows of conditions on (A, b) at random points of F_p.
//
// With the prolonged field, q' -> A q', the conditions are linear in A and b:
//   L:       sum_i (A q + b)_i dL/dq_i + (A q')_i dL/dq'_i = 0
//   forces:  sum_i (A q + b)_i dQ_j/dq_i + (A q')_i dQ_j/dq'_i + sum_i A_ij Q_i = 0
//   Phi_nu:  sum_i (A q + b)_i dPhi/dq_i + (A q')_i dPhi/dq'_i = 0  where Phi = 0
#include "analyse/symmetry.h"

#include "analyse/directions.h"
#include "analyse/residues.h"
#include "analyse/symmetry_names.h"

#include <flint/nmod_mat.h>

enum {
    MOST_COORDINATES = 14,   // of which A is looked for
    MOST_SHIFTED = 60,       // of which any shift is; beyond, shifts of one coordinate each
    BATCH = 8,               // points between two eliminations
    LARGEST_NUMBER = 1 << 20 // in a fraction
};

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    points at;
    uint32_t n, linear; // columns a_ij (n x n of them, or none), then b_i
    expr *function;     // L, then the forces, if there are any, then what the constraints say
    uint32_t functions, forces;
    expr *velocity;    // admissible velocities in scratch symbols; NULL: any
    program *moving;   // the same
    program *gradient; // of each function in q and q'; then the forces themselves
    nmod_mat_t rows;   // the conditions, reduced
    slong rank;
} search;

static uint32_t columns_of(const search *r) { return r->linear + r->n; }

// --- conditions at a point -----------------------------------------------------------------------

// The functions that must not change: constraints on positions themselves, and what velocities
// satisfy.
static void list_functions(search *r) {
    const mechanics *s = r->s;
    uint32_t count = 0;
    r->function = arena_array(r->arena, expr, 1 + s->n + 2 * (s->k + s->h));
    r->function[count++] = s->lagrangian;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->force[i] != EXPR_ZERO) r->forces = s->n;
    for (uint32_t i = 0; i < r->forces; i++) r->function[count++] = s->force[i];
    for (uint32_t nu = 0; nu < s->k + s->h; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) r->function[count++] = c->phi;
        r->function[count++] = s->phi[nu];
    }
    r->functions = count;
}

static program *gradients(search *r) {
    const mechanics *s = r->s;
    const uint32_t n = r->n, width = 2 * n;
    expr *variable = arena_array(r->arena, expr, width),
         *out = arena_array(r->arena, expr, r->functions * width + r->forces);
    for (uint32_t i = 0; i < n; i++) variable[i] = s->q[i], variable[n + i] = s->qd[i];
    expr_jacobian(r->p, r->functions, r->function, width, variable, out);
    for (uint32_t i = 0; i < r->forces; i++) out[r->functions * width + i] = s->force[i];
    return program_create(r->p, r->functions * width + r->forces, out);
}

// q' = X_0 + sum_k speed_k X_k where all constraints are linear; others are asked to be invariant
// for any velocity.
static expr *admissible(search *r) {
    const mechanics *s = r->s;
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (!s->model->constraints[s->constraint[nu]].linear) return NULL;
    if (!s->k) return NULL;
    const directions d = directions_of(s, &r->at);
    expr *speed = arena_array(r->arena, expr, d.fields),
         *velocity = arena_array(r->arena, expr, r->n);
    for (uint32_t k = 0; k + 1 < d.fields; k++) speed[k] = expr_symbol(r->p, "speed", ROLE_LOCAL);
    speed[d.fields - 1] = EXPR_ONE;
    for (uint32_t i = 0; i < r->n; i++)
        velocity[i] = expr_dot_column(r->p, d.fields, speed, d.field, d.width, i);
    return velocity;
}

// The row of function f: `g` its gradient in (q, q'), `q` and `qd` values.
static void write_row(const search *r, const mp_limb_t *g, const mp_limb_t *q, const mp_limb_t *qd,
                      mp_ptr row, nmod_t mod) {
    const uint32_t n = r->n;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; r->linear && j < n; j++)
            row[i * n + j] =
                nmod_add(nmod_mul(q[j], g[i], mod), nmod_mul(qd[j], g[n + i], mod), mod);
        row[r->linear + i] = g[i];
    }
}

// Rows of all functions at one point from `first` on; false if it has no values.
static bool write_rows(const search *r, random_point *at, slong first, nmod_mat_t to) {
    const mechanics *s = r->s;
    const uint32_t n = r->n, width = 2 * n;
    mp_limb_t *v = memory_array(mp_limb_t, 3 * n + r->functions * width + r->forces), *q = v,
              *qd = v + n, *now = v + 2 * n, *g = v + 3 * n;
    bool good = true;
    for (int pass = 0; pass < 2 && good; pass++) { // L and forces for any velocity
        if (pass && r->moving) {
            good = program_run_modular(r->moving, &at->at, at->value, now) == MODULAR_OK;
            for (uint32_t i = 0; i < n && good; i++)
                at->value[expr_symbol_index(r->p, s->qd[i])] = now[i];
        }
        for (uint32_t i = 0; i < n; i++) {
            q[i] = at->value[expr_symbol_index(r->p, s->q[i])];
            qd[i] = at->value[expr_symbol_index(r->p, s->qd[i])];
        }
        good = good && program_run_modular(r->gradient, &at->at, at->value, g) == MODULAR_OK;
        const uint32_t from = pass ? 1 + r->forces : 0, end = pass ? r->functions : 1 + r->forces;
        for (uint32_t f = from; f < end && good; f++)
            write_row(r, g + f * width, q, qd, nmod_mat_entry_ptr(to, first + f, 0), to->mod);
        // sum_i A_ij Q_i in the condition for force j
        for (uint32_t j = 0; j < r->forces && good && !pass && r->linear; j++)
            for (uint32_t i = 0; i < n; i++) {
                mp_ptr entry = nmod_mat_entry_ptr(to, first + 1 + j, i * n + j);
                *entry = nmod_add(*entry, g[r->functions * width + i], to->mod);
            }
    }
    memory_free(v);
    return good;
}

// Conditions at enough points: until two batches in a row say nothing new. False if too few points
// can be made.
static bool gather(search *r, uint64_t seed) {
    const slong room = columns_of(r) + BATCH * r->functions;
    uint32_t idle = 0, made = 0, missed = 0;
    bool begun = false;
    for (uint64_t variation = 0; idle < 2 && missed < MOST_TRIES; variation++) {
        random_point at;
        missed++;
        if (!random_point_create(&r->at, seed, variation, &at)) continue;
        if (!begun) nmod_mat_init(r->rows, room, columns_of(r), at.at.prime);
        begun = true;
        if (write_rows(r, &at, r->rank + (slong)made * r->functions, r->rows)) made++, missed = 0;
        random_point_clear(&at);
        if (made < BATCH) continue;
        const slong rank = nmod_mat_rref(r->rows);
        idle = rank == r->rank ? idle + 1 : 0;
        r->rank = rank;
        made = 0;
    }
    if (begun && idle < 2) nmod_mat_clear(r->rows);
    return idle == 2;
}

// --- from residues to symmetries -----------------------------------------------------------------

// The number, or the multiple c*a or c/a of a parameter a, that a residue stands for; EXPR_NONE if
// there is none.
static expr meaning(const search *r, const random_point *at, mp_limb_t x) {
    const nmod_t mod = r->rows->mod;
    const expr number = residues_small_fraction(r->p, x, mod.n, LARGEST_NUMBER);
    if (number != EXPR_NONE) return number;
    const model *m = r->s->model;
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const expr a = m->parameters[i].symbol;
        const mp_limb_t v = at->value[expr_symbol_index(r->p, a)];
        if (!v) continue;
        const expr times = residues_small_fraction(r->p, nmod_div(x, v, mod), mod.n, 1 << 10);
        if (times != EXPR_NONE) return expr_mul(r->p, times, a);
        const expr over = residues_small_fraction(r->p, nmod_mul(x, v, mod), mod.n, 1 << 10);
        if (over != EXPR_NONE) return expr_div(r->p, over, a);
    }
    return EXPR_NONE;
}

// The solution of the conditions with 1 in a column that is free, and 0 in the others that are.
static bool read_solution(const search *r, const random_point *at, const slong *pivot,
                          uint32_t column, expr *matrix, expr *shift) {
    for (slong i = -1; i < r->rank; i++) {
        const uint32_t j = i < 0 ? column : (uint32_t)pivot[i];
        const mp_limb_t x = i < 0 ? 1 : nmod_neg(nmod_mat_entry(r->rows, i, column), r->rows->mod);
        const expr value = meaning(r, at, x);
        if (value == EXPR_NONE) return false;
        if (j < r->linear) matrix[j] = value;
        else shift[j - r->linear] = value;
    }
    return true;
}

// The prolonged field on a function, f -> X f
static expr applied(const search *r, const symmetry *x, expr f) {
    const mechanics *s = r->s;
    const uint32_t n = r->n;
    expr *variable = arena_array(r->arena, expr, 2 * n),
         *direction = arena_array(r->arena, expr, 2 * n), out;
    for (uint32_t i = 0; i < n; i++) {
        variable[i] = s->q[i], variable[n + i] = s->qd[i];
        direction[i] = x->field[i];
        direction[n + i] = expr_dot(r->p, n, x->matrix + i * n, s->qd);
    }
    expr_pushforward(r->p, 2 * n, variable, direction, 1, &f, &out);
    return out;
}

// Where functions jump, no derivative tells: what they jump by has to stay too.
static bool branches_stay(search *r, const symmetry *x, expr f) {
    uint32_t count;
    expr *branch = expr_branches(r->p, 1, &f, &count);
    bool stay = true;
    for (uint32_t i = 0; i < count && stay; i++) {
        const expr change = applied(r, x, branch[i]);
        stay = points_vanish(&r->at, change) == VANISHES_YES;
    }
    memory_free(branch);
    return stay;
}

// All conditions once more, as expressions, with other parameters and primes.
static bool holds(search *r, const symmetry *x) {
    const mechanics *s = r->s;
    for (uint32_t f = 0; f < r->functions; f++) {
        expr change = applied(r, x, r->function[f]);
        if (f && f <= r->forces) // sum_i A_ij Q_i
            change = expr_add(r->p, change,
                              expr_dot_column(r->p, r->n, s->force, x->matrix, r->n, f - 1));
        if (f > r->forces && r->velocity)
            change = expr_replace(r->p, change, r->n, s->qd, r->velocity);
        if (points_vanish(&r->at, change) != VANISHES_YES) return false;
        if (!branches_stay(r, x, r->function[f])) return false;
    }
    return true;
}

// --- the whole -----------------------------------------------------------------------------------

static symmetry symmetry_of(const search *r, expr *matrix, expr *shift) {
    expr *field = arena_array(r->arena, expr, r->n);
    for (uint32_t i = 0; i < r->n; i++)
        field[i] = expr_add(r->p, expr_dot(r->p, r->n, matrix + i * r->n, r->s->q), shift[i]);
    symmetry x = {.matrix = matrix, .shift = shift, .field = field, .is_shift = true};
    for (uint32_t i = 0; i < r->n * r->n; i++) x.is_shift = x.is_shift && matrix[i] == EXPR_ZERO;
    x.name = symmetry_name(r->s, r->functions, r->function, &x);
    return x;
}

static uint32_t take_solutions(search *r, uint64_t seed, symmetry *out) {
    const uint32_t n = r->n, columns = columns_of(r);
    random_point at;
    uint64_t variation = 0;
    while (!random_point_create(&r->at, seed, variation, &at)) variation++; // gather() found many
    slong *pivot = arena_array(r->arena, slong, columns + 1);
    for (slong i = 0; i < r->rank; i++)
        while (!nmod_mat_entry(r->rows, i, pivot[i])) pivot[i]++;
    uint32_t count = 0;
    slong next = 0;
    for (uint32_t j = 0; j < columns && count < n * (n + 1) / 2; j++) {
        if (next < r->rank && pivot[next] == (slong)j) {
            next++;
            continue;
        }
        expr *matrix = arena_array(r->arena, expr, n * n), *shift = arena_array(r->arena, expr, n);
        if (!read_solution(r, &at, pivot, j, matrix, shift)) continue;
        out[count] = symmetry_of(r, matrix, shift);
        if (holds(r, &out[count])) count++;
    }
    random_point_clear(&at);
    return count;
}

// Coordinates that stand nowhere
static symmetries absent_coordinates(search *r) {
    symmetry *at = arena_array(r->arena, symmetry, r->n);
    symmetries all = {.decided = true, .at = at, .shifts_only = true};
    bool *stands = arena_array(r->arena, bool, r->n);
    expr_occurrences(r->p, r->functions, r->function, r->n, r->s->q, stands);
    expr *none = arena_array(r->arena, expr, r->n * r->n); // all matrices are 0
    for (uint32_t i = 0; i < r->n; i++) {
        if (stands[i]) continue;
        expr *shift = arena_array(r->arena, expr, r->n);
        shift[i] = EXPR_ONE;
        at[all.count++] = symmetry_of(r, none, shift);
    }
    all.group = all.count ? symmetry_group(r->s, all.count, at) : NULL;
    return all;
}

symmetries symmetries_of(const mechanics *s) {
    search *r = arena_new(&s->model->ctx->arena, search);
    *r = (search){.s = s,
                  .p = s->pool,
                  .arena = &s->model->ctx->arena,
                  .at = points_of(s),
                  .n = s->n,
                  .linear = s->n <= MOST_COORDINATES ? s->n * s->n : 0};
    list_functions(r);
    if (s->n > MOST_SHIFTED) return absent_coordinates(r);
    r->velocity = admissible(r);
    if (r->velocity) r->moving = program_create(r->p, r->n, r->velocity);
    r->gradient = gradients(r);
    symmetry *at = arena_array(r->arena, symmetry, s->n * (s->n + 1) / 2 + 1);
    symmetries all = {.at = at, .shifts_only = !r->linear};
    for (uint64_t seed = 0; seed < 4; seed++) {
        if (!gather(r, seed)) continue;
        all.decided = true;
        all.count = take_solutions(r, seed, at);
        nmod_mat_clear(r->rows);
        break;
    }
    all.group = all.count ? symmetry_group(s, all.count, at) : NULL;
    program_free(r->gradient);
    if (r->moving) program_free(r->moving);
    return all;
}
