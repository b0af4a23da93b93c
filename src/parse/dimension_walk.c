// The dimension of an expression: a walk through its syntax tree, under the names around it.
#include "parse/dimension_check.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- quantities ----------------------------------------------------------------------------------

measure dim_scalar(dim d) { return (measure){.type = VALUE_SCALAR, .part = {d}}; }
measure dim_vector(dim d) { return (measure){.type = VALUE_VECTOR, .part = {d, d, d}}; }
measure dim_void(void) { return (measure){.type = VALUE_VOID}; }

static int size_of(value_type type) { return type == VALUE_VECTOR ? 3 : 1; }

// A plain number; one that is not small enough is still plain
static measure number(int64_t up, int64_t down, bool known) {
    measure q = dim_scalar(known && !up ? dim_any() : dim_none());
    q.plain = true;
    q.is_number = known;
    q.up = up, q.down = down;
    return q;
}

static int64_t divisor_of(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b, b = rest;
    }
    return a < 0 ? -a : a;
}

// up/down in lowest terms, with down > 0; not kept where it is large
static void set_number(measure *q, bool known, __int128 up, __int128 down) {
    static const int64_t LARGEST = 1000000000000000000;
    q->is_number =
        known && down && up <= LARGEST && up >= -LARGEST && down <= LARGEST && down >= -LARGEST;
    if (!q->is_number) return;
    const int64_t common = divisor_of((int64_t)up, (int64_t)down) * (down < 0 ? -1 : 1);
    q->up = (int64_t)up / common, q->down = (int64_t)down / common;
}

static measure number_of(const dim_check *ck, const syntax *node) {
    const fmpq *value = expr_number_value(ck->el->pool, node->number);
    if (node->unit) return dim_scalar(dim_of(node->unit->dimension));
    const bool small = fmpz_fits_si(fmpq_numref(value)) && fmpz_fits_si(fmpq_denref(value));
    return number(small ? fmpz_get_si(fmpq_numref(value)) : 1,
                  small ? fmpz_get_si(fmpq_denref(value)) : 1, small);
}

// The exponent of a number, in units of 1/DIMENSION_WHOLE
static bool exponent_of(const measure *q, exponent *out) {
    return q->is_number && exponent_make(q->up, q->down, out);
}

static measure differentiated(dim_check *ck, measure q, uint32_t primes) {
    const dim time = dim_of(dimension_make(0, 0, -(int)primes));
    for (int i = 0; i < size_of(q.type) && primes; i++)
        q.part[i] = dim_times(&ck->table, q.part[i], time, DIMENSION_WHOLE);
    if (primes) q.plain = q.is_number = false;
    return q;
}

// --- operators -----------------------------------------------------------------------------------

static void add(dim_check *ck, measure *sum, const syntax *first, measure term, bool minus,
                const syntax *node) {
    if (term.type == VALUE_VOID || sum->type == VALUE_VOID) {
        *sum = dim_void();
        return;
    }
    dim_expect_same(ck, node, term, first, *sum, "what is added");
    for (int i = 0; i < size_of(sum->type); i++)
        if (sum->part[i].any || term.part[i].lost) sum->part[i] = term.part[i];
    sum->plain &= term.plain;
    set_number(sum, sum->is_number && term.is_number && sum->type == VALUE_SCALAR,
               (__int128)sum->up * term.down + (minus ? -1 : 1) * (__int128)term.up * sum->down,
               (__int128)sum->down * term.down);
}

// A term that says what the sum is: not a 0
static bool is_any(const measure *q) {
    for (int i = 0; i < size_of(q->type); i++)
        if (!q->part[i].any) return false;
    return true;
}

static measure walk_sum(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *leading = node->first;
    measure sum = dim_walk(ck, leading, b);
    for (const syntax *t = node->first->next; t && !ck->failed; t = t->next) {
        if (is_any(&sum)) leading = t;
        add(ck, &sum, leading, dim_walk(ck, t, b), t->join == '-', t);
    }
    return sum;
}

static measure walk_negate(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure q = dim_walk(ck, node->first, b);
    q.up = -q.up;
    return q;
}

