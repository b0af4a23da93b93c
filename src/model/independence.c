// Which constraints on positions and velocities are independent. Rank belongs to the manifold, not
// to a point of it: the rows dPhi/dq' are looked at where nothing is special, at random points of
// F_p on the constraints (exactly) and at real states around the one under study.
#include "model/independence.h"

#include <flint/nmod_mat.h>
#include <math.h>
#include <string.h>

enum { INDEPENDENCE_BITS = 128, STATES = 3, FIELD_POINTS = 3 };

// --- the rows ------------------------------------------------------------------------------------

// Constraints on positions come first: what follows from their derivatives is set aside, not they.
// Then those that were stated as they are, before factors of others.
static void list_rows(constraint_rows *r) {
    const model *m = r->m;
    pool *p = m->pool;
    arena *a = &m->ctx->arena;
    r->n = m->coordinates_count;
    r->constraint = arena_array(a, uint32_t, m->constraints_count);
    for (int pass = 0; pass < 4; pass++)
        for (uint32_t i = 0; i < m->constraints_count; i++) {
            const constraint *c = &m->constraints[i];
            if (c->status == CONSTRAINT_ACTIVE && c->order == pass / 2 &&
                (c->stated != EXPR_NONE) == pass % 2)
                r->constraint[r->count++] = i;
        }
    expr *q = arena_array(a, expr, r->n), *qd = arena_array(a, expr, r->n);
    for (uint32_t j = 0; j < r->n; j++)
        q[j] = m->coordinates[j], qd[j] = expr_symbol_of_order(p, q[j], 1);
    r->q = q, r->qd = qd;
    r->entry = arena_array(a, expr, r->count * r->n);
    for (uint32_t i = 0; i < r->count; i++)
        expr_gradient(p, m->constraints[r->constraint[i]].velocity_phi, r->n, qd,
                      r->entry + i * r->n);
}

// --- exact rank ----------------------------------------------------------------------------------

// Does the point satisfy the constraints that were to be imposed?
static bool lies_on_rows(const constraint_rows *r, const points *all, const random_point *at) {
    bool on = true;
    for (uint32_t i = 0; i < r->count && on; i++) {
        const constraint *c = row_constraint(r, i);
        expr phi = c->phi;
        mp_limb_t value = 0;
        if (c->order && c->linear) continue;
        model_concrete(r->m, false, 1, &phi, &phi);
        on = random_point_values(all, at, 1, &phi, &value) && !value;
    }
    return on;
}

// The rows at a point of F_p on the constraints, as columns of a matrix in reduced echelon form.
// Pivot columns are the rows that are independent of those before them (kept), any other column has
// the coefficients by which they make up its row. False if there is no point for this seed.
static bool reduce_at(const constraint_rows *r, points *all, const expr *entry, uint64_t seed,
                      uint64_t variation, nmod_mat_t out, bool *kept, uint32_t *rank) {
    random_point at;
    if (!random_point_create(all, seed, variation, &at)) return false;
    mp_limb_t *value = memory_array(mp_limb_t, (size_t)r->count * r->n + 1);
    const bool ok =
        lies_on_rows(r, all, &at) && random_point_values(all, &at, r->count * r->n, entry, value);
    if (ok) {
        nmod_mat_init(out, r->n, r->count, at.at.prime);
        for (uint32_t i = 0; i < r->count; i++)
            for (uint32_t j = 0; j < r->n; j++)
                nmod_mat_entry(out, j, i) = value[(size_t)i * r->n + j];
        *rank = (uint32_t)nmod_mat_rref(out);
        memset(kept, 0, r->count);
        for (uint32_t i = 0, k = 0; k < *rank; k++, i++) {
            while (!nmod_mat_entry(out, k, i)) i++;
            kept[i] = true;
        }
    }
    memory_free(value);
    random_point_clear(&at);
    return ok;
}

// The largest rank at a few points, and the rows kept there; 0 where no point is found.
static uint32_t rank_in_field(constraint_rows *r, bool stated, bool *kept) {
    points all = points_on(r->m, r->count, r->constraint, stated);
    const uint32_t entries = r->count * r->n;
    expr *entry = arena_array(&r->m->ctx->arena, expr, entries);
    model_concrete(r->m, false, entries, r->entry, entry);
    bool *here = memory_array(bool, r->count + 1);
    uint32_t best = 0, done = 0, rank;
    for (uint64_t seed = 0; seed < MOST_TRIES && done < FIELD_POINTS; seed++) {
        nmod_mat_t reduced;
        if (!reduce_at(r, &all, entry, seed, 0, reduced, here, &rank)) continue;
        if (rank > best || !done) best = rank, r->seed = seed, memcpy(kept, here, r->count);
        nmod_mat_clear(reduced);
        done++;
    }
    r->in_field = done > 0;
    memory_free(here);
    return best;
}

