// Statements sweep, samples and collect, as they were understood.
#include "api/sweep_list.h"

#include "api/api_internal.h"
#include "base/decimal.h"
#include "expr/program.h"

#include <inttypes.h>

static const char *const sampler_words[] = {
    [SAMPLER_RANDOM] = "random", [SAMPLER_SOBOL] = "sobol", [SAMPLER_LATIN] = "latin"};
static const char *const collect_words[] = {
    [COLLECT_FINAL] = "final", [COLLECT_MAX] = "max",     [COLLECT_MIN] = "min",
    [COLLECT_MEAN] = "mean",   [COLLECT_FIRST] = "first", [COLLECT_COUNT] = "count"};

static void write_targets(const model *m, const varying *v, text *out) {
    for (uint32_t i = 0; i < v->target_count; i++)
        text_format(out, i ? ", %s" : "%s", expr_symbol_text(m->pool, v->target[i]));
}

// 9.81 for 981/100, 1/3 as it is
static void write_number(const model *m, expr e, text *out) {
    bool decimal = expr_is_number(m->pool, e);
    fmpz_t rest;
    fmpz_init(rest);
    if (decimal) {
        static const ulong primes[] = {2, 5};
        fmpz_set(rest, fmpq_denref(expr_number_value(m->pool, e)));
        for (int i = 0; i < 2; i++)
            while (fmpz_divisible_si(rest, (slong)primes[i]))
                fmpz_divexact_ui(rest, rest, primes[i]);
        decimal = fmpz_is_one(rest);
    }
    fmpz_clear(rest);
    if (decimal) decimal_append(expr_value(m->pool, e, NULL), out);
    else api_write_expression(m, e, out);
}

// " = 1 .. 2 count 10", " in {1, 2}", " in normal(0, 1/10)", " from 100 rows"
static void write_values(const model *m, const varying *v, text *out) {
    switch (v->kind) {
    case VARY_GRID:
        text_append(out, " = "), write_number(m, v->first, out);
        text_append(out, " .. "), write_number(m, v->second, out);
        text_format(out, " count %" PRIu64, v->count);
        return;
    case VARY_LIST:
        for (uint64_t i = 0; i < v->count; i++)
            text_append(out, i ? ", " : " in {"), write_number(m, v->list[i], out);
        text_char(out, '}');
        return;
    case VARY_ROWS:
        text_format(out, " from %" PRIu64 " row%s", v->count, v->count == 1 ? "" : "s");
        return;
    case VARY_UNIFORM:
    case VARY_NORMAL:
        text_append(out, v->kind == VARY_UNIFORM ? " in uniform(" : " in normal(");
        write_number(m, v->first, out);
        text_append(out, ", "), write_number(m, v->second, out);
        text_char(out, ')');
    }
}

static void write_collected(const model *m, const collected *c, text *out) {
    text_format(out, "%s(", collect_words[c->kind]);
    if (c->value == EXPR_NONE) text_append(out, c->event_name);
    else api_write_expression(m, c->value, out);
    text_char(out, ')');
}

static void begin_line(const char *word, int width, text *out) {
    text_format(out, "%-*s ", width, word);
}

void sweep_list_text(const model *m, int width, text *out) {
    for (uint32_t i = 0; i < m->sweeps_count; i++) {
        begin_line("sweep", width, out);
        write_targets(m, &m->sweeps[i], out), write_values(m, &m->sweeps[i], out);
        text_char(out, '\n');
    }
    if (m->samples.count) {
        begin_line("samples", width, out);
        text_format(out, "%" PRIu64 " %s seed %" PRIu64 "\n", m->samples.count,
                    sampler_words[m->samples.how], m->samples.seed);
    }
    for (uint32_t i = 0; i < m->collects_count; i++) {
        const collected *c = &m->collects[i];
        begin_line("collect", width, out);
        text_format(out, "%s = ", c->name), write_collected(m, c, out);
        text_format(out, c->unit ? " [%s]\n" : "\n", c->unit);
    }
}

static void write_json_words(json *out, const char *key, text *words) {
    json_text(out, key, words);
    text_free(words);
}

void sweep_list_json(const model *m, json *out) {
    if (m->sweeps_count) json_open(out, "sweep", '[');
    for (uint32_t i = 0; i < m->sweeps_count; i++) {
        const varying *v = &m->sweeps[i];
        text words = {0};
        json_open(out, NULL, '{');
        json_open(out, "names", '[');
        for (uint32_t k = 0; k < v->target_count; k++)
            json_string(out, NULL, expr_symbol_text(m->pool, v->target[k]));
        json_close(out, ']');
        write_targets(m, v, &words), write_values(m, v, &words);
        write_json_words(out, "words", &words);
        json_close(out, '}');
    }
    if (m->sweeps_count) json_close(out, ']');
    if (m->samples.count) {
        json_open(out, "samples", '{');
        json_integer(out, "count", (int64_t)m->samples.count);
        json_string(out, "how", sampler_words[m->samples.how]);
        json_integer(out, "seed", (int64_t)m->samples.seed);
        json_close(out, '}');
    }
    if (m->collects_count) json_open(out, "collect", '[');
    for (uint32_t i = 0; i < m->collects_count; i++) {
        text words = {0};
        json_open(out, NULL, '{');
        json_string(out, "name", m->collects[i].name);
        write_collected(m, &m->collects[i], &words);
        write_json_words(out, "words", &words);
        if (m->collects[i].unit) json_string(out, "unit", m->collects[i].unit);
        json_close(out, '}');
    }
    if (m->collects_count) json_close(out, ']');
}
