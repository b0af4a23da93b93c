// Equations as data mean what they say: an evaluator of its own, a loop over the nodes in long
// double, puts in the numbers that `eval` finds in balls, and the residuals vanish, M x + F is the
// residual, the rates are the velocities and accelerations. Texts are those that `matrices` writes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hamel.h"
#include "support/json_reader.h"

// --- the evaluator -------------------------------------------------------------------------------

static long double exact(const char *number) {
    char *end;
    const long double p = strtold(number, &end);
    return *end == '/' ? p / strtold(end + 1, NULL) : p;
}

static long double call(const char *name, const long double *x) {
    static const struct {
        const char *name;
        long double (*f)(long double);
    } known[] = {{"sin", sinl},   {"cos", cosl},   {"tan", tanl},   {"asin", asinl},
                 {"acos", acosl}, {"atan", atanl}, {"sinh", sinhl}, {"cosh", coshl},
                 {"tanh", tanhl}, {"exp", expl},   {"log", logl},   {"abs", fabsl}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].f(x[0]);
    if (strcmp(name, "atan2") == 0) return atan2l(x[0], x[1]);
    assert_string_equal(name, "sign");
    return (x[0] > 0) - (x[0] < 0);
}

// The value of a symbol; NAN where nobody knows it
typedef long double lookup(void *data, const char *name);

static long double *evaluate(const hamel_equations *eq, lookup *value_of, void *data) {
    const size_t count = hamel_equations_nodes(eq);
    long double *value = calloc(count + 1, sizeof *value), operand[1000];
    hamel_node node;
    for (unsigned e = 0; e < count; e++) {
        assert_int_equal(hamel_equations_node(eq, e, &node), 1);
        assert_true(node.operand_count < 1000);
        for (size_t i = 0; i < node.operand_count; i++) {
            assert_true(node.operands[i] < e); // made of nodes before it
            operand[i] = value[node.operands[i]];
        }
        if (strcmp(node.kind, "number") == 0) value[e] = exact(node.number);
        else if (strcmp(node.kind, "pi") == 0) value[e] = acosl(-1);
        else if (strcmp(node.kind, "symbol") == 0) value[e] = value_of(data, node.name);
        else if (strcmp(node.kind, "power") == 0) value[e] = powl(operand[0], operand[1]);
        else if (strcmp(node.kind, "call") == 0) value[e] = call(node.name, operand);
        else if (strcmp(node.kind, "apply") == 0) value[e] = NAN;
        else if (strcmp(node.kind, "sum") == 0) {
            value[e] = exact(node.number);
            for (size_t i = 0; i < node.operand_count; i++)
                value[e] += exact(node.coefficients[i]) * operand[i];
        } else {
            assert_string_equal(node.kind, "product");
            value[e] = 1;
            for (size_t i = 0; i < node.operand_count; i++)
                value[e] *= powl(operand[i], exact(node.coefficients[i]));
        }
    }
    return value;
}

// --- against `eval` ------------------------------------------------------------------------------

typedef struct {
    hamel_model *m;
    json_value *eval; // of `eval --json`
} known_state;

static const json_value *member(const json_value *object, const char *key) {
    for (size_t i = 0; object && object->kind == JSON_OBJECT && i < object->count; i++)
        if (strcmp(object->keys[i], key) == 0) return &object->items[i];
    return NULL;
}

// x, x', x'', eta, eta', lambda[..], t and parameters
static long double at_state(void *data, const char *name) {
    const known_state *s = data;
    static const char *const groups[] = {"q", "qd", "qdd"};
    double value;
    if (strcmp(name, "t") == 0) return exact(member(s->eval, "t")->string);
    if (hamel_model_value(s->m, name, &value)) { // as exact as it is given
        char digits[40];
        snprintf(digits, sizeof digits, "%.15g", value);
        return exact(digits);
    }
    char base[200];
    snprintf(base, sizeof base, "%s", name);
    size_t primes = 0, length = strlen(base);
    while (length && base[length - 1] == '\'') base[--length] = '\0', primes++;
    if (primes < 3) {
        const json_value *v = member(member(s->eval, groups[primes]), base);
        if (v) return exact(v->string);
    }
    const json_value *eta =
        primes < 2 ? member(member(s->eval, primes ? "etad" : "eta"), base) : NULL;
    if (eta) return exact(eta->string);
    if (strncmp(base, "lambda[", 7) == 0 && !primes) {
        base[length - 1] = '\0';
        const json_value *v = member(member(s->eval, "lambda"), base + 7);
        if (v) return exact(v->string);
    }
    return NAN;
}

