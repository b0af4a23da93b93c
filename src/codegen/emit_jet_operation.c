// Operations on power series as C: coefficient 0, and coefficient k from those below.
//
// The convolution of an operation at order k needs only orders below k but for its two end terms:
// the sum comes first, then the operation with the ends, a line.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>

const char *jet_inner_qualifier(const jet_writer *w) {
    return w->as->qualifier[0] ? w->as->qualifier : "static";
}

// --- names ---------------------------------------------------------------------------------------

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

static bool is_input(const tape *t, uint32_t r) { return r < t->input_count; }
static bool is_constant(const tape *t, uint32_t r) {
    return r >= t->input_count && r < t->input_count + t->constant_count;
}

// The series of a register as an array
static void put_row(jet_writer *w, uint32_t r) {
    if (w->row) put(w, w->row[r]);
    else if (w->written) text_format(w->out, "w->v[%u]", w->kept[r] - 1);
    else text_format(w->out, "v[%u]", w->slot[r]);
}

void jet_write_local(jet_writer *w, uint32_t r, uint32_t k) {
    text_format(w->out, "v%u_%u", w->slot[r], k);
}

// Where it is kept by a plan that is written for an order k
static void put_kept(jet_writer *w, uint32_t r, const char *index) {
    if (index[0] == '0') text_format(w->out, "w->first[%u]", w->slot[r]);
    else if (index[1]) text_format(w->out, "last[%u]", w->behind[r] - 1);
    else text_format(w->out, w->part_of[r] == w->part ? "x%u" : "w->now[%u]", w->slot[r]);
}

// Coefficient `index` of a register: "0", "k" or "k - 1"; a number where every order is written out
static void put_at(jet_writer *w, uint32_t r, const char *index) {
    if (w->written) {
        put_kept(w, r, index);
        return;
    }
    if (w->unrolled) jet_write_local(w, r, index[0] == '0' ? 0 : w->k - (index[1] != '\0'));
    else put_row(w, r), text_format(w->out, "[%s]", index);
}

static void put_fixed(jet_writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (w->row) put_at(w, r, "0");
    else if (r == w->plan->one) text_format(w->out, "1.0%s", w->as->suffix);
    else if (is_input(t, r)) text_format(w->out, "p[%u]", r - t->state_count - 1);
    else if (is_constant(t, r))
        put(w, "("), scalar_type_literal(w->as, t->pool, t->constant[r - t->input_count], w->out),
            put(w, ")"); // may be negative
    else text_format(w->out, "c[%u]", w->slot[r]);
}

// Coefficient 0 of a register
static void put_first(jet_writer *w, uint32_t r) {
    if (!w->row && w->plan->is_fixed[r]) put_fixed(w, r);
    else put_at(w, r, "0");
}

static void put_call(jet_writer *w, const char *function) {
    scalar_type_function(w->as, function, w->out);
}

typedef void (*put_operand)(jet_writer *w, uint32_t r);

// a op b, as on the tape
static void put_execution(jet_writer *w, tape_operation op, uint32_t a, uint32_t b,
                          put_operand put_register) {
    static const char *const infix[] = {
        [TAPE_ADD] = " + ", [TAPE_SUB] = " - ", [TAPE_MUL] = " * ", [TAPE_DIV] = " / "};
    if (op <= TAPE_DIV) {
        put_register(w, a), put(w, infix[op]), put_register(w, b);
    } else if (op == TAPE_NEG) {
        put(w, "-"), put_register(w, a);
    } else if (op == TAPE_SIGN) {
        put(w, "("), put_register(w, a), put(w, " > 0) - ("), put_register(w, a), put(w, " < 0)");
    } else {
        put_call(w, op == TAPE_ABS ? "fabs" : tape_operation_name(op));
        put(w, "("), put_register(w, a);
        if (!tape_is_unary(op)) put(w, ", "), put_register(w, b);
        put(w, ")");
    }
}

void jet_write_first(jet_writer *w, const jet_operation *o) {
    if (o->from_zero) put(w, "0");
    else put_execution(w, o->first, o->x, o->y, put_first);
}

void jet_write_reciprocals(jet_writer *w) {
    text_format(w->out, "    static const %s over[] = {0", w->as->scalar);
    for (uint32_t k = 1; k <= w->most; k++)
        text_format(w->out, "%s1.0%s / %u", k % 8 == 1 ? ",\n        " : ", ", w->as->suffix, k);
    put(w, "};\n");
}

