// Derivatives along derivatives at a point of F_p, against those of expressions: the second route
// differentiates with expr_pushforward() and directions_bracket() and evaluates what comes out.
#include "support/support.h"

#include "analyse/flag.h"
#include "expr/nilpotent.h"
#include "unit/t_normal_words.h"

#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 4, VARIABLES = 3, POINTS = 3 };

// --- one expression ------------------------------------------------------------------------------

typedef struct {
    reader_of_words *r;
    expr variable[VARIABLES], direction[DIRECTIONS][VARIABLES];
    modular_point at;
    mp_limb_t *value;
} place;

static void place_set(place *at, uint64_t seed) {
    at->at = modular_point_random(modular_angles_of(at->r->p), &seed);
    for (uint32_t i = 0; i < pool_symbol_count(at->r->p); i++)
        at->value[i] = random_next(&seed) % at->at.prime;
}

// Each direction has an infinitesimal of its own; the coefficient of those in `mask`.
static modular_status coefficient(place *at, nilpotent *n, uint32_t mask, mp_limb_t *out) {
    mp_limb_t x[VARIABLES << DIRECTIONS] = {0}, y[1 << DIRECTIONS];
    for (uint32_t i = 0; i < VARIABLES; i++) {
        x[i << DIRECTIONS] = at->value[expr_symbol_index(at->r->p, at->variable[i])];
        for (uint32_t k = 0; k < DIRECTIONS; k++)
            x[(i << DIRECTIONS) + (1u << k)] =
                at->value[expr_symbol_index(at->r->p, at->direction[k][i])];
    }
    modular_status status = nilpotent_set(n, &at->at, at->value);
    if (!status) status = nilpotent_run(n, DIRECTIONS, x, y);
    *out = y[mask];
    return status;
}

static expr derivative(const place *at, expr e, uint32_t mask) {
    for (uint32_t k = 0; k < DIRECTIONS; k++)
        if (mask >> k & 1)
            expr_pushforward(at->r->p, VARIABLES, at->variable, at->direction[k], 1, &e, &e);
    return e;
}

static void agrees(const char *words) {
    reader_of_words r = {0};
    words_start(&r);
    place at = {.r = &r};
    static const char *const names[VARIABLES] = {"x", "y", "z"};
    const expr e = words_read(&r, words);
    for (uint32_t i = 0; i < VARIABLES; i++) at.variable[i] = words_read(&r, names[i]);
    for (uint32_t i = 0; i < DIRECTIONS * VARIABLES; i++)
        at.direction[i / VARIABLES][i % VARIABLES] = expr_symbol(r.p, "d", ROLE_PARAMETER);
    nilpotent *n = nilpotent_create(r.p, 1, &e, VARIABLES, at.variable);
    assert_non_null(n);
    at.value = memory_zeros(mp_limb_t, pool_symbol_count(r.p));
    uint32_t compared = 0;
    for (uint32_t mask = 0; mask < 1u << DIRECTIONS; mask++) {
        const expr d = derivative(&at, e, mask);
        program *prog = program_create(r.p, 1, &d);
        for (uint64_t seed = 1; seed <= 10 * POINTS; seed++) {
            mp_limb_t ours, expected;
            place_set(&at, seed);
            if (coefficient(&at, n, mask, &ours) != MODULAR_OK ||
                program_run_modular(prog, &at.at, at.value, &expected) != MODULAR_OK)
                continue;
            if (ours != expected) fail_msg("%s, coefficient %u", words, mask);
            compared++;
        }
        program_free(prog);
    }
    assert_true(compared > POINTS << DIRECTIONS);
    nilpotent_free(n);
    memory_free(at.value);
    words_end(&r);
}

static void mixed_derivatives_are_those_of_the_expression(void **unused) {
    (void)unused;
    agrees("x*y^2 - 3*z + a");
    agrees("sin(x*y + a)*exp(z - 2*x)");
    agrees("cos(x - 2*y + z/2)^3/(1 + y^2 + a*z)");
    agrees("sqrt(a + x^2 + sin(z))/y");
    agrees("(x + y)^(-3)*z^(5/3)*a^2/7");
    agrees("1/(x - cos(y)/(z + exp(x*z)))");
    agrees("tan(x + y*z)^2 - tanh(z/3 + a)");
    agrees("sinh(x*y)*cosh(z - x)");
    agrees("7"); // nothing moves
}

static void what_has_no_rule_is_refused_only_where_it_moves(void **unused) {
    (void)unused;
    reader_of_words r = {0};
    words_start(&r);
    const expr x = words_read(&r, "x"), moving = words_read(&r, "y + abs(x)"),
               still = words_read(&r, "x + abs(a)");
    assert_null(nilpotent_create(r.p, 1, &moving, 1, &x));
    nilpotent *n = nilpotent_create(r.p, 1, &still, 1, &x);
    assert_non_null(n);
    nilpotent_free(n);
    words_end(&r);
}

// --- brackets ------------------------------------------------------------------------------------

// Dimensions of what ALL brackets span, length by length, each built as an expression.
static uint32_t growth_by_expressions(const directions *d, uint32_t *rank) {
    enum { MOST = 160 };
    const uint32_t w = d->width, generators = d->fields - 1;
    expr *field = memory_array(expr, (MOST + 1) * w);
    memcpy(field, d->field, sizeof(expr) * generators * w);
    uint32_t count = generators, first = 0, levels = 0;
    for (;;) {
        const uint32_t now = points_generic_rank(d->at, count, w, field), last = count;
        if (levels && now == rank[levels - 1]) break;
        rank[levels++] = now;
        if (now == w - 1) break;
        for (uint32_t s = 0; s < generators; s++)
            for (uint32_t y = first; y < last; y++) {
                assert_true(count < MOST);
                directions_bracket(d, field + s * w, field + y * w, field + count++ * w);
            }
        first = last;
    }
    memory_free(field);
    return levels;
}

static void flags_grow_as_all_brackets_by_expressions_do(void **unused) {
    (void)unused;
    static const char *const names[] = {
        "sleigh",     "vertical_disc", "rolling_disc", "chaplygin_ball", "suslov",
        "knife_edge", "n_trailer",     "snake",        "bicycle",        "pendulum"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        world w = world_open();
        const mechanics *s = mechanics_of(world_library(&w, names[i]));
        points at = points_of(s);
        const directions d = directions_of(s, &at);
        flag f = flag_generic(&d, d.fields - 1, s->n);
        uint32_t rank[MOST_LEVELS];
        const uint32_t levels = growth_by_expressions(&d, rank);
        if (!f.made) fail_msg("%s: by expressions", names[i]);
        assert_true(f.complete);
        assert_int_equal(f.levels, levels);
        for (uint32_t k = 0; k < levels; k++) assert_int_equal(f.rank[k], rank[k]);
        assert_true(flag_write_out(&d, &f));
        assert_int_equal(points_generic_rank(&at, f.count, d.width, f.field), f.count);
        world_close(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_derivatives_are_those_of_the_expression),
        cmocka_unit_test(what_has_no_rule_is_refused_only_where_it_moves),
        cmocka_unit_test(flags_grow_as_all_brackets_by_expressions_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
