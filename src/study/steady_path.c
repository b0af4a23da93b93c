// Steady motions along p: what is prepared once.
#include "study/steady_path.h"

#include "model/points.h"
#include "study/steady_problem.h"

// --- what follows from p -------------------------------------------------------------------------

static bool is_solved(const steady_motion *from, uint32_t unknown) {
    for (uint32_t i = 0; i < from->rank; i++)
        if (from->column[i] == unknown) return true;
    return false;
}

bool steady_path_holds(const steady_problem *w, const steady_motion *from, expr vary) {
    for (uint32_t j = 0; j < w->unknowns; j++)
        if (w->unknown[j] == vary) return !is_solved(from, j);
    return false;
}

static expr value_in(uint32_t count, const assignment *items, expr symbol) {
    expr found = EXPR_NONE; // the last one counts
    for (uint32_t i = 0; i < count; i++)
        if (items[i].symbol == symbol) found = items[i].value;
    return found;
}

typedef struct {
    steady_path *out;
    expr *meaning; // of each setting, in p
    uint32_t *index;
} settings;

static void add_setting(settings *g, expr symbol, expr meaning) {
    g->out->setting[g->out->settings] = symbol;
    g->meaning[g->out->settings++] = meaning;
}

static bool moves(const steady_path *a, expr e) {
    return expr_depends_on(a->w->p, e, 1, &a->p) ||
           (a->second != EXPR_NONE && expr_depends_on(a->w->p, e, 1, &a->second));
}

// Parameters that the model defines by p, each by its definition without other such ones
static void add_parameters(settings *g) {
    const steady_problem *w = g->out->w;
    const model *m = w->s->model;
    const uint32_t count = m->parameters_count;
    expr *from = arena_array(w->arena, expr, count + 1),
         *to = arena_array(w->arena, expr, count + 1);
    uint32_t defined = 0;
    for (uint32_t i = 0; i < count; i++)
        if (m->parameters[i].value != EXPR_NONE && m->parameters[i].symbol != g->out->p &&
            m->parameters[i].symbol != g->out->second)
            from[defined] = m->parameters[i].symbol, to[defined++] = m->parameters[i].value;
    expr_resolve(w->p, defined, from, to);
    for (uint32_t i = 0; i < defined; i++)
        if (moves(g->out, to[i])) add_setting(g, from[i], to[i]);
}

// Unknowns that are held: at what --at or `initial` says, where that depends on p
static void add_held(settings *g, const completion_request *guess, expr vary, expr vary_too) {
    const steady_problem *w = g->out->w;
    const model *m = w->s->model;
    const uint32_t parameters = g->out->settings;
    for (uint32_t j = 0; j < w->unknowns; j++) {
        const expr x = w->unknown[j];
        if (is_solved(g->out->from, j)) continue;
        if (x == vary || x == vary_too) {
            add_setting(g, x, x == vary ? g->out->p : g->out->second);
            continue;
        }
        expr v = value_in(guess->at_count, guess->at, x);
        if (v == EXPR_NONE) v = value_in(m->initial_count, m->initial, x);
        if (v == EXPR_NONE) continue;
        v = expr_replace(w->p, v, parameters, g->out->setting, g->meaning);
        if (moves(g->out, v)) add_setting(g, x, v);
    }
}

// --- more equations than unknowns ----------------------------------------------------------------

static bool is_row(const steady_motion *from, uint32_t function) {
    for (uint32_t i = 0; i < from->rank; i++)
        if (from->row[i] == function) return true;
    return false;
}

// Do the equations that are not among F vanish where these symbols are 0?
static bool others_vanish(const steady_path *a, uint32_t count, const expr *symbol) {
    const steady_motion *from = a->from;
    points at = points_of(a->w->s);
    for (uint32_t i = 0; i < from->functions; i++) {
        if (is_row(from, i)) continue;
        const expr e = expr_at_zero(a->w->p, from->function[i], count, symbol);
        if (points_vanish(&at, e) != VANISHES_YES) return false;
    }
    return true;
}