static json_value *read_json(const char *document) {
    char *line = strdup(document);
    line[strcspn(line, "\n")] = '\0';
    json_value *v = json_read(line);
    free(line);
    return v;
}

static long double part(const hamel_equations *eq, const long double *value, hamel_part p,
                        size_t i) {
    return value[hamel_equations_at(eq, p, i)];
}

static const long double CLOSE = 1e-11L; // parameters are doubles, which are typed as decimals

static void assert_motion(const char *name, const char *form, const hamel_equations *eq,
                          const long double *value) {
    const size_t u = hamel_equations_count(eq, HAMEL_UNKNOWNS),
                 n = hamel_equations_count(eq, HAMEL_COORDINATES);
    assert_int_equal(hamel_equations_count(eq, HAMEL_RESIDUALS), u);
    assert_int_equal(hamel_equations_count(eq, HAMEL_MATRIX), u * u);
    assert_int_equal(hamel_equations_count(eq, HAMEL_FORCING), u);
    for (size_t i = 0; i < u; i++) {
        const long double r = part(eq, value, HAMEL_RESIDUALS, i);
        long double sum = part(eq, value, HAMEL_FORCING, i), size = 1 + fabsl(sum);
        for (size_t k = 0; k < u; k++) {
            const long double term =
                part(eq, value, HAMEL_MATRIX, i * u + k) * part(eq, value, HAMEL_UNKNOWNS, k);
            sum += term, size += fabsl(term);
        }
        if (!(fabsl(r) < CLOSE * size) || !(fabsl(sum) < CLOSE * size))
            fail_msg("%s by %s: residual %zu is %Lg, M x + F is %Lg", name, form, i, r, sum);
    }
    for (size_t i = 0; i < hamel_equations_count(eq, HAMEL_CONSTRAINTS); i++)
        assert_true(fabsl(part(eq, value, HAMEL_CONSTRAINTS, i)) < 1e-10L);
    assert_int_equal(hamel_equations_count(eq, HAMEL_SLOPES),
                     n * hamel_equations_count(eq, HAMEL_CONSTRAINTS));
}

// q' and q'' among the rates are the velocities and accelerations of `eval`
static size_t assert_rates(const char *name, const hamel_equations *eq, const long double *value,
                           known_state *s) {
    size_t compared = 0;
    for (size_t i = 0; i < hamel_equations_count(eq, HAMEL_RATES); i++) {
        hamel_node state;
        assert_int_equal(hamel_equations_node(eq, hamel_equations_at(eq, HAMEL_STATES, i), &state),
                         1);
        char rate_name[200];
        snprintf(rate_name, sizeof rate_name, "%s'", state.name);
        const long double rate = part(eq, value, HAMEL_RATES, i), known = at_state(s, rate_name);
        if (isnan(known)) continue;
        compared++;
        if (!(fabsl(rate - known) < CLOSE * (1 + fabsl(known))))
            fail_msg("%s: %s is %Lg, not %Lg", name, rate_name, rate, known);
    }
    return compared;
}

