// Taylor coefficients of a solution as C: all registers at order k, then at order k + 1.
//
// The convolution of an operation at order k needs only orders below k but for its two end terms, so the sums of all operations are
// taken first, several in one loop (they share their loads, and none waits for another); then come the operations, each a line.
#include "codegen/emit.h"
#include "codegen/jet_plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART = 120,            // operations in one function
    SUMS = 6,              // in one loop: as many as a processor has registers for
    STACK_BYTES = 1 << 18, // beyond it the registers are on the heap
};

typedef struct {
    const jet_plan *plan;
    const target *as;
    const char *name;
    uint32_t most;
    text *out;
    uint32_t *slot;       // of a register: in v if it is a series, in c if it is fixed and computed
    uint32_t *over;       // of a fixed register: where its reciprocal is in c, + 1
    uint32_t slots, places;
} writer;

enum { NO_SLOT = UINT32_MAX };

// Of the parts nobody else calls: they may be inlined even where the whole is to be found from outside.
static const char *inner(const writer *w) { return w->as->qualifier[0] ? w->as->qualifier : "static"; }

// --- names ---------------------------------------------------------------------------------------------------------------------

static void put(writer *w, const char *words) { text_append(w->out, words); }

static bool is_input(const tape *t, uint32_t r) { return r < t->input_count; }
static bool is_constant(const tape *t, uint32_t r) { return r >= t->input_count && r < t->input_count + t->constant_count; }

static void put_fixed(writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (r == w->plan->one) text_format(w->out, "1.0%s", w->as->suffix);
    else if (is_input(t, r)) text_format(w->out, "p[%u]", r - t->state_count - 1);
    else if (is_constant(t, r)) put(w, "("), target_literal(w->as, t->pool, t->constant[r - t->input_count], w->out), put(w, ")"); // may be negative
    else text_format(w->out, "c[%u]", w->slot[r]);
}

static void put_at(writer *w, uint32_t r, const char *index) { text_format(w->out, "v[%u][%s]", w->slot[r], index); }

// Coefficient 0 of a register
static void put_first(writer *w, uint32_t r) {
    if (w->plan->is_fixed[r]) put_fixed(w, r);
    else put_at(w, r, "0");
}

static void put_call(writer *w, const char *function) { target_function(w->as, function, w->out); }

typedef void (*put_operand)(writer *w, uint32_t r);

// a op b, as on the tape
static void put_execution(writer *w, tape_operation op, uint32_t a, uint32_t b, put_operand put_register) {
    static const char *const infix[] = {[TAPE_ADD] = " + ", [TAPE_SUB] = " - ", [TAPE_MUL] = " * ", [TAPE_DIV] = " / "};
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

// --- places ----------------------------------------------------------------------------------------------------------------------

static bool uses_fixed(jet_kind kind) {
    return kind == JET_RAMP || kind == JET_SHIFT || kind == JET_LESS || kind == JET_FROM || kind == JET_SCALE || kind == JET_OVER || kind == JET_POW;
}

static void keep(writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (w->plan->is_fixed[r] && r != w->plan->one && !is_input(t, r) && !is_constant(t, r) && w->slot[r] == NO_SLOT) w->slot[r] = w->places++;
}

// Series in the order in which they are computed; fixed values and reciprocals that the orders need, in c.
static void assign(writer *w) {
    const jet_plan *p = w->plan;
    w->slot = memory_resize(NULL, sizeof(uint32_t) * p->register_count);
    w->over = calloc(p->register_count, sizeof *w->over);
    for (uint32_t r = 0; r < p->register_count; r++) w->slot[r] = NO_SLOT;
    for (uint32_t r = 0; r <= p->t->state_count; r++) w->slot[r] = w->slots++;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (w->slot[o->to] == NO_SLOT) w->slot[o->to] = w->slots++;
        if (o->to <= p->t->state_count) keep(w, o->a); // rates that are fixed
        else if (!o->from_zero) keep(w, o->x), keep(w, o->y);
        if (uses_fixed(o->kind)) keep(w, o->a), keep(w, o->b);
        if (o->kind == JET_QUOTIENT && !w->over[o->b]) w->over[o->b] = ++w->places;
    }
}

// --- what is fixed ---------------------------------------------------------------------------------------------------------------

static void put_local(writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    if (r == w->plan->one || is_input(t, r) || is_constant(t, r)) put_fixed(w, r);
    else text_format(w->out, "f%u", r);
}