// out *= factor, or /= factor: scalars go with everything, a rotation and an inertia mix the
// components of the vector that they turn.
static void multiply(dim_check *ck, measure *out, measure factor, bool divides,
                     const syntax *node) {
    const exponent times = divides ? -DIMENSION_WHOLE : DIMENSION_WHOLE;
    if (out->type == VALUE_VOID || factor.type == VALUE_VOID) {
        *out = dim_void();
        return;
    }
    const measure left = *out;
    if (factor.type == VALUE_VECTOR) {
        if (left.type != VALUE_SCALAR) dim_expect_uniform(ck, node, &factor);
        for (int i = 0; i < 3; i++)
            out->part[i] = dim_times(&ck->table, factor.part[i], left.part[0], times);
    } else {
        for (int i = 0; i < 3; i++)
            out->part[i] = dim_times(&ck->table, left.part[i], factor.part[0], times);
    }
    if (left.type == VALUE_SCALAR || factor.type == VALUE_TENSOR || factor.type == VALUE_VECTOR)
        out->type = factor.type;
    out->plain = left.plain && factor.plain;
    set_number(out, left.is_number && factor.is_number,
               (__int128)left.up * (divides ? factor.down : factor.up),
               (__int128)left.down * (divides ? factor.up : factor.down));
}

static measure walk_product(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure product = number(1, 1, true);
    for (const syntax *f = node->first; f && !ck->failed; f = f->next)
        multiply(ck, &product, dim_walk(ck, f, b), f->join == '/', f);
    return product;
}

// base^exponent: where the exponent is no number, only a pure number has a power
static measure walk_power(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *above = node->first->next;
    measure base = dim_walk(ck, node->first, b), power = dim_walk(ck, above, b);
    if (base.type == VALUE_VOID || power.type == VALUE_VOID) return dim_void();
    dim_expect(ck, above, power, dim_none(), "an exponent");
    exponent times = 0;
    measure out = dim_scalar(dim_lost());
    const dim known = dim_settle(&ck->table, base.part[0]);
    if (power.is_number && !power.up) out.part[0] = dim_none();
    else if (exponent_of(&power, &times))
        out.part[0] = dim_times(&ck->table, dim_none(), base.part[0], times);
    else if (!known.count && !known.lost && dimension_is_none(&known.known))
        out.part[0] = base.part[0];
    out.plain = base.plain && power.plain;
    if (base.is_number && power.is_number && power.down == 1 && power.up >= 0 && power.up <= 60) {
        out.is_number = true, out.up = out.down = 1;
        for (int64_t i = 0; i < power.up && out.is_number; i++)
            set_number(&out, true, (__int128)out.up * base.up, (__int128)out.down * base.down);
    }
    return out;
}

static measure walk_tuple(dim_check *ck, const syntax *node, const dim_binding *b) {
    measure v = dim_vector(dim_any());
    v.plain = true;
    int i = 0;
    for (const syntax *c = node->first; c && i < 3; c = c->next, i++) {
        const measure q = dim_walk(ck, c, b);
        v.part[i] = q.type == VALUE_SCALAR ? q.part[0] : dim_lost();
        v.plain &= q.plain;
    }
    return v;
}

// --- sums over an index --------------------------------------------------------------------------

typedef struct dim_sum { // sum(i in low..high, body) at its last evaluation
    const syntax *node;
    int64_t low, high;
    measure value;
    struct dim_sum *next;
} dim_sum;

static bool mentions(const syntax *node, const dim_binding *b) {
    if (node->kind == SYNTAX_NAME || node->kind == SYNTAX_CALL)
        for (const dim_binding *at = b; at; at = at->outer)
            if (strcmp(at->name, node->name) == 0) return true;
    for (const syntax *i = node->indices; i; i = i->next)
        if (mentions(i, b)) return true;
    for (const syntax *i = node->first; i; i = i->next)
        if (mentions(i, b)) return true;
    return false;
}

// A sum over 1..i + 1 goes on where that over 1..i ended, if its terms are the same.
static dim_sum *recall(dim_check *ck, const syntax *node, const dim_binding *b, int64_t low,
                       int64_t high) {
    if (node->kind != SYNTAX_SUM_OVER || !b || mentions(node->first->next->next, b)) return NULL;
    dim_sum *last = ck->sums;
    while (last && last->node != node) last = last->next;
    if (!last) {
        last = arena_new(ck->table.arena, dim_sum);
        *last = (dim_sum){.node = node, .low = low, .high = low - 1, .next = ck->sums};
        ck->sums = last;
    }
    if (last->low != low || last->high > high) last->low = low, last->high = low - 1;
    return last;
}