static void try_form(const char *name, const char *form) {
    hamel_context *ctx = hamel_context_create();
    known_state s;
    hamel_equations *eq;
    char *json;
    assert_int_equal(hamel_model_open(ctx, name, &s.m), HAMEL_OK);
    if (hamel_model_equations(s.m, form, &eq)) fail_msg("%s", hamel_diagnostics(ctx));
    assert_string_equal(hamel_equations_form(eq), form);
    if (hamel_model_evaluate(s.m, form, NULL, 25, HAMEL_JSON, &json))
        fail_msg("%s", hamel_diagnostics(ctx));
    s.eval = read_json(json);
    hamel_free(json);
    long double *value = evaluate(eq, at_state, &s);
    assert_motion(name, form, eq, value);
    assert_true(assert_rates(name, eq, value, &s) >= hamel_equations_count(eq, HAMEL_COORDINATES));
    assert_int_equal(hamel_equations_count(eq, HAMEL_ENERGIES), 4);
    assert_string_equal(hamel_equations_name(eq, HAMEL_ENERGIES, 3), "energy");
    const long double energy = exact(member(s.eval, "energy")->string);
    assert_true(fabsl(part(eq, value, HAMEL_ENERGIES, 3) - energy) < CLOSE * (1 + fabsl(energy)));
    free(value);
    json_value_free(s.eval);
    hamel_context_destroy(ctx);
    assert_true(hamel_equations_nodes(eq) > 0); // it outlives its context
    hamel_equations_free(eq);
}

static void residuals_vanish_where_eval_says_the_motion_is(void **state) {
    (void)state;
    static const char *const tried[][2] = {
        {"sleigh", "maggi"},         {"sleigh", "multipliers"}, {"sleigh", "hamel"},
        {"sleigh", "appell"},        {"rolling_disc", "maggi"}, {"rolling_disc", "multipliers"},
        {"rolling_disc", "voronec"}, {"rattleback", "maggi"},   {"snakeboard", "appell"},
        {"knife_edge", "hamel"},     {"heavy_top", "lagrange"}, {"double_pendulum", "lagrange"},
        {"suslov", "maggi"},         {"bicycle", "maggi"}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) try_form(tried[i][0], tried[i][1]);
}

// --- words ---------------------------------------------------------------------------------------

static void texts_are_those_that_matrices_writes(void **state) {
    (void)state;
    static const char *const models[] = {"sleigh", "rolling_disc", "snakeboard", "heavy_top"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        hamel_equations *eq;
        char *json;
        assert_int_equal(hamel_model_open(ctx, models[k], &m), HAMEL_OK);
        assert_int_equal(hamel_model_equations(m, "maggi", &eq), HAMEL_OK);
        assert_int_equal(hamel_model_matrices(m, "maggi", HAMEL_JSON, &json), HAMEL_OK);
        hamel_context_destroy(ctx);
        json_value *v = read_json(json);
        hamel_free(json);
        const size_t u = hamel_equations_count(eq, HAMEL_UNKNOWNS);
        for (size_t i = 0; i < u * u + u; i++) {
            const hamel_part p = i < u * u ? HAMEL_MATRIX : HAMEL_FORCING;
            const size_t at = i < u * u ? i : i - u * u;
            const json_value *rows = json_member(v, i < u * u ? "M" : "F"),
                             *row = json_item(rows, i < u * u ? at / u : at);
            char *text = hamel_equations_text(eq, hamel_equations_at(eq, p, at), HAMEL_SYMPY);
            assert_string_equal(text, json_item(row, i < u * u ? at % u : 0)->string);
            hamel_free(text);
        }
        json_value_free(v);
        hamel_equations_free(eq);
    }
}

static const char SMALL[] = "param m = 2, k\ncoord x, y\ngiven f\n"
                            "kinetic m*(x'^2 + y'^2)/2\npotential k*x^2/2 - f*y + sin(y)\n"
                            "observe a = x^2/3 + abs(y)\ninvariant b = atan2(y, x)\n"
                            "constraint roll: x' = y*y'\n";

static hamel_equations *small(hamel_context *ctx) {
    hamel_model *m;
    hamel_equations *eq;
    if (hamel_model_parse(ctx, "small", SMALL, strlen(SMALL), &m) ||
        hamel_model_equations(m, NULL, &eq))
        fail_msg("%s", hamel_diagnostics(ctx));
    return eq;
}

