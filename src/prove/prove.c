// Judging a model: agreement of the forms, claims, invariants, the energy balance, the mass matrix.
#include "derive/refusals.h"
#include "prove/proof_session.h"
#include "prove/energy_balance.h"

static void judge_invariant(proof_session *ps, const named_expression *i) {
    verdict *v = verdict_begin(ps, "invariant", i->name);
    const expr rate = expr_ddt(ps->system->pool, i->value);
    statement_judge(ps, &ps->classical, &(statement){.count = 1, .residual = &rate, .invariant = i},
                    v);
    if (v->verdict == VERDICT_PROVED && !ps->request->algebra_alone)
        continuity_judge(ps, ps->has_branches ? ps->plain : ps->reference, i, v);
}

// Zero for the functions of time that the model gives, if not for all?
static bool vanishes_as_given(proof_session *ps, expr part) {
    expr concrete = part;
    if (!ps->m->givens_count) return false;
    model_concrete(ps->m, false, 1, &part, &concrete);
    return concrete != part && statement_test(ps, &ps->classical, 1, &concrete) == TEST_ZERO;
}

// Functions that can jump in what makes the energy: sign and atan2, a quotient beside abs or an
// inverse function. The balance speaks of rates, which do not see a jump.
static bool can_jump(const mechanics *s) {
    expr *of = arena_array(&s->model->ctx->arena, expr, s->n + 1);
    of[0] = s->lagrangian;
    for (uint32_t i = 0; i < s->n; i++) of[i + 1] = s->force[i];
    uint32_t count, divisors;
    bool jumps = false, bends = false;
    expr *nodes = expr_reachable(s->pool, s->n + 1, of, &count);
    memory_free(expr_denominators(s->pool, s->n + 1, of, &divisors));
    for (uint32_t i = 0; i < count; i++) {
        const expr_kind kind = expr_kind_of(s->pool, nodes[i]);
        jumps |= kind == EXPR_SIGN || kind == EXPR_ATAN2;
        bends |= kind == EXPR_ABS || kind == EXPR_ATAN || kind == EXPR_ASIN || kind == EXPR_ACOS;
    }
    memory_free(nodes);
    return jumps || (bends && divisors);
}

// An energy balance, and which of its contributions vanish.
static void judge_balance(proof_session *ps, const energy_balance *b) {
    arena *a = &ps->m->ctx->arena;
    verdict *v = verdict_begin(ps, "energy", b->name);
    statement_judge(ps, &ps->classical, &(statement){.count = 1, .residual = &b->gap}, v);
    if (v->verdict != VERDICT_PROVED) return;
    text changes = {0}, open = {0};
    bool given = false;
    for (uint32_t i = 0; i < b->part_count; i++) {
        test_result result = statement_test(ps, &ps->classical, 1, &b->parts[i].part);
        if (result == TEST_NONZERO && vanishes_as_given(ps, b->parts[i].part))
            result = TEST_ZERO, given = true;
        text *list = result == TEST_NONZERO ? &changes : &open;
        if (result != TEST_ZERO)
            text_format(list, "%s%s", list->length ? ", " : "", b->parts[i].name);
    }
    const char *conserved = arena_format(
        a, "energy is conserved%s%s", given ? ", for the given functions of the model" : "",
        can_jump(ps->system) ? ", where the energies and forces do not jump" : "");
    v->remark = !changes.length && !open.length ? conserved
                : !open.length ? arena_format(a, "energy changes by %s", text_string(&changes))
                : !changes.length
                    ? arena_format(a, "energy may change by %s: whether it does is not known",
                                   text_string(&open))
                    : arena_format(a, "energy changes by %s; whether by %s is not known",
                                   text_string(&changes), text_string(&open));
    text_free(&changes);
    text_free(&open);
}

static void judge_energy(proof_session *ps) {
    const energy_balance plain = energy_balance_in_velocities(ps->system);
    judge_balance(ps, &plain);
    if (!ps->system->k && !ps->system->has_quasi) return; // eta = q': the same statement
    if (needs_linear_frame(ps->system)) return;
    const energy_balance quasi = energy_balance_in_quasi_velocities(ps->system);
    judge_balance(ps, &quasi);
}

// At the initial state; nothing can be said of a kinetic energy that is not known.
static void judge_mass(proof_session *ps, const equations *projected) {
    if (expr_holds_abstract_function(ps->system->pool, 1, &ps->system->kinetic)) return;
    verdict *v = verdict_begin(ps, "mass", "positive definite");
    // Constraints of higher order leave the velocities free: the matrix is that
    // of the system without them
    mechanics lower = *ps->system;
    lower.h = 0;
    equations *free_motion =
        ps->system->h ? formalism_derive(formalism_find("maggi"), &lower) : NULL;
    const definiteness found =
        witness_mass_definiteness(&ps->samples, free_motion ? free_motion : projected, v);
    equations_free(free_motion);
    if (v->verdict == VERDICT_REFUTED) {
        v->method = "interval quadratic form";
        v->remark = "x.M x < 0 for some x: the reduced mass matrix has a negative eigenvalue";
    } else if (found == DEFINITE_YES) {
        v->verdict = VERDICT_PROVED;
        v->method = "interval Cholesky at the initial state";
    } else {
        v->remark = "the least eigenvalue of the reduced mass matrix cannot be told from 0 at the "
                    "initial state: singular";
    }
}

