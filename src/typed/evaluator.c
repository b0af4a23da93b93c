// The evaluator: its levels, names and memory, and the nodes of a syntax tree, evaluated one inside
// another.
#include "typed/evaluator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- memory: values by definition and stack of derivatives ---------------------------------------

static uint32_t result_size(value_type type) {
    static const uint32_t counts[] = {0, 1, 3, 9, 9};
    return counts[type];
}

typedef struct {
    const void *what;
    const level *level;
    result result; // on the kept stack
} memory_slot;

struct memory {
    memory_slot *slots; // open addressing, linear probing
    uint32_t count, capacity;
};

static uint32_t place_of(const struct memory *memo, const void *what, const level *l) {
    const void *const key[] = {what, l};
    uint32_t i = names_hash_bytes(key, sizeof key, 0) & (memo->capacity - 1);
    while (memo->slots[i].what && (memo->slots[i].what != what || memo->slots[i].level != l))
        i = (i + 1) & (memo->capacity - 1);
    return i;
}

static void grow(struct memory *memo) {
    const struct memory old = *memo;
    memo->capacity = old.capacity ? 2 * old.capacity : 64;
    memo->slots = memory_array(memory_slot, memo->capacity);
    for (uint32_t i = 0; i < memo->capacity; i++) memo->slots[i].what = NULL;
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].what)
            memo->slots[place_of(memo, old.slots[i].what, old.slots[i].level)] = old.slots[i];
    memory_free(old.slots);
}

bool evaluator_recall(const evaluator *ev, const void *what, const level *l, result *out) {
    if (!ev->memory) return false;
    const memory_slot *slot = &ev->memory->slots[place_of(ev->memory, what, l)];
    if (slot->what) *out = slot->result;
    return slot->what;
}

void evaluator_remember(evaluator *ev, const void *what, const level *l, const result *r) {
    if (!ev->memory) ev->memory = memory_new(struct memory);
    if (2 * ev->memory->count >= ev->memory->capacity) grow(ev->memory);
    memory_slot *slot = &ev->memory->slots[place_of(ev->memory, what, l)];
    *slot = (memory_slot){what, l, {.type = r->type}};
    ball_stack_copy(&ev->kept, result_size(r->type), r->part, slot->result.part);
    ev->memory->count++;
}

static void forget(evaluator *ev) {
    if (ev->memory) memory_free(ev->memory->slots);
    memory_free(ev->memory);
    ev->memory = NULL;
}

// --- the evaluator -------------------------------------------------------------------------------

void evaluator_init(evaluator *ev, state *x) {
    *ev = (evaluator){.model = x->model, .state = x};
    ball_stack_init(&ev->work);
    ball_stack_init(&ev->kept);
    arena_init(&ev->arena);
    ev->jets = (jet_context){&ev->work, x->precision};
}

void evaluator_free(evaluator *ev) {
    forget(ev);
    ball_stack_free(&ev->work);
    ball_stack_free(&ev->kept);
    arena_free(&ev->arena);
}

void evaluator_note(evaluator *ev, typed_status status, span at, const char *reason) {
    if (ev->finding.status == TYPED_OK) ev->finding = (typed_finding){status, at, reason};
}

bool evaluator_succeeded(evaluator *ev, span at) {
    if (ev->finding.status == TYPED_OK) return true;
    if (!ev->finding.at.source) ev->finding.at = at;
    return false;
}

// --- levels --------------------------------------------------------------------------------------

static const level *find_level(evaluator *ev, const level *outer, bool in_time, uint32_t symbol) {
    level *parent = (level *)outer;
    for (level *l = parent->inner; l; l = l->sibling)
        if (l->in_time == in_time && l->symbol == symbol) return l;
    level *l = arena_new(&ev->arena, level);
    *l = (level){outer, outer->depth + 1, in_time, symbol, NULL, parent->inner};
    return parent->inner = l;
}

const level *level_in_time(evaluator *ev, const level *outer, uint32_t times) {
    for (uint32_t i = 0; i < times && outer->depth <= MOST_LEVELS; i++)
        outer = find_level(ev, outer, true, 0);
    return outer;
}

const level *level_by(evaluator *ev, const level *outer, uint32_t symbol) {
    return find_level(ev, outer, false, symbol);
}
uint32_t level_bit(const level *l) { return 1u << (l->depth - 1); }

void result_take_derivatives(const evaluator *ev, result *r, const level *inner,
                             const level *outer) {
    for (; inner != outer; inner = inner->outer)
        for (uint32_t i = 0; i < result_size(r->type); i++)
            r->part[i] = jet_coefficient(&ev->jets, &r->part[i], level_bit(inner));
}

// --- bindings ------------------------------------------------------------------------------------

const typed_binding *typed_binding_import(arena *a, const pool *p, const binding *b) {
    if (!b) return NULL;
    typed_binding *made = arena_new(a, typed_binding);
    made->name = b->name;
    made->outer = typed_binding_import(a, p, b->outer); // as deep as loops are nested
    if (b->value.type == VALUE_SCALAR) expr_is_integer(p, b->value.scalar, &made->index);
    return made;
}

