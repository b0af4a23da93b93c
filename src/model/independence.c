// Which constraints on positions and velocities are independent. Rank belongs to the manifold, not
// to a point of it: the rows dPhi/dq' are looked at where nothing is special, at random points of
// F_p on the constraints (exactly) and at real states around the one under study.
#include "model/independence.h"

#include "model/points.h"

#include <flint/nmod_mat.h>
#include <math.h>
#include <string.h>

enum { INDEPENDENCE_BITS = 128, STATES = 3, FIELD_POINTS = 3, MOST_NAMED = 200 };

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

const constraint *independence_row_constraint(const constraint_rows *r, uint32_t i) {
    return &r->m->constraints[r->constraint[i]];
}

// --- exact rank ----------------------------------------------------------------------------------

// Points on the constraints: positions on those of order 0, velocities on those
// that are not linear in them.
points points_on_rows(const constraint_rows *r, bool stated) {
    points at = points_on(r->m, 2 * r->count + 1);
    at.stated = stated;
    for (uint32_t i = 0; i < r->count; i++) {
        const constraint *c = independence_row_constraint(r, i);
        expr phi = c->phi;
        if (c->order && c->linear) continue;
        model_concrete(r->m, false, 1, &phi, &phi);
        points_add(&at, phi, r->n, c->order ? r->qd : r->q);
    }
    return at;
}

// Does the point satisfy the constraints that were to be imposed?
static bool lies_on_rows(const constraint_rows *r, const points *all, const random_point *at) {
    bool on = true;
    for (uint32_t i = 0; i < r->count && on; i++) {
        const constraint *c = independence_row_constraint(r, i);
        expr phi = c->phi;
        mp_limb_t value = 0;
        if (c->order && c->linear) continue;
        model_concrete(r->m, false, 1, &phi, &phi);
        on = random_point_values(all, at, 1, &phi, &value) && !value;
    }
    return on;
}

// Rows in their order: kept[i] where row i is independent of those before.
// The rows are reduced in place.
static uint32_t reduce_rows(uint32_t rows, uint32_t n, mp_limb_t *a, nmod_t mod, bool *kept,
                            uint32_t *column) {
    uint32_t rank = 0, *pivot_row = memory_array(uint32_t, n + 1);
    for (uint32_t i = 0; i < rows; i++) {
        mp_limb_t *row = a + (size_t)i * n;
        for (uint32_t k = 0; k < rank; k++) {
            const mp_limb_t *by = a + (size_t)pivot_row[k] * n; // has 1 in its column
            const mp_limb_t factor = nmod_neg(row[column[k]], mod);
            for (uint32_t j = 0; j < n && factor; j++)
                row[j] = nmod_add(row[j], nmod_mul(factor, by[j], mod), mod);
        }
        uint32_t j = 0;
        while (j < n && !row[j]) j++;
        kept[i] = j < n;
        if (!kept[i]) continue;
        const mp_limb_t inverse = nmod_inv(row[j], mod);
        for (uint32_t k = 0; k < n; k++) row[k] = nmod_mul(row[k], inverse, mod);
        pivot_row[rank] = i, column[rank++] = j;
    }
    memory_free(pivot_row);
    return rank;
}

// The rows at a point of F_p on the constraints; NULL if there is none for this seed.
static mp_limb_t *rows_at(const constraint_rows *r, points *all, const expr *entry, uint64_t seed,
                          uint64_t variation, nmod_t *mod) {
    random_point at;
    const size_t size = (size_t)r->count * r->n;
    if (!random_point_create(all, seed, variation, &at)) return NULL;
    mp_limb_t *value = memory_array(mp_limb_t, size + 1);
    if (!lies_on_rows(r, all, &at) ||
        !random_point_values(all, &at, r->count * r->n, entry, value)) {
        memory_free(value);
        value = NULL;
    }
    nmod_init(mod, at.at.prime);
    random_point_clear(&at);
    return value;
}

// The largest rank at a few points, and the rows kept there; 0 where no point is found.
static uint32_t rank_in_field(constraint_rows *r, bool stated, bool *kept) {
    points all = points_on_rows(r, stated);
    const uint32_t entries = r->count * r->n;
    expr *entry = arena_array(&r->m->ctx->arena, expr, entries);
    model_concrete(r->m, false, entries, r->entry, entry);
    bool *here = memory_array(bool, r->count + 1);
    uint32_t *column = memory_array(uint32_t, r->n + 1), best = 0, done = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES && done < FIELD_POINTS; seed++) {
        nmod_t mod;
        mp_limb_t *a = rows_at(r, &all, entry, seed, 0, &mod);
        if (!a) continue;
        const uint32_t rank = reduce_rows(r->count, r->n, a, mod, here, column);
        if (rank > best || !done) best = rank, r->seed = seed, memcpy(kept, here, r->count);
        memory_free(a);
        done++;
    }
    r->in_field = done > 0;
    memory_free(here), memory_free(column);
    return best;
}