static void nodes_say_what_they_are(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_equations *eq = small(ctx);
    hamel_context_destroy(ctx);
    assert_string_equal(hamel_equations_form(eq), "maggi");
    assert_string_equal(hamel_equations_name(eq, HAMEL_OBSERVABLES, 0), "a");
    assert_string_equal(hamel_equations_name(eq, HAMEL_CONSTRAINTS, 0), "roll");
    assert_string_equal(hamel_equations_name(eq, HAMEL_RESIDUALS, 0), "motion");
    assert_null(hamel_equations_name(eq, HAMEL_RATES, 0));
    char *text = hamel_equations_text(eq, hamel_equations_at(eq, HAMEL_OBSERVABLES, 0), HAMEL_TEXT);
    assert_string_equal(text, "abs(y) + x^2/3");
    hamel_free(text);
    text = hamel_equations_text(eq, hamel_equations_at(eq, HAMEL_INVARIANTS, 0), HAMEL_LATEX);
    assert_non_null(strstr(text, "operatorname{atan2}"));
    hamel_free(text);
    const hamel_expr u = hamel_equations_at(eq, HAMEL_UNKNOWNS, 0);
    hamel_node node;
    assert_int_equal(hamel_equations_node(eq, u, &node), 1);
    assert_string_equal(node.kind, "symbol");
    assert_string_equal(node.role, "coordinate");
    assert_int_equal(node.order, 2);
    assert_int_equal(strlen(node.name), 3);
    bool k = false, f = false, t = false;
    for (hamel_expr e = 0; hamel_equations_node(eq, e, &node); e++) {
        if (strcmp(node.kind, "symbol") != 0) continue;
        k = k || (strcmp(node.name, "k") == 0 && strcmp(node.role, "parameter") == 0);
        f = f || (strcmp(node.name, "f") == 0 && strcmp(node.role, "function") == 0);
        t = t || strcmp(node.role, "momentum") == 0;
    }
    assert_true(k && f && !t);
    hamel_equations_free(eq);
}

static void what_is_not_there_is_told(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_equations *eq = small(ctx), *none = eq;
    hamel_model *m;
    hamel_node node;
    assert_int_equal(hamel_equations_at(eq, HAMEL_RATES, SIZE_MAX), HAMEL_NO_EXPR);
    assert_int_equal(hamel_equations_at(eq, (hamel_part)1000, 0), HAMEL_NO_EXPR);
    assert_int_equal(hamel_equations_at(eq, (hamel_part)-1, 0), HAMEL_NO_EXPR);
    assert_int_equal(hamel_equations_count(eq, (hamel_part)1000), 0);
    assert_int_equal(hamel_equations_node(eq, HAMEL_NO_EXPR, &node), 0);
    assert_int_equal(hamel_equations_node(eq, 0, NULL), 0);
    assert_null(hamel_equations_text(eq, HAMEL_NO_EXPR, HAMEL_TEXT));
    assert_null(hamel_equations_text(eq, 0, HAMEL_HTML));
    assert_null(hamel_equations_name(eq, HAMEL_ENERGIES, 4));
    assert_int_equal(hamel_equations_nodes(NULL), 0);
    assert_int_equal(hamel_equations_count(NULL, HAMEL_RATES), 0);
    assert_int_equal(hamel_equations_at(NULL, HAMEL_RATES, 0), HAMEL_NO_EXPR);
    assert_int_equal(hamel_equations_node(NULL, 0, &node), 0);
    assert_null(hamel_equations_text(NULL, 0, HAMEL_TEXT));
    assert_null(hamel_equations_form(NULL));
    assert_null(hamel_equations_name(NULL, HAMEL_RATES, 0));
    hamel_equations_free(NULL);
    assert_int_equal(hamel_model_open(ctx, "sleigh", &m), HAMEL_OK);
    assert_int_equal(hamel_model_equations(m, "no", &none), HAMEL_USAGE);
    assert_null(none);
    assert_int_equal(hamel_model_equations(m, "lagrange", &none), HAMEL_MODEL);
    assert_int_equal(hamel_model_equations(m, NULL, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_model_equations(NULL, NULL, &none), HAMEL_USAGE);
    assert_int_equal(hamel_model_equations(m, NULL, &none), HAMEL_OK); // .. and the context goes on
    hamel_equations_free(none);
    hamel_context_destroy(ctx);
    hamel_equations_free(eq);
}

// --- verdicts ------------------------------------------------------------------------------------

static const char *string_of(const json_value *v, const char *key) {
    const json_value *found = member(v, key);
    return found ? found->string : NULL;
}

static void assert_same_string(const char *a, const char *b) {
    if (a && b) assert_string_equal(a, b);
    else assert_true(!a && !b);
}

static void verdicts_are_those_of_prove(void **state) {
    (void)state;
    static const char *const models[] = {"sleigh", "knife_edge", "henon_heiles", "appell_hamel"};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        hamel_verdicts *w;
        hamel_verdict v;
        char *json;
        assert_int_equal(hamel_model_open(ctx, models[k], &m), HAMEL_OK);
        const hamel_status status = hamel_model_judge(m, NULL, 0, 7, &w);
        assert_int_equal(hamel_model_prove_seeded(m, "all", 0, 7, HAMEL_JSON, &json), status);
        hamel_context_destroy(ctx);
        json_value *all = read_json(json);
        hamel_free(json);
        const json_value *list = json_member(all, "verdicts");
        assert_int_equal(hamel_verdicts_count(w), list->count);
        for (size_t i = 0; i < list->count; i++) {
            const json_value *line = json_item(list, i), *scope = member(line, "scope"),
                             *witness = json_member(line, "witness");
            assert_int_equal(hamel_verdicts_at(w, i, &v), 1);
            assert_string_equal(v.kind, json_member(line, "kind")->string);
            assert_string_equal(v.name, json_member(line, "name")->string);
            assert_string_equal(v.verdict, json_member(line, "verdict")->string);
            assert_string_equal(v.method, json_member(line, "method")->string);
            assert_string_equal(v.bound, json_member(line, "bound")->string);
            assert_same_string(v.residual, string_of(line, "residual"));
            assert_same_string(v.relative, string_of(line, "relative"));
            assert_same_string(v.remark, string_of(line, "remark"));
            assert_same_string(v.place, string_of(line, "place"));
            assert_int_equal(v.identity, member(line, "identity") != NULL);
            assert_int_equal(v.scope_count, scope ? scope->count : 0);
            for (size_t s = 0; s < v.scope_count; s++)
                assert_string_equal(v.scope[s], json_item(scope, s)->string);
            assert_int_equal(v.witness_count, witness->count);
            for (size_t s = 0; s < v.witness_count; s++)
                assert_string_equal(v.witness_value[s],
                                    json_member(witness, v.witness_name[s])->string);
        }
        assert_int_equal(hamel_verdicts_at(w, list->count, &v), 0);
        json_value_free(all);
        hamel_verdicts_free(w);
    }
}