// --- rank at real states -------------------------------------------------------------------------

static uint32_t rank_of(const constraint_rows *r, uint32_t rows, const double *a) {
    uint32_t *pivot = memory_array(uint32_t, 2 * rows);
    const uint32_t rank = pivots_choose(rows, r->n, a, NULL, 1, pivot, pivot + rows);
    memory_free(pivot);
    return rank;
}

// The same choice as in F_p, in doubles.
static void keep_numerically(const constraint_rows *r, const double *a, bool *kept) {
    double *some = arena_array(&r->m->ctx->arena, double, r->count * r->n);
    for (uint32_t i = 0, rank = 0; i < r->count; i++) {
        memcpy(some + rank * r->n, a + i * r->n, sizeof(double) * r->n);
        kept[i] = rank < r->n && rank_of(r, rank + 1, some) > rank;
        rank += kept[i];
    }
}

// At the states of seeds 1, 2 ..: the largest rank, and a constraint that cannot hold there.
static void look_around(constraint_rows *r, const completion_request *where) {
    model *m = r->m;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    for (uint64_t seed = 1; seed <= STATES; seed++) {
        const completion_request request = completion_request_generic(where, seed);
        state x;
        uint32_t count = 0;
        state_init(&x, m, INDEPENDENCE_BITS);
        if (!state_complete(&x, &request, idle, &count)) {
            const double *a = state_doubles(&x, r->count * r->n, r->entry);
            const uint32_t rank = rank_of(r, r->count, a);
            if (rank > r->real_rank || !r->elsewhere) r->elsewhere = a;
            if (rank > r->real_rank) r->real_rank = rank;
            for (uint32_t i = 0; i < count; i++)
                if (!idle[i].satisfied) r->unsatisfied = idle[i].constraint;
        }
        dependent_constraint_clear(count, idle);
        state_clear(&x);
    }
}

// --- which rows depend on which ------------------------------------------------------------------

// Which kept rows make up each other one (partner: count x count), and whether everywhere alike.
static void find_partners(constraint_rows *r, points *all, const expr *entry, const bool *kept,
                          bool *partner, bool *constant) {
    enum { VARIATIONS = 3 };
    const uint32_t count = r->count;
    mp_limb_t *first = memory_array(mp_limb_t, (size_t)count * count);
    bool *here = memory_array(bool, count + 1);
    uint32_t done = 0, rank;
    for (uint64_t variation = 0; variation < MOST_TRIES && done < VARIATIONS; variation++) {
        nmod_mat_t reduced;
        if (!reduce_at(r, all, entry, r->seed, variation, reduced, here, &rank)) continue;
        const bool same = memcmp(here, kept, count) == 0;
        for (uint32_t d = 0; d < count && same; d++) {
            for (uint32_t i = 0, k = 0; i < count && !kept[d]; i++) {
                const size_t at = (size_t)d * count + i;
                const mp_limb_t coefficient = kept[i] ? nmod_mat_entry(reduced, k++, d) : 0;
                partner[at] = partner[at] || coefficient;
                if (!done) first[at] = coefficient;
                else if (coefficient != first[at]) constant[d] = false;
            }
        }
        done += same;
        nmod_mat_clear(reduced);
    }
    for (uint32_t d = 0; d < count && !done; d++) constant[d] = kept[d];
    memory_free(first), memory_free(here);
}

// The same at a real state: those without which row d is no longer a combination of the others.
static void find_partners_numerically(const constraint_rows *r, const bool *kept, uint32_t d,
                                      bool *partner) {
    double *some = arena_array(&r->m->ctx->arena, double, r->count * r->n);
    for (uint32_t without = 0; without < r->count; without++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < r->count; i++)
            if (kept[i] && i != without)
                memcpy(some + r->n * count++, r->elsewhere + r->n * i, sizeof(double) * r->n);
        if (!kept[without]) continue;
        memcpy(some + r->n * count, r->elsewhere + r->n * d, sizeof(double) * r->n);
        partner[without] = rank_of(r, count + 1, some) > count;
    }
}

static const char *partner_words(const constraint_rows *r, const bool *partner, uint32_t except) {
    uint32_t *which = arena_array(&r->m->ctx->arena, uint32_t, r->count), count = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (partner[i] && i != except) which[count++] = r->constraint[i];
    return model_names_in_words(r->m, count, which);
}

// --- verdicts ------------------------------------------------------------------------------------

typedef struct {
    constraint_rows rows;
    bool *kept;
    bool *partner;  // count x count: of each row that is not kept
    bool *constant; // of each row that is not kept: its coefficients
    bool special;   // for the stated values of the parameters only
} dependence;

