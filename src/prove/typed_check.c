// The second route: a statement as it was typed, at real states of the motion. Where it was not
// typed as such (energy balances, quantities of a form), the residuals themselves are looked at.
#include "prove/proof_session.h"
#include "expr/spline.h"
#include "typed/typed.h"

#include <string.h>

enum {
    STATED_CHECKS = 5, // states with a value, the model's parameter values
    VARIED_CHECKS = 2, // with other values
    POOL_CHECKS = 2,   // of what was not typed
    MOST_STATED_CHECKS = 12,
    MOST_VARIED_CHECKS = VARIED_SAMPLES,
};

typedef enum {
    CHECK_NOTHING,    // no state could be looked at
    CHECK_AGREES,     // zero wherever it has a value
    CHECK_UNDEFINED,  // it has a value nowhere
    CHECK_CONTRADICTS // a state where it certainly is not zero
} typed_check_result;

// What was seen of a statement at real states.
typedef struct {
    typed_check_result result;
    uint32_t seen, undefined; // states with a value, states without
    uint32_t stated;          // of those seen, with the parameter values of the model
    bool typed;               // it was evaluated as it was typed
    state *at;                // where it is not zero,
    arb_t gap;                // and what it is there
    typed_finding finding;    // why it has no value
    // of what was not typed, with its denominators; made when first wanted
    program *residuals;
    uint32_t outputs;
} typed_check;

bool prove_meets_abstract(pool *p, uint32_t count, const expr *e) {
    uint32_t n;
    bool found = false;
    expr *nodes = expr_reachable(p, count, e, &n);
    uint32_t order;
    for (uint32_t i = 0; i < n && !found; i++)
        found = expr_kind_of(p, nodes[i]) == EXPR_APPLY && !expr_spline(p, nodes[i], &order);
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
static void prepare_residuals(const equations *eq, const statement *st, const state *x,
                              typed_check *check) {
    uint32_t n;
    pool *p = eq->system->pool;
    expr *base = expr_denominators(p, st->count, st->residual, &n);
    expr *all = memory_array(expr, st->count + n + 1);
    memcpy(all, st->residual, sizeof(expr) * st->count);
    if (n) memcpy(all + st->count, base, sizeof(expr) * n);
    check->outputs = st->count + n;
    model_concrete(eq->system->model, x->generic, check->outputs, all, all);
    check->residuals = program_create(p, check->outputs, all);
    memory_free(all);
    memory_free(base);
}

// A denominator that holds 0 makes 0/0 of it, though its parts may cancel when
// stand-ins take the place of functions.
static typed_finding check_residuals(const equations *eq, const statement *st, state *x,
                                     typed_check *check, arb_t gap) {
    if (!check->residuals) prepare_residuals(eq, st, x, check);
    arb_ptr value = _arb_vec_init(check->outputs);
    typed_finding f = {TYPED_OK, {0}, NULL};
    arb_zero(gap);
    state_reserve(x);
    program_run_arb(check->residuals, x->value, x->precision, value);
    for (uint32_t i = 0; i < check->outputs; i++) {
        if (i >= st->count && arb_contains_zero(value + i))
            f = (typed_finding){TYPED_TOO_WIDE, {0}, "it divides by 0"};
        if (i >= st->count) continue;
        if (!arb_is_finite(value + i)) f = (typed_finding){TYPED_TOO_WIDE, {0}, "it has no value"};
        else if (!arb_contains_zero(value + i)) arb_set(gap, value + i);
    }
    _arb_vec_clear(value, check->outputs);
    return f;
}

// Left minus right, or the rate of an invariant, as typed; *typed tells whether that could be had.
static typed_finding look_at(const equations *eq, const statement *st, state *x, typed_check *check,
                             arb_t gap, bool *typed) {
    typed_finding f = {TYPED_NO_VALUE, {0}, NULL};
    arb_t other;
    arb_init(other);
    if (check->residuals) { // what cannot be evaluated as typed at one state, cannot at another
    } else if (st->claim) {
        f = typed_claim(st->claim, x, gap, other);
        if (f.status == TYPED_OK) arb_sub(gap, gap, other, x->precision);
    } else if (st->invariant) {
        f = typed_value(&st->invariant->typed, x, other, gap);
    }
    arb_clear(other);
    *typed = f.status != TYPED_NO_VALUE;
    return *typed ? f : check_residuals(eq, st, x, check, gap);
}

static bool form_breaks_at(const model *m, const typed_form *form, state *x) {
    enum { MOST_BREAKS = 32 };
    typed_break at[MOST_BREAKS];
    const uint32_t count = typed_breaks(m, form, MOST_BREAKS, at);
    bool found = false;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < count && i < MOST_BREAKS && !found; i++) {
        const typed_finding f = typed_break_value(&at[i], x, value, NULL);
        found = f.status == TYPED_OK && arb_contains_zero(value);
    }
    arb_clear(value);
    return found;
}

