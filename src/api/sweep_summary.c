// What a sweep says of itself.
#include "api/sweep_again.h"
#include "api/sweep_causes.h"

#include "base/decimal.h"
#include "derive/formalism.h"

#include <math.h>
#include <string.h>

// --- counts --------------------------------------------------------------------------------------

typedef struct {
    uint64_t numbers; // that are no NaN
    double least, most, sum;
} column_counts;

enum { OUTCOMES = SWEEP_OTHER + 1 };
typedef struct {
    uint64_t runs, failed, by_outcome[OUTCOMES], *by_event;
    column_counts *column;
} counts;

static void count_run(counts *c, uint32_t columns, const double *collected, const sweep_end *end) {
    c->runs++, c->by_outcome[end->outcome]++;
    c->failed += end->outcome > SWEEP_STOPPED;
    if (end->outcome == SWEEP_STOPPED) c->by_event[end->event]++;
    for (uint32_t i = 0; i < columns; i++) {
        column_counts *k = &c->column[i];
        if (isnan(collected[i])) continue;
        k->least = k->numbers ? fmin(k->least, collected[i]) : collected[i];
        k->most = k->numbers ? fmax(k->most, collected[i]) : collected[i];
        k->sum += collected[i], k->numbers++;
    }
}

static counts count_all(const sweep_job *j) {
    arena *a = &j->m->ctx->arena;
    const uint32_t columns = j->collected_count;
    const uint64_t chunks = sweep_store_chunks(j->store),
                   most = chunks ? sweep_store_count(j->store, 0) : 0;
    counts c = {.by_event = arena_array(a, uint64_t, j->m->events_count + 1),
                .column = arena_array(a, column_counts, columns)};
    double *collected = memory_array(double, most *columns + 1);
    sweep_end *end = memory_array(sweep_end, most);
    for (uint64_t k = 0; k < chunks; k++) {
        if (!sweep_store_get(j->store, k, collected, end)) continue;
        for (uint64_t i = 0; i < sweep_store_count(j->store, k); i++)
            count_run(&c, columns, collected + i * columns, end + i);
    }
    memory_free(collected), memory_free(end);
    return c;
}

// --- words ---------------------------------------------------------------------------------------

// How runs ended, in the order of the outcomes: the words, and how many
static bool next_ending(const sweep_job *j, const counts *c, uint32_t *at, const char **words,
                        uint64_t *number) {
    for (; *at < OUTCOMES + j->m->events_count; ++*at) {
        const bool of_event = *at >= OUTCOMES;
        const sweep_end end = {.outcome = of_event ? SWEEP_STOPPED : (sweep_outcome)*at,
                               .event = of_event ? (int32_t)(*at - OUTCOMES) : -1};
        if (*at == SWEEP_STOPPED) continue;
        *number = of_event ? c->by_event[end.event] : c->by_outcome[end.outcome];
        if (!*number) continue;
        *words = sweep_end_words(&end, j->event);
        ++*at;
        return true;
    }
    return false;
}

static void put_values(const sweep_job *j, uint64_t run, text *out) {
    const uint32_t count = sweep_plan_values(j->plan);
    double *value = memory_array(double, count + 1);
    sweep_plan_find(j->plan, run, value);
    for (uint32_t i = 0; i < count; i++) {
        text_format(out, "%s%s = ", i ? ", " : "", sweep_plan_name(j->plan, i));
        decimal_append(value[i], out);
    }
    memory_free(value);
}

// Why runs ended so: those without a start, and all that fail in pieces
static bool find_cause(const sweep_job *j, const counts *c, sweep_outcome ended, sweep_cause *out) {
    if (ended != SWEEP_NO_START && !sweep_job_motion(j)->of_pieces) return false;
    return sweep_cause_find(j, ended, c->by_outcome[ended], out);
}

static const char *words_of(const sweep_job *j, sweep_outcome ended) {
    return sweep_end_words(&(sweep_end){.outcome = ended, .event = -1}, j->event);
}

static void put_cause(const sweep_job *j, const counts *all, sweep_outcome ended, text *out) {
    sweep_cause c;
    if (!find_cause(j, all, ended, &c)) return;
    text_format(out, "\n%s: %s\n", words_of(j, ended), c.words);
    if (c.count < c.looked)
        text_format(out, "  in %llu of %llu runs that were looked at", (unsigned long long)c.count,
                    (unsigned long long)c.looked);
    text_format(out, "%s run %llu: ", c.count < c.looked ? ", such as" : "  such as",
                (unsigned long long)c.run);
    put_values(j, c.run, out);
    text_char(out, '\n');
}

// "no_start": ..
static void write_cause(const sweep_job *j, const counts *all, sweep_outcome ended, json *out) {
    sweep_cause c;
    if (!find_cause(j, all, ended, &c)) return;
    char *name = arena_copy(&j->m->ctx->arena, words_of(j, ended), strlen(words_of(j, ended)));
    for (char *space = strchr(name, ' '); space; space = strchr(space, ' ')) *space = '_';
    json_open(out, name, '{');
    json_string(out, "why", c.words);
    json_open(out, "constraints", '[');
    for (uint32_t i = 0; i < c.constraint_count; i++) json_string(out, NULL, c.constraint[i]);
    json_close(out, ']');
    json_integer(out, "runs", (int64_t)c.count);
    json_integer(out, "looked", (int64_t)c.looked);
    json_integer(out, "run", (int64_t)c.run);
    json_open(out, "values", '{');
    const uint32_t count = sweep_plan_values(j->plan);
    double *value = memory_array(double, count + 1);
    sweep_plan_find(j->plan, c.run, value);
    for (uint32_t i = 0; i < count; i++) json_number(out, sweep_plan_name(j->plan, i), value[i]);
    memory_free(value);
    json_close(out, '}');
    json_close(out, '}');
}