static void put_fixed_function(writer *w) {
    const jet_plan *p = w->plan;
    const char *scalar = w->as->scalar;
    text_format(w->out, "%s void %s_fixed(const %s *p, %s *c) {\n    (void)p, (void)c;\n", w->as->qualifier, w->name, scalar, scalar);
    for (uint32_t i = 0; i < p->fixed_count; i++) {
        const jet_fixed *f = &p->fixed[i];
        text_format(w->out, "    const %s f%u = ", scalar, f->to);
        put_execution(w, f->operation, f->a, f->b, put_local);
        text_format(w->out, ";\n    (void)f%u;\n", f->to);
        if (w->slot[f->to] != NO_SLOT) text_format(w->out, "    c[%u] = f%u;\n", w->slot[f->to], f->to);
    }
    for (uint32_t r = 0; r < p->register_count; r++) {
        if (!w->over[r]) continue;
        text_format(w->out, "    c[%u] = 1 / ", w->over[r] - 1);
        put_local(w, r), put(w, ";\n");
    }
    put(w, "}\n\n");
}

// --- order k -----------------------------------------------------------------------------------------------------------------------

// The factors of the sum over j = 1 .. k-1 of an operation: first[j] (or first[j - 1]) times second[k - j]
static void factors(const jet_operation *o, uint32_t *first, uint32_t *second) {
    const bool divides = o->kind == JET_DIV || o->kind == JET_OVER;
    *first = divides ? o->b : o->kind == JET_SQRT ? o->to : o->a;
    *second = divides ? o->to : o->kind == JET_SQRT ? o->to : o->kind == JET_SQUARE ? o->a : o->b;
}

static bool is_symmetric(jet_kind kind) { return kind == JET_SQUARE || kind == JET_SQRT; }

// One loop for the sums of some operations, each in two halves that do not wait for each other.
static void put_sums(writer *w, const uint32_t *which, uint32_t count, bool symmetric) {
    const jet_plan *p = w->plan;
    for (uint32_t i = 0; i < count; i++) text_format(w->out, "    %s s%u = 0, h%u = 0;\n", w->as->scalar, which[i], which[i]);
    text_format(w->out, "    for (j = 1; %s; j += 2) {\n", symmetric ? "2 * j + 2 < k" : "j + 1 < k");
    for (uint32_t i = 0; i < count; i++) {
        const jet_operation *o = &p->operation[which[i]];
        uint32_t a, b;
        factors(o, &a, &b);
        a = w->slot[a], b = w->slot[b];
        text_format(w->out, "        s%u += v[%u][j%s] * v[%u][k - j];\n", which[i], a, o->behind ? " - 1" : "", b);
        text_format(w->out, "        h%u += v[%u][j%s] * v[%u][k - j - 1];\n", which[i], a, o->behind ? "" : " + 1", b);
    }
    text_format(w->out, "    }\n    if (%s) {\n", symmetric ? "2 * j < k" : "j < k");
    for (uint32_t i = 0; i < count; i++) {
        const jet_operation *o = &p->operation[which[i]];
        uint32_t a, b;
        factors(o, &a, &b);
        text_format(w->out, "        s%u += v[%u][j%s] * v[%u][k - j];\n", which[i], w->slot[a], o->behind ? " - 1" : "", w->slot[b]);
    }
    put(w, "    }\n");
    for (uint32_t i = 0; i < count; i++) text_format(w->out, "    s%u += h%u;\n", which[i], which[i]);
    for (uint32_t i = 0; i < count && symmetric; i++) {
        uint32_t a, b;
        factors(&p->operation[which[i]], &a, &b);
        a = w->slot[a], b = which[i];
        text_format(w->out, "    s%u = k %% 2 ? 2 * s%u : 2 * s%u + v[%u][k / 2] * v[%u][k / 2];\n", b, b, b, a, a);
    }
}

static void put_all_sums(writer *w, uint32_t from, uint32_t to, bool symmetric) {
    uint32_t which[SUMS], total = 0, count = 0;
    for (uint32_t i = from; i < to; i++)
        total += jet_is_convolution(w->plan->operation[i].kind) && is_symmetric(w->plan->operation[i].kind) == symmetric;
    const uint32_t loops = (total + SUMS - 1) / SUMS, share = loops ? (total + loops - 1) / loops : 0; // of one size
    for (uint32_t i = from; i < to; i++) {
        const jet_kind kind = w->plan->operation[i].kind;
        if (jet_is_convolution(kind) && is_symmetric(kind) == symmetric) which[count++] = i;
        if (count && (count == share || i + 1 == to)) put_sums(w, which, count, symmetric), count = 0;
    }
}