// --- rank at real states -------------------------------------------------------------------------

static uint32_t rank_of(const constraint_rows *r, const double *a) {
    arena *arena = &r->m->ctx->arena;
    return pivots_choose(r->count, r->n, a, NULL, 1, arena_array(arena, uint32_t, r->count),
                         arena_array(arena, uint32_t, r->count));
}

// The same choice as in F_p, in doubles.
static void keep_numerically(const constraint_rows *r, const double *a, bool *kept) {
    arena *arena = &r->m->ctx->arena;
    double *some = arena_array(arena, double, r->count * r->n);
    uint32_t *row = arena_array(arena, uint32_t, r->count),
             *column = arena_array(arena, uint32_t, r->count), rank = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        memcpy(some + rank * r->n, a + i * r->n, sizeof(double) * r->n);
        kept[i] = rank < r->n && pivots_choose(rank + 1, r->n, some, NULL, 1, row, column) > rank;
        rank += kept[i];
    }
}

// Look at the states of seeds 1, 2 ..: the largest rank, and a constraint that the
// others do not let hold there.
static void look_around(constraint_rows *r, const completion_request *where) {
    model *m = r->m;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    for (uint64_t seed = 1; seed <= STATES; seed++) {
        completion_request request = *where;
        state x;
        uint32_t count = 0;
        request.mode = COMPLETE_GENERIC, request.seed = seed, request.zero_defaults = false;
        state_init(&x, m, INDEPENDENCE_BITS);
        if (!state_complete(&x, &request, idle, &count)) {
            const double *a = state_doubles(&x, r->count * r->n, r->entry);
            const uint32_t rank = rank_of(r, a);
            if (rank > r->real_rank || !r->elsewhere) r->elsewhere = a;
            if (rank > r->real_rank) r->real_rank = rank;
            for (uint32_t i = 0; i < count; i++)
                if (!idle[i].satisfied) r->unsatisfied = idle[i].constraint;
        }
        for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
        state_clear(&x);
    }
}

// --- who depends on whom -------------------------------------------------------------------------

// Row d = sum of coefficient[i] * row i over the kept rows, at a point; false if
// that cannot be solved there.
static bool coefficients_at(const constraint_rows *r, const mp_limb_t *a, nmod_t mod,
                            const bool *kept, uint32_t d, mp_limb_t *coefficient) {
    uint32_t rank = 0, *which = memory_array(uint32_t, r->count + 1);
    for (uint32_t i = 0; i < r->count; i++)
        if (kept[i]) which[rank++] = i;
    // columns: kept rows and row d; the last column of the reduced form has the coefficients
    nmod_mat_t matrix;
    nmod_mat_init(matrix, r->n, rank + 1, mod.n);
    for (uint32_t j = 0; j < r->n; j++)
        for (uint32_t i = 0; i <= rank; i++)
            nmod_mat_entry(matrix, j, i) = a[(size_t)(i < rank ? which[i] : d) * r->n + j];
    const bool solved = nmod_mat_rref(matrix) == (slong)rank;
    memset(coefficient, 0, sizeof(mp_limb_t) * r->count);
    for (uint32_t i = 0; i < rank && solved; i++)
        coefficient[which[i]] = nmod_mat_entry(matrix, i, rank);
    nmod_mat_clear(matrix);
    memory_free(which);
    return solved;
}

// Which kept rows make up row d, and whether with coefficients that are the same everywhere.
static void find_partners(constraint_rows *r, points *all, const expr *entry, const bool *kept,
                          uint32_t d, bool *partner, bool *constant) {
    enum { VARIATIONS = 3 };
    mp_limb_t *first = memory_array(mp_limb_t, 2 * (r->count + 1)), *other = first + r->count;
    uint32_t done = 0;
    *constant = true;
    for (uint64_t variation = 0; variation < MOST_TRIES && done < VARIATIONS; variation++) {
        nmod_t mod;
        mp_limb_t *a = rows_at(r, all, entry, r->seed, variation, &mod);
        if (!a) continue;
        if (coefficients_at(r, a, mod, kept, d, done ? other : first)) {
            for (uint32_t i = 0; i < r->count; i++) {
                partner[i] = partner[i] || (done ? other : first)[i];
                if (done && other[i] != first[i]) *constant = false;
            }
            done++;
        }
        memory_free(a);
    }
    if (!done) *constant = false;
    memory_free(first);
}