static void find_dependence(dependence *d, uint32_t rank_in_field) {
    constraint_rows *r = &d->rows;
    arena *a = &r->m->ctx->arena;
    if (r->count <= MODEL_MOST_NAMED) d->partner = arena_array(a, bool, r->count * r->count);
    d->constant = arena_array(a, bool, r->count);
    const bool exact = r->in_field && rank_in_field >= r->real_rank;
    points all = points_on(r->m, r->count, r->constraint, true);
    expr *entry = arena_array(a, expr, r->count * r->n);
    model_concrete(r->m, false, r->count * r->n, r->entry, entry);
    for (uint32_t i = 0; i < r->count; i++) d->constant[i] = true;
    if (d->partner && exact) find_partners(r, &all, entry, d->kept, d->partner, d->constant);
    for (uint32_t i = 0; i < r->count && d->partner && !exact; i++)
        if (!d->kept[i]) find_partners_numerically(r, d->kept, i, d->partner + i * r->count);
}

static const char *words_of_partners(const dependence *d, uint32_t row) {
    if (!d->partner) return "the others";
    return partner_words(&d->rows, d->partner + row * d->rows.count, row);
}

// Everything that depends on the row, or that it depends on
static const char *words_of_circle(const dependence *d, uint32_t constraint_index) {
    const constraint_rows *r = &d->rows;
    uint32_t row = 0;
    while (row < r->count && r->constraint[row] != constraint_index) row++;
    if (row == r->count || !d->partner) return "the others";
    bool *circle = arena_array(&r->m->ctx->arena, bool, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        const bool *partner = d->partner + i * r->count;
        if (d->kept[i] || (i != row && !partner[row])) continue;
        circle[i] = true;
        for (uint32_t j = 0; j < r->count; j++) circle[j] = circle[j] || partner[j];
    }
    return partner_words(r, circle, row);
}

static hamel_status report_contradiction(const dependence *d, const dependent_constraint *c) {
    const model *m = d->rows.m;
    char *residual = arb_get_str(c->residual, 6, ARB_STR_NO_RADIUS);
    diag_error(m->ctx, m->constraints[c->constraint].at,
               "no motion can satisfy them all: remove or correct one of them",
               "constraint `%s` contradicts %s (it is off by %s where they hold)",
               m->constraints[c->constraint].name, words_of_circle(d, c->constraint), residual);
    flint_free(residual);
    return HAMEL_MODEL;
}

static hamel_status report_hidden(const dependence *d) {
    const model *m = d->rows.m;
    const constraint *c = &m->constraints[d->rows.unsatisfied];
    diag_error(
        m->ctx, c->at, "state that relation as a constraint, too",
        "constraint `%s` and %s leave only states with a relation between them that is not stated",
        c->name, words_of_circle(d, d->rows.unsatisfied));
    return HAMEL_MODEL;
}

// The constraints are independent, but not at the state under study.
static void warn_of_rank_loss(const constraint_rows *r, state *here) {
    const model *m = r->m;
    bool *kept = arena_array(&m->ctx->arena, bool, r->count);
    uint32_t *lost = arena_array(&m->ctx->arena, uint32_t, r->count), count = 0;
    keep_numerically(r, state_doubles(here, r->count * r->n, r->entry), kept);
    for (uint32_t i = 0; i < r->count; i++)
        if (!kept[i]) lost[count++] = r->constraint[i];
    if (count) model_warn_of_rank_loss(m, count, lost);
}

static bool is_to_be_set_aside(const dependence *d, uint32_t row) {
    return !d->kept[row] && (d->constant[row] || !d->partner || d->special);
}

// Marks constraints on positions that do not hold where those that are kept do. Rows alone do not
// tell: x = 1 touches the circle x^2 + y^2 = 1, and has its row there.
static void find_touching(const dependence *d, bool *touches) {
    static const double ROUNDING = 1e-9;
    const uint32_t count = d->rows.count;
    const model *m = d->rows.m;
    expr *phi = arena_array(&m->ctx->arena, expr, count);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const constraint *c = row_constraint(&d->rows, i);
        phi[i] = is_to_be_set_aside(d, i) && c->order == 0 ? c->phi : EXPR_ZERO;
        any = any || phi[i] != EXPR_ZERO;
    }
    for (uint64_t seed = 1; seed <= STATES && any; seed++) {
        state x;
        const completion_request request = completion_request_generic(NULL, seed);
        const double *value =
            state_find(&x, m, INDEPENDENCE_BITS, &request) ? state_doubles(&x, count, phi) : NULL;
        for (uint32_t i = 0; i < count && value; i++)
            touches[i] = touches[i] || !(fabs(value[i]) < ROUNDING);
        state_clear(&x);
    }
}

