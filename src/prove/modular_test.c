// Statements about one motion: how many points are needed, and what is seen there.
#include "prove/modular_test.h"

#include "model/state.h"

#include <math.h>
#include <string.h>

enum {
    MOST_TRIALS = 60,
    MOST_FAILURES = 100,
    MOST_ROOTS = 8,
    MOST_SIGNS = 6,
    POINTS_FOR_BRANCHES = 40,
    POINTS_FOR_A_ROOT = 24
};
static const double WANTED_BITS = 104; // bound 2^-100 and a little more
static const double PRIME_BITS = 61;

// --- signs and branches at random ---------------------------------------------------------------
//
// In F_p sqrt(u) is the root of u that is a square itself. If u is no square in the field of the
// functions so far, both roots are conjugate: a statement that is false for one of them is false
// for both, and nothing is lost. If u may be a square, as in sqrt(x^2) = x, the sign is that of
// something else (here: whether x is a square), and a false statement survives a trial with
// probability 1/2 (with c such choices: 1 - 2^-c). That u is no square is seen at a point where it
// is none while the radicands before it are: u = v^2 would be a square wherever v can be computed.

typedef struct {
    expr radicand[MOST_ROOTS];
    uint32_t count;
    expr signed_one[MOST_SIGNS]; // arguments of abs and sign
    uint32_t signs;
    bool too_many;
} root_list;

static bool is_listed(const root_list *r, expr u) {
    for (uint32_t i = 0; i < r->count; i++)
        if (r->radicand[i] == u) return true;
    return false;
}

// abs(u) and sign(u) hang on one sign.
static void note_sign(expr u, root_list *out) {
    for (uint32_t i = 0; i < out->signs && i < MOST_SIGNS; i++)
        if (out->signed_one[i] == u) return;
    if (out->signs < MOST_SIGNS) out->signed_one[out->signs] = u;
    out->signs++;
}

// Radicands of even roots below the expressions, inner ones first, and the number of abs and sign.
static void list_roots(pool *p, uint32_t count, const expr *e, root_list *out) {
    uint32_t n;
    expr *nodes = expr_reachable(p, count, e, &n);
    for (uint32_t i = 0; i < n; i++) {
        const expr_kind kind = expr_kind_of(p, nodes[i]);
        if (kind == EXPR_ABS || kind == EXPR_SIGN) note_sign(expr_operand(p, nodes[i], 0), out);
        for (uint32_t j = 0; kind == EXPR_PRODUCT && j < expr_operand_count(p, nodes[i]); j += 2) {
            const expr base = expr_operand(p, nodes[i], j);
            const fmpz *q = fmpq_denref(expr_number_value(p, expr_operand(p, nodes[i], j + 1)));
            if (fmpz_is_odd(q) || is_listed(out, base)) continue;
            if (out->count == MOST_ROOTS) out->too_many = true;
            else out->radicand[out->count++] = base;
        }
    }
    memory_free(nodes);
}

static bool holds_acceleration(pool *p, expr e) {
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const symbol *s = pool_symbol(p, i);
        const bool solved =
            s->role == ROLE_MULTIPLIER || (s->role == ROLE_COORDINATE && s->order > 1);
        if (solved && expr_depends_on(p, e, 1, &s->node)) return true;
    }
    return false;
}

// Is there a point where the last radicand is no square and those before it are?
static bool is_no_square(modular_motion *mod, uint32_t count, const expr *radicand) {
    mp_limb_t value[MOST_ROOTS];
    bool found = false;
    // q'' and lambda are not solved for here
    if (holds_acceleration(mod->system->pool, radicand[count - 1])) return false;
    for (uint32_t i = 0; i < (uint32_t)POINTS_FOR_A_ROOT << count && !found; i++) {
        modular_state x;
        if (modular_state_create(mod, &x) == MODULAR_OK &&
            modular_values(mod, &x, count, radicand, value) == MODULAR_OK) {
            found = value[count - 1] && n_jacobi_unsigned(value[count - 1], x.at.prime) == -1;
            for (uint32_t j = 0; j + 1 < count && found; j++)
                found = value[j] && n_jacobi_unsigned(value[j], x.at.prime) == 1;
        }
        modular_state_free(&x);
    }
    return found;
}

// Branches of constraints that were solved as polynomials and were never seen to be irreducible.
static uint32_t open_branches(modular_motion *mod) {
    uint32_t open = 0;
    for (int i = 0; i < POINTS_FOR_BRANCHES; i++) {
        modular_state x;
        modular_state_create(mod, &x);
        modular_state_free(&x);
        open = 0;
        for (uint32_t j = 0; j < mod->branch_count; j++)
            if (!mod->branch[j].irreducible)
                open += (uint32_t)ceil(log2((double)mod->branch[j].degree));
        if (!open) break;
    }
    return open;
}

