// Sums in local canonical form (build.h).
#include "expr/build.h"

void sum_gather(pool *p, parts *list, fmpq_t constant, const fmpq_t c, expr e) {
    const node n = *node_at(p, e);
    if (n.kind == EXPR_NUMBER) {
        fmpq_addmul(constant, c, number_at(p, e));
        return;
    }
    if (n.kind != EXPR_SUM || term_count(&n) > MERGE_LIMIT) {
        parts_add(list, e, c);
        return;
    }
    const expr *ops = operands_of(p, e);
    fmpq_t scaled;
    fmpq_init(scaled);
    fmpq_addmul(constant, c, number_at(p, ops[0]));
    for (uint32_t i = 1; i < n.count; i += 2) {
        fmpq_mul(scaled, c, number_at(p, ops[i]));
        parts_add(list, ops[i + 1], scaled);
    }
    fmpq_clear(scaled);
}

static expr sum_intern(pool *p, const parts *list, const fmpq_t constant) {
    if (!list->count) return expr_number(p, constant);
    if (list->count == 1 && fmpq_is_zero(constant) && fmpq_is_one(&list->items[0].value))
        return list->items[0].key;
    expr small[2 * MERGE_LIMIT + 1];
    const uint32_t count = 2 * list->count + 1;
    expr *ops = count <= sizeof small / sizeof *small ? small : memory_array(expr, count);
    ops[0] = expr_number(p, constant);
    for (uint32_t i = 0; i < list->count; i++) {
        ops[2 * i + 1] = expr_number(p, &list->items[i].value);
        ops[2 * i + 2] = list->items[i].key;
    }
    expr e = pool_intern(p, EXPR_SUM, 0, count, ops);
    if (ops != small) memory_free(ops);
    return e;
}

// The argument u of a factor f(u)^2 or f(u)^3 ... in a term, starting the search at operand
// *from; EXPR_NONE when there is none.
static expr squared_argument(const pool *p, expr term, expr_kind f, uint32_t *from) {
    const node *n = node_at(p, term);
    if (n->kind != EXPR_PRODUCT) return EXPR_NONE;
    const expr *ops = operands_of(p, term);
    for (uint32_t i = *from; i < n->count; i += 2) {
        if (node_at(p, ops[i])->kind != f || fmpq_cmp_ui(number_at(p, ops[i + 1]), 2) < 0) continue;
        *from = i + 2;
        return operands_of(p, ops[i])[0];
    }
    return EXPR_NONE;
}

// In a collected list, which is sorted by its keys; NULL if it is not there
static part *find_part(const parts *list, expr key) {
    uint32_t low = 0, high = list->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list->items[middle].key < key) low = middle + 1;
        else high = middle;
    }
    return low < list->count && list->items[low].key == key ? &list->items[low] : NULL;
}

// One application of c*R*sin(u)^2 + c*R*cos(u)^2 = c*R. Returns whether anything changed.
static bool merge_one_trig_pair(pool *p, parts *list, fmpq_t constant) {
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t at = 0;
        for (expr u; (u = squared_argument(p, list->items[i].key, EXPR_SIN, &at)) != EXPR_NONE;) {
            bool partner_possible = false; // does any term hold cos(u)^2 at all?
            for (uint32_t j = 0; j < list->count && !partner_possible; j++) {
                uint32_t start = 0;
                for (expr v;
                     (v = squared_argument(p, list->items[j].key, EXPR_COS, &start)) != EXPR_NONE;)
                    if (v == u) partner_possible = true;
            }
            if (!partner_possible) continue;
            const expr term = list->items[i].key;
            const expr sine = expr_function(p, EXPR_SIN, &u),
                       cosine = expr_function(p, EXPR_COS, &u);
            const expr rest = expr_div(p, term, expr_square(p, sine));
            part *partner = find_part(list, expr_mul(p, rest, expr_square(p, cosine)));
            if (!partner || !fmpq_equal(&partner->value, &list->items[i].value)) continue;
            fmpq_t c;
            fmpq_init(c);
            fmpq_set(c, &partner->value);
            fmpq_zero(&partner->value);
            fmpq_zero(&list->items[i].value);
            sum_gather(p, list, constant, c, rest);
            fmpq_clear(c);
            parts_collect(list);
            return true;
        }
    }
    return false;
}