static hamel_status set_aside(const dependence *d, uint32_t row, bool touches) {
    const model *m = d->rows.m;
    const constraint *c = row_constraint(&d->rows, row);
    if (touches) {
        diag_error(m->ctx, c->at, "state in their place what is true where both hold",
                   "constraint `%s` and %s touch: where both hold their gradients are dependent, "
                   "though neither follows",
                   c->name, words_of_partners(d, row));
        return HAMEL_MODEL;
    }
    diag_warning(m->ctx, c->at, NULL, "constraint `%s` follows from %s%s and is set aside", c->name,
                 words_of_partners(d, row),
                 d->special ? ", for the stated values of the parameters," : "");
    return HAMEL_OK;
}

// All rows that are linked with this one by relations between them, with this one.
static uint32_t family_of(const dependence *d, uint32_t row, uint32_t *out) {
    const uint32_t count = d->rows.count;
    bool *in = arena_array(&d->rows.m->ctx->arena, bool, count);
    in[row] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < count; i++) {
            const bool *partner = d->partner + i * count;
            bool touches = in[i];
            for (uint32_t j = 0; j < count && !d->kept[i]; j++)
                touches = touches || (partner[j] && in[j]);
            if (d->kept[i] || !touches) continue;
            for (uint32_t j = 0; j < count; j++)
                if ((partner[j] || j == i) && !in[j]) in[j] = grown = true;
        }
    }
    uint32_t members = 0;
    // what was set aside already is a multiple of one of the others
    for (uint32_t i = 0; i < count; i++)
        if (in[i] && row_constraint(&d->rows, i)->status == CONSTRAINT_ACTIVE) out[members++] = i;
    return members;
}

// Rows with varying coefficients, and all linked with them, are combined; others are set aside.
static hamel_status settle(dependence *d, state *here) {
    const uint32_t count = d->rows.count;
    model *m = d->rows.m;
    arena *a = &m->ctx->arena;
    uint32_t *family = arena_array(a, uint32_t, count);
    bool *done = arena_array(a, bool, count), *touches = arena_array(a, bool, count);
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < count; i++) {
        constraint *c = &m->constraints[d->rows.constraint[i]];
        if (is_to_be_set_aside(d, i)) c->status = CONSTRAINT_REDUNDANT, c->special = d->special;
    }
    find_touching(d, touches);
    for (uint32_t i = 0; i < count && !status; i++) {
        if (d->kept[i] || done[i]) continue;
        if (is_to_be_set_aside(d, i)) {
            status = set_aside(d, i, touches[i]);
            continue;
        }
        const uint32_t members = family_of(d, i, family);
        for (uint32_t j = 0; j < members; j++) done[family[j]] = true;
        status = combine_constraints(&d->rows, members, family, d->kept, here);
    }
    return status;
}

hamel_status model_settle_independence(model *m, const completion_request *where, state *here,
                                       uint32_t idle_count, const dependent_constraint *idle,
                                       bool *changed) {
    dependence d = {.rows = {.m = m, .unsatisfied = UINT32_MAX}};
    constraint_rows *r = &d.rows;
    list_rows(r);
    bool *free_kept = arena_array(&m->ctx->arena, bool, r->count);
    d.kept = arena_array(&m->ctx->arena, bool, r->count);
    const uint32_t exact = rank_in_field(r, true, d.kept);
    const double *a = state_doubles(here, r->count * r->n, r->entry);
    const uint32_t rank_here = rank_of(r, r->count, a);
    r->real_rank = rank_here;
    look_around(r, where);
    if (!r->elsewhere) r->elsewhere = a;
    if (r->real_rank > exact) keep_numerically(r, r->elsewhere, d.kept);
    const uint32_t rank = exact > r->real_rank ? exact : r->real_rank;
    if (rank < r->count) {
        const uint64_t seed = r->seed;
        const bool in_field = r->in_field;
        d.special = rank_in_field(r, false, free_kept) > rank;
        r->seed = seed, r->in_field = in_field;
        find_dependence(&d, exact);
    }
    for (uint32_t i = 0; i < idle_count; i++)
        if (!idle[i].satisfied) return report_contradiction(&d, &idle[i]);
    if (rank < r->count && r->unsatisfied != UINT32_MAX) return report_hidden(&d);
    *changed = rank < r->count;
    if (*changed) return settle(&d, here);
    if (rank_here == rank) return HAMEL_OK;
    *changed = combine_regularise(r, here); // where that helps, the state is looked at anew
    if (!*changed) warn_of_rank_loss(r, here);
    return HAMEL_OK;
}