// Do they hold neither positions that constraints determine, nor velocities?
static bool are_free(const modular_motion *mod, uint32_t count, const expr *e) {
    const mechanics *s = mod->system;
    for (uint32_t i = 0; i < count; i++) {
        if (expr_depends_on(s->pool, e[i], s->n, s->qd)) return false;
        for (uint32_t j = 0; j < mod->placing_count; j++)
            if (expr_depends_on(s->pool, e[i], 1, &mod->placing[j].variable)) return false;
    }
    return true;
}

// How many binary choices lie behind the values of the expressions at a point: signs of abs and
// sign, of roots whose radicand may be a square, and of branches of a constraint that may fall
// apart. UINT32_MAX where there are too many to look at.
static uint32_t count_choices(modular_motion *mod, uint32_t count, const expr *e) {
    const mechanics *s = mod->system;
    root_list roots = {0};
    // Off the constraints for the roots of V itself: V(q, eta, t) at q' that are not on them; and
    // for roots in free positions, which stand in the constraints for the others.
    modular_motion loose = *mod, free;
    loose.v.velocity = s->qd, loose.v.explicit_velocities = true, loose.moving_count = 0;
    free = loose, free.placing_count = 0;
    if (mod->v.explicit_velocities) list_roots(s->pool, s->n, mod->v.velocity, &roots);
    const uint32_t in_velocity = roots.count;
    expr *all = memory_array(expr, count + s->n);
    if (count) memcpy(all, e, sizeof(expr) * count);
    if (mod->v.explicit_velocities) memcpy(all + count, mod->v.velocity, sizeof(expr) * s->n);
    roots.signs = 0;
    list_roots(s->pool, mod->v.explicit_velocities ? count + s->n : count, all, &roots);
    memory_free(all);
    uint32_t choices = roots.signs + open_branches(mod);
    for (uint32_t i = 0; i < roots.count && !roots.too_many; i++) {
        modular_motion *there = are_free(mod, i + 1, roots.radicand) ? &free
                                : i < in_velocity                    ? &loose
                                                                     : mod;
        choices += !is_no_square(there, i + 1, roots.radicand);
    }
    return roots.too_many || choices > MOST_SIGNS ? UINT32_MAX : choices;
}

// Trials after which a statement that is false for one of 2^choices ways to choose survives with
// a probability below 2^-bits.
static double trials_for_choices(uint32_t choices, double bits) {
    return choices ? ceil(bits / -log2(1 - exp2(-(double)choices))) : 1;
}

// --- the test -----------------------------------------------------------------------------------

void modular_test_free(modular_test *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        modular_state_free(&t->points[i]);
        modular_state_free(&t->before[i]);
    }
    memory_free(t->points);
    memory_free(t->before);
}

// With the given functions written out where they are as the model states
// them: their degrees count.
static const expr *as_meant(const modular_motion *mod, uint32_t count, const expr *e) {
    const model *m = mod->system->model;
    if (mod->freedom == FREE_ALL || !m->givens_count) return e;
    expr *out = arena_array(&m->ctx->arena, expr, count);
    model_concrete(m, false, count, e, out);
    return out;
}

// How many trials the degree asks for; 0 where it is too large for any number of them.
static void set_trials(modular_test *t) {
    t->motion.trial_bits = PRIME_BITS - degree_bound_bits(&t->degree, t->motion.system->h > 0);
    const bool possible = t->motion.trial_bits > WANTED_BITS / MOST_TRIALS;
    t->trials = possible ? (uint32_t)fmax(2, ceil(WANTED_BITS / t->motion.trial_bits)) : 0;
}

typedef struct {
    LIST(expr, items);
} expr_list;

// What q'' and lambda are found from: residuals, q'' in terms of the unknowns, the equations of the
// multipliers. With the momenta and other auxiliaries written out: their degrees count.
static expr_list solved_from(const equations *eq) {
    const mechanics *s = eq->system;
    expr_list l = {0};
    for (uint32_t i = 0; i < eq->unknown_count; i++) list_push(&l, items, eq->residual[i].value);
    for (uint32_t i = 0; i < s->n; i++) list_push(&l, items, eq->acceleration[i]);
    for (uint32_t i = 0; i < eq->multiplier_count && eq->recovery; i++)
        list_push(&l, items, eq->recovery[i]);
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++)
        expr_substitute(s->pool, 1, &eq->auxiliaries[i].symbol, &eq->auxiliaries[i].value,
                        l.items_count, l.items, l.items);
    return l;
}

