// The second route: a statement as it was typed, at real states of the motion. Where it was not
// typed as such (energy balances, quantities of a form), the residuals themselves are looked at.
#include "prove/court.h"

#include <stdlib.h>
#include <string.h>

enum {
    STATED_LOOKS = 5, // states with a value, the model's parameter values
    VARIED_LOOKS = 2, // with other values
    POOL_LOOKS = 2,   // of what was not typed
    MOST_STATED_LOOKS = 12,
    MOST_VARIED_LOOKS = VARIED_SAMPLES,
};

bool holds_abstract_function(pool *p, uint32_t count, const expr *e) {
    uint32_t n;
    bool found = false;
    expr *nodes = expr_reachable(p, count, e, &n);
    for (uint32_t i = 0; i < n && !found; i++) found = expr_kind_of(p, nodes[i]) == EXPR_APPLY;
    memory_free(nodes);
    return found;
}

// Near the initial state, then far from it, in turn: sample numbers in the order of looking.
static uint32_t sample_in_turn(uint32_t i) {
    const uint32_t half = i / 2;
    if (i >= 2 * NEAR_SAMPLES) return i;
    return i % 2 ? NEAR_SAMPLES + half : half;
}

// The residuals in the pool's form, and the denominators in them: one program for all states.
static void prepare_residuals(const equations *eq, const statement *st, const state *s, look *l) {
    uint32_t n;
    pool *p = eq->system->pool;
    expr *base = expr_denominators(p, st->count, st->residual, &n);
    expr *all = memory_array(expr, st->count + n + 1);
    memcpy(all, st->residual, sizeof(expr) * st->count);
    if (n) memcpy(all + st->count, base, sizeof(expr) * n);
    l->outputs = st->count + n;
    model_concrete(eq->system->model, s->generic, l->outputs, all, all);
    l->residuals = program_create(p, l->outputs, all);
    memory_free(all);
    memory_free(base);
}

// A denominator that holds 0 makes 0/0 of it, though its parts may cancel when
// stand-ins take the place of functions.
static typed_finding look_at_residuals(const equations *eq, const statement *st, state *s, look *l,
                                       arb_t gap) {
    if (!l->residuals) prepare_residuals(eq, st, s, l);
    arb_ptr value = _arb_vec_init(l->outputs);
    typed_finding f = {TYPED_OK, {0}, NULL};
    arb_zero(gap);
    state_reserve(s);
    program_run_arb(l->residuals, s->value, s->precision, value);
    for (uint32_t i = 0; i < l->outputs; i++) {
        if (i >= st->count && arb_contains_zero(value + i))
            f = (typed_finding){TYPED_TOO_WIDE, {0}, "it divides by 0"};
        if (i >= st->count) continue;
        if (!arb_is_finite(value + i)) f = (typed_finding){TYPED_TOO_WIDE, {0}, "it has no value"};
        else if (!arb_contains_zero(value + i)) arb_set(gap, value + i);
    }
    _arb_vec_clear(value, l->outputs);
    return f;
}

// Left minus right, or the rate of an invariant, as typed; *typed tells whether that could be had.
static typed_finding look_at(const equations *eq, const statement *st, state *s, look *l, arb_t gap,
                             bool *typed) {
    typed_finding f = {TYPED_NO_VALUE, {0}, NULL};
    arb_t other;
    arb_init(other);
    if (l->residuals) { // what cannot be evaluated as typed at one state, cannot at another
    } else if (st->claim) {
        f = typed_claim(st->claim, s, gap, other);
        if (f.status == TYPED_OK) arb_sub(gap, gap, other, s->precision);
    } else if (st->invariant) {
        f = typed_invariant(st->invariant, s, other, gap);
    }
    arb_clear(other);
    *typed = f.status != TYPED_NO_VALUE;
    return *typed ? f : look_at_residuals(eq, st, s, l, gap);
}

static void note_gap(look *l, uint32_t number, state *s, arb_srcptr gap) {
    l->result = LOOK_CONTRADICTS;
    l->sample = number;
    l->at = s;
    arb_set(l->gap, gap);
}

// One state: does it count as seen?
static bool look_once(court *c, const equations *eq, const statement *st, uint32_t number,
                      look *l) {
    solved_sample *s = sample_solved(&c->room, eq, number);
    // derivatives in the pool are wrong there
    if (!s || (st->solution && is_on_a_break(c, st, &s->at))) return false;
    bool typed = false, seen = false;
    arb_t gap;
    arb_init(gap);
    const typed_finding f = look_at(eq, st, &s->at, l, gap, &typed);
    l->typed |= typed;
    if (f.status == TYPED_OK) {
        seen = true;
        if (arb_is_finite(gap) && !arb_contains_zero(gap)) note_gap(l, number, &s->at, gap);
    } else if (f.status != TYPED_NO_VALUE) {
        if (!l->undefined++ || f.status > l->finding.status) l->finding = f, l->nowhere = &s->at;
    }
    arb_clear(gap);
    return seen;
}

