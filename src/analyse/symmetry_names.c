// Names of symmetries, and of their group from the structure constants of its algebra.
#include "analyse/symmetry_names.h"

#include "expr/period.h"

#include <flint/fmpq_mat.h>
#include <string.h>

// --- one symmetry --------------------------------------------------------------------------------

static bool is_angle(const mechanics *s, uint32_t functions, const expr *function, expr q) {
    fmpq_t period;
    fmpq_init(period);
    const bool found = expr_period(s->pool, functions, function, q, period) == PERIOD_FOUND;
    fmpq_clear(period);
    return found;
}

static const char *kind_of(const mechanics *s, uint32_t functions, const expr *function,
                           const symmetry *x) {
    const uint32_t n = s->n;
    bool antisymmetric = true, diagonal = true;
    uint32_t moved = 0, last = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (x->field[i] != EXPR_ZERO) moved++, last = i;
        for (uint32_t j = 0; j < n; j++) {
            const expr a = x->matrix[i * n + j], b = x->matrix[j * n + i];
            antisymmetric = antisymmetric && expr_add(s->pool, a, b) == EXPR_ZERO;
            diagonal = diagonal && (i == j || a == EXPR_ZERO);
        }
    }
    if (x->is_shift)
        return moved == 1 && is_angle(s, functions, function, s->q[last]) ? "rotation"
                                                                          : "translation";
    return antisymmetric ? "rotation" : diagonal ? "scaling" : "affine map";
}

const char *symmetry_name(const mechanics *s, uint32_t functions, const expr *function,
                          const symmetry *x) {
    text t = {0};
    text_format(&t, "%s of", kind_of(s, functions, function, x));
    const char *comma = "";
    for (uint32_t i = 0; i < s->n; i++)
        if (x->field[i] != EXPR_ZERO) {
            text_format(&t, "%s %s", comma, expr_symbol_name(s->pool, s->q[i]));
            comma = ",";
        }
    const char *name = arena_copy(&s->model->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return name;
}

// --- the group -----------------------------------------------------------------------------------

// X = A q + b as a column of n (n + 1) numbers; false where a parameter stands in it.
static bool set_column(const mechanics *s, const symmetry *x, fmpq_mat_t to, slong column) {
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n * (n + 1); i++) {
        const expr e = i < n * n ? x->matrix[i] : x->shift[i - n * n];
        if (!expr_is_number(s->pool, e)) return false;
        fmpq_set(fmpq_mat_entry(to, i, column), expr_number_value(s->pool, e));
    }
    return true;
}

// [X, Y] for X = A q + a, Y = B q + b: the field (B A - A B) q + B a - A b
static void bracket(uint32_t n, const fmpq_mat_t basis, slong x, slong y, fmpq_mat_t to,
                    slong column) {
#define A(i, j) fmpq_mat_entry(basis, (i) * (slong)n + (j), x)
#define B(i, j) fmpq_mat_entry(basis, (i) * (slong)n + (j), y)
    for (slong i = 0; i < (slong)n; i++)
        for (slong j = 0; j <= (slong)n; j++) { // j = n: the shifts, which lie behind the matrices
            const bool shift = j == (slong)n;
            fmpq *sum = fmpq_mat_entry(to, shift ? (slong)(n * n) + i : i * (slong)n + j, column);
            for (slong k = 0; k < (slong)n; k++) {
                if (!fmpq_is_zero(B(i, k))) fmpq_addmul(sum, B(i, k), shift ? A(n, k) : A(k, j));
                if (!fmpq_is_zero(A(i, k))) fmpq_submul(sum, A(i, k), shift ? B(n, k) : B(k, j));
            }
        }
#undef A
#undef B
}

// What the names are told by: c_ij^k with [X_i, X_j] = sum_k c_ij^k X_k
typedef struct {
    slong count;
    fmpq_mat_t constant; // column i * count + j holds c_ij^k, k = 0 .. count - 1
} algebra;

static bool algebra_create(const mechanics *s, uint32_t count, const symmetry *at, algebra *out) {
    const slong size = (slong)s->n * (s->n + 1);
    fmpq_mat_t basis, brackets, left, right, normal;
    fmpq_mat_init(basis, size, count), fmpq_mat_init(brackets, size, (slong)count * count);
    fmpq_mat_init(left, count, size), fmpq_mat_init(normal, count, count);
    fmpq_mat_init(right, count, (slong)count * count);
    fmpq_mat_init(out->constant, count, (slong)count * count);
    out->count = count;
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) good = set_column(s, &at[i], basis, i);
    for (slong i = 0; i < (slong)count && good; i++)
        for (slong j = 0; j < (slong)count; j++)
            if (!at[i].is_shift || !at[j].is_shift)
                bracket(s->n, basis, i, j, brackets, i * (slong)count + j);
    if (good) { // the brackets lie in the algebra: least squares are exact
        fmpq_mat_transpose(left, basis);
        fmpq_mat_mul(normal, left, basis);
        fmpq_mat_mul(right, left, brackets);
        good = fmpq_mat_solve(out->constant, normal, right);
    }
    fmpq_mat_clear(basis), fmpq_mat_clear(brackets), fmpq_mat_clear(left);
    fmpq_mat_clear(right), fmpq_mat_clear(normal);
    if (!good) fmpq_mat_clear(out->constant);
    return good;
}

