// The motion in F_p. A point is made on the manifold: q random (positions solved from holonomic
// constraints), eta random, q' = V(q, eta, t).
#include "prove/modular.h"

#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <string.h>

enum { MOST_RETRIES = 400, MOST_DEGREE = 8 };

// --- evaluation ---------------------------------------------------------------------------------

static void reserve(const modular_motion *mod, modular_state *x) {
    const uint32_t count = pool_symbol_count(mod->system->pool);
    if (count <= x->capacity) return;
    memory_grow(x->value, 2 * count);
    uint64_t random = x->at.seed + x->capacity; // symbols made later get random values too
    for (uint32_t i = x->capacity; i < 2 * count; i++)
        x->value[i] = random_next(&random) % x->at.prime;
    x->capacity = 2 * count;
}

modular_status modular_values(modular_motion *mod, modular_state *x, uint32_t count, const expr *e,
                              mp_limb_t *out) {
    program *prog = program_create(mod->system->pool, count, e);
    reserve(mod, x);
    const modular_status status = program_run_modular(prog, &x->at, x->value, out);
    program_free(prog);
    return status;
}

static void set(modular_motion *mod, modular_state *x, expr symbol, mp_limb_t value) {
    reserve(mod, x);
    x->value[expr_symbol_index(mod->system->pool, symbol)] = value;
}

modular_state modular_state_copy(const modular_state *x) {
    modular_state c = *x;
    c.value = memory_array(mp_limb_t, x->capacity);
    memcpy(c.value, x->value, sizeof(mp_limb_t) * x->capacity);
    return c;
}

void modular_state_free(modular_state *x) {
    memory_free(x->value);
    *x = (modular_state){0};
}

// --- a point on the manifold --------------------------------------------------------------------

static void note_branch(modular_motion *mod, expr u, slong degree, bool irreducible) {
    uint32_t i = 0;
    while (i < mod->branch_count && mod->branch[i].variable != u) i++;
    if (i == mod->branch_count) mod->branch[mod->branch_count++] = (modular_branch){.variable = u};
    if (degree > mod->branch[i].degree)
        mod->branch[i].degree = degree, mod->branch[i].irreducible = false;
    mod->branch[i].irreducible |= irreducible && degree == mod->branch[i].degree;
}

// Set u to one of the roots of g in F_p, at random; retry where there is none.
static modular_status take_root(modular_motion *f, modular_state *x, const nmod_poly_t g, expr u) {
    nmod_poly_factor_t factors;
    nmod_poly_factor_init(factors);
    nmod_poly_factor(factors, g);
    const nmod_poly_struct *linear = NULL;
    uint64_t seen = 0;
    for (slong i = 0; i < factors->num; i++)
        if (nmod_poly_degree(factors->p + i) == 1 && random_next(&f->random) % ++seen == 0)
            linear = factors->p + i;
    if (nmod_poly_degree(g) > 1)
        note_branch(f, u, nmod_poly_degree(g), factors->num == 1 && factors->exp[0] == 1);
    if (linear) {
        const nmod_t mod = linear->mod;
        set(f, x, u,
            nmod_neg(nmod_mul(nmod_poly_get_coeff_ui(linear, 0),
                              nmod_inv(nmod_poly_get_coeff_ui(linear, 1), mod), mod),
                     mod));
    }
    nmod_poly_factor_clear(factors);
    return linear ? MODULAR_OK : MODULAR_RETRY;
}

