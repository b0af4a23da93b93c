// The relative degree of servo constraints. With the multipliers of the servos taken for inputs u,
// the other equations give q'' = X(q, q', t, u); Phi is differentiated along X until u appears.
#include "derive/servo_degree.h"

#include "derive/lagrange.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"
#include "expr/vanish.h"
#include "normal/normal.h"

enum { HEAVIEST = 200000 }; // expr_weight() of a derivative beyond which none is followed

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    uint32_t servos;
    expr *input;        // u: multipliers of the servos
    expr *acceleration; // X
} servo_flow;

// N - sum lambda a over ideal constraints - sum u b, and the ideal constraints themselves, for q''
// and the ideal multipliers: the forces of the system hold u (b - a).
static bool find_accelerations(servo_flow *w) {
    const mechanics *s = w->s;
    const uint32_t acting = s->k + s->h, most = s->n + acting;
    expr *value = arena_array(w->arena, expr, most), *unknown = arena_array(w->arena, expr, most),
         *x = arena_array(w->arena, expr, most);
    uint32_t count = s->n;
    lagrange_defect(s, value);
    for (uint32_t i = 0; i < s->n; i++) unknown[i] = s->qdd[i];
    for (uint32_t nu = 0; nu < acting; nu++) {
        for (uint32_t i = 0; i < s->n; i++)
            value[i] = expr_sub_product(w->p, value[i], s->multiplier[nu],
                                        mechanics_slopes(s)[nu * s->n + i]);
        if (mechanics_is_servo(s, nu)) {
            w->input[w->servos++] = s->multiplier[nu];
            continue;
        }
        unknown[count] = s->multiplier[nu];
        value[count++] = nu < s->k ? expr_ddt(w->p, s->phi[nu]) : s->phi[nu];
    }
    const normal_budget budget = normal_budget_default();
    w->acceleration = x;
    if (normal_solve(w->p, count, value, unknown, &budget, x)) return true;
    expr *matrix = arena_array(w->arena, expr, count * count),
         *rest = arena_array(w->arena, expr, count), *zero = arena_array(w->arena, expr, count);
    uint32_t *row = arena_array(w->arena, uint32_t, count),
             *column = arena_array(w->arena, uint32_t, count);
    expr_jacobian(w->p, count, value, count, unknown, matrix);
    expr_substitute(w->p, count, unknown, zero, count, value, rest);
    for (uint32_t i = 0; i < count; i++) rest[i] = expr_neg(w->p, rest[i]);
    if (sample_pivots_find(s, count, matrix, row, column) < count) return false;
    matrix_solve(w->p, count, matrix, 1, rest, row, column, x);
    return true;
}

static bool holds_input(const servo_flow *w, expr f) {
    expr *slope = arena_array(w->arena, expr, w->servos);
    expr_gradient(w->p, f, w->servos, w->input, slope);
    return !expr_all_vanish(w->p, w->servos, slope);
}

// How often Phi_nu is differentiated until a u appears; 0: in no derivative that was looked at,
// `last` of which was the last.
static uint32_t relative_degree(const servo_flow *w, uint32_t nu, uint32_t *last) {
    const mechanics *s = w->s;
    const int order = s->model->constraints[s->constraint[nu]].order;
    expr f = s->phi[nu];
    *last = order == 0;
    for (;; ++*last) {
        f = expr_replace(w->p, f, s->n, s->qdd, w->acceleration);
        if (expr_is_heavier(w->p, f, HEAVIEST)) return 0;
        if (holds_input(w, f)) return *last;
        if (*last >= 2 * s->n) return 0;
        f = expr_ddt(w->p, f);
    }
}

// Differentiations after which an ideal constraint holds q''
static uint32_t usual_degree(const mechanics *s, uint32_t nu) {
    const int order = s->model->constraints[s->constraint[nu]].order;
    return order < 2 ? 2 - (uint32_t)order : 0;
}

static servo_trouble explain(const servo_flow *w, uint32_t nu, const char *where) {
    const mechanics *s = w->s;
    const char *name = s->model->constraints[s->constraint[nu]].name;
    uint32_t last;
    const uint32_t degree = relative_degree(w, nu, &last), usual = usual_degree(s, nu);
    if (degree == usual) return (servo_trouble){0};
    if (degree)
        return (servo_trouble){
            arena_format(w->arena,
                         "servo constraint `%s` cannot be held by its reaction%s: derivative %u of "
                         "it is the first that holds a servo's multiplier (relative degree %u), "
                         "where an acceleration, derivative %u, is needed",
                         name, where, degree, degree, usual),
            arena_format(
                w->arena,
                "with it its derivatives up to %u would be prescribed, and the state is not "
                "free to have them: let the servo act on what it prescribes, or prescribe "
                "something nearer to where it acts",
                degree - 1)};
    const bool all = last >= 2 * s->n;
    return (servo_trouble){
        arena_format(w->arena,
                     "servo constraint `%s` cannot be held by its reaction%s: no derivative of it "
                     "%sholds a servo's multiplier",
                     name, where, all ? "" : arena_format(w->arena, "up to %u ", last)),
        all ? "the motion determines what it prescribes without the servo: it would be prescribed "
              "twice"
            : "let the servo act on what it prescribes"};
}

servo_trouble servo_degree_explain(const mechanics *s, const char *where) {
    if (!s->servo) return (servo_trouble){0};
    servo_flow w = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    w.input = arena_array(w.arena, expr, s->k + s->h);
    const bool found = find_accelerations(&w);
    for (uint32_t nu = 0; nu < s->k + s->h && found; nu++) {
        if (!mechanics_is_servo(s, nu)) continue;
        const servo_trouble t = explain(&w, nu, where);
        if (t.what) return t;
    }
    return (servo_trouble){
        arena_format(w.arena,
                     "the servo constraints cannot be held by their reactions%s: the matrix of "
                     "accelerations and multipliers is singular",
                     where),
        w.servos > 1 ? "two servos that act alike on what they prescribe, or a state where they do"
                     : "at this state the servo does not act on what it prescribes"};
}