static void verdicts_of_nothing_are_told(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_verdicts *w;
    hamel_verdict v;
    assert_int_equal(hamel_model_open(ctx, "sleigh", &m), HAMEL_OK);
    assert_int_equal(hamel_model_judge(m, "no", 0, 0, &w), HAMEL_USAGE);
    assert_null(w);
    assert_int_equal(hamel_model_judge(m, NULL, 0, 0, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_model_judge(NULL, NULL, 0, 0, &w), HAMEL_USAGE);
    assert_int_equal(hamel_verdicts_count(NULL), 0);
    assert_int_equal(hamel_verdicts_at(NULL, 0, &v), 0);
    hamel_verdicts_free(NULL);
    const char wrong[] = "coord x\nkinetic x'^2/2\nclaim no: x'' = 1\n";
    assert_int_equal(hamel_model_parse(ctx, "wrong", wrong, strlen(wrong), &m), HAMEL_OK);
    assert_int_equal(hamel_model_judge(m, NULL, 0, 0, &w), HAMEL_REFUTED);
    assert_non_null(w);
    assert_int_equal(hamel_verdicts_at(w, 0, NULL), 0);
    bool refuted = false;
    for (size_t i = 0; hamel_verdicts_at(w, i, &v); i++)
        refuted = refuted || (strcmp(v.name, "no") == 0 && strcmp(v.verdict, "refuted") == 0);
    assert_true(refuted);
    hamel_verdicts_free(w);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_vanish_where_eval_says_the_motion_is),
        cmocka_unit_test(texts_are_those_that_matrices_writes),
        cmocka_unit_test(nodes_say_what_they_are),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(verdicts_are_those_of_prove),
        cmocka_unit_test(verdicts_of_nothing_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