// sum(i in from..to, body) and prod(i in from..to, body)
static measure walk_over(dim_check *ck, const syntax *node, const dim_binding *b) {
    const syntax *from = node->first, *to = from->next, *body = to->next;
    const measure low = dim_walk(ck, from, b), high = dim_walk(ck, to, b);
    if (!low.is_number || !high.is_number) return dim_void();
    const bool adds = node->kind == SYNTAX_SUM_OVER;
    measure all = number(adds ? 0 : 1, 1, true);
    dim_sum *known = recall(ck, node, b, low.up, high.up);
    int64_t i = low.up;
    if (known && known->high >= low.up) all = known->value, i = known->high + 1;
    for (; i <= high.up && !ck->failed; i++) {
        const dim_binding index = {node->name, number(i, 1, true), b};
        const measure term = dim_walk(ck, body, &index);
        if (!adds) multiply(ck, &all, term, false, body);
        else if (i == low.up) all = term;
        else add(ck, &all, body, term, false, body);
    }
    if (known) known->high = high.up, known->value = all;
    return all;
}

// --- names ---------------------------------------------------------------------------------------

const dim_binding *dim_import(dim_check *ck, const binding *b) {
    if (!b) return NULL;
    dim_binding *own = arena_new(ck->table.arena, dim_binding);
    int64_t index = 0;
    const bool whole =
        b->value.type == VALUE_SCALAR && expr_is_integer(ck->el->pool, b->value.scalar, &index);
    *own = (dim_binding){b->name, whole ? number(index, 1, true) : dim_void(),
                         dim_import(ck, b->outer)};
    return own;
}

// The names of loops around a place, as src/parse/resolve.c wants them
static const binding *loops_of(dim_check *ck, const dim_binding *b) {
    if (!b) return NULL;
    const bool index = b->value.is_number && b->value.down == 1;
    const expr e = index ? expr_int(ck->el->pool, b->value.up) : EXPR_ZERO;
    return elab_bind(ck->el, b->name, value_scalar(e), loops_of(ck, b->outer));
}

static entry *find(dim_check *ck, space where, const syntax *node, const dim_binding *b) {
    int64_t index[MOST_INDICES];
    uint32_t count = 0;
    for (const syntax *i = node->indices; i && count < MOST_INDICES; i = i->next) {
        const measure q = dim_walk(ck, i, b);
        if (!q.is_number || q.down != 1) return NULL;
        index[count++] = q.up;
    }
    char name[NAME_SIZE];
    scope_format(name, node->name, count, index);
    return scope_find(ck->el->scope, where, name);
}

static const named_expression *find_observed(dim_check *ck, const syntax *node,
                                             const dim_binding *b) {
    if (!ck->with_observed) return NULL;
    const entry *e = find(ck, SPACE_OBSERVABLES, node, b);
    if (!e) e = find(ck, SPACE_INVARIANTS, node, b);
    return e ? elab_observed(ck->el, e->name) : NULL;
}

dim dim_of_constraint(dim_check *ck, uint32_t index) {
    const constraint *c = &ck->el->model->constraints[index];
    if (!c->typed.item) return dim_lost();
    if (ck->phi_known[index]) return ck->phi[index];
    const dim_binding *b = dim_import(ck, c->typed.bindings);
    const int part = c->typed.component < 0 ? 0 : c->typed.component;
    measure side = dim_walk(ck, c->typed.item->value, b);
    if (side.type == VALUE_VOID || side.part[part].any)
        side = dim_walk(ck, c->typed.item->right, b);
    ck->phi_known[index] = true;
    return ck->phi[index] = side.type == VALUE_VOID ? dim_lost() : side.part[part];
}

measure dim_along(dim_check *ck, const item *by, const dim_binding *b) {
    measure direction = dim_walk(ck, by->value, b);
    multiply(ck, &direction, dim_walk(ck, by->target, b), false, by->value);
    return direction;
}

// N = lambda dPhi/dq^(r), and N q is an energy: lambda = energy/(Phi * time^r)
dim dim_of_multiplier(dim_check *ck, uint32_t index) {
    const model *m = ck->el->model;
    const constraint *c = &m->constraints[index];
    const item *by = c->servo && c->typed.item ? c->typed.item->next : NULL;
    const int order = expr_order(m->pool, c->phi), part = c->typed.component;
    if (by) { // N = lambda * direction
        const dim_binding *b = dim_import(ck, c->typed.bindings);
        const measure along = dim_along(ck, by, b);
        return along.type == VALUE_VOID
                   ? dim_lost()
                   : dim_times(&ck->table, dim_of(dimension_make(2, 1, -2)),
                               along.part[part < 0 ? 0 : part], -DIMENSION_WHOLE);
    }
    const dim work = dim_of(dimension_make(2, 1, -2 - (order > 0 ? order : 0)));
    return dim_times(&ck->table, work, dim_of_constraint(ck, index), -DIMENSION_WHOLE);
}

