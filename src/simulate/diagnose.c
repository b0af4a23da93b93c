// Causes of failure, the most telling first.
#include "simulate/diagnose.h"

#include "derive/reactive.h"
#include "print/expression.h"
#include "execute/elimination.h"

#include <math.h>
#include <string.h>

// a quantity that fell to this part of what it was counts as one that goes to 0
static const double NEAR = 1e-4;
static const double BLOWN_UP = 1e6; // |z| grew by this
enum { LONGEST_EXPRESSION = 120 };

typedef struct {
    const integration *in;
    const simulation *sim;
    const double *start;
    arena *arena;
} failed_run;

// Values of expressions in q, q', q'', eta, lambda, t at (t, z); the caller frees them.
static double *values_at(const simulation *sim, uint32_t count, const expr *e, double t,
                         const double *z) {
    const model *m = sim->m;
    expr *here = memory_array(expr, count + 1);
    ode_expressions(sim->o, count, e, here);
    double *at = memory_zeros(double, pool_symbol_count(m->pool) + 1),
           *value = memory_array(double, count + 1);
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        at[expr_symbol_index(m->pool, sim->parameter[i])] = sim->parameter_value[i];
    for (uint32_t i = 0; i < sim->o->size; i++)
        at[expr_symbol_index(m->pool, sim->o->state[i])] = z[i];
    at[expr_symbol_index(m->pool, m->time)] = t;
    program *prog = program_create(m->pool, count, here);
    program_run_double(prog, at, value);
    program_free(prog);
    memory_free(at), memory_free(here);
    return value;
}

static double *values_then(const failed_run *w, uint32_t count, const expr *e) {
    return values_at(w->sim, count, e, w->sim->t0, w->start);
}
static double *values_now(const failed_run *w, uint32_t count, const expr *e) {
    return values_at(w->sim, count, e, w->in->t, w->in->z);
}

// --- functions at the edge of their domain -------------------------------------------------------

typedef struct {
    const char *function; // "sqrt", "log", ..; NULL: a denominator
    expr argument;
    expr margin; // what must stay positive, or for a denominator different from 0
} edge;

typedef struct {
    LIST(edge, edges);
} edge_list;

static void add_edge(edge_list *l, const char *function, expr argument, expr margin) {
    for (uint32_t i = 0; i < l->edges_count; i++)
        if (l->edges[i].margin == margin && !l->edges[i].function == !function) return;
    list_push(l, edges, (edge){function, argument, margin});
}

static void add_edges_of_product(edge_list *l, const pool *p, expr e) {
    for (uint32_t i = 0; i < expr_operand_count(p, e); i += 2) {
        const expr base = expr_operand(p, e, i);
        const fmpq *exponent = expr_number_value(p, expr_operand(p, e, i + 1));
        const bool root = fmpz_equal_si(fmpq_denref(exponent), 2);
        if (!fmpz_is_one(fmpq_denref(exponent)))
            add_edge(l, root ? "sqrt" : "a power with a fractional exponent", base, base);
        if (fmpq_sgn(exponent) < 0) add_edge(l, NULL, base, base);
    }
}

static edge_list find_edges(const failed_run *w) {
    pool *p = w->sim->m->pool;
    edge_list l = {0};
    uint32_t count;
    expr *node = expr_reachable(p, w->sim->o->size, w->sim->o->rate, &count);
    for (uint32_t i = 0; i < count; i++) {
        const expr_kind kind = expr_kind_of(p, node[i]);
        if (kind == EXPR_PRODUCT) add_edges_of_product(&l, p, node[i]);
        if (kind != EXPR_LOG && kind != EXPR_POWER && kind != EXPR_ASIN && kind != EXPR_ACOS &&
            kind != EXPR_TAN)
            continue;
        const expr x = expr_operand(p, node[i], 0);
        if (kind == EXPR_LOG) add_edge(&l, "log", x, x);
        if (kind == EXPR_POWER) add_edge(&l, "a power", x, x);
        if (kind == EXPR_TAN)
            add_edge(&l, NULL, expr_function(p, EXPR_COS, &x), expr_function(p, EXPR_COS, &x));
        if (kind == EXPR_ASIN || kind == EXPR_ACOS)
            add_edge(&l, kind == EXPR_ASIN ? "asin" : "acos", x,
                     expr_sub(p, EXPR_ONE, expr_square(p, x)));
    }
    memory_free(node);
    return l;
}

