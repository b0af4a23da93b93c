// The ingredients that `derive` lists are what they are called, and the reduced equations
// built from them give the true motion.
#include "support/support.h"

#include "derive/almost_poisson.h"
#include "derive/lagrange.h"
#include "derive/formalism.h"
#include "derive/frame.h"
#include "derive/ingredient.h"
#include "derive/newton_arrays.h"
#include "derive/routh.h"
#include "equations/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum {
    // bits that must agree: half of them, for what cancels in the solution of the linear systems
    BITS = 300, // of the evaluation
    AGREED = 150,
    STATES = 3,
};

// --- helpers -------------------------------------------------------------------------------------

static const mechanics *library(world *w, const char *name) {
    return mechanics_of(world_library(w, name));
}

static const mechanics *from_text(world *w, const char *text) {
    return mechanics_of(world_model(w, text));
}

static equations *derive(const mechanics *s, const char *form) {
    const formalism *f = formalism_find(form);
    assert_null(formalism_refusal(f, s));
    return formalism_derive(f, s);
}

static expr find_definition(const equations *eq, const char *name) {
    for (uint32_t i = 0; i < eq->definitions_count; i++)
        if (strcmp(eq->definitions[i].name, name) == 0 && !eq->definitions[i].silent)
            return eq->definitions[i].value;
    return EXPR_NONE;
}

// A random admissible state and the motion there by the multipliers.
typedef struct {
    state here;
    equations *eq;
    evaluation motion;
} moment;

static void moment_open(moment *at, const mechanics *s, uint64_t seed) {
    model *m = (model *)s->model;
    dependent_constraint *idle = calloc(m->constraints_count + 1, sizeof *idle);
    uint32_t count = 0;
    expr missing;
    state_init(&at->here, m, BITS);
    assert_int_equal(state_complete(&at->here,
                                    &(completion_request){.mode = COMPLETE_GENERIC, .seed = seed},
                                    idle, &count),
                     HAMEL_OK);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    free(idle);
    at->eq = derive(s, "multipliers");
    assert_int_equal(equations_evaluate(at->eq, &at->here, &at->motion, &missing), EVALUATE_OK);
}

static void moment_close(moment *at) {
    evaluation_clear(&at->motion);
    equations_free(at->eq);
    state_clear(&at->here);
}

static bool is_value(moment *at, expr e, arb_srcptr wanted) {
    arb_t gap;
    mag_t size;
    arb_init(gap), mag_init(size);
    equations_values(at->eq, &at->here, 1, &e, gap);
    arb_sub(gap, gap, wanted, BITS);
    arb_get_mag(size, gap);
    const bool same = arb_is_finite(gap) && mag_cmp_2exp_si(size, -AGREED) < 0;
    arb_clear(gap), mag_clear(size);
    return same;
}

// --- the almost-Poisson structure ----------------------------------------------------------------

// q'' in (q, q', t) from the reduced bracket: q' = B dH~/dp~, p~' = -B^T dH~/dq + {p~,
// p~} dH~/dp~ + Q*, p~ = dL*/d eta.
static void accelerations_by_bracket(const mechanics *s, const almost_poisson *j, expr *out) {
    pool *p = s->pool;
    const uint32_t n = s->n, m = s->m;
    expr eta[16], slope[16], velocity[16], rate[16], momentum_rate[16], from[32], to[32];
    assert_true(n <= 16);
    expr_gradient(p, j->hamiltonian, m, j->momentum, eta);
    expr_gradient(p, j->hamiltonian, n, s->q, slope);
    for (uint32_t i = 0; i < n; i++) velocity[i] = expr_dot(p, m, j->field + i * m, eta);
    for (uint32_t r = 0; r < m; r++) {
        rate[r] = expr_add(p, j->force[r], expr_dot(p, m, j->bracket + r * m, eta));
        for (uint32_t i = 0; i < n; i++)
            rate[r] = expr_sub(p, rate[r], expr_mul(p, j->field[i * m + r], slope[i]));
        momentum_rate[r] = expr_symbol_derivative(p, j->momentum[r]);
    }
    memcpy(from, s->qd, n * sizeof(expr)), memcpy(to, velocity, n * sizeof(expr));
    memcpy(from + n, momentum_rate, m * sizeof(expr)), memcpy(to + n, rate, m * sizeof(expr));
    for (uint32_t i = 0; i < n; i++) {
        expr e = expr_replace(p, expr_ddt(p, velocity[i]), n + m, from, to);
        e = expr_replace(p, e, m, j->momentum, j->meaning);
        out[i] = s->has_quasi ? expr_replace(p, e, m, s->eta, s->psi) : e;
    }
}