// What the column `off by` is made of
static void put_again(const sweep_job *j, text *out) {
    const sweep_again *g = j->again;
    if (!g) return;
    text_format(out, "\noff by: the most that %u of the runs differ from themselves ", g->runs);
    if (g->step > 0) text_format(out, "by steps of %g", g->step);
    else text_format(out, "at a tolerance of %g", g->tolerance);
    if (g->ended_unlike) text_format(out, "; %u of them end otherwise", g->ended_unlike);
    text_char(out, '\n');
}

static void write_again(const sweep_job *j, json *out) {
    const sweep_again *g = j->again;
    if (!g) return;
    json_open(out, "again", '{');
    json_integer(out, "runs", g->runs);
    json_integer(out, "ended_otherwise", g->ended_unlike);
    if (g->step > 0) json_number(out, "step", g->step);
    else json_number(out, "tolerance", g->tolerance);
    json_close(out, '}');
}

void sweep_summary_text(const void *of, text *out) {
    const sweep_job *j = of;
    const hamel_motion *w = sweep_job_motion(j);
    const counts c = count_all(j);
    text_format(out, "%s by %s, %s, tolerance %g, to t = ", j->m->title ? j->m->title : j->m->name,
                w->j->form->id, w->j->method->id, w->j->r.asked.tolerance);
    text_append(out, sweep_job_end_words(j));
    const uint64_t runs = sweep_plan_runs(j->plan);
    text_format(out, "\n%llu run%s", (unsigned long long)runs, runs == 1 ? "" : "s");
    if (c.runs < runs) text_format(out, ", %llu of them finished", (unsigned long long)c.runs);
    if (j->asked->resume)
        text_format(out, ", %llu from the journal",
                    (unsigned long long)sweep_store_resumed(j->store));
    text_append(out, "; how they ended:\n");
    const char *words;
    uint64_t number;
    for (uint32_t at = 0; next_ending(j, &c, &at, &words, &number);)
        text_format(out, "  %-24s %12llu\n", words, (unsigned long long)number);
    for (int k = SWEEP_NO_START; k < OUTCOMES; k++) put_cause(j, &c, (sweep_outcome)k, out);
    text_format(out, "\n  %-24s %16s %16s %16s%s\n", "collected", "least", "mean", "most",
                j->again ? "   off by" : "");
    for (uint32_t i = 0; i < j->collected_count; i++) {
        const column_counts *k = &c.column[i];
        text_format(out, "  %-24s", j->collected[i].name);
        if (k->numbers)
            text_format(out, " %16.9g %16.9g %16.9g", k->least, k->sum / (double)k->numbers,
                        k->most);
        else text_append(out, "  none");
        if (k->numbers && j->again) text_format(out, " %8.1g", j->again->off_by[i]);
        text_char(out, '\n');
    }
    put_again(j, out);
}

void sweep_summary_json(const void *of, json *out) {
    const sweep_job *j = of;
    const hamel_motion *w = sweep_job_motion(j);
    const counts c = count_all(j);
    const char *words;
    uint64_t number;
    json_open(out, NULL, '{');
    json_string(out, "system", j->m->name);
    json_integer(out, "runs", (int64_t)sweep_plan_runs(j->plan));
    json_integer(out, "finished", (int64_t)c.runs);
    if (j->asked->resume) json_integer(out, "resumed", (int64_t)sweep_store_resumed(j->store));
    json_integer(out, "failed", (int64_t)c.failed);
    json_open(out, "columns", '[');
    for (uint32_t i = 0; i < sweep_plan_values(j->plan); i++)
        json_string(out, NULL, sweep_plan_name(j->plan, i));
    for (uint32_t i = 0; i < j->collected_count; i++) json_string(out, NULL, j->collected[i].name);
    json_string(out, NULL, "ended");
    json_close(out, ']');
    json_string(out, "form", w->j->form->id);
    json_string(out, "method", w->j->method->id);
    json_number(out, "tolerance", w->j->r.asked.tolerance);
    json_string(out, "until", sweep_job_end_words(j));
    json_open(out, "ended", '{');
    for (uint32_t at = 0; next_ending(j, &c, &at, &words, &number);)
        json_integer(out, words, (int64_t)number);
    json_close(out, '}');
    for (int k = SWEEP_NO_START; k < OUTCOMES; k++) write_cause(j, &c, (sweep_outcome)k, out);
    json_open(out, "collected", '[');
    for (uint32_t i = 0; i < j->collected_count; i++) {
        const column_counts *k = &c.column[i];
        json_open(out, NULL, '{');
        json_string(out, "name", j->collected[i].name);
        json_integer(out, "numbers", (int64_t)k->numbers);
        if (k->numbers) {
            json_number(out, "least", k->least);
            json_number(out, "mean", k->sum / (double)k->numbers);
            json_number(out, "most", k->most);
            if (j->again) json_number(out, "off_by", j->again->off_by[i]);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
    write_again(j, out);
    api_write_warnings(j->m->ctx, out);
    json_close(out, '}');
}