const typed_binding *typed_binding_of_call(arena *a, const pool *p, const entry *e,
                                           const syntax *node, const typed_binding *b) {
    const typed_binding *inner = typed_binding_import(a, p, e->bindings);
    const syntax *parameter = e->parameters;
    for (const syntax *argument = node->first; argument && parameter; argument = argument->next) {
        typed_binding *bound = arena_new(a, typed_binding);
        *bound = (typed_binding){parameter->name, inner, argument, b, 0};
        inner = bound;
        parameter = parameter->next;
    }
    return inner;
}

const typed_binding *typed_binding_find(const typed_binding *b, const char *name) {
    while (b && strcmp(b->name, name) != 0) b = b->outer;
    return b;
}

// --- one kind of node each -----------------------------------------------------------------------

static void set_scalar(result *out, jet j) {
    out->type = VALUE_SCALAR;
    out->part[0] = j;
}

// out += term, or -= term
static bool add_term(evaluator *ev, result *sum, const result *term, bool minus, span at) {
    if (sum->type != term->type || result_size(term->type) == 9)
        return evaluator_fail(ev, TYPED_NO_VALUE, at, "these cannot be added");
    for (uint32_t i = 0; i < result_size(sum->type); i++)
        sum->part[i] = (minus ? jet_sub : jet_add)(&ev->jets, &sum->part[i], &term->part[i]);
    return true;
}

static bool negate(evaluator *ev, result *r) {
    for (uint32_t i = 0; i < result_size(r->type); i++)
        r->part[i] = jet_neg(&ev->jets, &r->part[i]);
    return true;
}

static bool evaluate_sum(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                         result *out) {
    const ball_mark mark = ball_stack_mark(&ev->work);
    assert(node->first);
    for (const syntax *t = node->first; t; t = t->next) {
        result term;
        const bool first = t == node->first;
        if (!evaluator_run(ev, t, b, l, first ? out : &term)) return false;
        if (first) {
            if (t->join == '-') negate(ev, out);
        } else if (!add_term(ev, out, &term, t->join == '-', t->at)) return false;
        ball_stack_release(&ev->work, mark, result_size(out->type), out->part);
    }
    return true;
}

// out = out * factor: scalars go with everything, rotations act to their right.
static bool multiply(evaluator *ev, result *out, const result *factor, span at) {
    const result left = *out;
    if (left.type == VALUE_SCALAR || factor->type == VALUE_SCALAR) {
        const result *scaled = left.type == VALUE_SCALAR ? factor : &left;
        const jet *scale = left.type == VALUE_SCALAR ? &left.part[0] : &factor->part[0];
        out->type = scaled->type;
        for (uint32_t i = 0; i < result_size(scaled->type); i++)
            out->part[i] = jet_mul(&ev->jets, scale, &scaled->part[i]);
        return true;
    }
    if (result_size(left.type) != 9)
        return evaluator_fail(ev, TYPED_NO_VALUE, at, "these cannot be multiplied");
    out->type = factor->type;
    if (factor->type == VALUE_VECTOR)
        jet_matrix_times_vector(&ev->jets, left.part, factor->part, out->part);
    else jet_matrix_times_matrix(&ev->jets, left.part, factor->part, out->part);
    return true;
}

static bool evaluate_product(evaluator *ev, const syntax *node, const typed_binding *b,
                             const level *l, result *out) {
    const ball_mark mark = ball_stack_mark(&ev->work);
    assert(node->first);
    for (const syntax *f = node->first; f; f = f->next) {
        result factor;
        if (f == node->first) {
            if (!evaluator_run(ev, f, b, l, out)) return false;
            continue;
        }
        if (!evaluator_run(ev, f, b, l, &factor)) return false;
        if (f->join == '/') {
            if (factor.type != VALUE_SCALAR)
                return evaluator_fail(ev, TYPED_NO_VALUE, f->at, "only a scalar divides");
            factor.part[0] = jet_inverse(&ev->jets, &factor.part[0], &ev->finding);
            if (!evaluator_succeeded(ev, f->at)) return false;
        }
        if (!multiply(ev, out, &factor, f->at)) return false;
        ball_stack_release(&ev->work, mark, result_size(out->type), out->part);
    }
    return true;
}

static bool evaluate_power(evaluator *ev, const syntax *node, const typed_binding *b,
                           const level *l, result *out) {
    jet base, exponent;
    if (!evaluator_scalar(ev, node->first, b, l, &base)) return false;
    if (!evaluator_scalar(ev, node->first->next, b, l, &exponent)) return false;
    set_scalar(out, jet_power(&ev->jets, &base, &exponent, &ev->finding));
    return evaluator_succeeded(ev, node->at);
}

// Two components lie in the plane z = 0.
static bool evaluate_tuple(evaluator *ev, const syntax *node, const typed_binding *b,
                           const level *l, result *out) {
    out->type = VALUE_VECTOR;
    out->part[2] = jet_rational(&ev->jets, 0, 1);
    int i = 0;
    for (const syntax *c = node->first; c && i < 3; c = c->next)
        if (!evaluator_scalar(ev, c, b, l, &out->part[i++])) return false;
    return true;
}