// A root of e in the symbol u at this point: e must be a polynomial of low degree in u. Found by
// interpolation and factoring in F_p.
static modular_status solve_for(modular_motion *mod, modular_state *p, expr e, expr u) {
    mp_limb_t x[MOST_DEGREE + 2], y[MOST_DEGREE + 2];
    modular_status status = MODULAR_OK;
    for (mp_limb_t i = 0; i < MOST_DEGREE + 2 && !status; i++) {
        x[i] = i + 1;
        set(mod, p, u, x[i]);
        status = modular_values(mod, p, 1, &e, &y[i]);
    }
    if (status) return status;
    nmod_poly_t g;
    nmod_poly_init(g, p->at.prime);
    nmod_poly_interpolate_nmod_vec(g, x, y, MOST_DEGREE + 2);
    // not a polynomial
    if (nmod_poly_degree(g) > MOST_DEGREE || nmod_poly_degree(g) < 1) status = MODULAR_UNSUPPORTED;
    else status = take_root(mod, p, g, u);
    nmod_poly_clear(g);
    return status;
}

// Does u appear in e outside every function, root and denominator?
static bool is_polynomial_in(pool *p, expr e, expr u) {
    uint32_t n;
    bool polynomial = true;
    expr *nodes = expr_reachable(p, 1, &e, &n);
    for (uint32_t i = 0; i < n && polynomial; i++) {
        const expr_kind kind = expr_kind_of(p, nodes[i]);
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]) && polynomial;
             j += kind == EXPR_PRODUCT ? 2 : 1) {
            if (kind == EXPR_SUM || !expr_depends_on(p, expr_operand(p, nodes[i], j), 1, &u))
                continue;
            int64_t power = 0;
            polynomial = kind == EXPR_PRODUCT &&
                         expr_is_integer(p, expr_operand(p, nodes[i], j + 1), &power) && power > 0;
        }
    }
    memory_free(nodes);
    return polynomial;
}

// An order in which the functions can be solved one by one: each for a variable that the functions
// solved before it do not hold. Built backwards. Returns false if there is none.
static bool plan(pool *p, uint32_t count, const expr *function, uint32_t variables,
                 const expr *variable, solution_step *out) {
    bool *done = memory_zeros(bool, count);
    uint32_t left = count;
    while (left) {
        bool progress = false;
        for (uint32_t i = 0; i < count && !progress; i++) {
            for (uint32_t v = 0; v < variables && !done[i] && !progress; v++) {
                if (!expr_depends_on(p, function[i], 1, &variable[v]) ||
                    !is_polynomial_in(p, function[i], variable[v]))
                    continue;
                bool alone = true;
                for (uint32_t j = 0; j < count && alone; j++)
                    alone = j == i || done[j] || !expr_depends_on(p, function[j], 1, &variable[v]);
                if (!alone) continue;
                out[--left] = (solution_step){function[i], variable[v]};
                done[i] = progress = true;
            }
        }
        if (!progress) break;
    }
    memory_free(done);
    return left == 0;
}

static modular_status follow(modular_motion *mod, modular_state *x, uint32_t count,
                             const solution_step *step) {
    modular_status status = MODULAR_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = solve_for(mod, x, step[i].function, step[i].variable);
    return status;
}

// Positions on the holonomic constraints: solved for a coordinate, or for a
// parameter where that is easier.
static bool plan_positions(modular_motion *mod) {
    const mechanics *s = mod->system;
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    expr *function = arena_array(a, expr, s->k),
         *variable = arena_array(a, expr, s->n + m->parameters_count);
    uint32_t functions = 0, variables = 0;
    for (uint32_t i = 0; i < s->k; i++)
        if (m->constraints[s->constraint[i]].order == 0)
            function[functions++] = m->constraints[s->constraint[i]].phi;
    for (uint32_t i = 0; i < s->n && functions; i++) variable[variables++] = s->q[i];
    for (uint32_t i = 0; i < m->parameters_count && mod->freedom != FREE_NOTHING; i++)
        variable[variables++] = m->parameters[i].symbol;
    solution_step *step = arena_array(a, solution_step, functions);
    mod->placing = step, mod->placing_count = functions;
    return plan(s->pool, functions, function, variables, variable, step);
}

