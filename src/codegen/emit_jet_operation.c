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
    else if (w->abreast) text_format(w->out, "(w->v + %u * SERIES_ROW)", w->kept[r] - 1);
    else if (w->written) text_format(w->out, "w->v[%u]", w->kept[r] - 1);
    else text_format(w->out, "v[%u]", w->slot[r]);
}

char jet_letter(const jet_writer *w) { return w->second ? 'y' : 'x'; }

// Where it is kept by a plan that is written for an order k
static void put_kept(jet_writer *w, uint32_t r, const char *index) {
    if (w->abreast && index[0] == '0') text_format(w->out, "w->f[%u]", w->slot[r]);
    else if (w->abreast && index[1] && !w->second)
        text_format(w->out, "w->l[%u]", w->behind[r] - 1);
    else if (w->abreast) text_format(w->out, "%c%u", index[1] ? 'x' : jet_letter(w), w->slot[r]);
    else if (index[0] == '0') text_format(w->out, w->whole ? "f%u" : "w->first[%u]", w->slot[r]);
    else if (index[1]) text_format(w->out, w->whole ? "l%u" : "last[%u]", w->behind[r] - 1);
    else
        text_format(w->out, w->whole || w->part_of[r] == w->part ? "x%u" : "w->now[%u]",
                    w->slot[r]);
}

// Coefficient `index` of a register: "0", "k" or "k - 1"
static void put_at(jet_writer *w, uint32_t r, const char *index) {
    if (w->written) {
        put_kept(w, r, index);
        return;
    }
    put_row(w, r), text_format(w->out, "[%s]", index);
}

static void put_fixed(jet_writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (w->row) put_at(w, r, "0");
    else if (r == w->plan->one) scalar_type_one(w->as, w->out);
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
    } else if (op == TAPE_SIGN && w->as->broadcast) {
        put_call(w, "sign"), put(w, "("), put_register(w, a), put(w, ")");
    } else if (op == TAPE_SIGN) {
        put(w, "("), put_register(w, a), put(w, " > 0) - ("), put_register(w, a), put(w, " < 0)");
    } else {
        put_call(w, op == TAPE_ABS ? "fabs" : tape_operation_name(op));
        put(w, "("), put_register(w, a);
        if (!tape_is_unary(op)) put(w, ", "), put_register(w, b);
        put(w, ")");
    }
}

// A small number as the scalar type has it
static void put_number(jet_writer *w, const char *number) {
    text_format(w->out, w->as->broadcast ? "%s(%s)" : "%.0s%s",
                w->as->broadcast ? w->as->broadcast : "", number);
}

void jet_write_argument(jet_writer *w, uint32_t r) { put_first(w, r); }

void jet_write_first(jet_writer *w, const jet_operation *o) {
    if (o->from_zero) put_number(w, "0");
    else put_execution(w, o->first, o->x, o->y, put_first);
}

void jet_write_reciprocals(jet_writer *w, const char *table) {
    text_format(w->out, "    static const %s %s[] = {0", w->as->scalar, table);
    for (uint32_t k = 1; k <= w->most; k++)
        text_format(w->out, "%s1.0%s / %u", k % 8 == 1 ? ",\n        " : ", ", w->as->suffix, k);
    put(w, "};\n");
}

// What is there at order 1 only
static void put_ramp(jet_writer *w, uint32_t r) {
    put(w, "k == 1 ? "), put_fixed(w, r), put(w, " : "), put_number(w, "0");
}