// The rank of the fields [X_i, X_j]
static slong derived_dimension(const algebra *g) {
    fmpq_mat_t rows;
    fmpq_mat_init_set(rows, g->constant);
    const slong rank = fmpq_mat_rref(rows, rows);
    fmpq_mat_clear(rows);
    return rank;
}

// K(X_i, X_i) = sum_kl c_ik^l c_il^k < 0 for some i: it has rotations that turn other symmetries
static bool turns(const algebra *g) {
    fmpq_t sum;
    fmpq_init(sum);
    bool found = false;
    for (slong i = 0; i < g->count && !found; i++) {
        fmpq_zero(sum);
        for (slong k = 0; k < g->count; k++)
            for (slong l = 0; l < g->count; l++)
                fmpq_addmul(sum, fmpq_mat_entry(g->constant, l, i * g->count + k),
                            fmpq_mat_entry(g->constant, k, i * g->count + l));
        found = fmpq_sgn(sum) < 0;
    }
    fmpq_clear(sum);
    return found;
}

static bool is_rotation(const symmetry *x) { return strncmp(x->name, "rotation", 8) == 0; }

static void add_factor(text *group, const char *name, slong power) {
    if (!power) return;
    text_format(group, "%s%s", group->length ? " x " : "", name);
    if (power > 1) text_format(group, "^%ld", (long)power);
}

// What commutes with everything: sum_i x_i c_ij^k = 0 for all j, k. Circles are combinations of
// rotations only.
static void count_centre(const algebra *g, const symmetry *at, slong *lines, slong *circles) {
    const slong n = g->count;
    fmpq_mat_t conditions;
    fmpq_mat_init(conditions, n * n, n);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++)
            for (slong k = 0; k < n; k++)
                fmpq_set(fmpq_mat_entry(conditions, j * n + k, i),
                         fmpq_mat_entry(g->constant, k, i * n + j));
    const slong rank = fmpq_mat_rref(conditions, conditions);
    slong next = 0;
    for (slong column = 0; column < n; column++) {
        slong pivot = 0;
        while (next < rank && fmpq_is_zero(fmpq_mat_entry(conditions, next, pivot))) pivot++;
        if (next < rank && pivot == column) {
            next++;
            continue;
        }
        bool round = is_rotation(&at[column]);
        for (slong i = 0, p = 0; i < rank; i++, p = 0) {
            while (fmpq_is_zero(fmpq_mat_entry(conditions, i, p))) p++;
            if (!fmpq_is_zero(fmpq_mat_entry(conditions, i, column)))
                round = round && !at[p].is_shift;
        }
        *(round ? circles : lines) += 1;
    }
    fmpq_mat_clear(conditions);
}

static const char *product_of(const mechanics *s, const char *core, slong lines, slong circles) {
    text t = {0};
    if (core) text_append(&t, core);
    add_factor(&t, "R", lines);
    add_factor(&t, "SO(2)", circles);
    const char *group = arena_copy(&s->model->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return group;
}

const char *symmetry_group(const mechanics *s, uint32_t count, const symmetry *at) {
    slong lines = 0, circles = 0;
    bool shifts = true; // which commute
    for (uint32_t i = 0; i < count; i++) {
        shifts = shifts && at[i].is_shift;
        *(is_rotation(&at[i]) ? &circles : &lines) += 1;
    }
    if (shifts) return product_of(s, NULL, lines, circles);
    algebra g;
    if (!algebra_create(s, count, at, &g)) return NULL;
    lines = circles = 0;
    count_centre(&g, at, &lines, &circles);
    const slong core = g.count - lines - circles, derived = derived_dimension(&g);
    const bool rotations = turns(&g);
    fmpq_mat_clear(g.constant);
    const char *name = core == 3 && derived == 2   ? "SE(2)"
                       : core == 3 && derived == 3 ? "SO(3)"
                       : core == 6 && derived == 6 ? "SE(3)"
                                                   : NULL;
    if (core && (!name || !rotations)) return NULL;
    return product_of(s, core ? name : NULL, lines, circles);
}
