// A small reader of expressions for the tests of the rooms below the parser: names are declared by
// their use. m M J a b g k l R r: parameters; x y z theta phi psi: coordinates, with primes; v w:
// quasi-velocities; lambda: a multiplier; t: time; A(..), F(.., ..): abstract functions.
#ifndef HAMEL_TESTS_NORMAL_WORDS_H
#define HAMEL_TESTS_NORMAL_WORDS_H

#include "expr/expr.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    context ctx;
    pool *p;
    const char *at; // the rest of the text being read
    uint32_t function_a, function_f;
} reader_of_words;

static inline void words_start(reader_of_words *r) {
    context_init(&r->ctx);
    r->p = pool_create(&r->ctx);
    static const char *const parameters[] = {"m", "M", "J", "a", "b", "g", "k", "l", "R", "r"};
    static const char *const coordinates[] = {"x", "y", "z", "theta", "phi", "psi", "q[1]", "q[2]"};
    expr_symbol(r->p, "t", ROLE_TIME);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        expr_symbol(r->p, parameters[i], ROLE_PARAMETER);
    for (size_t i = 0; i < sizeof coordinates / sizeof *coordinates; i++)
        expr_symbol(r->p, coordinates[i], ROLE_COORDINATE);
    expr_symbol(r->p, "v", ROLE_QUASI);
    expr_symbol(r->p, "w", ROLE_QUASI);
    expr_symbol(r->p, "lambda", ROLE_MULTIPLIER);
    expr_symbol(r->p, "lambda[blade]", ROLE_MULTIPLIER);
    r->function_a = pool_function(r->p, "A", 1);
    r->function_f = pool_function(r->p, "F", 2);
}

static inline void words_end(reader_of_words *r) {
    pool_destroy(r->p);
    context_free(&r->ctx);
}

static inline expr read_sum(reader_of_words *r);

static inline bool accept(reader_of_words *r, char c) {
    while (*r->at == ' ') r->at++;
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static inline expr read_call(reader_of_words *r, const char *name, size_t length) {
    expr arguments[2];
    uint32_t n = 0;
    do arguments[n++] = read_sum(r);
    while (accept(r, ','));
    assert(accept(r, ')'));
    char word[16] = {0};
    memcpy(word, name, length < 15 ? length : 15);
    if (strcmp(word, "sqrt") == 0) return expr_sqrt(r->p, arguments[0]);
    if (strcmp(word, "diff") == 0) return expr_diff(r->p, arguments[0], arguments[1]);
    if (strcmp(word, "A") == 0) return expr_apply(r->p, r->function_a, n, arguments);
    if (strcmp(word, "F") == 0) return expr_apply(r->p, r->function_f, n, arguments);
    for (int kind = EXPR_SIN; kind < EXPR_KIND_COUNT; kind++)
        if (strcmp(word, expr_kind_name((expr_kind)kind)) == 0)
            return expr_function(r->p, (expr_kind)kind, arguments);
    assert(!"a known function");
    return EXPR_ZERO;
}

static inline expr read_name(reader_of_words *r) {
    const char *start = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '[' || *r->at == ']') r->at++;
    const size_t length = (size_t)(r->at - start);
    if (accept(r, '(')) return read_call(r, start, length);
    if (length == 2 && memcmp(start, "pi", 2) == 0) return expr_pi(r->p);
    for (uint32_t i = 0; i < pool_symbol_count(r->p); i++) {
        const symbol *s = pool_symbol(r->p, i);
        if (s->order || strlen(s->name) != length || memcmp(s->name, start, length) != 0) continue;
        expr e = s->node;
        for (; *r->at == '\''; r->at++) e = expr_symbol_derivative(r->p, e);
        return e;
    }
    assert(!"a known name");
    return EXPR_ZERO;
}

static inline expr read_atom(reader_of_words *r) {
    if (accept(r, '(')) {
        const expr e = read_sum(r);
        assert(accept(r, ')'));
        return e;
    }
    if (!isdigit((unsigned char)*r->at)) return read_name(r);
    char *end;
    const long n = strtol(r->at, &end, 10);
    r->at = end;
    return expr_int(r->p, n);
}

static inline expr read_power(reader_of_words *r) {
    if (accept(r, '-')) return expr_neg(r->p, read_power(r));
    const expr base = read_atom(r);
    return accept(r, '^') ? expr_pow(r->p, base, read_power(r)) : base;
}

static inline expr read_product(reader_of_words *r) {
    expr e = read_power(r);
    for (;;) {
        if (accept(r, '*')) e = expr_mul(r->p, e, read_power(r));
        else if (accept(r, '/')) e = expr_div(r->p, e, read_power(r));
        else return e;
    }
}

static inline expr read_sum(reader_of_words *r) {
    expr e = read_product(r);
    for (;;) {
        if (accept(r, '+')) e = expr_add(r->p, e, read_product(r));
        else if (accept(r, '-')) e = expr_sub(r->p, e, read_product(r));
        else return e;
    }
}

static inline expr words_read(reader_of_words *r, const char *sentence) {
    r->at = sentence;
    const expr e = read_sum(r);
    while (*r->at == ' ') r->at++;
    assert(!*r->at);
    return e;
}

// A reader for each test: cmocka_unit_test_setup_teardown(TEST, words_setup, words_teardown)
static inline int words_setup(void **state) {
    reader_of_words *r = malloc(sizeof *r);
    words_start(r);
    *state = r;
    return 0;
}

static inline int words_teardown(void **state) {
    words_end(*state);
    free(*state);
    return 0;
}

#endif
