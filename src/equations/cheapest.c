// The choice between equivalent programs for matrix and right-hand side.
#include "equations/cheapest.h"

#include "equations/assembly.h"
#include "equations/cost.h"
#include "expr/share.h"
#include "expr/vanish.h"
#include "normal/normal.h"

#include <string.h>

enum {
    LARGE = 12000, // instructions, from which on the first variant is the only one tried
    SMALL = 150,   // instructions up to which the signs of single rows are tried ..
    FEW_ROWS = 8   // .. if there are no more rows than these
};

// --- outputs -------------------------------------------------------------------------------------

typedef struct { // the expressions: n*n entries, n of the rest, the velocities
    pool *p;
    uint32_t n, velocities, count;
    const expr *value;
    bool symmetric;
} written;

static expr signed_value(pool *p, expr e, int sign) { return sign < 0 ? expr_neg(p, e) : e; }

// E_ij = d_i M_ij, with M_ij read off the upper triangle where M is symmetric; then b_i =
// s d_i r_i; then the velocities.
static expr *list_values(const written *from, const cheapest_system *cheapest) {
    const uint32_t n = from->n;
    expr *value = memory_array(expr, from->count);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const expr entry = from->value[from->symmetric && j < i ? j * n + i : i * n + j];
            value[i * n + j] = signed_value(from->p, entry, cheapest->row_sign[i]);
        }
    for (uint32_t i = 0; i < n; i++)
        value[n * n + i] = signed_value(from->p, from->value[n * n + i],
                                        cheapest->row_sign[i] * cheapest->rest_sign);
    for (uint32_t i = n * n + n; i < from->count; i++) value[i] = from->value[i];
    return value;
}

// A plain program with one output for each distinct value.
static void lay_out(const written *from, cheapest_system *cheapest) {
    expr *value = list_values(from, cheapest);
    // by expression: its output + 1
    uint32_t *place = memory_zeros(uint32_t, pool_size(from->p)), count = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const expr e = value[i];
        if (!place[e]) {
            value[count++] = e;
            place[e] = count;
        }
        cheapest->output[i] = place[e] - 1;
    }
    cheapest->prog = program_create(from->p, count, value);
    memory_free(place);
    memory_free(value);
}

// --- candidates ----------------------------------------------------------------------------------

static cheapest_system cheapest_create(const written *from) {
    const size_t n = from->n ? from->n : 1;
    cheapest_system cheapest = {.n = from->n, .rest_sign = 1};
    cheapest.output = memory_zeros(uint32_t, from->count);
    cheapest.entry = cheapest.output;
    cheapest.rest = cheapest.output + (size_t)from->n * from->n;
    cheapest.velocity = from->velocities ? cheapest.rest + from->n : NULL;
    cheapest.row_sign = memory_array(signed char, n);
    memset(cheapest.row_sign, 1, n);
    return cheapest;
}

void cheapest_system_free(cheapest_system *cheapest) {
    program_free(cheapest->prog);
    memory_free(cheapest->output);
    memory_free(cheapest->row_sign);
    *cheapest = (cheapest_system){0};
}

// The earlier one stays where they cost the same.
static bool keep_cheaper(cheapest_system *best, cheapest_system trial) {
    const bool better = !best->prog || operation_counts_total(program_count(trial.prog)) <
                                           operation_counts_total(program_count(best->prog));
    cheapest_system_free(better ? best : &trial);
    if (better) *best = trial;
    return better;
}

// The system with these signs; is it the cheapest so far?
static bool consider(const written *from, const signed char *row_sign, int rest_sign,
                     cheapest_system *best) {
    cheapest_system trial = cheapest_create(from);
    if (row_sign) memcpy(trial.row_sign, row_sign, from->n);
    trial.rest_sign = rest_sign;
    lay_out(from, &trial);
    trial.prog = program_share(trial.prog);
    return keep_cheaper(best, trial);
}

// Row by row, as long as a change of sign helps.
static void try_row_signs(const written *from, int rest_sign, cheapest_system *best) {
    cheapest_system here = {0};
    consider(from, NULL, rest_sign, &here);
    signed char *sign = memory_array(signed char, from->n);
    for (bool progress = true; progress;) {
        progress = false;
        for (uint32_t i = 0; i < from->n; i++) {
            memcpy(sign, here.row_sign, from->n);
            sign[i] = (signed char)-sign[i];
            progress = consider(from, sign, rest_sign, &here) || progress;
        }
    }
    memory_free(sign);
    keep_cheaper(best, here);
}

static uint32_t plain_length(const written *from) {
    program *plain = program_create(from->p, from->count, from->value);
    const uint32_t length = plain->length;
    program_free(plain);
    return length;
}

static void simplify(const written *from, expr *value) {
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < from->count; i++)
        value[i] = normal_simplify(from->p, from->value[i], &budget);
}