void jet_write_rate(jet_writer *w, const jet_operation *o) {
    if (o->kind == JET_RAMP) put_ramp(w, o->a);
    else put_at(w, o->a, "k - 1"), put(w, " * over");
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
        text_format(w->out, "    c[%u] = ", w->over[r] - 1), put_number(w, "1"), put(w, " / ");
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

bool jet_has_factor(jet_kind kind) { return kind == JET_SCALE_ADD || kind == JET_SCALE_SUB; }

bool jet_divides(jet_kind kind) { return kind == JET_DIV || kind == JET_OVER || kind == JET_SQRT; }

bool jet_is_symmetric(jet_kind kind) { return kind == JET_SQUARE || kind == JET_SQRT; }

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

// From the middle outwards, in two halves that do not wait for each other: s = .. a[j] * b[k - j],
// h = .. a[k - j] * b[j]; of a square they are the same
void jet_write_sum(jet_writer *w, uint32_t i) {
    const jet_kind kind = w->plan->operation[i].kind;
    if (!jet_is_convolution(kind)) return;
    const bool square = jet_is_symmetric(kind);
    text_format(w->out, "    %s s%u = 0", w->as->scalar, i);
    if (!square) text_format(w->out, ", h%u = 0", i);
    put(w, ";\n    for (int j = (k - 1) / 2; j > 0; j--) {\n");
    put_term(w, i, "s", "j", "k - j");
    if (!square) put_term(w, i, "h", "k - j", "j");
    put(w, "    }\n");
}

// x * y + z, or the same with one rounding: begins, goes on and ends
static void put_fused(jet_writer *w) {
    if (w->as->fused) put_call(w, "fma");
    put(w, "(");
}
static void put_times(jet_writer *w) { put(w, w->as->fused ? ", " : " * "); }
static void put_plus(jet_writer *w) { put(w, w->as->fused ? ", " : " + "); }

// What the orders below k make of an operation, a number, which lanes have ready: both halves, and
// the product in the middle where k is even
static void put_between(jet_writer *w, const jet_operation *o, uint32_t i) {
    const bool square = jet_is_symmetric(o->kind);
    uint32_t a, b;
    jet_factors(o, &a, &b);
    if (w->abreast) {
        text_format(w->out, w->second ? "s%u" : "w->s[%u]", w->lane[i]);
        return;
    }
    if (w->written) {
        text_format(w->out, jet_has_own_lane(w, i) ? "w->qs[%u]" : "w->s[%u]", w->lane[i]);
        return;
    }
    char halves[48];
    if (square) snprintf(halves, sizeof halves, "2 * s%u", i);
    else snprintf(halves, sizeof halves, "(s%u + h%u)", i, i);
    text_format(w->out, "(k %% 2 ? %s : ", halves), put_fused(w);
    put_row(w, a), put(w, o->behind ? "[k / 2 - 1]" : "[k / 2]"), put_times(w);
    put_row(w, b), put(w, "[k / 2]"), put_plus(w), put(w, halves), put(w, "))");
}

// a_0 * b_k + (a_k * b_0 + between)
static void put_product(jet_writer *w, const jet_operation *o, uint32_t i) {
    const bool both = !o->from_zero;
    if (both) {
        put_fused(w), put_at(w, o->a, "0"), put_times(w), put_at(w, o->b, "k"), put_plus(w);
    }
    put_fused(w), put_at(w, o->a, o->behind ? "k - 1" : "k"), put_times(w);
    put_at(w, o->b, "0"), put_plus(w), put_between(w, o, i), put(w, both ? "))" : ")");
}

// 2 a_0 * a_k + between
static void put_square(jet_writer *w, const jet_operation *o, uint32_t i) {
    put_fused(w), put_number(w, "2"), put(w, " * "), put_at(w, o->a, "0"), put_times(w),
        put_at(w, o->a, "k");
    put_plus(w), put_between(w, o, i), put(w, ")");
}

// 1 / b_0 of a quotient, 1 / (2 r_0) of a root; found once where there is a place for it
static void put_inverse(jet_writer *w, const jet_operation *o, uint32_t i) {
    const bool root = o->kind == JET_SQRT;
    if (w->abreast) text_format(w->out, "w->o[%u]", w->divisor[i]);
    else if (w->written) text_format(w->out, w->whole ? "o%u" : "w->over[%u]", w->divisor[i]);
    else
        put(w, root ? "(1 / (2 * " : "(1 / "), put_at(w, root ? o->to : o->b, "0"),
            put(w, root ? "))" : ")");
}

// -(r_0 / b_0)
static void put_ratio(jet_writer *w, const jet_operation *o, uint32_t i) {
    if (w->abreast) text_format(w->out, "w->q[%u]", w->divisor[i]);
    else if (w->written) text_format(w->out, w->whole ? "q%u" : "w->ratio[%u]", w->divisor[i]);
    else put(w, "-("), put_at(w, o->to, "0"), put(w, " * "), put_inverse(w, o, i), put(w, ")");
}

// a_k * inverse + (b_k * ratio + -(between * inverse)), for a root without b, for 1 / b without a
static void put_quotient(jet_writer *w, const jet_operation *o, uint32_t i) {
    const bool above = o->kind != JET_OVER, below = o->kind != JET_SQRT;
    if (above) {
        put_fused(w), put_at(w, o->a, "k"), put_times(w), put_inverse(w, o, i), put_plus(w);
    }
    if (below) {
        put_fused(w), put_at(w, o->b, "k"), put_times(w), put_ratio(w, o, i), put_plus(w);
    }
    put(w, "-("), put_between(w, o, i), put(w, " * "), put_inverse(w, o, i), put(w, ")");
    put(w, above && below ? "))" : ")");
}

void jet_write_inverse(jet_writer *w, const jet_operation *o, uint32_t i, const char *inverse,
                       const char *ratio) {
    const bool root = o->kind == JET_SQRT;
    text_format(w->out, "    %s = ", inverse), put_number(w, "1"), put(w, " / ");
    if (root) put(w, "("), put_number(w, "2"), put(w, " * ");
    put_first(w, root ? o->to : o->b), put(w, root ? ");\n" : ";\n");
    if (root) return;
    text_format(w->out, "    %s = -(", ratio), put_first(w, o->to), put(w, " * ");
    put_inverse(w, o, i), put(w, ");\n");
}

// 1/c, which c may hold
static void put_reciprocal(jet_writer *w, uint32_t r) {
    if (w->row) put(w, "(1 / "), put_at(w, r, "0"), put(w, ")");
    else text_format(w->out, "c[%u]", w->over[r] - 1);
}

void jet_write_coefficient(jet_writer *w, const jet_operation *o, uint32_t i) {
    const char *behind = o->behind ? "k - 1" : "k";
    put(w, "    ");
    if (w->written) text_format(w->out, "const %s ", w->as->scalar);
    put_at(w, o->to, "k"), put(w, " = ");
    switch (o->kind) {
    case JET_MINUS_INTEGRAL: put(w, "-"); // fall through
    case JET_INTEGRAL: put_at(w, o->a, behind), put(w, " * over"); break;
    case JET_RAMP: put_ramp(w, o->a); break;
    case JET_EULER: put_at(w, o->a, "k"), put(w, " * "), put_number(w, "k"); break;
    case JET_ADD: put_at(w, o->a, "k"), put(w, " + "), put_at(w, o->b, "k"); break;
    case JET_SUB: put_at(w, o->a, "k"), put(w, " - "), put_at(w, o->b, "k"); break;
    case JET_NEG: put(w, "-"), put_at(w, o->a, "k"); break;
    case JET_SHIFT:
    case JET_LESS: put_at(w, o->a, "k"); break;
    case JET_FROM: put(w, "-"), put_at(w, o->b, "k"); break;
    case JET_SCALE: put_at(w, o->a, behind), put(w, " * "), put_fixed(w, o->b); break;
    case JET_SCALE_ADD:
    case JET_SCALE_SUB:
        put_fused(w), put_at(w, o->a, "k"), put_times(w), put_fixed(w, o->factor), put_plus(w);
        put(w, o->kind == JET_SCALE_SUB ? "-" : ""), put_at(w, o->b, "k"), put(w, ")");
        break;
    case JET_QUOTIENT: put_at(w, o->a, "k"), put(w, " * "), put_reciprocal(w, o->b); break;
    case JET_MUL: put_product(w, o, i); break;
    case JET_SQUARE: put_square(w, o, i); break;
    case JET_DIV:
    case JET_OVER:
    case JET_SQRT: put_quotient(w, o, i); break;
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
    case JET_ONCE:
    case JET_SOLVED:
    case JET_KINDS: break;
    }
    put(w, ";\n");
}

// r = a^e in a vector of runs: where a_0 = 0 it is no number
static void put_power_abreast(jet_writer *w) {
    const char *s = w->as->scalar, *all = w->as->broadcast;
    text_format(w->out,
                "static %s %s_power(const %s *a, %s e, const %s *r, int k) {\n"
                "    %s sum = %s(0);\n    for (int j = 0; j < k; j++)\n"
                "        sum += (e * %s(k - j) - %s(j)) * a[k - j] * r[j];\n"
                "    return sum / (%s(k) * a[0]);\n}\n\n",
                s, w->name, s, s, s, s, all, all, all, all);
}

// r = a^e; where a begins with s^m, r with s^(m e)
void jet_write_power(jet_writer *w) {
    const char *s = w->as->scalar;
    bool needed = false;
    for (uint32_t i = 0; i < w->plan->count; i++)
        needed = needed || w->plan->operation[i].kind == JET_POW;
    if (needed && w->abreast) put_power_abreast(w);
    if (!needed || w->abreast) return;
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