// --- the whole -----------------------------------------------------------------------------------

typedef struct {
    LIST(expr, items);
} expr_list;

// With the momenta and other auxiliaries written out: their degrees count.
static void add_tested(expr_list *l, const equations *eq, expr e) {
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++)
        e = expr_replace(eq->system->pool, e, 1, &eq->auxiliaries[i].symbol,
                         &eq->auxiliaries[i].value);
    list_push(l, items, e);
}

static void add_residuals(expr_list *l, const equations *eq) {
    for (uint32_t i = 0; i < eq->unknown_count; i++) add_tested(l, eq, eq->residual[i].value);
}

// The residuals of all forms and motions, whose degree matters for every
// statement; its own is counted with it.
static expr_list everything_tested(proof_session *ps, uint32_t forms, equations *const *eq) {
    expr_list l = {0};
    for (uint32_t f = 0; f < forms; f++) add_residuals(&l, eq[f]);
    for (uint32_t i = 0; i < ps->motions_count; i++) add_residuals(&l, ps->motions[i]->eq);
    return l;
}

static bool is_wanted(const prove_request *r, const formalism *f) {
    for (uint32_t i = 0; i < r->form_count; i++)
        if (r->form[i] == f) return true;
    return r->form_count == 0;
}

static void make_tests(proof_session *ps) {
    modular_test_create(&ps->classical, ps->system, ps->reference, FREE_ALL, ps->tested_count,
                        ps->tested);
    if (ps->path_equations)
        modular_test_create(&ps->paths, ps->system, ps->path_equations, FREE_ALL, ps->tested_count,
                            ps->tested);
    for (uint32_t i = 0; i < ps->motions_count; i++) {
        named_motion *m = ps->motions[i];
        if (m->form->mechanics)
            modular_test_create(&m->test, m->system, m->eq, FREE_ALL, ps->tested_count, ps->tested);
    }
}

static void free_tests(proof_session *ps) {
    modular_test_free(&ps->classical);
    modular_test_free(&ps->paths);
    modular_test_free(&ps->stated[0]);
    modular_test_free(&ps->stated[1]);
    for (uint32_t i = 0; i < ps->motions_count; i++) {
        modular_test_free(&ps->motions[i]->test);
        equations_free(ps->motions[i]->eq);
    }
    memory_free(ps->motions);
    equations_free(ps->path_equations);
}

static void hold_court(proof_session *ps, uint32_t forms, equations **eq, equations *reference) {
    ps->reference = reference;
    ps->has_branches = reference->explicit_velocities && !basis_is_unique(ps->system);
    equations *plain =
        ps->has_branches ? formalism_derive(formalism_find("multipliers"), ps->system) : NULL;
    ps->plain = plain;
    claims_prepare(ps);
    const expr_list tested = everything_tested(ps, forms, eq);
    ps->tested = tested.items, ps->tested_count = tested.items_count;
    make_tests(ps);
    if (!ps->request->algebra_alone) typed_check_motion(ps);
    for (uint32_t i = 0; i < forms; i++)
        if (eq[i] != reference || forms == 1) forms_judge(ps, eq[i]);
    claims_judge(ps);
    for (uint32_t i = 0; i < ps->m->invariants_count; i++)
        judge_invariant(ps, &ps->m->invariants[i]);
    judge_energy(ps);
    judge_mass(ps, reference);
    free_tests(ps);
    samples_free(&ps->samples);
    equations_free(plain);
    memory_free(tested.items);
}

hamel_status prove_model(model *m, const mechanics *s, const prove_request *request,
                         judgement *out) {
    proof_session ps = {
        .m = m, .system = s, .request = request, .out = out, .samples = {.m = m, .system = s}};
    arena *a = &m->ctx->arena;
    // the reference: another form where maggi does not apply
    const formalism *usual = formalism_default(s);
    const char *refusal = formalism_refusal(usual, s);
    if (refusal) {
        diag_error(m->ctx, (span){0}, NULL, "nothing can be judged: %s", refusal);
        return HAMEL_MODEL;
    }
    equations **eq = arena_array(a, equations *, formalism_count()), *reference = NULL;
    bool *is_own = arena_array(a, bool, formalism_count());
    uint32_t forms = 0;
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        if (f->mechanics || (!is_wanted(request, f) && f != usual) || formalism_refusal(f, s))
            continue;
        equations *known = request->derived ? request->derived[i] : NULL,
                  *made = known ? known : formalism_derive(f, s);
        is_own[forms] = !known;
        eq[forms++] = made;
        if (f == usual) reference = made;
    }
    hamel_status status = context_status(m->ctx);
    const uint64_t of_text = m->ctx->seed;
    if (request->seed) context_stir(m->ctx, &request->seed, sizeof request->seed);
    ps.samples.seed = m->ctx->seed;
    if (!status) hold_court(&ps, forms, eq, reference);
    m->ctx->seed = of_text;
    for (uint32_t i = 0; i < forms; i++)
        if (is_own[i]) equations_free(eq[i]);
    return status ? status : context_status(m->ctx);
}

void judgement_free(judgement *j) {
    for (uint32_t i = 0; i < j->verdicts_count; i++) memory_free(j->verdicts[i].witness);
    memory_free(j->verdicts);
}