// What is there at order 1 only
static void put_ramp(jet_writer *w, uint32_t r) {
    if (!w->unrolled) put(w, "k == 1 ? "), put_fixed(w, r), put(w, " : 0");
    else if (w->k == 1) put_fixed(w, r);
    else put(w, "0");
}

void jet_write_rate(jet_writer *w, const jet_operation *o) {
    if (o->kind == JET_RAMP) put_ramp(w, o->a);
    else if (w->unrolled) put_at(w, o->a, "k - 1"), text_format(w->out, " * over[%u]", w->k);
    else put_at(w, o->a, "k - 1"), put(w, w->written ? " * over" : " * over[k]");
}

// --- what is fixed -------------------------------------------------------------------------------

static void put_local(jet_writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (r == w->plan->one || is_input(t, r) || is_constant(t, r)) put_fixed(w, r);
    else text_format(w->out, "f%u", r);
}

void jet_write_fixed_function(jet_writer *w) {
    const jet_plan *p = w->plan;
    const char *scalar = w->as->scalar;
    text_format(w->out, "%s void %s_fixed(const %s *p, %s *c) {\n    (void)p, (void)c;\n",
                w->as->qualifier, w->name, scalar, scalar);
    for (uint32_t i = 0; i < p->fixed_count; i++) {
        const jet_fixed *f = &p->fixed[i];
        text_format(w->out, "    const %s f%u = ", scalar, f->to);
        put_execution(w, f->operation, f->a, f->b, put_local);
        text_format(w->out, ";\n    (void)f%u;\n", f->to);
    }
    for (uint32_t r = p->t->state_count + 1; r < p->register_count; r++) {
        if (!p->is_fixed[r] || w->slot[r] == NO_SLOT) continue;
        text_format(w->out, "    c[%u] = ", w->slot[r]);
        put_local(w, r), put(w, ";\n");
    }
    for (uint32_t r = 0; r < p->register_count; r++) {
        if (!w->over[r]) continue;
        text_format(w->out, "    c[%u] = 1 / ", w->over[r] - 1);
        put_local(w, r), put(w, ";\n");
    }
    put(w, "}\n\n");
}

// --- order k -------------------------------------------------------------------------------------

void jet_factors(const jet_operation *o, uint32_t *first, uint32_t *second) {
    const bool divides = o->kind == JET_DIV || o->kind == JET_OVER;
    *first = divides ? o->b : o->kind == JET_SQRT ? o->to : o->a;
    *second = divides ? o->to : o->kind == JET_SQRT ? o->to : o->kind == JET_SQUARE ? o->a : o->b;
}

bool jet_is_convolution(jet_kind kind) {
    return kind == JET_MUL || kind == JET_SQUARE || kind == JET_DIV || kind == JET_OVER ||
           kind == JET_SQRT;
}

bool jet_is_symmetric(jet_kind kind) { return kind == JET_SQUARE || kind == JET_SQRT; }

// The j of its first term
static uint32_t sum_from(const jet_operation *o) {
    return o->kind == JET_SQUARE || (o->kind == JET_MUL && !o->from_zero) ? 0 : 1;
}

// s7 += a[j] * b[k - j]; or the same with one rounding
static void put_term(jet_writer *w, uint32_t which, const char *sum, const char *place,
                     const char *other) {
    const jet_operation *o = &w->plan->operation[which];
    uint32_t a, b;
    jet_factors(o, &a, &b);
    text_format(w->out, "        %s%u ", sum, which);
    if (w->as->fused) put(w, "= "), put_call(w, "fma"), put(w, "(");
    else put(w, "+= ");
    put_row(w, a), text_format(w->out, o->behind ? "[%s - 1]" : "[%s]", place);
    put(w, w->as->fused ? ", " : " * ");
    put_row(w, b), text_format(w->out, "[%s]", other);
    if (w->as->fused) text_format(w->out, ", %s%u)", sum, which);
    put(w, ";\n");
}

// s7 = 0 and h7 = 0; where k is even, s7 is the product in the middle
static void put_sum_begins(jet_writer *w, uint32_t which) {
    const jet_operation *o = &w->plan->operation[which];
    uint32_t a, b;
    jet_factors(o, &a, &b);
    text_format(w->out, "    %s s%u = ", w->as->scalar, which);
    if (jet_is_symmetric(o->kind)) put(w, "0");
    else
        put(w, "k % 2 ? 0 : "), put_row(w, a), put(w, o->behind ? "[k / 2 - 1] * " : "[k / 2] * "),
            put_row(w, b), put(w, "[k / 2]");
    text_format(w->out, ", h%u = 0;\n", which);
}