static void the_reduced_almost_poisson_equations_give_the_true_accelerations(void **unused) {
    (void)unused;
    static const char *const models[] = {
        "sleigh",      "knife_edge", "vertical_disc", "rosenberg_particle", "spherical_pendulum",
        "roller_racer"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        world w = world_open();
        const mechanics *s = library(&w, models[k]);
        almost_poisson j;
        expr acceleration[16];
        assert_null(almost_poisson_create(s, &j));
        accelerations_by_bracket(s, &j, acceleration);
        for (uint64_t seed = 1; seed <= STATES; seed++) {
            moment at;
            moment_open(&at, s, seed);
            for (uint32_t i = 0; i < s->n; i++)
                assert_true(is_value(&at, acceleration[i], at.motion.acceleration + i));
            moment_close(&at);
        }
        world_close(&w);
    }
}

static void a_wrong_sign_in_the_reduced_bracket_is_noticed(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = library(&w, "sleigh");
    almost_poisson j;
    expr acceleration[16], turned[4];
    moment at;
    assert_null(almost_poisson_create(s, &j));
    for (uint32_t i = 0; i < s->m * s->m; i++) turned[i] = expr_neg(s->pool, j.bracket[i]);
    j.bracket = turned;
    accelerations_by_bracket(s, &j, acceleration);
    moment_open(&at, s, 1);
    assert_false(is_value(&at, acceleration[0], at.motion.acceleration));
    moment_close(&at);
    world_close(&w);
}

static void hamilton_lists_the_almost_poisson_matrix(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = library(&w, "sleigh");
    equations *eq = derive(s, "hamilton");
    const expr cosine = expr_function(s->pool, EXPR_COS, &s->q[2]);
    assert_true(same_function(s->pool, find_definition(eq, "J[x,p~[v]]"), cosine));
    assert_int_not_equal(find_definition(eq, "J[p~[v],p~[w]]"), EXPR_NONE);
    assert_int_not_equal(find_definition(eq, "H~"), EXPR_NONE);
    equations_free(eq);
    world_close(&w);
}

static void constraints_that_are_affine_or_move_have_no_almost_poisson_matrix(void **unused) {
    (void)unused;
    world w = world_open();
    almost_poisson j;
    assert_non_null(almost_poisson_create(library(&w, "ball_on_turntable"), &j));
    assert_non_null(almost_poisson_create(library(&w, "rs_3_3_appell"), &j));
    assert_non_null(almost_poisson_create(
        from_text(&w,
                  "param m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint c: y' = t*x'\n"),
        &j));
    world_close(&w);
}

// --- Routh ---------------------------------------------------------------------------------------

static const char top[] = "param A = 2, C = 1, m = 3, g = 10, l = 0.5\ncoord theta, psi, phi\n"
                          "kinetic A/2*(theta'^2 + psi'^2*sin(theta)^2) + C/2*(phi' + "
                          "psi'*cos(theta))^2\npotential m*g*l*cos(theta)\n"
                          "initial theta = 0.7, theta' = 0.2, psi' = 0.5, phi' = 3\n";
static const char kepler[] =
    "param m = 2, k = 3\ncoord r, phi\nkinetic m/2*(r'^2 + r^2*phi'^2)\npotential -k/r\n"
    "initial r = 1, r' = 0.1, phi' = 1.2\n";
static const char driven[] = "param m = 2, k = 3\ncoord r, phi, z\ngiven f = sin(t)\nkinetic "
                             "m/2*(r'^2 + r^2*phi'^2 + z'^2) + r*f*phi'\n"
                             "potential -k/r\nforce r = -r'*phi'\nconstraint c: z' = r*r'\ninitial "
                             "r = 1, r' = 0.1, phi' = 1.2\n";

static expr with_momenta(const mechanics *s, const routh *r, expr e) {
    return expr_replace(s->pool, e, r->count, r->momentum, r->meaning);
}

// E_r(R) - Q_r is the reaction: 0 without constraints. The reconstruction gives
// the cyclic velocities back.
static void check_routh(const mechanics *s, uint32_t cyclic) {
    routh r;
    assert_true(routh_reduce(s, &r));
    assert_int_equal(r.count, cyclic);
    for (uint64_t seed = 1; seed <= STATES; seed++) {
        moment at;
        moment_open(&at, s, seed);
        for (uint32_t i = 0; i < r.rest_count; i++)
            assert_true(
                is_value(&at, with_momenta(s, &r, r.equation[i]), at.motion.reaction + r.rest[i]));
        moment_close(&at);
    }
    for (uint32_t i = 0; i < r.count; i++) {
        assert_true(same_function(s->pool, with_momenta(s, &r, r.velocity[i]), s->qd[r.cyclic[i]]));
        // q'_c = -dR/dp_c
        const expr slope = expr_neg(s->pool, expr_diff(s->pool, r.function, r.momentum[i]));
        assert_true(same_function(s->pool, with_momenta(s, &r, slope), s->qd[r.cyclic[i]]));
    }
}