void look_init(look *l) {
    *l = (look){.result = LOOK_NOTHING};
    arb_init(l->gap);
}

void look_clear(look *l) {
    arb_clear(l->gap);
    if (l->residuals) program_free(l->residuals);
}

void look_at_statement(court *c, const equations *eq, const statement *st, bool varied, look *l) {
    uint32_t stated = 0, other = 0, wanted = STATED_LOOKS;
    // A stand-in for a function would be looked at by the pool alone, which has said what it knows
    if (holds_abstract_function(c->m->pool, st->count, st->residual)) return;
    for (uint32_t i = 0; i < MOST_STATED_LOOKS && stated < wanted && l->result != LOOK_CONTRADICTS;
         i++) {
        stated += look_once(c, eq, st, sample_in_turn(i), l);
        if (l->residuals) wanted = POOL_LOOKS; // the pool looks at its own work
    }
    varied = varied && !c->special;
    wanted = l->residuals ? 1 : VARIED_LOOKS;
    for (uint32_t i = 0;
         varied && i < MOST_VARIED_LOOKS && other < wanted && l->result != LOOK_CONTRADICTS; i++)
        other += look_once(c, eq, st, STATED_SAMPLES + i, l);
    l->seen = stated + other, l->stated = stated;
    if (l->result == LOOK_CONTRADICTS) return;
    l->result = l->seen ? LOOK_AGREES : l->undefined ? LOOK_UNDEFINED : LOOK_NOTHING;
}

bool look_for_witness(court *c, const equations *eq, const statement *st, verdict *v) {
    look l;
    look_init(&l);
    for (uint32_t i = 0; i < STATED_SAMPLES && l.result != LOOK_CONTRADICTS; i++)
        look_once(c, eq, st, i, &l);
    const bool found =
        l.result == LOOK_CONTRADICTS && witness_refute(&c->room, eq, l.at, l.gap, st, v);
    look_clear(&l);
    return found;
}

bool look_closely(court *c, const equations *eq, const statement *st, verdict *v) {
    bool found = false, typed;
    if (holds_abstract_function(c->m->pool, st->count, st->residual)) return false;
    for (uint32_t i = 0; i < NEAR_SAMPLES && !found; i++) {
        state s;
        look l;
        look_init(&l);
        found = sample_fine(&c->room, eq, i, &s) &&
                look_at(eq, st, &s, &l, l.gap, &typed).status == TYPED_OK && arb_is_finite(l.gap) &&
                !arb_contains_zero(l.gap) && witness_refute(&c->room, eq, &s, l.gap, st, v);
        look_clear(&l);
        state_clear(&s);
    }
    return found;
}

// --- where it was typed --------------------------------------------------------------------------

const char *typed_text(const model *m, span at) {
    enum { MOST_SHOWN = 60 };
    if (!at.source || !at.length || at.offset + at.length > at.source->length) return NULL;
    const uint32_t length = at.length > MOST_SHOWN ? MOST_SHOWN : at.length;
    return arena_format(&m->ctx->arena, "%.*s%s", (int)length, at.source->bytes + at.offset,
                        length < at.length ? " .." : "");
}

const char *typed_place(const model *m, span at) {
    if (!at.source) return m->name ? m->name : "the model";
    uint32_t line = 1, column = 1;
    for (uint32_t i = 0; i < at.offset && i < at.source->length; i++) {
        column = at.source->bytes[i] == '\n' ? 1 : column + 1;
        line += at.source->bytes[i] == '\n';
    }
    return arena_format(&m->ctx->arena, "%s:%u:%u", at.source->name, line, column);
}

static bool form_breaks_at(const model *m, const typed_form *form, state *s) {
    enum { MOST_BREAKS = 32 };
    typed_break at[MOST_BREAKS];
    const uint32_t count = typed_breaks(m, form, MOST_BREAKS, at);
    bool found = false;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < count && i < MOST_BREAKS && !found; i++) {
        const typed_finding f = typed_break_value(&at[i], s, value, NULL);
        found = f.status == TYPED_OK && arb_contains_zero(value);
    }
    arb_clear(value);
    return found;
}

bool is_on_a_break(court *c, const statement *st, state *s) {
    bool found = (st->claim && form_breaks_at(c->m, &st->claim->typed, s)) ||
                 (st->invariant && form_breaks_at(c->m, &st->invariant->typed, s));
    for (uint32_t i = 0; st->solution && i < st->solution->solution_count && !found; i++) {
        const typed_form form = typed_solution_form(st->solution, i);
        found = form_breaks_at(c->m, &form, s);
    }
    return found;
}