// Does the state lie where what was typed may jump or have no value?
static bool is_on_break(const proof_session *ps, const statement *st, state *x) {
    bool found = (st->claim && form_breaks_at(ps->m, &st->claim->typed, x)) ||
                 (st->invariant && form_breaks_at(ps->m, &st->invariant->typed, x));
    for (uint32_t i = 0; st->solution && i < st->solution->solution_count && !found; i++) {
        const typed_form form = typed_solution_form(st->solution, i);
        found = form_breaks_at(ps->m, &form, x);
    }
    return found;
}

static void note_gap(typed_check *check, state *x, arb_srcptr gap) {
    check->result = CHECK_CONTRADICTS;
    check->at = x;
    arb_set(check->gap, gap);
}

// One state: does it count as seen?
static bool check_once(proof_session *ps, const equations *eq, const statement *st, uint32_t number,
                       typed_check *check) {
    solved_sample *s = samples_solved(&ps->samples, eq, number);
    // derivatives in the pool are wrong there
    if (!s || (st->solution && is_on_break(ps, st, &s->at))) return false;
    bool typed = false, seen = false;
    arb_t gap;
    arb_init(gap);
    const typed_finding f = look_at(eq, st, &s->at, check, gap, &typed);
    check->typed |= typed;
    if (f.status == TYPED_OK) {
        seen = true;
        if (arb_is_finite(gap) && !arb_contains_zero(gap)) note_gap(check, &s->at, gap);
    } else if (f.status != TYPED_NO_VALUE) {
        if (!check->undefined++ || f.status > check->finding.status) check->finding = f;
    }
    arb_clear(gap);
    return seen;
}

static void check_init(typed_check *check) {
    *check = (typed_check){.result = CHECK_NOTHING};
    arb_init(check->gap);
}

static void check_clear(typed_check *check) {
    arb_clear(check->gap);
    if (check->residuals) program_free(check->residuals);
}

// At some states along the motion of eq; `varied`: also for other values of the parameters.
static void check_statement(proof_session *ps, const equations *eq, const statement *st,
                            bool varied, typed_check *check) {
    uint32_t stated = 0, other = 0, wanted = STATED_CHECKS;
    // A stand-in for a function would be looked at by the pool alone, which has said what it knows
    if (prove_meets_abstract(ps->m->pool, st->count, st->residual)) return;
    for (uint32_t i = 0;
         i < MOST_STATED_CHECKS && stated < wanted && check->result != CHECK_CONTRADICTS; i++) {
        stated += check_once(ps, eq, st, sample_in_turn(i), check);
        if (check->residuals) wanted = POOL_CHECKS; // the pool looks at its own work
    }
    varied = varied && !ps->special;
    wanted = check->residuals ? 1 : VARIED_CHECKS;
    for (uint32_t i = 0;
         varied && i < MOST_VARIED_CHECKS && other < wanted && check->result != CHECK_CONTRADICTS;
         i++)
        other += check_once(ps, eq, st, STATED_SAMPLES + i, check);
    check->seen = stated + other, check->stated = stated;
    if (check->result == CHECK_CONTRADICTS) return;
    check->result = check->seen ? CHECK_AGREES : check->undefined ? CHECK_UNDEFINED : CHECK_NOTHING;
}

// --- weighed ------------------------------------------------------------------------------------

