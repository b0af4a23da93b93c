// What a model text means: names, numbers, families, vectors, constraints, initial values.
#include "support/support.h"

#include "parse/parse.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    world w;
    source text;
    model *m;
} reading;

static reading *read_with(const char *text, uint32_t overrides, const parse_override *override) {
    reading *r = malloc(sizeof *r);
    r->w = world_open();
    r->text = (source){.name = "test.ham", .bytes = text, .length = strlen(text)};
    parse_model(r->w.ctx, r->w.p, &r->text, overrides, override, &r->m);
    return r;
}

static void done(reading *r) {
    model_free(r->m);
    world_close(&r->w);
    free(r);
}

static reading *read_good(const char *text) {
    reading *r = read_with(text, 0, NULL);
    if (!r->m) {
        char *why = hamel_diagnostics(r->w.ctx);
        print_error("%s", why);
        hamel_free(why);
        fail();
    }
    return r;
}

// The text is wrong, and says so with this message.
static void expect_error(const char *text, const char *message) {
    reading *r = read_with(text, 0, NULL);
    assert_null(r->m);
    char *why = hamel_diagnostics(r->w.ctx);
    if (!strstr(why, message)) {
        print_error("wanted: %s\n%s", message, why);
        fail();
    }
    hamel_free(why);
    done(r);
}

// --- numbers -------------------------------------------------------------------------------------

static void decimals_are_exact_rationals(void **s) {
    (void)s;
    reading *r =
        read_good("coord x\nparam a = 0.1, b = 1e-3, c = 2/7, d = 12.50e+1, e = 0.1 + 0.2\n");
    pool *p = r->w.p;
    assert_int_equal(r->m->parameters[0].value, expr_rational(p, 1, 10));
    assert_int_equal(r->m->parameters[1].value, expr_rational(p, 1, 1000));
    assert_int_equal(r->m->parameters[2].value, expr_rational(p, 2, 7));
    assert_int_equal(r->m->parameters[3].value, expr_int(p, 125));
    assert_int_equal(r->m->parameters[4].value, expr_rational(p, 3, 10));
    done(r);
}

static void a_power_binds_tighter_than_a_sign_and_to_the_right(void **s) {
    (void)s;
    reading *r = read_good(
        "coord x\nparam a = -2^2, b = 2^3^2, c = 2^-1, d = 6/2*3, e = 1 - 2 - 3, f = --4\n");
    pool *p = r->w.p;
    const int64_t wanted[] = {-4, 512, 0, 9, -4, 4};
    for (int i = 0; i < 6; i++)
        if (i != 2) assert_int_equal(r->m->parameters[i].value, expr_int(p, wanted[i]));
    assert_int_equal(r->m->parameters[2].value, EXPR_HALF);
    done(r);
}

static void a_range_after_a_number_is_no_decimal(void **s) {
    (void)s;
    reading *r = read_good(
        "coord q[1..3]\nsimulate t = 0..20, tol = 1e-9, form = a-model, method = dop853\n");
    assert_int_equal(r->m->coordinates_count, 3);
    assert_int_equal(r->m->simulate.to, expr_int(r->w.p, 20));
    assert_string_equal(r->m->simulate.form, "a-model");
    assert_string_equal(r->m->simulate.method, "dop853");
    assert_int_equal(r->m->simulate.output, EXPR_NONE);
    done(r);
}

// --- names ---------------------------------------------------------------------------------------

static void abbreviations_may_come_after_their_use(void **s) {
    (void)s;
    reading *r = read_good("kinetic r*x'^2\nlet r = 2*k\nlet k = m/2\nparam m = 1\ncoord x\n");
    pool *p = r->w.p;
    const expr v = expr_symbol_derivative(p, r->m->coordinates[0]);
    assert_int_equal(r->m->kinetic, expr_mul(p, r->m->parameters[0].symbol, expr_square(p, v)));
    done(r);
}