// Coefficient k of the result, the sum at hand
static void put_coefficient(writer *w, const jet_operation *o, uint32_t i) {
    const char *behind = o->behind ? "k - 1" : "k";
    text_format(w->out, "    v[%u][k] = ", w->slot[o->to]);
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
    case JET_QUOTIENT: put_at(w, o->a, "k"), text_format(w->out, " * c[%u]", w->over[o->b] - 1); break;
    case JET_MUL:
        text_format(w->out, "s%u + ", i), put_at(w, o->a, behind), put(w, " * "), put_at(w, o->b, "0");
        if (!o->from_zero) put(w, " + "), put_at(w, o->a, "0"), put(w, " * "), put_at(w, o->b, "k");
        break;
    case JET_SQUARE: text_format(w->out, "s%u + 2 * ", i), put_at(w, o->a, "0"), put(w, " * "), put_at(w, o->a, "k"); break;
    case JET_DIV:
        put(w, "("), put_at(w, o->a, "k"), text_format(w->out, " - s%u", i);
        if (!o->from_zero) put(w, " - "), put_at(w, o->b, "k"), put(w, " * "), put_at(w, o->to, "0");
        put(w, ") / "), put_at(w, o->b, "0");
        break;
    case JET_OVER:
        text_format(w->out, "-(s%u + ", i), put_at(w, o->b, "k"), put(w, " * "), put_at(w, o->to, "0");
        put(w, ") / "), put_at(w, o->b, "0");
        break;
    case JET_SQRT: put(w, "("), put_at(w, o->a, "k"), text_format(w->out, " - s%u) / (2 * ", i), put_at(w, o->to, "0"), put(w, ")"); break;
    case JET_POW:
        text_format(w->out, "%s_power(v[%u], ", w->name, w->slot[o->a]), put_fixed(w, o->b);
        text_format(w->out, ", v[%u], k)", w->slot[o->to]);
        break;
    case JET_ABS: put_at(w, o->a, "0"), put(w, " < 0 ? -"), put_at(w, o->a, "k"), put(w, " : "), put_at(w, o->a, "k"); break;
    case JET_SIGN: put(w, "0"); break;
    }
    put(w, ";\n");
}

// --- functions -----------------------------------------------------------------------------------------------------------------------

static uint32_t first_step(const writer *w) { return w->plan->t->state_count; } // operations before it are the states

static void put_part(writer *w, uint32_t part, uint32_t from, uint32_t to) {
    const char *scalar = w->as->scalar;
    text_format(w->out, "%s void %s_start%u(%s (*v)[%u], const %s *p, const %s *c) {\n", inner(w), w->name, part, scalar,
                w->most + 1, scalar, scalar);
    put(w, "    (void)v, (void)p, (void)c;\n");
    for (uint32_t i = from; i < to; i++) {
        const jet_operation *o = &w->plan->operation[i];
        if (o->to <= w->plan->t->state_count) continue; // t is given
        put(w, "    "), put_at(w, o->to, "0"), put(w, " = ");
        if (o->from_zero) put(w, "0");
        else put_execution(w, o->first, o->x, o->y, put_first);
        put(w, ";\n");
    }
    text_format(w->out, "}\n\n%s void %s_order%u(%s (*v)[%u], const %s *p, const %s *c, %s over, int k) {\n", inner(w),
                w->name, part, scalar, w->most + 1, scalar, scalar, scalar);
    put(w, "    (void)p, (void)c, (void)over;\n");
    bool sums = false;
    for (uint32_t i = from; i < to; i++) sums = sums || jet_is_convolution(w->plan->operation[i].kind);
    if (sums) put(w, "    int j;\n");
    put_all_sums(w, from, to, false);
    put_all_sums(w, from, to, true);
    for (uint32_t i = from; i < to; i++) put_coefficient(w, &w->plan->operation[i], i);
    put(w, "}\n\n");
}