// The same at a real state: those without which row d is no longer a combination of the others.
static void find_partners_numerically(const constraint_rows *r, const bool *kept, uint32_t d,
                                      bool *partner) {
    arena *arena = &r->m->ctx->arena;
    double *some = arena_array(arena, double, r->count * r->n);
    uint32_t *row = arena_array(arena, uint32_t, r->count),
             *column = arena_array(arena, uint32_t, r->count);
    for (uint32_t without = 0; without < r->count; without++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < r->count; i++)
            if (kept[i] && i != without)
                memcpy(some + r->n * count++, r->elsewhere + r->n * i, sizeof(double) * r->n);
        if (!kept[without]) continue;
        memcpy(some + r->n * count, r->elsewhere + r->n * d, sizeof(double) * r->n);
        partner[without] = pivots_choose(count + 1, r->n, some, NULL, 1, row, column) > count;
    }
}

const char *model_names_in_words(const model *m, uint32_t count, const uint32_t *constraint) {
    if (!count || count > MOST_NAMED) return "the others";
    text t = {0};
    uint32_t done = 0;
    for (uint32_t k = 0; k < m->constraints_count; k++) // in the order in which they were stated
        for (uint32_t i = 0; i < count; i++)
            if (constraint[i] == k)
                text_format(&t, "%s`%s`",
                            !done              ? ""
                            : done + 1 < count ? ", "
                                               : " and ",
                            m->constraints[k].name),
                    done++;
    const char *result = arena_copy(&m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return result;
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
    if (r->count <= MOST_NAMED) d->partner = arena_array(a, bool, r->count * r->count);
    d->constant = arena_array(a, bool, r->count);
    const bool exact = r->in_field && rank_in_field >= r->real_rank;
    points all = points_on_rows(r, true);
    expr *entry = arena_array(a, expr, r->count * r->n);
    model_concrete(r->m, false, r->count * r->n, r->entry, entry);
    for (uint32_t i = 0; i < r->count; i++) {
        d->constant[i] = true;
        if (d->kept[i] || !d->partner) continue;
        if (exact)
            find_partners(r, &all, entry, d->kept, i, d->partner + i * r->count, &d->constant[i]);
        else find_partners_numerically(r, d->kept, i, d->partner + i * r->count);
    }
}

static const char *words_of_partners(const dependence *d, uint32_t row) {
    return d->partner ? partner_words(&d->rows, d->partner + row * d->rows.count, row)
                      : "the others";
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
static void warn_of_rank_loss(constraint_rows *r, state *here) {
    const model *m = r->m;
    bool *kept = arena_array(&m->ctx->arena, bool, r->count);
    uint32_t *lost = arena_array(&m->ctx->arena, uint32_t, r->count), count = 0;
    keep_numerically(r, state_doubles(here, r->count * r->n, r->entry), kept);
    for (uint32_t i = 0; i < r->count; i++)
        if (!kept[i]) lost[count++] = r->constraint[i];
    if (!count) return;
    diag_warning(
        m->ctx, m->constraints[lost[0]].at,
        "start the motion elsewhere, or expect it to be undetermined there",
        "the constraints lose rank at the initial state: %s do%s not restrict the velocities there",
        model_names_in_words(m, count, lost), count == 1 ? "es" : "");
}

// Does a constraint on positions hold at states where the others do? Rows alone do not tell: x = 1
// touches the circle x^2 + y^2 = 1, and has its row there.
static bool holds_without_itself(const model *m, const constraint *c) {
    enum { STATES = 3 };
    static const double ROUNDING = 1e-9;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    bool holds = true;
    for (uint64_t seed = 1; seed <= STATES && holds; seed++) {
        state x;
        uint32_t count = 0;
        state_init(&x, m, INDEPENDENCE_BITS);
        if (!state_complete(&x, &(completion_request){.mode = COMPLETE_GENERIC, .seed = seed}, idle,
                            &count))
            holds = fabs(state_doubles(&x, 1, &c->phi)[0]) < ROUNDING;
        for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
        state_clear(&x);
    }
    return holds;
}

static hamel_status set_aside(dependence *d, uint32_t row) {
    model *m = d->rows.m;
    constraint *c = &m->constraints[d->rows.constraint[row]];
    c->status = CONSTRAINT_REDUNDANT;
    c->special = d->special;
    if (c->order == 0 && !holds_without_itself(m, c)) {
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
        if (in[i] && independence_row_constraint(&d->rows, i)->status == CONSTRAINT_ACTIVE)
            out[members++] = i;
    return members;
}

// Rows with coefficients that vary, and all that is linked with them, are
// combined; the others are set aside.
static hamel_status settle(dependence *d, state *here) {
    const uint32_t count = d->rows.count;
    uint32_t *family = arena_array(&d->rows.m->ctx->arena, uint32_t, count);
    bool *done = arena_array(&d->rows.m->ctx->arena, bool, count);
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        if (d->kept[i] || done[i]) continue;
        if (d->constant[i] || !d->partner || d->special) {
            status = set_aside(d, i);
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
    const uint32_t rank_here = rank_of(r, a);
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