// Velocities that are solved for and 0, and as many rows that vanish with them
static bool find_rests(steady_path *a) {
    steady_problem *w = a->w;
    const steady_motion *from = a->from;
    uint32_t *rest = arena_array(w->arena, uint32_t, a->rank + 1),
             *row = arena_array(w->arena, uint32_t, a->rank + 1), rests = 0, rows = 0;
    expr *symbol = arena_array(w->arena, expr, a->rank + 1);
    for (uint32_t i = 0; i < a->rank; i++) {
        const expr x = w->unknown[a->solved[i]];
        arb_srcptr v = state_get((state *)&from->x, x);
        if (expr_symbol_of_order(w->p, x, 0) != x &&
            arf_cmpabs_2exp_si(arb_midref(v), -from->x.precision / 2) < 0)
            symbol[rests] = x, rest[rests++] = i;
    }
    points at = points_of(w->s);
    for (uint32_t i = 0; i < a->rank; i++) {
        const expr e = expr_at_zero(w->p, from->function[a->row[i]], rests, symbol);
        if (points_vanish(&at, e) == VANISHES_YES) row[rows++] = i;
    }
    if (!rests || rows != rests || !others_vanish(a, rests, symbol)) return false;
    a->rests = rests, a->rest = rest, a->rest_row = row;
    return true;
}

// --- unknowns that stay 0 ------------------------------------------------------------------------

// Do the symmetries move these unknowns, that are held at 0, independently? Then what is solved for
// in their place are moved copies, which are known.
static bool are_moved(const steady_path *a, uint32_t count, const expr *held) {
    const steady_problem *w = a->w;
    const uint32_t n = w->s->n, g = w->group->count;
    expr *e = arena_array(w->arena, expr, g * count + 1);
    for (uint32_t b = 0; b < g; b++)
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t i = 0; i < n; i++) {
                if (held[k] == w->s->q[i]) e[b * count + k] = w->group->at[b].field[i];
                if (held[k] == w->s->qd[i])
                    e[b * count + k] = expr_dot(w->p, n, w->group->at[b].matrix + i * n, w->s->qd);
            }
    const double *v = state_doubles((state *)&a->from->x, g * count, e);
    uint32_t *index = arena_array(w->arena, uint32_t, 2 * (g + count) + 1);
    return !count || (g && pivots_choose(g, count, v, NULL, 1, index, index + g + count) == count);
}

// Held, and 0 whatever p is
static bool is_held_at_zero(const steady_path *a, uint32_t j) {
    const expr x = a->w->unknown[j];
    if (is_solved(a->from, j) || !arb_is_zero(state_get((state *)&a->from->x, x))) return false;
    for (uint32_t i = 0; i < a->settings; i++)
        if (a->setting[i] == x) return false;
    return true;
}

// Unknowns that were solved for and are 0, and the rows that vanish identically where they all are
static void set_zeros_apart(steady_path *a, bool whole) {
    steady_problem *w = a->w;
    const steady_motion *from = a->from;
    uint32_t *row = arena_array(w->arena, uint32_t, from->rank + 1),
             *solved = arena_array(w->arena, uint32_t, from->rank + 1),
             *zero = arena_array(w->arena, uint32_t, from->rank + 1);
    expr *symbol = arena_array(w->arena, expr, w->unknowns + 1);
    uint32_t zeros = 0, others = 0, rows = 0;
    for (uint32_t i = 0; i < from->rank; i++) {
        const uint32_t j = from->column[i];
        arb_srcptr v = state_get((state *)&from->x, w->unknown[j]);
        if (arf_cmpabs_2exp_si(arb_midref(v), -from->x.precision / 2) < 0)
            symbol[zeros] = w->unknown[j], zero[zeros++] = j;
        else solved[others++] = j;
    }
    uint32_t known = zeros; // and those that are held at 0
    for (uint32_t j = 0; j < w->unknowns; j++)
        if (is_held_at_zero(a, j)) symbol[known++] = w->unknown[j];
    points at = points_of(w->s);
    for (uint32_t i = 0; i < from->rank; i++) {
        const expr e = expr_at_zero(w->p, from->function[from->row[i]], known, symbol);
        if (points_vanish(&at, e) != VANISHES_YES) row[rows++] = from->row[i];
    }
    a->rank = from->rank, a->row = from->row, a->solved = from->column;
    if (rows != others) return;
    a->stills = zeros, a->zero = zero;
    if (whole || !are_moved(a, known - zeros, symbol + zeros)) return;
    a->proves = a->proves || others_vanish(a, known, symbol);
    a->rank = rows, a->row = row, a->solved = solved;
    a->zeros = zeros;
}