static const char *words_for(const failed_run *w, expr e) {
    text out = {0};
    print_expression(w->sim->m->pool, e, STYLE_TEXT, &out);
    const char *words = out.length <= LONGEST_EXPRESSION
                            ? arena_format(w->arena, "`%s`", text_string(&out))
                            : "a long expression";
    text_free(&out);
    return words;
}

static const char *edge_words(const failed_run *w, const edge *e, double margin) {
    const char *words = words_for(w, e->argument);
    if (!e->function) return arena_format(w->arena, "the denominator %s reaches 0", words);
    if (strcmp(e->function, "asin") == 0 || strcmp(e->function, "acos") == 0)
        return arena_format(w->arena, "the argument of %s, %s, leaves [-1, 1]", e->function, words);
    return arena_format(w->arena, "the argument of %s, %s, %s", e->function, words,
                        margin < 0 ? "is negative" : "reaches 0");
}

// The edge that is nearest, relative to where it was at the start; among
// denominators or among functions.
static const char *nearest_edge(const failed_run *w, const edge_list *l, bool denominators) {
    expr *margin = arena_array(w->arena, expr, l->edges_count);
    for (uint32_t i = 0; i < l->edges_count; i++) margin[i] = l->edges[i].margin;
    double *then = values_then(w, l->edges_count, margin),
           *now = values_now(w, l->edges_count, margin);
    double least = NEAR, margin_left = 0;
    const edge *found = NULL;
    for (uint32_t i = 0; i < l->edges_count; i++) {
        if (!l->edges[i].function != denominators || isnan(now[i])) continue;
        const double left = (denominators ? fabs(now[i]) : now[i]) /
                            (then[i] != 0 && isfinite(then[i]) ? fabs(then[i]) : 1);
        if (left < least) least = left, margin_left = now[i], found = &l->edges[i];
    }
    memory_free(then), memory_free(now);
    return found ? edge_words(w, found, margin_left) : NULL;
}

// --- friction that sticks ------------------------------------------------------------------------

// A function that jumps where its argument is 0, and the argument there: a step across finds a
// force that leads back.
static const char *sticking(const failed_run *w) {
    pool *p = w->sim->m->pool;
    uint32_t count, found = 0;
    expr *node = expr_reachable(p, w->sim->o->size, w->sim->o->rate, &count);
    for (uint32_t i = 0; i < count; i++)
        if (expr_kind_of(p, node[i]) == EXPR_SIGN) node[found++] = expr_operand(p, node[i], 0);
    double *then = values_then(w, found, node), *now = values_now(w, found, node);
    const char *words = NULL;
    for (uint32_t i = 0; i < found && !words; i++)
        if (fabs(now[i]) < NEAR * fmax(fabs(then[i]), NEAR))
            words = arena_format(w->arena, "the argument of sign, %s, stays at 0",
                                 words_for(w, node[i]));
    memory_free(then), memory_free(now), memory_free(node);
    return words;
}

// --- matrices that become singular ---------------------------------------------------------------

// Has the smallest pivot gone to 0 since the start?
static bool loses_rank(const failed_run *w, uint32_t rows, uint32_t columns, const expr *matrix) {
    if (!rows || !columns) return false;
    double *then = values_then(w, rows * columns, matrix),
           *now = values_now(w, rows * columns, matrix);
    const double before = elimination_pivots(rows, columns, then).smallest,
                 after = elimination_pivots(rows, columns, now).smallest;
    memory_free(then), memory_free(now);
    return after <= NEAR * before;
}

static bool constraints_lose_rank(const failed_run *w) {
    const mechanics *s = w->sim->eq->system;
    return loses_rank(w, s->k + s->h, s->n, mechanics_slopes(s));
}