measure dim_multiplier(dim_check *ck, const syntax *node, const dim_binding *b) {
    const model *m = ck->el->model;
    if (ck->other_mechanics) return dim_scalar(dim_lost());
    expr force;
    if (elab_contact_force(ck->el, node->indices, loops_of(ck, b), &force))
        return dim_scalar(dim_of(dimension_make(1, 1, -2)));
    const expr lambda = elab_find_multiplier(ck->el, node, loops_of(ck, b));
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].multiplier == lambda)
            return differentiated(ck, dim_scalar(dim_of_multiplier(ck, i)), node->primes);
    return dim_scalar(dim_lost());
}

static measure walk_name(dim_check *ck, const syntax *node, const dim_binding *b) {
    const dim_binding *bound = b;
    while (bound && strcmp(bound->name, node->name) != 0) bound = bound->outer;
    if (bound && !node->indices) return differentiated(ck, bound->value, node->primes);
    const entry *declared = scope_find(ck->el->scope, SPACE_VALUES, node->name);
    if (declared) {
        entry *e = find(ck, SPACE_VALUES, node, b);
        return e ? differentiated(ck, *dim_entry(ck, e), node->primes) : dim_void();
    }
    const named_expression *n = find_observed(ck, node, b);
    if (n) {
        ck->with_observed = false; // its own names are those of the model
        const measure q = dim_walk(ck, elab_observed_value(n), dim_import(ck, n->typed.bindings));
        ck->with_observed = true;
        return differentiated(ck, q, node->primes);
    }
    if (strcmp(node->name, "lambda") == 0) return dim_multiplier(ck, node, b);
    if (strcmp(node->name, "t") == 0) return dim_scalar(dim_of(dimension_make(0, 0, 1)));
    return number(1, 1, false); // pi, e
}

const measure *dim_entry(dim_check *ck, entry *e) {
    if (e->measure) return e->measure;
    measure *q = arena_new(ck->table.arena, measure);
    *q = dim_void();
    const bool defined = e->kind == ENTRY_LET || e->kind == ENTRY_QUASI;
    int64_t value = 0;
    if (e->kind == ENTRY_CONST) {
        const bool whole =
            e->value.type == VALUE_SCALAR && expr_is_integer(ck->el->pool, e->value.scalar, &value);
        *q = number(value, 1, whole);
    } else if (defined && e->definition && !e->arity) {
        *q = dim_walk(ck, e->definition, dim_import(ck, e->bindings));
        if (q->type == VALUE_SCALAR) q->part[0] = dim_settle(&ck->table, q->part[0]);
    } else if (!defined && e->kind != ENTRY_FUNCTION) {
        *q = dim_scalar(e->unit ? dim_of(e->unit->dimension) : dim_new(&ck->table, e->name));
    }
    return e->measure = q;
}

// --- any node ------------------------------------------------------------------------------------

static measure walk_node(dim_check *ck, const syntax *node, const dim_binding *b) {
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NUMBER: return number_of(ck, node);
    case SYNTAX_NAME: return walk_name(ck, node, b);
    case SYNTAX_CALL: return dim_call(ck, node, b);
    case SYNTAX_SUM: return walk_sum(ck, node, b);
    case SYNTAX_PRODUCT: return walk_product(ck, node, b);
    case SYNTAX_NEGATE: return walk_negate(ck, node, b);
    case SYNTAX_POWER: return walk_power(ck, node, b);
    case SYNTAX_TUPLE: return walk_tuple(ck, node, b);
    case SYNTAX_COMPONENT: {
        const measure v = dim_walk(ck, node->first, b);
        const int i = node->name[0] - 'x';
        return v.type == VALUE_VECTOR && i >= 0 && i < 3 ? dim_scalar(v.part[i]) : dim_void();
    }
    case SYNTAX_SUM_OVER:
    case SYNTAX_PRODUCT_OVER: return walk_over(ck, node, b);
    case SYNTAX_TEXT:
    case SYNTAX_DATA: // numbers of a file are in SI units
    case SYNTAX_RANGE: break;
    }
    return dim_void();
}

measure dim_walk(dim_check *ck, const syntax *node, const dim_binding *b) {
    const limits *most = &ck->el->ctx->limits;
    if (ck->failed || ck->depth > 4 * most->nesting || ++ck->steps > most->nodes) return dim_void();
    ck->depth++;
    const measure q = walk_node(ck, node, b);
    ck->depth--;
    return q;
}