static void a_declared_name_hides_a_built_in_one(void **s) {
    (void)s;
    reading *r =
        read_good("param e = 0.1\ncoord pi, sum\nquasi omega = pi'\nkinetic e*pi'^2 + sum'^2\n"
                  "body B: mass 1 at (pi, 0) inertia (1, 1, 1) rotation rot(z, sum)\nobserve w = "
                  "omega(B).z\n");
    pool *p = r->w.p;
    const expr pi = r->m->coordinates[0], sum = r->m->coordinates[1];
    const expr wanted = expr_add(
        p, expr_mul(p, r->m->parameters[0].symbol, expr_square(p, expr_symbol_derivative(p, pi))),
        expr_square(p, expr_symbol_derivative(p, sum)));
    assert_int_equal(r->m->kinetic, wanted);
    assert_int_equal(r->m->observables[0].value,
                     expr_symbol_derivative(p, sum)); // a value is no function: omega(B) stays
    done(r);
}

static void greek_letters_are_their_names(void **s) {
    (void)s;
    reading *r = read_good(
        "coord θ1, φ, Ω\nkinetic theta1'^2 + phi'^2 + θ1′^2 + Omega'^2\nobserve a = Ω″\n");
    pool *p = r->w.p;
    const expr theta = r->m->coordinates[0];
    assert_string_equal(expr_as_symbol(p, theta)->name, "theta1");
    const expr omega = expr_symbol_derivative(p, r->m->coordinates[2]);
    const expr wanted[] = {expr_mul(p, EXPR_TWO, expr_square(p, expr_symbol_derivative(p, theta))),
                           expr_square(p, expr_symbol_derivative(p, r->m->coordinates[1])),
                           expr_square(p, omega)};
    assert_int_equal(r->m->kinetic, expr_sum(p, 3, wanted));
    assert_int_equal(r->m->observables[0].value, expr_symbol_derivative(p, omega));
    done(r);
}

static void keywords_are_names_where_no_statement_starts(void **s) {
    (void)s;
    reading *r = read_good(
        "coord mass, at, kinetic, on\npoint P: mass mass^2 at (at, kinetic, 0)\nforce on = 3\n"
        "force on P = (1, 0, 0)\nevent stop: kinetic stop\n");
    assert_int_equal(r->m->points[0].position.at[1], r->m->coordinates[2]);
    assert_int_equal(r->m->generalised_forces[0].symbol, r->m->coordinates[3]);
    assert_int_equal(r->m->forces_count, 1);
    assert_true(r->m->events[0].stop);
    done(r);
}

static void labels_and_values_do_not_meet(void **s) {
    (void)s;
    reading *r = read_good(
        "coord x, y\nkinetic x'^2 + y'^2\nconstraint x: x' = y'\nclaim x: x'' = lambda[x]\n"
        "invariant y = x'\nobserve y = y'\npoint x: mass 1 at (x, y)\n");
    assert_int_equal(r->m->claims[0].right, r->m->constraints[0].multiplier);
    assert_int_equal(r->m->invariants[0].value,
                     expr_symbol_derivative(r->w.p, r->m->coordinates[0]));
    done(r);
}

static void a_prime_on_an_abbreviation_is_its_time_derivative(void **s) {
    (void)s;
    reading *r = read_good("coord x\nlet r = x^2\nlet u = (x, t, 0)\nquasi v = 2*x'\nobserve a = "
                           "r'\nobserve b = u'.y\nobserve c = v'\n");
    pool *p = r->w.p;
    const expr x = r->m->coordinates[0];
    assert_int_equal(r->m->observables[0].value,
                     expr_mul(p, EXPR_TWO, expr_mul(p, x, expr_symbol_derivative(p, x))));
    assert_int_equal(r->m->observables[1].value, EXPR_ONE);
    assert_int_equal(r->m->observables[2].value,
                     expr_mul(p, EXPR_TWO, expr_symbol_of_order(p, x, 2)));
    done(r);
}