// From the middle outwards, in two halves that do not wait for each other: s = .. a[j] * b[k - j],
// h = .. a[k - j] * b[j]
static void put_loop(jet_writer *w, uint32_t i) {
    put(w, "    for (j = (k - 1) / 2; j > 0; j--) {\n");
    put_term(w, i, "s", "j", "k - j"), put_term(w, i, "h", "k - j", "j");
    put(w, "    }\n");
}

// The same for squares, which have half the terms: 2 (s + h) and the middle
static void put_symmetric_loop(jet_writer *w, uint32_t i) {
    put(w, "    for (j = (k - 1) / 2; j > 1; j -= 2) {\n");
    put_term(w, i, "s", "j", "k - j"), put_term(w, i, "h", "j - 1", "k - j + 1");
    put(w, "    }\n    if (j == 1) {\n");
    put_term(w, i, "s", "1", "k - 1");
    put(w, "    }\n");
}

void jet_write_sum(jet_writer *w, uint32_t i) {
    const jet_kind kind = w->plan->operation[i].kind;
    if (!jet_is_convolution(kind)) return;
    put(w, "    int j;\n");
    put_sum_begins(w, i);
    (jet_is_symmetric(kind) ? put_symmetric_loop : put_loop)(w, i);
}

// s7 and h7; s7_3 and h7_3 where every order is written out; lanes
static void name_sums(const jet_writer *w, uint32_t i, char *s, char *h) {
    if (w->written) {
        const bool square = jet_is_symmetric(w->plan->operation[i].kind);
        sprintf(s, square ? "w->qs[%u]" : "w->s[%u]", w->lane[i]);
        sprintf(h, square ? "w->qh[%u]" : "w->h[%u]", w->lane[i]);
    } else if (w->unrolled) sprintf(s, "s%u_%u", i, w->k), sprintf(h, "h%u_%u", i, w->k);
    else sprintf(s, "s%u", i), sprintf(h, "h%u", i);
}

// a * a in the middle of operation i, 0 where k is odd
static void put_middle(jet_writer *w, uint32_t a, uint32_t i) {
    if (w->written) {
        text_format(w->out, "w->qm[%u]", w->lane[i]);
    } else if (w->unrolled && w->k % 2) {
        put(w, "0");
    } else if (w->unrolled) {
        jet_write_local(w, a, w->k / 2), put(w, " * "), jet_write_local(w, a, w->k / 2);
    } else {
        put(w, "(k % 2 ? 0 : "), put_row(w, a), put(w, "[k / 2] * "), put_row(w, a);
        put(w, "[k / 2])");
    }
}

// a_i * b_j + sum
static void put_product_and(jet_writer *w, uint32_t a, const char *i, uint32_t b, const char *j,
                            const char *sum) {
    const bool fused = w->as->fused;
    if (fused) put_call(w, "fma");
    put(w, "("), put_at(w, a, i), put(w, fused ? ", " : " * "), put_at(w, b, j);
    text_format(w->out, fused ? ", %s)" : " + %s)", sum);
}

// 2 (s + h) and the middle: fma(2, s + h, a * a)
static void put_twice(jet_writer *w, uint32_t a, uint32_t i, const char *both) {
    if (w->as->fused) put_call(w, "fma"), text_format(w->out, "(2, %s, ", both);
    else text_format(w->out, "(2 * %s + ", both);
    put_middle(w, a, i), put(w, ")");
}

// The end of a sum: its newest coefficients, and both halves
static void put_sum(jet_writer *w, const jet_operation *o, uint32_t i) {
    char s[32], h[32];
    uint32_t a, b;
    jet_factors(o, &a, &b);
    name_sums(w, i, s, h);
    const bool symmetric = jet_is_symmetric(o->kind);
    text *const all = w->out;
    text both = {0};
    w->out = &both;
    put(w, "(");
    if (sum_from(o) || symmetric) put(w, s);
    else put_product_and(w, a, "0", b, "k", s);
    put(w, " + ");
    if (!symmetric) put_product_and(w, a, o->behind ? "k - 1" : "k", b, "0", h);
    else if (sum_from(o)) put(w, h);
    else put_product_and(w, a, "0", a, "k", h);
    put(w, ")");
    w->out = all;
    if (symmetric) put_twice(w, a, i, text_string(&both));
    else put(w, text_string(&both));
    text_free(&both);
}