// Put together body by body, where that gives the same equations
static bool assemble(const equations *eq, const written *from, int style, expr *value) {
    const uint32_t n = from->n;
    assembly a;
    if (!assembly_create_same(eq, from->value, from->value + n * n, style, &a)) return false;
    memcpy(value, a.matrix, sizeof(expr) * n * n);
    for (uint32_t i = 0; i < n; i++) value[n * n + i] = expr_neg(from->p, a.right[i]);
    memcpy(value + n * n + n, a.velocity, sizeof(expr) * from->velocities);
    return true;
}

// The same for M q'' + .. where accelerations and multipliers are the unknowns: the block of the
// accelerations
static bool assemble_block(const equations *eq, const written *from, expr *value) {
    const mechanics *s = eq->system;
    const uint32_t n = from->n;
    assembly a;
    if (from->velocities || n < s->n || memcmp(eq->unknown, s->qdd, sizeof(expr) * s->n) != 0 ||
        !assembly_create_free(s, &a))
        return false;
    memcpy(value, from->value, sizeof(expr) * from->count);
    expr *defect = memory_zeros(expr, (s->n + 1) * s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t j = 0; j < s->n; j++) {
            value[i * n + j] = a.matrix[i * s->n + j];
            defect[i * s->n + j] = expr_sub(s->pool, from->value[i * n + j], value[i * n + j]);
        }
        value[n * n + i] = expr_neg(s->pool, a.right[i]);
        defect[s->n * s->n + i] = expr_sub(s->pool, from->value[n * n + i], value[n * n + i]);
    }
    const bool same = expr_all_vanish(s->pool, (s->n + 1) * s->n, defect);
    memory_free(defect);
    return same;
}

static void try_bodies(const equations *eq, const written *from, cheapest_system *best) {
    expr *value = memory_array(expr, from->count);
    written other = *from;
    other.value = value;
    if (assemble_block(eq, from, value)) {
        consider(&other, NULL, 1, best);
        consider(&other, NULL, -1, best);
    }
    for (int style = 0; style < ASSEMBLY_STYLES_OF_LARGE; style++) {
        if (!assemble(eq, from, style, value)) continue;
        consider(&other, NULL, 1, best);
        consider(&other, NULL, -1, best);
    }
    memory_free(value);
}

cheapest_system cheapest_system_create(const equations *eq) {
    const mechanics *s = eq->system;
    const uint32_t n = eq->unknown_count, velocities = eq->explicit_velocities ? s->n : 0,
                   count = n * n + n + velocities;
    expr *raw = memory_array(expr, count), *simple = memory_array(expr, count);
    equations_affine(eq, raw, raw + (size_t)n * n);
    if (velocities) memcpy(raw + (size_t)n * n + n, eq->velocity, sizeof(expr) * velocities);
    written from = {s->pool, n, velocities, count, raw, eq->symmetric};
    const uint32_t length = plain_length(&from);
    cheapest_system best = {0};
    consider(&from, NULL, 1, &best);
    if (length > SMALL) try_bodies(eq, &from, &best);
    if (length <= LARGE) {
        consider(&from, NULL, -1, &best);
        simplify(&from, simple);
        written shorter = from;
        shorter.value = simple;
        bool improved = consider(&shorter, NULL, 1, &best);
        improved = consider(&shorter, NULL, -1, &best) || improved;
        for (int sign = 1; sign >= -1 && length <= SMALL && n <= FEW_ROWS; sign -= 2)
            try_row_signs(improved ? &shorter : &from, sign, &best);
    }
    memory_free(raw);
    memory_free(simple);
    return best;
}

// --- without the program -------------------------------------------------------------------------

static void keep_cheaper_values(const written *from, const expr *trial, expr *best,
                                uint32_t *least) {
    const uint32_t count = from->n * from->n + from->n;
    const uint32_t cost = cost_of_running(from->p, count, trial);
    if (cost >= *least) return;
    *least = cost;
    memcpy(best, trial, sizeof(expr) * count);
}

const expr *cheapest_matrix(const equations *eq) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = eq->unknown_count, velocities = eq->explicit_velocities ? s->n : 0,
                   matrix = n * n + n, count = matrix + velocities;
    expr *value = arena_array(a, expr, count), *trial = arena_array(a, expr, count),
         *best = arena_array(a, expr, count);
    equations_affine(eq, value, value + (size_t)n * n);
    if (velocities) {
        memcpy(value + matrix, eq->velocity, sizeof(expr) * velocities);
        expr_substitute(s->pool, s->n, s->qd, eq->velocity, matrix, value, value);
    }
    expr_clear_vanishing(s->pool, matrix, value);
    const written from = {s->pool, n, velocities, count, value, eq->symmetric};
    const uint32_t length = plain_length(&from);
    uint32_t least = UINT32_MAX;
    memcpy(best, value, sizeof(expr) * count);
    if (length > LARGE) return best;
    keep_cheaper_values(&from, value, best, &least);
    if (assemble_block(eq, &from, trial)) keep_cheaper_values(&from, trial, best, &least);
    for (int style = 0; style < ASSEMBLY_STYLES_OF_LARGE; style++)
        if (assemble(eq, &from, style, trial)) keep_cheaper_values(&from, trial, best, &least);
    simplify(&from, trial);
    keep_cheaper_values(&from, trial, best, &least);
    return best;
}