// r = a^e; where a begins with s^m, r with s^(m e)
static void put_power(writer *w) {
    const char *s = w->as->scalar;
    bool needed = false;
    for (uint32_t i = 0; i < w->plan->count; i++) needed = needed || w->plan->operation[i].kind == JET_POW;
    if (!needed) return;
    text_format(w->out, "%s %s %s_power(const %s *a, %s e, const %s *r, int k) {\n", inner(w), s, w->name, s, s, s);
    put(w, "    int m = 0;\n    while (m < k && a[m] == 0) m++;\n    if (m && (e < 0 || e != ");
    put_call(w, "floor"), put(w, "(e))) return a[0] / a[0];\n    if (m * e >= k) return a[m] != 0 && m * e == k ? ");
    put_call(w, "pow");
    text_format(w->out, "(a[m], e) : 0;\n    const int from = (int)(m * e), n = k - from;\n    %s sum = 0;\n", s);
    put(w, "    for (int j = 0; j < n; j++) sum += (e * (n - j) - j) * a[m + n - j] * r[from + j];\n    return sum / (n * a[m]);\n}\n\n");
}

static void put_main(writer *w, uint32_t parts) {
    const jet_plan *p = w->plan;
    const char *scalar = w->as->scalar;
    const uint32_t n = p->t->state_count;
    const bool heap = (size_t)w->slots * (w->most + 1) * 16 > STACK_BYTES;
    text_format(w->out, "%s void %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n", w->as->qualifier, w->name, scalar, scalar,
                scalar, scalar, scalar);
    text_format(w->out, "    static const %s over[] = {0", scalar);
    for (uint32_t k = 1; k <= w->most; k++) text_format(w->out, "%s1.0%s / %u", k % 8 == 1 ? ",\n        " : ", ", w->as->suffix, k);
    put(w, "};\n");
    if (heap) {
        text_format(w->out, "    %s (*v)[%u] = malloc(%u * sizeof *v);\n", scalar, w->most + 1, w->slots);
        text_format(w->out, "    if (!v) {\n        for (int i = 0; i < (order + 1) * %u; i++) out[i] = NAN;\n        return;\n    }\n", n);
    } else {
        text_format(w->out, "    %s v[%u][%u];\n", scalar, w->slots, w->most + 1);
    }
    text_format(w->out, "    for (int i = 0; i < %u; i++) v[i][0] = z[i];\n    v[%u][0] = t;\n", n, n);
    for (uint32_t i = 0; i < parts; i++) text_format(w->out, "    %s_start%u(v, p, c);\n", w->name, i);
    // Results are copied an order late: vector loads of what was just stored as scalars would wait.
    text_format(w->out, "    for (int k = 1; k <= order; k++, out += %u) {\n", n);
    for (uint32_t i = 0; i < n; i++) text_format(w->out, "        out[%u] = v[%u][k - 1];\n", i, i);
    for (uint32_t i = 0; i < n; i++) {
        const jet_operation *o = &p->operation[i];
        text_format(w->out, "        v[%u][k] = ", i);
        if (o->kind == JET_RAMP) put(w, "k == 1 ? "), put_fixed(w, o->a), put(w, " : 0");
        else put_at(w, o->a, "k - 1"), put(w, " * over[k]");
        text_format(w->out, "; // %s\n", expr_as_symbol(p->t->pool, p->t->input[i])->name);
    }
    put(w, "        if (k == order) continue;\n");
    for (uint32_t i = 0; i < parts; i++) text_format(w->out, "        %s_order%u(v, p, c, over[k], k);\n", w->name, i);
    text_format(w->out, "    }\n    for (int i = 0; i < %u; i++) out[i] = v[i][order];\n", n);
    if (heap) put(w, "    free(v);\n");
    put(w, "}\n");
}

uint32_t emit_jet(const tape *t, const target *as, const char *name, uint32_t most, text *out) {
    jet_plan *plan = jet_plan_create(t, true);
    writer w = {.plan = plan, .as = as, .name = name, .most = most, .out = out};
    assign(&w);
    if ((size_t)w.slots * (most + 1) * 16 > STACK_BYTES) put(&w, "#include <math.h>\n#include <stdlib.h>\n\n");
    put_fixed_function(&w);
    put_power(&w);
    uint32_t parts = 0;
    for (uint32_t from = first_step(&w); from < plan->count; from += PART, parts++)
        put_part(&w, parts, from, from + PART < plan->count ? from + PART : plan->count);
    put_main(&w, parts);
    const uint32_t places = w.places ? w.places : 1;
    free(w.slot);
    free(w.over);
    jet_plan_free(plan);
    return places;
}