static void a_given_stands_as_a_symbol_with_derivatives(void **s) {
    (void)s;
    reading *r = read_good(
        "coord x\nparam k = 2\ngiven f = k*cos(t), g\nkinetic x'^2\npotential f*x + g''\n");
    pool *p = r->w.p;
    const expr f = r->m->givens[0].symbol, g = r->m->givens[1].symbol;
    assert_int_equal(r->m->potential, expr_add(p, expr_mul(p, f, r->m->coordinates[0]),
                                               expr_symbol_of_order(p, g, 2)));
    assert_int_equal(r->m->givens[1].definition, EXPR_NONE);
    assert_int_not_equal(r->m->givens[0].definition, EXPR_NONE);
    done(r);
}

static void functions_are_inlined_or_abstract(void **s) {
    (void)s;
    reading *r = read_good("coord z\nfunction a(u) = u^2\nfunction b(u)\nlet c(u, v) = dot(u, v)\n"
                           "observe p = diff(a(z), z)\nobserve q = diff(b(z), z)\nobserve r = "
                           "c((z, 1, 0), (2, 3, 4))\n");
    pool *p = r->w.p;
    const expr z = r->m->coordinates[0];
    assert_int_equal(r->m->observables[0].value, expr_mul(p, EXPR_TWO, z));
    assert_int_equal(expr_kind_of(p, r->m->observables[1].value), EXPR_APPLY);
    assert_int_equal(r->m->observables[2].value,
                     expr_add(p, expr_mul(p, EXPR_TWO, z), expr_int(p, 3)));
    done(r);
}

// --- families and loops --------------------------------------------------------------------------

static void a_function_nobody_calls_may_hold_every_function_of_the_language(void **s) {
    (void)s;
    done(read_good("coord x\nlet f(z) = quantity(\"det W\")*transpose(z)*delta(z)*sqrt(z)\n"));
}

static void families_are_indexed_by_constants(void **s) {
    (void)s;
    reading *r =
        read_good("const N = 2*M - 1, M = 2\ncoord q[1..N], p[0..1,1..2]\nparam m[1..N] = 5\n"
                  "for i in 1..N { let r[i] = i*q[i] }\nkinetic sum(i in 1..N, r[N + 1 - i]) + "
                  "p[1,2] + prod(i in 1..3, i)\n");
    pool *p = r->w.p;
    assert_int_equal(r->m->coordinates_count, 7);
    assert_string_equal(expr_as_symbol(p, r->m->coordinates[2])->name, "q[3]");
    assert_string_equal(expr_as_symbol(p, r->m->coordinates[6])->name, "p[1,2]");
    assert_string_equal(expr_as_symbol(p, r->m->parameters[1].symbol)->name, "m[2]");
    const expr *q = r->m->coordinates;
    const expr terms[] = {q[0], expr_mul(p, EXPR_TWO, q[1]), expr_mul(p, expr_int(p, 3), q[2]),
                          q[6], expr_int(p, 6)};
    assert_int_equal(r->m->kinetic, expr_sum(p, 5, terms));
    done(r);
}

static void empty_ranges_give_nothing(void **s) {
    (void)s;
    reading *r = read_good("const N = 0\ncoord x, q[1..N]\nfor i in 1..N { potential q[i] "
                           "}\nkinetic sum(i in 1..N, q[i]'^2) + prod(i in 1..N, q[i])\n");
    assert_int_equal(r->m->coordinates_count, 1);
    assert_int_equal(r->m->kinetic, EXPR_ONE);
    done(r);
}

static void statements_in_a_loop_carry_its_index(void **s) {
    (void)s;
    reading *r =
        read_good("coord q[1..2], phi[1..2]\nfor i in 1..2 {\n  point P[i]: mass i at (q[i], 0)\n"
                  "  body B[i]: mass 1 at pos(P[i]) inertia (1, 2, 3) rotation rot(z, phi[i])\n"
                  "  constraint c[i]: q[i]' = phi[i]'\n  initial q[i] = i, phi[i]' = i/2\n"
                  "  invariant I[i] = q[i] - phi[i]\n  claim k[i]: q[i]'' = lambda[c[i]]\n}\n");
    assert_string_equal(r->m->points[1].name, "P[2]");
    assert_string_equal(r->m->bodies[1].name, "B[2]");
    assert_string_equal(r->m->constraints[1].name, "c[2]");
    assert_string_equal(r->m->invariants[1].name, "I[2]");
    assert_int_equal(r->m->claims[1].right, r->m->constraints[1].multiplier);
    assert_int_equal(r->m->bodies[1].centre.at[0], r->m->coordinates[1]);
    assert_int_equal(r->m->initial[3].value, EXPR_ONE);
    done(r);
}