// The block of the dependent velocities in the rows of the constraints.
static bool choice_of_velocities_fails(const failed_run *w) {
    const mechanics *s = w->sim->eq->system;
    expr *block = arena_array(w->arena, expr, s->k * s->k);
    for (uint32_t i = 0; i < s->k; i++)
        for (uint32_t j = 0; j < s->k; j++)
            block[i * s->k + j] = mechanics_slopes(s)[i * s->n + s->dependent[j]];
    return w->sim->eq->explicit_velocities && loses_rank(w, s->k, s->k, block);
}

static bool mass_matrix_is_singular(const failed_run *w) {
    const uint32_t n = w->sim->eq->unknown_count;
    expr *matrix = arena_array(w->arena, expr, n * n), *rest = arena_array(w->arena, expr, n);
    equations_affine(w->sim->eq, matrix, rest);
    return loses_rank(w, n, n, matrix);
}

// By the forces that hold multipliers alone: masses and constraints stay regular
static bool reactions_are_singular(const failed_run *w) {
    const mechanics *s = w->sim->eq->system;
    if (!s->forces_hold_multipliers || !mass_matrix_is_singular(w)) return false;
    const mechanics without = reactive_without(s);
    equations *eq = formalism_derive(formalism_find("multipliers"), &without);
    const uint32_t n = eq->unknown_count;
    expr *matrix = arena_array(w->arena, expr, n * n), *rest = arena_array(w->arena, expr, n);
    equations_affine(eq, matrix, rest);
    equations_free(eq);
    return !loses_rank(w, n, n, matrix);
}

// --- growth without bound ------------------------------------------------------------------------

static const char *growth(const failed_run *w) {
    const ode *o = w->sim->o;
    double then = 1, now = 0;
    uint32_t which = 0;
    for (uint32_t i = 0; i < o->size; i++) {
        then = fmax(then, fabs(w->start[i]));
        if (fabs(w->in->z[i]) > now) now = fabs(w->in->z[i]), which = i;
    }
    if (!(now > BLOWN_UP * then)) return NULL;
    text name = {0};
    print_symbol_name(w->sim->m->pool, o->state[which], STYLE_TEXT, &name);
    const char *words = arena_format(w->arena, "the solution grows without bound: %s = %.3g",
                                     text_string(&name), w->in->z[which]);
    text_free(&name);
    return words;
}

static diagnosis diagnosis_of_rank(void) {
    return (diagnosis){"the constraints become dependent: the rank of dPhi/dq' drops",
                       "the model says nothing definite about the motion beyond this state"};
}

diagnosis diagnose(const integration *in, run_status status, const double *start) {
    if (status == RUN_RANK) return diagnosis_of_rank();
    const simulation *sim = in->f->sim;
    const failed_run w = {in, sim, start, &sim->m->ctx->arena};
    const edge_list edges = find_edges(&w);
    diagnosis d = {.cause = nearest_edge(&w, &edges, false),
                   .help = "the motion leaves the domain of the equations here"};
    if (!d.cause && constraints_lose_rank(&w)) d = diagnosis_of_rank();
    if (!d.cause && choice_of_velocities_fails(&w))
        d = (diagnosis){"the dependent velocities no longer follow from the independent ones",
                        "the constraints are regular here: choose other velocities with "
                        "`independent`, or a form that keeps all, --form multipliers"};
    if (!d.cause && reactions_are_singular(&w)) {
        const reactive_trouble found = reactive_words(sim->eq->system, "");
        d = (diagnosis){found.what, found.help};
    }
    if (!d.cause && mass_matrix_is_singular(&w))
        d = (diagnosis){"the mass matrix becomes singular",
                        "the equations cannot be solved for the accelerations at this state"};
    if (!d.cause)
        d = (diagnosis){nearest_edge(&w, &edges, true),
                        "the equations have a singularity at this state"};
    if (!d.cause)
        d = (diagnosis){sticking(&w),
                        "what sticks obeys no equation of motion with `sign`: state the surface as "
                        "a `contact` with `friction`, which sticks and slides, or end the run "
                        "there by an `event .. stop`"};
    if (!d.cause) d = (diagnosis){growth(&w), "the motion may end in finite time"};
    if (!d.cause)
        d = (diagnosis){"no step is small enough for the tolerance, and no singularity was found",
                        "try a larger --tol, or --method bdf if the system is stiff"};
    memory_free(edges.edges);
    return d;
}