static void routh_reduction_agrees_with_the_motion_of_the_top(void **unused) {
    (void)unused;
    world w = world_open();
    check_routh(from_text(&w, top), 2);
    world_close(&w);
}

static void routh_reduction_agrees_with_the_motion_of_kepler(void **unused) {
    (void)unused;
    world w = world_open();
    check_routh(from_text(&w, kepler), 1);
    world_close(&w);
}

static void routh_reduction_leaves_the_reactions_of_constraints_on_the_others(void **unused) {
    (void)unused;
    world w = world_open();
    check_routh(library(&w, "snakeboard"), 1);
    check_routh(from_text(&w, driven), 1); // and a force and a given function
    world_close(&w);
}

// T15 prints L with the cyclic velocities eliminated as the reduced Lagrangian.
static void the_reduced_lagrangian_printed_in_t15_gives_another_motion(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = from_text(&w, kepler);
    pool *p = s->pool;
    routh r;
    moment at;
    arb_t zero;
    arb_init(zero);
    assert_true(routh_reduce(s, &r));
    const expr printed = expr_replace(p, s->lagrangian, 1, &s->qd[1], r.velocity);
    const expr equation =
        expr_sub(p, expr_ddt(p, expr_diff(p, printed, s->qd[0])), expr_diff(p, printed, s->q[0]));
    moment_open(&at, s, 1);
    assert_true(is_value(&at, with_momenta(s, &r, r.equation[0]), zero));
    assert_false(is_value(&at, with_momenta(s, &r, equation), zero));
    moment_close(&at);
    arb_clear(zero);
    world_close(&w);
}

static void a_force_or_a_constraint_along_a_cyclic_coordinate_forbids_the_reduction(void **unused) {
    (void)unused;
    world w = world_open();
    routh r;
    assert_false(
        routh_reduce(from_text(&w, "param m = 1\ncoord x\nkinetic m/2*x'^2\nforce x = -x'\n"), &r));
    assert_false(routh_reduce(library(&w, "sleigh"), &r));
    world_close(&w);
}

static void lagrange_lists_the_routhian(void **unused) {
    (void)unused;
    world w = world_open();
    equations *eq = derive(from_text(&w, kepler), "lagrange");
    assert_int_not_equal(find_definition(eq, "p[phi]"), EXPR_NONE);
    assert_int_not_equal(find_definition(eq, "R"), EXPR_NONE);
    assert_int_not_equal(find_definition(eq, "Routh[r]"), EXPR_NONE);
    assert_int_not_equal(find_definition(eq, "phi'"), EXPR_NONE);
    assert_non_null(strstr(eq->remark, "phi"));
    equations_free(eq);
    world_close(&w);
}

// --- T18 (13)-(15) -------------------------------------------------------------------------------

static const char moving_points[] =
    "param m1 = 1, m2 = 2\ncoord x, y, z, u\ngiven f = sin(t)\n"
    "point P: mass m1 at (x*cos(t) + f*z, y*sin(x) + u, x*y*z)\npoint Q: mass m2 at (x + y + t*u, "
    "u*z*f, x - 3*u + t^2*y)\n"
    "constraint a: z' = y*x' + t*y'\nconstraint b: u' = x*y' - z*x'\ninitial x = 0.3, y = 0.4, z = "
    "0.5, u = 0.7, x' = 1, y' = 0.5\n";

static void the_arrays_of_t18_13_make_up_the_inertia_of_moving_points(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = from_text(&w, moving_points);
    pool *p = s->pool;
    const uint32_t n = s->n;
    const newton_arrays all = newton_arrays_create(s);
    for (uint32_t i = 0; i < n; i++) {
        expr sum = all.zeta[i];
        for (uint32_t j = 0; j < n; j++) {
            sum = expr_add(p, sum, expr_mul(p, all.g[i * n + j], s->qdd[j]));
            sum = expr_add(p, sum,
                           expr_product(p, 3, (expr[]){EXPR_TWO, all.eta[j * n + i], s->qd[j]}));
            for (uint32_t k = 0; k < n; k++)
                sum = expr_add(
                    p, sum,
                    expr_product(p, 3, (expr[]){all.xi[(j * n + k) * n + i], s->qd[j], s->qd[k]}));
        }
        const expr inertia = expr_sub(p, expr_ddt(p, expr_diff(p, s->kinetic, s->qd[i])),
                                      expr_diff(p, s->kinetic, s->q[i]));
        assert_true(same_function(p, sum, inertia));
    }
    world_close(&w);
}

