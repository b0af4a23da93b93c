// Operations on power series as C: coefficient 0, and coefficient k from those below.
//
// The convolution of an operation at order k needs only orders below k but for its two end terms,
// so the sums of several operations are taken first, in one loop (they share their loads, and none
// waits for another); then come the operations, each a line.
#include "codegen/emit_jet_internal.h"

enum { SUMS = 6 }; // in one loop: as many as a processor has registers for

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
    else text_format(w->out, "v[%u]", w->slot[r]);
}

static void put_at(jet_writer *w, uint32_t r, const char *index) {
    put_row(w, r), text_format(w->out, "[%s]", index);
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

void jet_write_rate(jet_writer *w, const jet_operation *o) {
    if (o->kind == JET_RAMP) put(w, "k == 1 ? "), put_fixed(w, o->a), put(w, " : 0");
    else put_at(w, o->a, "k - 1"), put(w, " * over[k]");
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

// The factors of the sum over j = 1 .. k-1 of an operation: first[j] (or first[j - 1]) times
// second[k - j]
static void factors(const jet_operation *o, uint32_t *first, uint32_t *second) {
    const bool divides = o->kind == JET_DIV || o->kind == JET_OVER;
    *first = divides ? o->b : o->kind == JET_SQRT ? o->to : o->a;
    *second = divides ? o->to : o->kind == JET_SQRT ? o->to : o->kind == JET_SQUARE ? o->a : o->b;
}

// Is coefficient k of the operation a sum over j = 1 .. k-1 of products (a convolution)?
static bool is_convolution(jet_kind kind) {
    return kind == JET_MUL || kind == JET_SQUARE || kind == JET_DIV || kind == JET_OVER ||
           kind == JET_SQRT;
}

static bool is_symmetric(jet_kind kind) { return kind == JET_SQUARE || kind == JET_SQRT; }

// s7 += a[j] * b[k - j];
static void put_term(jet_writer *w, uint32_t which, const char *sum, const char *behind,
                     const char *place, const char *other) {
    const jet_operation *o = &w->plan->operation[which];
    uint32_t a, b;
    factors(o, &a, &b);
    text_format(w->out, "        %s%u += ", sum, which);
    put_at(w, a, o->behind ? behind : place), put(w, " * "), put_at(w, b, other), put(w, ";\n");
}

// One loop for the sums of some operations, each in two halves that do not wait for each other.
static void put_sums(jet_writer *w, const uint32_t *which, uint32_t count, bool symmetric) {
    for (uint32_t i = 0; i < count; i++)
        text_format(w->out, "    %s s%u = 0, h%u = 0;\n", w->as->scalar, which[i], which[i]);
    text_format(w->out, "    for (j = 1; %s; j += 2) {\n",
                symmetric ? "2 * j + 2 < k" : "j + 1 < k");
    for (uint32_t i = 0; i < count; i++) {
        put_term(w, which[i], "s", "j - 1", "j", "k - j");
        put_term(w, which[i], "h", "j", "j + 1", "k - j - 1");
    }
    text_format(w->out, "    }\n    if (%s) {\n", symmetric ? "2 * j < k" : "j < k");
    for (uint32_t i = 0; i < count; i++) put_term(w, which[i], "s", "j - 1", "j", "k - j");
    put(w, "    }\n");
    for (uint32_t i = 0; i < count; i++)
        text_format(w->out, "    s%u += h%u;\n", which[i], which[i]);
    for (uint32_t i = 0; i < count && symmetric; i++) {
        uint32_t a, b;
        factors(&w->plan->operation[which[i]], &a, &b);
        text_format(w->out, "    s%u = k %% 2 ? 2 * s%u : 2 * s%u + ", which[i], which[i],
                    which[i]);
        put_at(w, a, "k / 2"), put(w, " * "), put_at(w, a, "k / 2"), put(w, ";\n");
    }
}

static void put_all_sums(jet_writer *w, uint32_t from, uint32_t to, bool symmetric) {
    uint32_t which[SUMS], total = 0, count = 0;
    for (uint32_t i = from; i < to; i++)
        total += is_convolution(w->plan->operation[i].kind) &&
                 is_symmetric(w->plan->operation[i].kind) == symmetric;
    // of one size
    const uint32_t loops = (total + SUMS - 1) / SUMS,
                   share = loops ? (total + loops - 1) / loops : 0;
    for (uint32_t i = from; i < to; i++) {
        const jet_kind kind = w->plan->operation[i].kind;
        if (is_convolution(kind) && is_symmetric(kind) == symmetric) which[count++] = i;
        if (count && (count == share || i + 1 == to))
            put_sums(w, which, count, symmetric), count = 0;
    }
}

void jet_write_sums(jet_writer *w, uint32_t from, uint32_t to) {
    bool sums = false;
    for (uint32_t i = from; i < to; i++) sums = sums || is_convolution(w->plan->operation[i].kind);
    if (sums) put(w, "    int j;\n");
    put_all_sums(w, from, to, false);
    put_all_sums(w, from, to, true);
}

// 1/c, which c may hold
static void put_reciprocal(jet_writer *w, uint32_t r) {
    if (w->row) put(w, "(1 / "), put_at(w, r, "0"), put(w, ")");
    else text_format(w->out, "c[%u]", w->over[r] - 1);
}

void jet_write_coefficient(jet_writer *w, const jet_operation *o, uint32_t i) {
    const char *behind = o->behind ? "k - 1" : "k";
    put(w, "    "), put_at(w, o->to, "k"), put(w, " = ");
    switch (o->kind) {
    case JET_INTEGRAL: put_at(w, o->a, behind), put(w, " * over"); break;
    case JET_MINUS_INTEGRAL: put(w, "-"), put_at(w, o->a, behind), put(w, " * over"); break;
    case JET_RAMP: put(w, "k == 1 ? "), put_fixed(w, o->a), put(w, " : 0"); break;
    case JET_EULER: put_at(w, o->a, "k"), put(w, " * k"); break;
    case JET_ADD: put_at(w, o->a, "k"), put(w, " + "), put_at(w, o->b, "k"); break;
    case JET_SUB: put_at(w, o->a, "k"), put(w, " - "), put_at(w, o->b, "k"); break;
    case JET_NEG: put(w, "-"), put_at(w, o->a, "k"); break;
    case JET_SHIFT:
    case JET_LESS: put_at(w, o->a, "k"); break;
    case JET_FROM: put(w, "-"), put_at(w, o->b, "k"); break;
    case JET_SCALE: put_at(w, o->a, behind), put(w, " * "), put_fixed(w, o->b); break;
    case JET_QUOTIENT: put_at(w, o->a, "k"), put(w, " * "), put_reciprocal(w, o->b); break;
    case JET_MUL:
        text_format(w->out, "s%u + ", i), put_at(w, o->a, behind), put(w, " * "),
            put_at(w, o->b, "0");
        if (!o->from_zero) put(w, " + "), put_at(w, o->a, "0"), put(w, " * "), put_at(w, o->b, "k");
        break;
    case JET_SQUARE:
        text_format(w->out, "s%u + 2 * ", i), put_at(w, o->a, "0"), put(w, " * "),
            put_at(w, o->a, "k");
        break;
    case JET_DIV:
        put(w, "("), put_at(w, o->a, "k"), text_format(w->out, " - s%u", i);
        if (!o->from_zero)
            put(w, " - "), put_at(w, o->b, "k"), put(w, " * "), put_at(w, o->to, "0");
        put(w, ") / "), put_at(w, o->b, "0");
        break;
    case JET_OVER:
        text_format(w->out, "-(s%u + ", i), put_at(w, o->b, "k"), put(w, " * "),
            put_at(w, o->to, "0");
        put(w, ") / "), put_at(w, o->b, "0");
        break;
    case JET_SQRT:
        put(w, "("), put_at(w, o->a, "k"), text_format(w->out, " - s%u) / (2 * ", i),
            put_at(w, o->to, "0"), put(w, ")");
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