static void overrides_reach_constants_and_parameters(void **s) {
    (void)s;
    const parse_override set[] = {{"N", "4"}, {"m", "3/2"}, {"k", "2*m"}};
    reading *r = read_with(
        "const N = 2\nparam m = 1, k[1..2] = 1\ncoord q[1..N]\nkinetic q[N]'^2\n", 3, set);
    assert_non_null(r->m);
    assert_int_equal(r->m->coordinates_count, 4);
    assert_int_equal(r->m->parameters[0].value, expr_rational(r->w.p, 3, 2));
    assert_int_equal(r->m->parameters[2].value,
                     expr_mul(r->w.p, EXPR_TWO, r->m->parameters[0].symbol));
    done(r);
}

static void the_state_grows_with_the_order_of_the_constraints(void **s) {
    (void)s;
    static const char jerk[] = "coord x, z\nkinetic x'^2 + z'^2\nconstraint c: z''' + z'' = 0\n";
    char text[200];
    snprintf(text, sizeof text, "%sinvariant a = z''*exp(t)\n", jerk);
    reading *r = read_good(text);
    assert_int_equal(r->m->invariants_count, 1);
    done(r);
    snprintf(text, sizeof text, "%sinvariant a = z'''\n", jerk);
    expect_error(text, "an invariant may hold derivatives of coordinates up to order 2 here");
}

// --- vectors and rotations -----------------------------------------------------------------------

static void the_letter_in_rot_is_an_axis_even_beside_a_coordinate(void **s) {
    (void)s;
    reading *r = read_good("coord x, phi\nlet axis = (0, 0, 1)\nobserve a = (rot(x, phi)*(0, 1, "
                           "0)).z\nobserve b = (rot(axis, phi)*(1, 0, 0)).y\n"
                           "observe c = (rot(z, phi)*rot(z, -phi)*(x, 0, 0)).x\n");
    pool *p = r->w.p;
    const expr sine = expr_function(p, EXPR_SIN, &r->m->coordinates[1]);
    assert_int_equal(r->m->observables[0].value, sine);
    assert_int_equal(r->m->observables[1].value, sine);
    assert_true(same_function(p, r->m->observables[2].value, r->m->coordinates[0]));
    done(r);
}

static void kinematics_of_points_and_bodies(void **s) {
    (void)s;
    reading *r =
        read_good("param a = 1\ncoord x, phi\nbody B: mass 1 at (x, 0, a) inertia (1, 2, 3, 4, 5, "
                  "6) rotation rot(y, phi)\n"
                  "observe slip = velat(B, pos(B) - (0, 0, a)).x\nobserve turn = omega(B).y\n"
                  "observe ahead = (frame(B)*(1, 0, 0)).z\nobserve push = acc(B).x\n");
    pool *p = r->w.p;
    const expr x = r->m->coordinates[0], phi = r->m->coordinates[1], a = r->m->parameters[0].symbol;
    const expr turn = expr_symbol_derivative(p, phi);
    assert_int_equal(r->m->observables[0].value,
                     expr_sub(p, expr_symbol_derivative(p, x), expr_mul(p, a, turn)));
    assert_int_equal(r->m->observables[1].value, turn);
    assert_int_equal(r->m->observables[2].value, expr_neg(p, expr_function(p, EXPR_SIN, &phi)));
    assert_int_equal(r->m->observables[3].value, expr_symbol_of_order(p, x, 2));
    assert_int_equal(r->m->bodies[0].inertia[5], expr_int(p, 6));
    done(r);
}

// --- constraints, claims, initial values ---------------------------------------------------------