// All that is exactly 0 at each point of the path: unknowns that were set apart, and those that are
// held at 0. Expressions lose most of their terms without them.
static void find_nothing(const settings *g, path_motion *out) {
    const steady_path *a = g->out;
    const steady_problem *w = a->w;
    expr *symbol = arena_array(w->arena, expr, w->unknowns + 1);
    for (uint32_t i = 0; i < a->zeros; i++) symbol[out->zeros++] = w->unknown[a->zero[i]];
    for (uint32_t j = 0; j < w->unknowns; j++)
        if (is_held_at_zero(a, j)) symbol[out->zeros++] = w->unknown[j];
    out->zero = symbol;
}

// --- programs ------------------------------------------------------------------------------------

// How everything moves with p: the settings, p itself, and s, whose velocities are symbols
static path_motion motion_of(const settings *g) {
    steady_path *a = g->out;
    steady_problem *w = a->w;
    const uint32_t count = a->settings + 1 + a->rank;
    expr *variable = arena_array(w->arena, expr, count),
         *velocity = arena_array(w->arena, expr, count);
    a->pace = arena_array(w->arena, expr, a->rank + 1);
    for (uint32_t i = 0; i < a->settings; i++) {
        variable[i] = a->setting[i];
        velocity[i] = expr_diff(w->p, g->meaning[i], a->p);
    }
    variable[a->settings] = a->p, velocity[a->settings] = EXPR_ONE;
    for (uint32_t i = 0; i < a->rank; i++) {
        a->pace[i] = expr_symbol(w->p, arena_format(w->arena, "pace[%u]", i + 1), ROLE_LOCAL);
        variable[a->settings + 1 + i] = w->unknown[a->solved[i]];
        velocity[a->settings + 1 + i] = a->pace[i];
    }
    path_motion along = {.count = count, .symbol = variable, .velocity = velocity};
    find_nothing(g, &along);
    return along;
}

static void add_rows(steady_path *a, const path_motion *along) {
    steady_problem *w = a->w;
    const uint32_t rank = a->rank, count = w->unknowns, all = rank * (count + 2);
    expr *f = arena_array(w->arena, expr, all + 1),
         *rate = arena_array(w->arena, expr, rank * count + 1);
    for (uint32_t i = 0; i < rank; i++) f[i] = a->from->function[a->row[i]];
    expr_jacobian(w->p, rank, f, count, w->unknown, f + rank);
    // dF/dp: without the motion of s
    expr_pushforward(w->p, a->settings + 1, along->symbol, along->velocity, rank, f,
                     f + rank * (count + 1));
    for (uint32_t i = 0; i < rank; i++)
        a->changes = a->changes || f[rank * (count + 1) + i] != EXPR_ZERO;
    path_motion_simplify(along, w->p, all, f);
    a->rows = program_create(w->p, all, f);
    expr_pushforward(w->p, along->count, along->symbol, along->velocity, rank * count, f + rank,
                     rate);
    a->slope_rates = program_create(w->p, rank * count, rate);
    a->value = _arb_vec_init(all + rank * count + 1);
}

// Each symmetry moves q by X_a, q' by A_a q' and eta = Psi(q, q') with them.
static void add_copies(steady_path *a, const path_motion *along) {
    steady_problem *w = a->w;
    const mechanics *s = w->s;
    const uint32_t n = s->n, m = s->m, g = w->group->count, height = 2 * n + m;
    expr *variable = arena_array(w->arena, expr, 2 * n),
         *e = arena_array(w->arena, expr, g * height + 1);
    for (uint32_t i = 0; i < n; i++) variable[i] = s->q[i], variable[n + i] = s->qd[i];
    for (uint32_t b = 0; b < g; b++) {
        expr *to = e + b * height;
        for (uint32_t i = 0; i < n; i++) {
            to[i] = w->group->at[b].field[i];
            to[n + i] = expr_dot(w->p, n, w->group->at[b].matrix + i * n, s->qd);
        }
        expr_pushforward(w->p, 2 * n, variable, to, m, s->psi, to + 2 * n);
    }
    a->copies = program_create(w->p, g * height, e);
    expr_pushforward(w->p, along->count, along->symbol, along->velocity, g * height, e, e);
    a->copy_rates = program_create(w->p, g * height, e);
}