// Both routes said what they know; a proof by algebra stands only if no state contradicts it.
static void weigh(proof_session *ps, const equations *eq, const statement *st,
                  const typed_check *check, verdict *v) {
    arena *a = &ps->m->ctx->arena;
    const span at = st->claim ? st->claim->at : st->invariant ? st->invariant->at : (span){0};
    if (check->result == CHECK_CONTRADICTS) {
        const bool corner = is_on_break(ps, st, check->at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        witness_note_state(eq, check->at, check->gap, v);
        if (corner) v->verdict = VERDICT_REFUTED, v->method = "witness";
        v->remark =
            corner ? "it holds at almost all states, and not at this one"
                   : arena_format(
                         a,
                         "internal error: the algebra finds 0 here, the statement as typed (%s) "
                         "does not; please report it with the model and this state (--seed %llu)",
                         span_place(ps->m, at), (unsigned long long)ps->request->seed);
    } else if (check->result == CHECK_UNDEFINED) {
        const char *what = span_text(ps->m, check->finding.at);
        v->verdict = VERDICT_UNDECIDED, v->method = "", v->trials = 0, v->bound = 0;
        v->remark = what ? arena_format(a, "it has no value on the constraints, like 0/0: `%s`, %s",
                                        what, check->finding.reason)
                         : arena_format(a, "it has no value on the constraints, like 0/0: %s",
                                        check->finding.reason);
    } else if (check->undefined && check->finding.status == TYPED_UNDEFINED && !v->place) {
        const char *what = span_text(ps->m, check->finding.at);
        v->place = what ? arena_format(a, "where defined: `%s`, %s at some states", what,
                                       check->finding.reason)
                        : "where defined";
    } else if (check->result == CHECK_NOTHING) {
        v->scope.algebra_alone = true;
    } else if (check->result == CHECK_AGREES && !check->stated && !v->place) {
        v->place = "not for the stated parameter values: no state was found there at which the "
                   "motion is determined";
    }
}

// Can what was typed jump, or lose its value? If not, zero almost everywhere is zero everywhere.
static void set_scope(proof_session *ps, const statement *st, const typed_check *check,
                      verdict *v) {
    enum { MOST_BREAKS = 32 };
    typed_break at[MOST_BREAKS];
    const typed_form *form = st->claim       ? &st->claim->typed
                             : st->invariant ? &st->invariant->typed
                                             : NULL;
    const uint32_t count = form ? typed_breaks(ps->m, form, MOST_BREAKS, at) : 0;
    v->scope.everywhere = form && check->typed && !count;
    v->scope.where_defined = check->undefined > 0;
    for (uint32_t i = 0; i < count && i < MOST_BREAKS; i++)
        v->scope.where_defined |= at[i].kind == TYPED_POLE || at[i].kind == TYPED_EDGE;
}

void typed_check_weigh(proof_session *ps, const equations *eq, const statement *st, verdict *v) {
    typed_check check;
    check_init(&check);
    check_statement(ps, eq, st, !v->remark, &check);
    weigh(ps, eq, st, &check, v);
    if (v->verdict == VERDICT_PROVED) set_scope(ps, st, &check, v);
    check_clear(&check);
}

bool typed_check_find_witness(proof_session *ps, const equations *eq, const statement *st,
                              verdict *v) {
    typed_check check;
    check_init(&check);
    for (uint32_t i = 0; i < STATED_SAMPLES && check.result != CHECK_CONTRADICTS; i++)
        check_once(ps, eq, st, i, &check);
    const bool found = check.result == CHECK_CONTRADICTS &&
                       witness_refute(&ps->samples, eq, check.at, check.gap, st, v);
    check_clear(&check);
    return found;
}

bool typed_check_closely(proof_session *ps, const equations *eq, const statement *st, verdict *v) {
    bool found = false, typed;
    if (prove_meets_abstract(ps->m->pool, st->count, st->residual)) return false;
    for (uint32_t i = 0; i < NEAR_SAMPLES && !found; i++) {
        state x;
        typed_check check;
        check_init(&check);
        found = samples_fine(&ps->samples, eq, i, &x) &&
                look_at(eq, st, &x, &check, check.gap, &typed).status == TYPED_OK &&
                arb_is_finite(check.gap) && !arb_contains_zero(check.gap) &&
                witness_refute(&ps->samples, eq, &x, check.gap, st, v);
        check_clear(&check);
        state_clear(&x);
    }
    return found;
}

// --- where it was typed -------------------------------------------------------------------------

const char *span_text(const model *m, span at) {
    enum { MOST_SHOWN = 60 };
    if (!at.source || !at.length || at.offset + at.length > at.source->length) return NULL;
    const uint32_t length = at.length > MOST_SHOWN ? MOST_SHOWN : at.length;
    return arena_format(&m->ctx->arena, "%.*s%s", (int)length, at.source->bytes + at.offset,
                        length < at.length ? " .." : "");
}

const char *span_place(const model *m, span at) {
    if (!at.source) return m->name ? m->name : "the model";
    uint32_t line, column;
    source_position(at.source, at.offset, &line, &column);
    return arena_format(&m->ctx->arena, "%s:%u:%u", at.source->name, line, column);
}

// --- the motion as the text says it -------------------------------------------------------------

// Do the accelerations and multipliers of the reference satisfy the model as it was typed, and do
// the constraints that were set aside hold?
enum { MOTION_CHECKS = 4 };

static bool certainly_not_zero(arb_srcptr x) { return arb_is_finite(x) && !arb_contains_zero(x); }

// Constraints that were set aside must follow from the others: at every state that is looked at, or
// for the stated values of the parameters only.
static void check_idle_constraints(proof_session *ps, const equations *eq, uint32_t number) {
    arena *a = &ps->m->ctx->arena;
    solved_sample *s = samples_solved(&ps->samples, eq, number);
    arb_t phi;
    arb_init(phi);
    for (uint32_t i = 0; s && i < ps->m->constraints_count; i++) {
        const constraint *k = &ps->m->constraints[i];
        if (k->status == CONSTRAINT_ACTIVE || k->order > 2) continue;
        if (typed_constraint(k, &s->at, phi).status != TYPED_OK || !certainly_not_zero(phi))
            continue;
        if (number >= STATED_SAMPLES) ps->special = k->name;
        else
            ps->broken = arena_format(a,
                                      "internal error: the constraint `%s` (%s) was set aside and "
                                      "does not follow from the others",
                                      k->name, span_place(ps->m, k->at));
    }
    arb_clear(phi);
}

static void check_motion_once(proof_session *ps, const equations *eq, uint32_t number) {
    const mechanics *s = ps->system;
    const uint32_t count = s->n + s->k + s->h;
    solved_sample *sample = samples_solved(&ps->samples, eq, number);
    if (!sample) return;
    arb_ptr residual = _arb_vec_init(count);
    const typed_finding f = typed_motion(s, &sample->at, residual);
    for (uint32_t i = 0; i < count && f.status == TYPED_OK && !ps->broken; i++) {
        if (!certainly_not_zero(residual + i)) continue;
        char *size = arb_get_str(residual + i, 10, 0);
        ps->broken =
            arena_format(&ps->m->ctx->arena,
                         "internal error: the equations of %s do not satisfy the model as it was "
                         "typed (row %u of the motion: %s at sample %u, seed %llu)",
                         eq->form, i + 1, size, number, (unsigned long long)ps->request->seed);
        flint_free(size);
    }
    _arb_vec_clear(residual, count);
}

// Straight lines through data have no f'', cubics no f'''': an equation that needs one has no
// solution that passes the points.
static void check_data(proof_session *ps, const equations *eq) {
    pool *p = ps->m->pool;
    expr *e = memory_array(expr, eq->unknown_count + 1);
    uint32_t n, order;
    for (uint32_t i = 0; i < eq->unknown_count; i++) e[i] = eq->residual[i].value;
    model_concrete(ps->m, false, eq->unknown_count, e, e);
    expr *nodes = expr_reachable(p, eq->unknown_count, e, &n);
    for (uint32_t i = 0; i < n; i++) {
        const spline *f = expr_spline(p, nodes[i], &order);
        if (f && order > spline_degree(f))
            ps->broken = arena_format(&ps->m->ctx->arena,
                                      "the motion needs derivative %u of `%s`, which does not "
                                      "exist at the points of its data",
                                      order, f->name);
    }
    memory_free(nodes), memory_free(e);
}

void typed_check_motion(proof_session *ps) {
    const equations *eq = ps->has_branches ? ps->plain : ps->reference;
    bool idle = false;
    check_data(ps, eq);
    for (uint32_t i = 0; i < ps->m->constraints_count; i++) {
        idle |= ps->m->constraints[i].status != CONSTRAINT_ACTIVE;
        if (ps->m->constraints[i].special) ps->special = ps->m->constraints[i].name;
    }
    // the varied ones first: a constraint that is idle for some values only makes them useless
    for (uint32_t i = 0; idle && i < 2; i++) check_idle_constraints(ps, eq, STATED_SAMPLES + i);
    for (uint32_t i = 0; i < MOTION_CHECKS && !ps->broken; i++) {
        const uint32_t number = i < 2    ? (i ? NEAR_SAMPLES : 1)
                                : i == 2 ? NEAR_SAMPLES + 1
                                         : STATED_SAMPLES;
        if (idle && number < STATED_SAMPLES) check_idle_constraints(ps, eq, number);
        if (!ps->special || number < STATED_SAMPLES) check_motion_once(ps, eq, number);
    }
}