static void a_vector_constraint_is_one_a_component(void **s) {
    (void)s;
    reading *r = read_good("coord x, y\npoint P: mass 1 at (x, y)\nconstraint x' = 2\nconstraint "
                           "contact: vel(P) = (y, 0, 0)\n"
                           "constraint y' = x\n");
    const model *m = r->m;
    assert_int_equal(m->constraints_count, 5);
    assert_string_equal(m->constraints[0].name, "c1");
    assert_string_equal(m->constraints[1].name, "contact.x");
    assert_string_equal(m->constraints[3].name, "contact.z");
    assert_string_equal(m->constraints[4].name, "c3");
    assert_int_equal(m->constraints[2].status, CONSTRAINT_ACTIVE);
    assert_int_equal(m->constraints[3].status, CONSTRAINT_IDENTITY);
    assert_string_equal(expr_as_symbol(r->w.p, m->constraints[1].multiplier)->name,
                        "lambda[contact.x]");
    assert_int_equal(
        m->constraints[1].phi,
        expr_sub(r->w.p, expr_symbol_derivative(r->w.p, m->coordinates[0]), m->coordinates[1]));
    done(r);
}

static void claims_name_mechanics_multipliers_and_variations(void **s) {
    (void)s;
    reading *r =
        read_good("coord x, y\nparam k = 2\nkinetic x'^2 + y'^2\nconstraint blade: x' = y'\n"
                  "claim a under a-model with nu = k, mu = 0: lambda*x' = lambda[blade]'\n"
                  "claim b: transpose(x) = delta(y)*y' + delta(y)\nclaim c: (x', 0) = (0, y')\n");
    const model *m = r->m;
    pool *p = r->w.p;
    assert_string_equal(m->claims[0].mechanics, "a-model");
    assert_int_equal(m->claims[0].option_count, 2);
    assert_string_equal(m->claims[0].options[1].name, "mu");
    assert_int_equal(m->claims[0].options[0].value, m->parameters[0].symbol);
    assert_int_equal(m->claims[0].right, expr_symbol_derivative(p, m->constraints[0].multiplier));
    assert_int_equal(expr_as_symbol(p, m->claims[1].left)->role, ROLE_TRANSPOSE);
    assert_string_equal(expr_as_symbol(p, m->claims[1].left)->name, "transpose(x)");
    assert_string_equal(m->claims[2].name, "c.x");
    assert_int_equal(m->claims_count, 5);
    done(r);
}

static void initial_lists_velocities_and_multipliers(void **s) {
    (void)s;
    reading *r = read_good(
        "param a = 3\ncoord x, y\nkinetic x'^2\nquasi v = x' + y'\nconstraint blade: x' = y'\n"
        "initial x = sqrt(2)*a, x' = -1,\n  v = pi, lambda[blade] = 0.6\n");
    const model *m = r->m;
    pool *p = r->w.p;
    assert_int_equal(m->initial_count, 4);
    assert_int_equal(m->initial[0].value,
                     expr_mul(p, expr_sqrt(p, EXPR_TWO), m->parameters[0].symbol));
    assert_int_equal(m->initial[1].symbol, expr_symbol_derivative(p, m->coordinates[0]));
    assert_int_equal(m->initial[2].symbol, m->quasis[0].symbol);
    assert_int_equal(m->initial[3].symbol, m->constraints[0].multiplier);
    done(r);
}