static bool plan_velocities(modular_motion *mod) {
    const mechanics *s = mod->system;
    if (mod->v.explicit_velocities) return true;
    solution_step *step = arena_array(&s->model->ctx->arena, solution_step, s->k);
    mod->moving = step, mod->moving_count = s->k;
    return plan(s->pool, s->k, s->phi, s->n, s->qd, step);
}

// eta from its definition
static modular_status set_eta(modular_motion *mod, modular_state *x) {
    const mechanics *s = mod->system;
    mp_limb_t *value = arena_array(&s->model->ctx->arena, mp_limb_t, s->m);
    const modular_status status = modular_values(mod, x, s->m, s->psi, value);
    for (uint32_t i = 0; i < s->m && !status; i++) set(mod, x, s->eta[i], value[i]);
    return status;
}

// Velocities: V(q, eta, t) at random eta, or solved one by one where there is no closed
// form; then eta from its definition.
static modular_status set_in_motion(modular_motion *mod, modular_state *x) {
    const mechanics *s = mod->system;
    arena *a = &s->model->ctx->arena;
    mp_limb_t *value = arena_array(a, mp_limb_t, s->n);
    modular_status status = follow(mod, x, mod->moving_count, mod->moving);
    if (mod->v.explicit_velocities) status = modular_values(mod, x, s->n, mod->v.velocity, value);
    for (uint32_t i = 0; i < s->n && mod->v.explicit_velocities && !status; i++)
        set(mod, x, s->qd[i], value[i]);
    return status ? status : set_eta(mod, x);
}

static modular_status fix_parameters(modular_motion *mod, modular_state *x) {
    const model *m = mod->system->model;
    for (uint32_t pass = 0; pass < m->parameters_count; pass++) // values may use other parameters
        for (uint32_t i = 0; i < m->parameters_count; i++) {
            mp_limb_t value;
            if (m->parameters[i].value == EXPR_NONE) continue;
            const modular_status status =
                modular_values(mod, x, 1, &m->parameters[i].value, &value);
            if (status) return status;
            set(mod, x, m->parameters[i].symbol, value);
        }
    return MODULAR_OK;
}

// f, f', f'' .. from the definition of f; again and again, since a given may use others, and those
// others again: after k passes a chain of k of them is settled
static modular_status define_givens(modular_motion *mod, modular_state *x) {
    const model *m = mod->system->model;
    pool *pool = mod->system->pool;
    for (uint32_t i = 0; i < m->givens_count * m->givens_count; i++) {
        const given_function *g = &m->givens[i % m->givens_count];
        expr value = g->definition;
        for (uint32_t s = expr_symbol_index(pool, g->symbol); value != EXPR_NONE && s != EXPR_NONE;
             s = pool_symbol(pool, s)->next) {
            mp_limb_t number;
            const modular_status status = modular_values(mod, x, 1, &value, &number);
            if (status) return status;
            set(mod, x, pool_symbol(pool, s)->node, number);
            value = expr_ddt(pool, value);
        }
    }
    return MODULAR_OK;
}

modular_status modular_state_create(modular_motion *mod, modular_state *x) {
    modular_status status = MODULAR_RETRY;
    *x = (modular_state){0};
    for (int i = 0; i < MOST_RETRIES && status == MODULAR_RETRY; i++) {
        modular_state_free(x);
        x->at = modular_point_random(mod->angles, &mod->random);
        reserve(mod, x);
        status = mod->freedom == FREE_NOTHING ? fix_parameters(mod, x) : MODULAR_OK;
        if (!status && mod->freedom != FREE_ALL) status = define_givens(mod, x);
        if (!status) status = follow(mod, x, mod->placing_count, mod->placing);
        if (!status) status = set_in_motion(mod, x);
    }
    return status == MODULAR_RETRY ? MODULAR_UNSUPPORTED : status;
}