static bool evaluate_component(evaluator *ev, const syntax *node, const typed_binding *b,
                               const level *l, result *out) {
    jet v[3];
    if (!evaluator_vector(ev, node->first, b, l, v)) return false;
    set_scalar(out, v[node->name[0] - 'x']);
    return true;
}

// sum(i in from..to, body) and prod(..)
static bool evaluate_over(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    const syntax *from = node->first, *to = from->next, *body = to->next;
    int64_t low, high;
    if (!evaluator_integer(ev, from, b, &low) || !evaluator_integer(ev, to, b, &high)) return false;
    set_scalar(out, jet_rational(&ev->jets, node->kind == SYNTAX_PRODUCT_OVER, 1)); // of nothing
    const ball_mark mark = ball_stack_mark(&ev->work);
    for (int64_t i = low; i <= high; i++) {
        const typed_binding index = {.name = node->name, .outer = b, .index = i};
        result term;
        if (!evaluator_run(ev, body, &index, l, i == low ? out : &term)) return false;
        if (i > low) {
            const bool good = node->kind == SYNTAX_SUM_OVER
                                  ? add_term(ev, out, &term, false, body->at)
                                  : multiply(ev, out, &term, body->at);
            if (!good) return false;
        }
        ball_stack_release(&ev->work, mark, result_size(out->type), out->part);
    }
    return true;
}

// A number in SI units: 3 [cm] is 3/100, 30 [deg] is 30*pi/180
static bool evaluate_number(evaluator *ev, const syntax *node, result *out) {
    const pool *p = ev->model->pool;
    const unit *u = node->unit;
    set_scalar(out, jet_fmpq(&ev->jets, expr_number_value(p, node->number)));
    if (!u) return true;
    const jet factor = jet_fmpq(&ev->jets, expr_number_value(p, u->factor));
    out->part[0] = jet_mul(&ev->jets, &out->part[0], &factor);
    if (!u->pi) return true;
    jet power = {.part = ball_stack_take(&ev->work, 1)};
    arb_const_pi(power.part, ev->jets.precision);
    if (u->pi < 0) arb_inv(power.part, power.part, ev->jets.precision);
    arb_pow_ui(power.part, power.part, (ulong)labs(u->pi), ev->jets.precision);
    out->part[0] = jet_mul(&ev->jets, &out->part[0], &power);
    return true;
}

static bool evaluate_node(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NUMBER: return evaluate_number(ev, node, out);
    case SYNTAX_NAME: return evaluator_name(ev, node, b, l, out);
    case SYNTAX_CALL: return evaluator_call(ev, node, b, l, out);
    case SYNTAX_SUM: return evaluate_sum(ev, node, b, l, out);
    case SYNTAX_PRODUCT: return evaluate_product(ev, node, b, l, out);
    case SYNTAX_NEGATE: return evaluator_run(ev, node->first, b, l, out) && negate(ev, out);
    case SYNTAX_POWER: return evaluate_power(ev, node, b, l, out);
    case SYNTAX_TUPLE: return evaluate_tuple(ev, node, b, l, out);
    case SYNTAX_COMPONENT: return evaluate_component(ev, node, b, l, out);
    case SYNTAX_SUM_OVER:
    case SYNTAX_PRODUCT_OVER: return evaluate_over(ev, node, b, l, out);
    case SYNTAX_TEXT:
    case SYNTAX_DATA: // the definition of a given: typed_names.c
    case SYNTAX_RANGE: break;
    }
    return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this is no value");
}

bool evaluator_run(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                   result *out) {
    if (ev->depth > MOST_DEPTH)
        return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "definitions are nested too deeply");
    if (l->depth > MOST_LEVELS)
        return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "derivatives are nested too deeply");
    const ball_mark mark = ball_stack_mark(&ev->work);
    ev->depth++;
    const bool good = evaluate_node(ev, node, b, l, out);
    ev->depth--;
    if (good) ball_stack_release(&ev->work, mark, result_size(out->type), out->part);
    return good;
}

// --- as something in particular ------------------------------------------------------------------

static bool evaluate_as(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                        value_type type, jet *out) {
    result r;
    if (!evaluator_run(ev, node, b, l, &r)) return false;
    if (r.type != type)
        return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "a scalar was expected, or a vector");
    memcpy(out, r.part, sizeof *out * result_size(type));
    return true;
}

bool evaluator_scalar(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      jet *out) {
    return evaluate_as(ev, node, b, l, VALUE_SCALAR, out);
}

bool evaluator_vector(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                      jet out[3]) {
    return evaluate_as(ev, node, b, l, VALUE_VECTOR, out);
}

bool evaluator_integer(evaluator *ev, const syntax *node, const typed_binding *b, int64_t *out) {
    jet j;
    if (!evaluator_scalar(ev, node, b, &ev->ground, &j)) return false;
    *out = j.numerator;
    return (j.exact && j.denominator == 1) ||
           evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this is not known to be an integer");
}