static void a_state_may_be_given_as_a_list(void **s) {
    (void)s;
    reading *r = read_good("coord x, q[1..2]\nquasi v = x'\nkinetic x'^2\nconstraint x' = 0\n");
    const char *at = "t=1/2, x=1, x'=2, q[2]'=3, v=4, lambda[c1]=5";
    const source text = {.name = "--at", .bytes = at, .length = strlen(at)};
    assignment *items;
    uint32_t count;
    assert_int_equal(parse_assignments(r->m, &text, &items, &count), HAMEL_OK);
    const model *m = r->m;
    assert_int_equal(count, 6);
    assert_int_equal(items[0].symbol, m->time);
    assert_int_equal(items[0].value, EXPR_HALF);
    assert_int_equal(items[3].symbol, expr_symbol_derivative(r->w.p, m->coordinates[2]));
    assert_int_equal(items[4].symbol, m->quasis[0].symbol);
    assert_int_equal(items[5].symbol, m->constraints[0].multiplier);
    const source wrong = {.name = "--at", .bytes = "x=1, y=2, x=3", .length = 13};
    assert_int_equal(parse_assignments(r->m, &wrong, &items, &count), HAMEL_MODEL);
    char *why = hamel_diagnostics(r->w.ctx);
    assert_non_null(strstr(why, "--at:1:6: error: unknown name `y`"));
    assert_non_null(strstr(why, "--at:1:11: error: `x` is given two values"));
    hamel_free(why);
    done(r);
}

static void a_vector_has_a_length(void **s) {
    (void)s;
    reading *r = read_good("coord x\npotential norm((3, 4, 12))*x\n");
    pool *p = r->m->pool;
    assert_int_equal(r->m->potential, expr_mul(p, expr_int(p, 13), r->m->coordinates[0]));
    done(r);
}

static void energies_add_up(void **s) {
    (void)s;
    reading *r = read_good(
        "coord x\nkinetic x'^2/2\nkinetic x'^2/2\npotential x\npotential 2*x\nlet L = 1\n");
    pool *p = r->w.p;
    assert_int_equal(r->m->kinetic,
                     expr_square(p, expr_symbol_derivative(p, r->m->coordinates[0])));
    assert_int_equal(r->m->potential, expr_mul(p, expr_int(p, 3), r->m->coordinates[0]));
    assert_int_equal(r->m->lagrangian, EXPR_NONE);
    done(r);
}

static void a_curve_binds_its_own_name(void **s) {
    (void)s;
    reading *r = read_good("coord x, s\nkinetic x'^2\ndraw curve (s, x, 0) in s = 0 .. 2*pi\ndraw "
                           "disk (x, 0), (0, 0, 1), 2\n");
    const draw_item *d = r->m->draws;
    assert_int_equal(d[0].kind, DRAW_CURVE);
    assert_int_equal(d[0].a.at[0], d[0].local);
    assert_int_not_equal(d[0].local, r->m->coordinates[1]);
    assert_int_equal(d[1].radius, EXPR_TWO);
    done(r);
}

// --- lines ---------------------------------------------------------------------------------------

static void a_line_goes_on_after_an_operator_or_in_a_bracket(void **s) {
    (void)s;
    reading *r = read_good("coord x,  # a comment\n  y\n\nkinetic (x'^2\n  + y'^2)/\n  "
                           "2\nconstraint roll:\n  x' =\n  y'\r\n"
                           "simulate t = 0 ..\n 10\n");
    assert_int_equal(r->m->coordinates_count, 2);
    assert_int_equal(r->m->constraints_count, 1);
    assert_int_equal(r->m->simulate.to, expr_int(r->w.p, 10));
    done(r);
    expect_error("coord x, y\nkinetic x'^2\n + y'^2\n",
                 "test.ham:3:2: error: expected a statement, found `+`");
}

static void a_block_may_stand_on_one_line(void **s) {
    (void)s;
    reading *r = read_good("coord q[1..2]\nfor i in 1..2 { kinetic q[i]'^2 }");
    assert_int_not_equal(r->m->kinetic, EXPR_ZERO);
    done(r);
}

static void errors_are_reported_in_the_order_of_the_text(void **s) {
    (void)s;
    reading *r =
        read_with("coord x\npotential aaaa\nkinetic (x'^2\nconstraint x' = bbbb\n", 0, NULL);
    assert_null(r->m);
    char *why = hamel_diagnostics(r->w.ctx);
    const char *first = strstr(why, "aaaa"), *second = strstr(why, "not closed"),
               *third = strstr(why, "bbbb");
    assert_true(first && second && third && first < second && second < third);
    hamel_free(why);
    done(r);
}

// --- size ----------------------------------------------------------------------------------------