bool modular_motion_create(modular_motion *mod, const mechanics *s, modular_freedom freedom) {
    *mod = (modular_motion){
        .system = s, .v = basis_create(s), .random = s->model->ctx->seed, .freedom = freedom};
    mod->branch = arena_array(&s->model->ctx->arena, modular_branch, 2 * s->k);
    mod->angles = modular_angles_of(s->pool);
    if (!mod->angles.denominator || !plan_positions(mod) || !plan_velocities(mod)) return false;
    modular_state x;
    const bool ok = modular_state_create(mod, &x) == MODULAR_OK;
    modular_state_free(&x);
    return ok;
}

// --- the equations at a point -------------------------------------------------------------------

// Unknowns from residuals affine in them, by probing and a linear solve in F_p.
static modular_status solve_affine(modular_motion *mod, modular_state *p, uint32_t n,
                                   const expr *residual, const expr *unknown) {
    if (!n) return MODULAR_OK;
    program *prog = program_create(mod->system->pool, n, residual);
    reserve(mod, p);
    nmod_mat_t matrix, rhs, x;
    nmod_mat_init(matrix, n, n, p->at.prime), nmod_mat_init(rhs, n, 1, p->at.prime),
        nmod_mat_init(x, n, 1, p->at.prime);
    mp_limb_t *base = memory_array(mp_limb_t, (size_t)n * (n + 1)); // at 0, at each unit vector
    uint32_t *symbol = memory_array(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) symbol[i] = expr_symbol_index(mod->system->pool, unknown[i]);
    modular_status status = program_probe_modular(prog, &p->at, p->value, n, symbol, base);
    for (uint32_t j = 0; j < n && !status; j++)
        for (uint32_t i = 0; i < n; i++)
            nmod_mat_entry(matrix, i, j) =
                nmod_sub(base[(size_t)(j + 1) * n + i], base[i], matrix->mod);
    for (uint32_t i = 0; i < n && !status; i++)
        nmod_mat_entry(rhs, i, 0) = nmod_neg(base[i], matrix->mod);
    if (!status && !nmod_mat_solve(x, matrix, rhs)) status = MODULAR_RETRY;
    for (uint32_t i = 0; i < n && !status; i++) set(mod, p, unknown[i], nmod_mat_entry(x, i, 0));
    nmod_mat_clear(matrix), nmod_mat_clear(rhs), nmod_mat_clear(x);
    memory_free(base);
    memory_free(symbol);
    program_free(prog);
    return status;
}

modular_status modular_solve(modular_motion *mod, const equations *eq, modular_state *x) {
    const mechanics *s = mod->system;
    arena *a = &s->model->ctx->arena;
    mp_limb_t *value = arena_array(a, mp_limb_t, s->n);
    expr *residual = arena_array(a, expr, eq->unknown_count);
    modular_status status = MODULAR_OK;
    for (uint32_t i = 0; i < eq->auxiliaries_count && !status; i++) {
        status = modular_values(mod, x, 1, &eq->auxiliaries[i].value, value);
        if (!status) set(mod, x, eq->auxiliaries[i].symbol, value[0]);
    }
    if (!status && equations_fix_velocities(eq)) status = set_eta(mod, x);
    for (uint32_t i = 0; i < eq->unknown_count; i++) residual[i] = eq->residual[i].value;
    if (!status) status = solve_affine(mod, x, eq->unknown_count, residual, eq->unknown);
    if (!status) status = modular_values(mod, x, s->n, eq->acceleration, value);
    for (uint32_t i = 0; i < s->n && !status; i++) set(mod, x, s->qdd[i], value[i]);
    if (!status && eq->jerk) status = modular_values(mod, x, s->n, eq->jerk, value);
    for (uint32_t i = 0; i < s->n && !status && eq->jerk; i++)
        set(mod, x, expr_symbol_of_order(s->pool, s->q[i], 3), value[i]);
    if (!status && eq->recovery && !eq->multipliers_are_state)
        status = solve_affine(mod, x, eq->multiplier_count, eq->recovery, s->multiplier);
    return status;
}