bool modular_test_create(modular_test *t, const mechanics *s, const equations *eq,
                         modular_freedom freedom) {
    *t = (modular_test){.eq = eq};
    t->usable = modular_motion_create(&t->motion, s, freedom);
    if (!t->usable) return false;
    const expr_list own = solved_from(eq);
    const uint32_t count = own.items_count;
    const expr *meant = as_meant(&t->motion, count, own.items);
    t->degree =
        degree_bound_of_motion(s, &t->motion.v, (double)t->motion.angles.denominator, count, meant);
    memory_free(own.items);
    set_trials(t);
    t->usable = t->trials > 0;
    return t->usable;
}

modular_state *modular_test_point(modular_test *t, uint32_t i) {
    uint32_t failures = 0; // one after the other: the equations are singular everywhere
    while (t->count <= i && t->usable) {
        modular_state x;
        modular_status status = modular_state_create(&t->motion, &x);
        modular_state before = modular_state_copy(&x);
        if (!status) status = modular_solve(&t->motion, t->eq, &x);
        if (status == MODULAR_OK) {
            uint32_t capacity = t->capacity;
            array_reserve(t->points, t->count, t->capacity);
            array_reserve(t->before, t->count, capacity);
            t->points[t->count] = x;
            t->before[t->count++] = before;
            failures = 0;
            continue;
        }
        modular_state_free(&x);
        modular_state_free(&before);
        if (status == MODULAR_UNSUPPORTED || ++failures == MOST_FAILURES) t->usable = false;
    }
    return i < t->count ? &t->points[i] : NULL;
}

// Trials by the degree, and by the choices behind the motion and these expressions.
static void set_needed(modular_test *t, uint32_t count, const expr *e) {
    expr_list all = solved_from(t->eq);
    for (uint32_t i = 0; i < count; i++) list_push(&all, items, e[i]);
    set_trials(t);
    t->choices = count_choices(&t->motion, all.items_count, all.items);
    t->needed = t->choices == UINT32_MAX || !t->trials
                    ? 0
                    : (uint32_t)fmax(t->trials, trials_for_choices(t->choices, WANTED_BITS));
    memory_free(all.items);
}

void modular_test_prepare(modular_test *t, uint32_t count, const expr *e) {
    if (!t->usable) return;
    degree_bound_add(&t->degree, t->motion.system, count, as_meant(&t->motion, count, e));
    set_needed(t, count, e);
}

void modular_test_prepare_form(modular_test *t, const equations *other) {
    if (!t->usable) return;
    const expr_list l = solved_from(other);
    degree_bound_add_motion(&t->degree, t->motion.system, l.items_count,
                            as_meant(&t->motion, l.items_count, l.items));
    set_needed(t, l.items_count, l.items);
    memory_free(l.items);
}

bool modular_test_admits(modular_test *t, modular_state *x) {
    bool good = true;
    for (uint32_t i = 0; i < t->condition_count && good; i++) {
        mp_limb_t value;
        good = modular_values(&t->motion, x, 1, &t->condition[i], &value) == MODULAR_OK && value &&
               n_jacobi_unsigned(value, x->at.prime) == 1;
    }
    return good;
}

test_result modular_test_run(modular_test *t, uint32_t count, const expr *e) {
    mp_limb_t *value = memory_array(mp_limb_t, count);
    test_result result = TEST_ZERO;
    uint32_t done = 0;
    for (uint32_t i = 0;
         done < t->needed && i < t->needed * POINTS_PER_TRIAL && result == TEST_ZERO; i++) {
        modular_state *x = modular_test_point(t, i);
        if (!x) break;
        if (!modular_test_admits(t, x)) continue;
        if (modular_values(&t->motion, x, count, e, value) != MODULAR_OK) continue;
        done++;
        for (uint32_t j = 0; j < count && result == TEST_ZERO; j++)
            if (value[j]) result = TEST_NONZERO;
    }
    memory_free(value);
    return result == TEST_ZERO && (!t->usable || !t->needed || done < t->needed) ? TEST_IMPOSSIBLE
                                                                                 : result;
}

double modular_test_bound(const modular_test *t) {
    const double wrong = exp2(-t->motion.trial_bits);
    return t->needed *
           (t->choices ? log2(1 - exp2(-(double)t->choices) + wrong) : -t->motion.trial_bits);
}