static void a_long_flat_expression_does_not_nest(void **s) {
    (void)s;
    enum { TERMS = 200000 };
    static const char head[] = "coord a\nkinetic a";
    char *text = malloc(sizeof head + 2 * TERMS);
    strcpy(text, head);
    for (size_t i = 0; i < TERMS; i++) memcpy(text + sizeof head - 1 + 2 * i, "+a", 3);
    reading *r = read_good(text);
    assert_int_equal(r->m->kinetic,
                     expr_mul(r->w.p, expr_int(r->w.p, TERMS + 1), r->m->coordinates[0]));
    done(r);
    free(text);
}

static void limits_have_a_status_of_their_own(void **s) {
    (void)s;
    static const char *const greedy[] = {"coord x\nkinetic sum(i in 1..10^9, x)\n",
                                         "coord q[1..5000]\n",
                                         "param m = 1e99999999999\ncoord x\n",
                                         "coord x\nfor i in 1..10^18 { potential x }\n",
                                         "coord x\nkinetic 9^9^9^9*x\n",
                                         "coord x\nbody B: mass 1 at (x, 0) inertia (1, 1, 1) "
                                         "rotation prod(i in 1..9999, rot(z, x))\n"};
    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        reading *r = read_with(greedy[i], 0, NULL);
        assert_null(r->m);
        assert_int_equal(context_status(r->w.ctx), HAMEL_LIMIT);
        done(r);
    }
}

static void a_byte_order_mark_and_windows_line_ends_are_welcome(void **s) {
    (void)s;
    reading *r = read_good("\xEF\xBB\xBF"
                           "coord x\r\nkinetic x'^2\r\n");
    assert_int_equal(r->m->coordinates_count, 1);
    done(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vector_has_a_length),
        cmocka_unit_test(decimals_are_exact_rationals),
        cmocka_unit_test(a_power_binds_tighter_than_a_sign_and_to_the_right),
        cmocka_unit_test(a_range_after_a_number_is_no_decimal),
        cmocka_unit_test(abbreviations_may_come_after_their_use),
        cmocka_unit_test(a_declared_name_hides_a_built_in_one),
        cmocka_unit_test(greek_letters_are_their_names),
        cmocka_unit_test(keywords_are_names_where_no_statement_starts),
        cmocka_unit_test(labels_and_values_do_not_meet),
        cmocka_unit_test(a_prime_on_an_abbreviation_is_its_time_derivative),
        cmocka_unit_test(a_given_stands_as_a_symbol_with_derivatives),
        cmocka_unit_test(functions_are_inlined_or_abstract),
        cmocka_unit_test(a_function_nobody_calls_may_hold_every_function_of_the_language),
        cmocka_unit_test(families_are_indexed_by_constants),
        cmocka_unit_test(empty_ranges_give_nothing),
        cmocka_unit_test(statements_in_a_loop_carry_its_index),
        cmocka_unit_test(overrides_reach_constants_and_parameters),
        cmocka_unit_test(the_state_grows_with_the_order_of_the_constraints),
        cmocka_unit_test(the_letter_in_rot_is_an_axis_even_beside_a_coordinate),
        cmocka_unit_test(kinematics_of_points_and_bodies),
        cmocka_unit_test(a_vector_constraint_is_one_a_component),
        cmocka_unit_test(claims_name_mechanics_multipliers_and_variations),
        cmocka_unit_test(initial_lists_velocities_and_multipliers),
        cmocka_unit_test(a_state_may_be_given_as_a_list),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(a_curve_binds_its_own_name),
        cmocka_unit_test(a_line_goes_on_after_an_operator_or_in_a_bracket),
        cmocka_unit_test(a_block_may_stand_on_one_line),
        cmocka_unit_test(errors_are_reported_in_the_order_of_the_text),
        cmocka_unit_test(a_long_flat_expression_does_not_nest),
        cmocka_unit_test(limits_have_a_status_of_their_own),
        cmocka_unit_test(a_byte_order_mark_and_windows_line_ends_are_welcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