// C_i^r of T18 (15); `inside`: with g_ir under the double sum over nu and mu, as printed, where it
// counts k^2 times and the next terms k times.
static expr c_of_t18(const mechanics *s, const manifold *m, const newton_arrays *all, uint32_t i,
                     uint32_t r, bool inside) {
    pool *p = s->pool;
    const uint32_t n = s->n, k = s->k, row = s->independent[i], column = s->independent[r];
    const expr times = expr_int(p, inside ? k : 1);
    expr sum = expr_product(p, 3, (expr[]){times, times, all->g[row * n + column]});
    for (uint32_t nu = 0; nu < k; nu++) {
        const uint32_t z = s->dependent[nu];
        sum = expr_add(
            p, sum,
            expr_product(p, 3, (expr[]){times, all->g[row * n + z], manifold_basis(m, z, r)}));
        sum = expr_add(
            p, sum,
            expr_product(p, 3, (expr[]){times, all->g[z * n + column], manifold_basis(m, z, i)}));
        for (uint32_t mu = 0; mu < k; mu++)
            sum = expr_add(p, sum,
                           expr_product(p, 3,
                                        (expr[]){all->g[z * n + s->dependent[mu]],
                                                 manifold_basis(m, s->dependent[mu], i),
                                                 manifold_basis(m, z, r)}));
    }
    return sum;
}

static void c_of_t18_15_holds_when_each_term_is_summed_over_its_own_indices_only(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = from_text(&w, moving_points);
    const manifold m = manifold_create(s);
    const newton_arrays all = newton_arrays_create(s);
    equations *eq = derive(s, "newton");
    const expr listed = find_definition(eq, "C[1,2]");
    assert_true(same_function(s->pool, listed, c_of_t18(s, &m, &all, 0, 1, false)));
    assert_false(same_function(s->pool, listed, c_of_t18(s, &m, &all, 0, 1, true)));
    equations_free(eq);
    world_close(&w);
}