expr sum_finish(pool *p, parts *list, fmpq_t constant) {
    parts_collect(list);
    if (list->count > 1 && list->count <= TRIG_LIMIT)
        while (merge_one_trig_pair(p, list, constant)) {}
    expr e = sum_intern(p, list, constant);
    parts_free(list);
    fmpq_clear(constant);
    return e;
}

static expr combine(pool *p, uint32_t count, const fmpq *coefficients, const expr *terms) {
    parts list = {0};
    fmpq_t constant;
    fmpq_init(constant);
    for (uint32_t i = 0; i < count; i++) sum_gather(p, &list, constant, &coefficients[i], terms[i]);
    return sum_finish(p, &list, constant);
}

expr expr_sum(pool *p, uint32_t count, const expr *terms) {
    if (count == 1) return terms[0];
    parts list = {0};
    fmpq_t constant, one;
    fmpq_init(constant);
    fmpq_init(one);
    fmpq_one(one);
    for (uint32_t i = 0; i < count; i++) sum_gather(p, &list, constant, one, terms[i]);
    fmpq_clear(one);
    return sum_finish(p, &list, constant);
}

expr sum_scale(pool *p, const fmpq_t c, expr e) {
    if (fmpq_is_one(c)) return e;
    if (fmpq_is_zero(c)) return EXPR_ZERO;
    return combine(p, 1, c, &e);
}

static expr combine_two(pool *p, expr a, expr b, slong sign) {
    fmpq c[2];
    fmpq_init(&c[0]);
    fmpq_init(&c[1]);
    fmpq_one(&c[0]);
    fmpq_set_si(&c[1], sign, 1);
    expr e = combine(p, 2, c, (expr[]){a, b});
    fmpq_clear(&c[0]);
    fmpq_clear(&c[1]);
    return e;
}

expr expr_add(pool *p, expr a, expr b) {
    if (a == EXPR_ZERO) return b;
    if (b == EXPR_ZERO) return a;
    return combine_two(p, a, b, 1);
}

expr expr_sub(pool *p, expr a, expr b) {
    return b == EXPR_ZERO ? a : a == b ? EXPR_ZERO : combine_two(p, a, b, -1);
}

expr expr_neg(pool *p, expr a) { return combine_two(p, EXPR_ZERO, a, -1); }

expr expr_add_product(pool *p, expr sum, expr a, expr b) {
    return expr_add(p, sum, expr_mul(p, a, b));
}
expr expr_sub_product(pool *p, expr sum, expr a, expr b) {
    return expr_sub(p, sum, expr_mul(p, a, b));
}

// sum a_i b_i, where the b_i stand this far apart
static expr dot(pool *p, uint32_t count, const expr *a, const expr *b, size_t apart) {
    expr small[MERGE_LIMIT];
    expr *terms = count <= MERGE_LIMIT ? small : memory_array(expr, count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != EXPR_ZERO && b[i * apart] != EXPR_ZERO)
            terms[kept++] = expr_mul(p, a[i], b[i * apart]);
    expr e = kept ? expr_sum(p, kept, terms) : EXPR_ZERO;
    if (terms != small) memory_free(terms);
    return e;
}

expr expr_dot(pool *p, uint32_t count, const expr *a, const expr *b) {
    return dot(p, count, a, b, 1);
}

expr expr_dot_column(pool *p, uint32_t rows, const expr *a, const expr *matrix, uint32_t columns,
                     uint32_t j) {
    return dot(p, rows, a, matrix + j, columns);
}