// 1/c, which c may hold
static void put_reciprocal(jet_writer *w, uint32_t r) {
    if (w->row) put(w, "(1 / "), put_at(w, r, "0"), put(w, ")");
    else text_format(w->out, "c[%u]", w->over[r] - 1);
}

static void put_over(jet_writer *w) { // 1 / k
    if (w->unrolled) text_format(w->out, "over[%u]", w->k);
    else put(w, "over");
}

static void put_order(jet_writer *w) {
    if (w->unrolled) text_format(w->out, "%u", w->k);
    else put(w, "k");
}

void jet_write_coefficient(jet_writer *w, const jet_operation *o, uint32_t i) {
    const char *behind = o->behind ? "k - 1" : "k";
    put(w, "    ");
    if (w->unrolled || w->written) text_format(w->out, "const %s ", w->as->scalar);
    put_at(w, o->to, "k"), put(w, " = ");
    switch (o->kind) {
    case JET_MINUS_INTEGRAL: put(w, "-"); // fall through
    case JET_INTEGRAL: put_at(w, o->a, behind), put(w, " * "), put_over(w); break;
    case JET_RAMP: put_ramp(w, o->a); break;
    case JET_EULER: put_at(w, o->a, "k"), put(w, " * "), put_order(w); break;
    case JET_ADD: put_at(w, o->a, "k"), put(w, " + "), put_at(w, o->b, "k"); break;
    case JET_SUB: put_at(w, o->a, "k"), put(w, " - "), put_at(w, o->b, "k"); break;
    case JET_NEG: put(w, "-"), put_at(w, o->a, "k"); break;
    case JET_SHIFT:
    case JET_LESS: put_at(w, o->a, "k"); break;
    case JET_FROM: put(w, "-"), put_at(w, o->b, "k"); break;
    case JET_SCALE: put_at(w, o->a, behind), put(w, " * "), put_fixed(w, o->b); break;
    case JET_QUOTIENT: put_at(w, o->a, "k"), put(w, " * "), put_reciprocal(w, o->b); break;
    case JET_MUL:
    case JET_SQUARE: put_sum(w, o, i); break;
    case JET_DIV:
        put(w, "("), put_at(w, o->a, "k"), put(w, " - "), put_sum(w, o, i), put(w, ") * (1 / "),
            put_at(w, o->b, "0"), put(w, ")");
        break;
    case JET_OVER:
        put(w, "-"), put_sum(w, o, i), put(w, " * (1 / "), put_at(w, o->b, "0"), put(w, ")");
        break;
    case JET_SQRT:
        put(w, "("), put_at(w, o->a, "k"), put(w, " - "), put_sum(w, o, i),
            put(w, ") * (1 / (2 * "), put_at(w, o->to, "0"), put(w, "))");
        break;
    case JET_POW:
        text_format(w->out, "%s_power(", w->name), put_row(w, o->a), put(w, ", "),
            put_fixed(w, o->b);
        put(w, ", "), put_row(w, o->to), put(w, ", k)");
        break;
    case JET_ABS:
        put_at(w, o->a, "0"), put(w, " < 0 ? -"), put_at(w, o->a, "k"), put(w, " : "),
            put_at(w, o->a, "k");
        break;
    case JET_SIGN: put(w, "0"); break;
    case JET_SOLVED:
    case JET_KINDS: break;
    }
    put(w, ";\n");
}

// r = a^e; where a begins with s^m, r with s^(m e)
void jet_write_power(jet_writer *w) {
    const char *s = w->as->scalar;
    bool needed = false;
    for (uint32_t i = 0; i < w->plan->count; i++)
        needed = needed || w->plan->operation[i].kind == JET_POW;
    if (!needed) return;
    text_format(w->out, "%s %s %s_power(const %s *a, %s e, const %s *r, int k) {\n",
                jet_inner_qualifier(w), s, w->name, s, s, s);
    put(w, "    int m = 0;\n    while (m < k && a[m] == 0) m++;\n    if (m && (e < 0 || e != ");
    put_call(w, "floor"),
        put(w, "(e))) return a[0] / a[0];\n    if (m * e >= k) return a[m] != 0 && m * e == k ? ");
    put_call(w, "pow");
    text_format(
        w->out,
        "(a[m], e) : 0;\n    const int from = (int)(m * e), n = k - from;\n    %s sum = 0;\n", s);
    put(w, "    for (int j = 0; j < n; j++) sum += (e * (n - j) - j) * a[m + n - j] * r[from + "
           "j];\n    return sum / (n * a[m]);\n}\n\n");
}