static void add_checks(steady_path *a, const path_motion *along) {
    steady_problem *w = a->w;
    const steady_motion *from = a->from;
    const uint32_t n = w->s->n, count = from->left_outs;
    bool generic = false;
    for (uint32_t i = 0; i < count; i++) generic = generic || w->generic[from->identity[i]];
    a->identities = count, a->block = generic ? w->block_size : 0;
    expr *e = arena_array(w->arena, expr, count * count + a->block * a->block + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            e[i * count + j] = w->identity[from->identity[i] * n + from->left_out[j]];
    for (uint32_t i = 0; i < a->block * a->block; i++) e[count * count + i] = w->block[i];
    path_motion_simplify(along, w->p, count * count + a->block * a->block, e);
    a->checks = program_create(w->p, count * count + a->block * a->block, e);
}

// A parameter, or a symbol that stands for the value of an unknown
static expr symbol_of(const steady_problem *w, expr vary) {
    if (vary == EXPR_NONE || expr_as_symbol(w->p, vary)->role == ROLE_PARAMETER) return vary;
    return expr_symbol(w->p, expr_symbol_text(w->p, vary), ROLE_LOCAL);
}

// Arguments at whose zeros a function in the equations, the rates or the settings jumps or bends
static void add_breaks(steady_path *a) {
    const steady_problem *w = a->w;
    const uint32_t n = w->s->n, size = a->linear.size;
    expr *root = arena_array(w->arena, expr, w->rows + n + size + a->settings + 1);
    uint32_t roots = 0, count;
    for (uint32_t i = 0; i < w->rows; i++) root[roots++] = w->row[i];
    for (uint32_t i = 0; i < n; i++) root[roots++] = w->motion[i];
    for (uint32_t i = 0; i < size; i++) root[roots++] = a->linear.rate[i];
    for (uint32_t i = 0; i < a->settings; i++) root[roots++] = a->meaning[i];
    expr *at = expr_breaks(w->p, roots, root, &count);
    a->breaks = program_create(w->p, count, at);
    memory_free(at);
}

static void prepare(steady_problem *w, const steady_motion *from, const ode *o,
                    const completion_request *guess, expr vary, expr vary_too, bool whole,
                    steady_path *out) {
    *out = (steady_path){.w = w, .from = from};
    out->proves = from->rank == from->functions;
    out->p = symbol_of(w, vary), out->second = symbol_of(w, vary_too);
    const uint32_t most = w->s->model->parameters_count + w->unknowns;
    out->setting = arena_array(w->arena, expr, most + 1);
    settings g = {.out = out, .meaning = arena_array(w->arena, expr, most + 1)};
    add_parameters(&g);
    add_held(&g, guess, vary == out->p ? EXPR_NONE : vary,
             vary_too == out->second ? EXPR_NONE : vary_too);
    set_zeros_apart(out, whole);
    out->proves = out->proves || (!out->zeros && find_rests(out));
    out->meaning = g.meaning;
    out->set = program_create(w->p, out->settings, g.meaning);
    const path_motion along = motion_of(&g);
    add_rows(out, &along);
    add_copies(out, &along);
    add_checks(out, &along);
    linear_problem_create(w, o, &along, &out->linear);
    add_breaks(out);
    expr *moving = arena_array(w->arena, expr, out->settings + 1);
    for (uint32_t i = 0; i < out->settings; i++) moving[i] = out->setting[i];
    moving[out->settings] = out->p;
    out->changes = out->changes || expr_any_depends_on(w->p, out->linear.size, out->linear.rate,
                                                       out->settings + 1, moving);
}

void steady_path_create(steady_problem *w, const steady_motion *from, const ode *o,
                        const completion_request *guess, expr vary, bool whole, steady_path *out) {
    prepare(w, from, o, guess, vary, EXPR_NONE, whole, out);
}

void steady_path_create_plane(steady_problem *w, const steady_motion *from, const ode *o,
                              const completion_request *guess, expr vary, expr vary_too,
                              steady_path *out) {
    prepare(w, from, o, guess, vary, vary_too, false, out);
}

void steady_path_clear(steady_path *a) {
    if (!a->rows) return;
    linear_problem_clear(&a->linear);
    _arb_vec_clear(a->value, a->rows->output_count + a->slope_rates->output_count + 1);
    program_free(a->set), program_free(a->rows), program_free(a->checks), program_free(a->breaks);
    program_free(a->slope_rates), program_free(a->copies), program_free(a->copy_rates);
}