static void newton_lists_g_xi_eta_and_zeta_of_points(void **unused) {
    (void)unused;
    world w = world_open();
    equations *eq = derive(from_text(&w, moving_points), "newton");
    const char *const names[] = {"g[x,y]", "xi[x,x,x]", "eta[x,x]", "zeta[x]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_not_equal(find_definition(eq, names[i]), EXPR_NONE);
    assert_int_equal(find_definition(eq, "g[y,x]"), EXPR_NONE); // symmetric: listed once
    equations_free(eq);
    world_close(&w);
}

// --- alpha, frames, brackets ---------------------------------------------------------------------

static void alpha_and_its_derivatives_are_listed(void **unused) {
    (void)unused;
    static const char *const forms[] = {"voronec", "voronec-linear", "ferrers", "chaplygin"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        world w = world_open();
        // x, y of x, y, phi, theta depend on theta
        const mechanics *s = library(&w, "vertical_disc");
        equations *eq = derive(s, forms[i]);
        const expr alpha = find_definition(eq, "alpha[1]"),
                   slope = find_definition(eq, "dalpha[1]/dtheta'");
        assert_true(alpha != EXPR_NONE && slope != EXPR_NONE);
        assert_true(same_function(s->pool, alpha, eq->velocity[0]));
        assert_true(same_function(s->pool, slope, expr_diff(s->pool, alpha, s->qd[3])));
        assert_int_equal(find_definition(eq, "dalpha[1]/dphi'"), EXPR_NONE); // zero
        equations_free(eq);
        world_close(&w);
    }
}

static void without_a_closed_form_only_the_derivatives_of_alpha_are_listed(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = from_text(
        &w, "param m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint c: y' + sin(y') = x'\n"
            "initial x' = 1\nindependent x\n");
    equations *eq = derive(s, "voronec");
    assert_int_equal(find_definition(eq, "alpha[1]"), EXPR_NONE);
    assert_int_not_equal(find_definition(eq, "dalpha[1]/dx'"), EXPR_NONE);
    equations_free(eq);
    world_close(&w);
}

static void gamma_and_theta_are_the_inverse_of_the_frame(void **unused) {
    (void)unused;
    world w = world_open();
    const mechanics *s = library(&w, "sleigh");
    pool *p = s->pool;
    static const char *const name[3][3] = {
        {"Gamma[x,v]", "Gamma[y,v]", "Gamma[theta,v]"},
        {"Gamma[x,w]", "Gamma[y,w]", "Gamma[theta,w]"},
        {"Theta[x,blade]", "Theta[y,blade]", "Theta[theta,blade]"}};
    equations *eq = derive(s, "talamucci");
    for (uint32_t j = 0; j < 3; j++)
        for (uint32_t i = 0; i < 3; i++) {
            expr column[3];
            for (uint32_t c = 0; c < 3; c++) {
                column[c] = find_definition(eq, name[j][c]);
                if (column[c] == EXPR_NONE) column[c] = EXPR_ZERO; // zeros are not listed
            }
            const expr *row =
                i < s->m ? s->psi_velocity + i * 3 : mechanics_slopes(s) + (i - s->m) * 3;
            assert_true(
                same_function(p, expr_dot(p, 3, row, column), i == j ? EXPR_ONE : EXPR_ZERO));
        }
    equations_free(eq);
    world_close(&w);
}

static void poincare_lists_the_lie_brackets_of_its_fields(void **unused) {
    (void)unused;
    static const char *const models[] = {"sleigh", "vertical_disc", "roller_racer"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        world w = world_open();
        const mechanics *s = library(&w, models[k]);
        pool *p = s->pool;
        const uint32_t n = s->n;
        const frame f = frame_create(s);
        equations *eq = derive(s, "poincare");
        for (uint32_t i = 0; i < n; i++) { // [X2, X1]_i = sum_j X2_j dX1_i/dq_j - X1_j dX2_i/dq_j
            expr bracket = EXPR_ZERO;
            for (uint32_t j = 0; j < n; j++) {
                bracket = expr_add(
                    p, bracket,
                    expr_mul(p, f.inverse[j * n + 1], expr_diff(p, f.inverse[i * n], s->q[j])));
                bracket = expr_sub(
                    p, bracket,
                    expr_mul(p, f.inverse[j * n], expr_diff(p, f.inverse[i * n + 1], s->q[j])));
            }
            const char *name =
                arena_format(&w.ctx->arena, "[X2,X1].%s", expr_symbol_text(s->pool, s->q[i]));
            const expr listed = find_definition(eq, name);
            assert_true(same_function(p, listed == EXPR_NONE ? EXPR_ZERO : listed, bracket));
        }
        equations_free(eq);
        world_close(&w);
    }
}

static void large_systems_list_no_ingredients(void **unused) {
    (void)unused;
    world w = world_open();
    assert_int_equal(hamel_context_set(w.ctx, "N=12"), HAMEL_OK);
    const mechanics *s = library(&w, "snake");
    equations *eq = derive(s, "voronec");
    assert_true(s->n > INGREDIENT_COORDINATES);
    assert_int_equal(find_definition(eq, "alpha[1]"), EXPR_NONE);
    equations_free(eq);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reduced_almost_poisson_equations_give_the_true_accelerations),
        cmocka_unit_test(a_wrong_sign_in_the_reduced_bracket_is_noticed),
        cmocka_unit_test(hamilton_lists_the_almost_poisson_matrix),
        cmocka_unit_test(constraints_that_are_affine_or_move_have_no_almost_poisson_matrix),
        cmocka_unit_test(routh_reduction_agrees_with_the_motion_of_the_top),
        cmocka_unit_test(routh_reduction_agrees_with_the_motion_of_kepler),
        cmocka_unit_test(routh_reduction_leaves_the_reactions_of_constraints_on_the_others),
        cmocka_unit_test(the_reduced_lagrangian_printed_in_t15_gives_another_motion),
        cmocka_unit_test(a_force_or_a_constraint_along_a_cyclic_coordinate_forbids_the_reduction),
        cmocka_unit_test(lagrange_lists_the_routhian),
        cmocka_unit_test(the_arrays_of_t18_13_make_up_the_inertia_of_moving_points),
        cmocka_unit_test(c_of_t18_15_holds_when_each_term_is_summed_over_its_own_indices_only),
        cmocka_unit_test(newton_lists_g_xi_eta_and_zeta_of_points),
        cmocka_unit_test(alpha_and_its_derivatives_are_listed),
        cmocka_unit_test(without_a_closed_form_only_the_derivatives_of_alpha_are_listed),
        cmocka_unit_test(gamma_and_theta_are_the_inverse_of_the_frame),
        cmocka_unit_test(poincare_lists_the_lie_brackets_of_its_fields),
        cmocka_unit_test(large_systems_list_no_ingredients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
