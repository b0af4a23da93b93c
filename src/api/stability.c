// Stability along a parameter: what `stability` says, in words and as JSON.
#include "api/stability_job.h"

#include "api/linear_job.h"
#include "study/even_spectrum.h"

#include <math.h>
#include <string.h>

enum { STEPS = 200 };
static const double BEYOND = 1e-6; // of the interval: so that a critical value at its end is seen

static const char *const KIND[TESTS] = {"zero", "hopf", "double"};
static const char *const VERDICT[] = {"undecided", "stable", "unstable", "marginal"};

// --- output --------------------------------------------------------------------------------------

static const char *bound(const stability_job *j, const stable_piece *p, bool high) {
    const arb_t *end = high ? &p->high : &p->low;
    const arb_struct *asked = high ? j->vary.what.high : j->vary.what.low;
    arb_t d;
    arb_init(d);
    arb_sub(d, *end, asked, 64);
    const bool whole = high ? !arb_is_negative(d) : !arb_is_positive(d);
    arb_clear(d);
    return steady_job_number(&j->vary.steady, whole ? asked : *end);
}

static void write_pieces(const stability_job *j, json *out, const char *key, stability_verdict v) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < j->pieces.count; i++) {
        const stable_piece *p = &j->pieces.at[i];
        if (p->verdict != v) continue;
        json_open(out, NULL, '[');
        json_string(out, NULL, bound(j, p, false)), json_string(out, NULL, bound(j, p, true));
        json_close(out, ']');
    }
    json_close(out, ']');
}

// Where pieces begin that are not proved to be of the same motion as those before them
static void write_breaks(const stability_job *j, json *out) {
    json_open(out, "breaks", '[');
    for (uint32_t i = 0; i < j->pieces.count; i++)
        if (!j->pieces.at[i].joined && j->pieces.at[i].verdict != STABLE_UNDECIDED)
            json_string(out, NULL, bound(j, &j->pieces.at[i], false));
    json_close(out, ']');
}

static void write_critical(const stability_job *j, json *out) {
    json_open(out, "critical", '[');
    for (uint32_t i = 0; i < j->critical.count; i++) {
        const critical_value *c = &j->critical.at[i];
        json_open(out, NULL, '{');
        json_string(out, "value", steady_job_number(&j->vary.steady, c->value));
        if (c->proved)
            json_string(out, "radius", steady_job_radius(&j->vary.steady, arb_radref(c->value)));
        json_string(out, "kind", KIND[c->kind]);
        if (c->frequency > 0) json_number(out, "frequency", c->frequency);
        json_bool(out, "stable_above", c->stable_above);
        if (c->even && !c->proved) json_bool(out, "touches", true);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_json_end(const stability_job *j, const char *key, scan_end why,
                           const path_end *end, double at, json *out) {
    static const char *const words[] = {"", "fold", "lost", "rows"};
    if (why == ENDS_WHERE_ASKED) return;
    json_open(out, key, '{');
    if (end->refined) json_string(out, "value", steady_job_number(&j->vary.steady, end->value));
    else json_number(out, "value", at);
    if (end->proved)
        json_string(out, "radius", steady_job_radius(&j->vary.steady, arb_radref(end->value)));
    json_string(out, "why", end->refined && !end->is_fold ? "branch" : words[why]);
    json_close(out, '}');
}

static void write_json(const void *of, json *out) {
    const stability_job *j = of;
    json_open(out, NULL, '{');
    json_string(out, "parameter", j->vary.what.name);
    json_open(out, "interval", '[');
    json_string(out, NULL, steady_job_number(&j->vary.steady, j->vary.what.low));
    json_string(out, NULL, steady_job_number(&j->vary.steady, j->vary.what.high));
    json_close(out, ']');
    json_integer(out, "eigenvalues", j->rows.count);
    json_integer(out, "neutral", j->rows.neutral);
    if (j->kind.zeros) json_integer(out, "zeros", j->kind.zeros);
    write_critical(j, out);
    write_pieces(j, out, "stable", STABLE_YES);
    write_pieces(j, out, "marginal", STABLE_MARGINAL);
    write_pieces(j, out, "unstable", STABLE_NO);
    write_pieces(j, out, "undecided", STABLE_UNDECIDED);
    write_breaks(j, out);
    if (j->has_conditions) linear_job_conditions_data(j->vary.steady.m, &j->conditions, out);
    write_json_end(j, "begins", j->rows.low_end, &j->begin, j->rows.row[0].p, out);
    write_json_end(j, "ends", j->rows.high_end, &j->end, j->rows.row[j->rows.row_count - 1].p, out);
    json_close(out, '}');
}

// Where the path of steady motions ends inside of the interval
static void write_end(const stability_job *j, const char *key, scan_end why, const path_end *end,
                      double at, text *out) {
    static const char *const words[] = {"", "two steady motions meet there and cease to exist",
                                        ("no steady motion was found beyond, or its rates have no "
                                         "derivatives there"),
                                        "the steps are used up: give a shorter interval"};
    if (why == ENDS_WHERE_ASKED) return;
    if (end->refined)
        text_format(out, "%-14s at %s: %s%s\n", key, steady_job_number(&j->vary.steady, end->value),
                    end->is_fold ? words[why] : "branches of steady motions cross there",
                    end->proved ? "" : " (not proved)");
    else text_format(out, "%-14s near %.10g: %s\n", key, at, words[why]);
}

static const char *words_of(const critical_value *c) {
    static const char *const once[TESTS] = {"an eigenvalue passes through 0",
                                            "a pair crosses the imaginary axis",
                                            "two eigenvalues meet"};
    static const char *const touching[TESTS] = {"an eigenvalue touches 0",
                                                "a pair touches the imaginary axis",
                                                "two eigenvalues meet and pass each other"};
    static const char *const twice[TESTS] = {"two eigenvalues pass through 0 at once",
                                             "two pairs cross the imaginary axis at once",
                                             "two eigenvalues meet"};
    return (!c->even ? once : c->proved ? twice : touching)[c->kind];
}

static void write_text(const void *of, text *out) {
    const stability_job *j = of;
    const char *unit = api_unit_in_brackets(j->vary.steady.m, j->vary.symbol);
    text_format(out, "along          %s from %s to %s%s\n", j->vary.what.name,
                steady_job_number(&j->vary.steady, j->vary.what.low),
                steady_job_number(&j->vary.steady, j->vary.what.high), unit);
    text_format(out, "eigenvalues    %u, and %u neutral directions\n", j->rows.count,
                j->rows.neutral);
    if (j->critical.count) text_append(out, "critical\n");
    for (uint32_t i = 0; i < j->critical.count; i++) {
        const critical_value *c = &j->critical.at[i];
        text_format(out, "  %-34s%s %-6s %s%s\n", steady_job_number(&j->vary.steady, c->value),
                    unit, KIND[c->kind], words_of(c), c->proved ? "" : " (not proved)");
    }
    text_append(out, j->pieces.count ? "proved\n" : "");
    for (uint32_t i = 0; i < j->pieces.count; i++) {
        const stable_piece *p = &j->pieces.at[i];
        text_format(out, "  %-10s from %s to %s%s\n", VERDICT[p->verdict], bound(j, p, false),
                    bound(j, p, true),
                    p->joined || p->verdict == STABLE_UNDECIDED
                        ? ""
                        : "; of a motion that may be another one than before");
    }
    write_end(j, "begins", j->rows.low_end, &j->begin, j->rows.row[0].p, out);
    write_end(j, "ends", j->rows.high_end, &j->end, j->rows.row[j->rows.row_count - 1].p, out);
    if (j->has_conditions) linear_job_conditions_words(j->vary.steady.m, &j->conditions, out);
    if (j->drawing) {
        text_char(out, '\n');
        plot_figure_characters(j->drawing, out);
    }
}

// --- the job -------------------------------------------------------------------------------------

static void find_critical(stability_job *j) {
    critical_clear(&j->critical);
    scan_test(&j->rows, j->kind);
    critical_find(&j->rows, j->kind, j->idle, j->vary.what.low, j->vary.what.high, &j->critical);
}

static hamel_status look(stability_job *j, uint32_t steps) {
    vary_job *v = &j->vary;
    context *ctx = v->steady.m->ctx;
    if (!v->path.changes) {
        diag_error(
            ctx, (span){0}, "`hamel linearise` has its eigenvalues",
            "nothing depends on `%s`: the steady motion and what is linear around it are the "
            "same for all its values",
            v->what.name);
        return HAMEL_USAGE;
    }
    const double low = ball_middle(v->what.low), high = ball_middle(v->what.high),
                 more = BEYOND * (high - low);
    scan_create(&v->path, v->start, low - more, high + more, steps, &j->rows);
    if (!j->rows.has_values) {
        diag_error(ctx, (span){0}, "try another state",
                   "the rates have no derivatives at the steady motion with %s = %.10g",
                   v->what.name, v->start);
        return HAMEL_NUMERICS;
    }
    j->kind.even = j->rows.count % 2 == 0 && even_spectrum_is_proved(&v->path);
    critical_look_at(&j->rows, &j->kind, j->idle);
    find_critical(j);
    return HAMEL_OK;
}

hamel_status stability_job_scan(model *m, const char *at, const char *words, uint32_t steps,
                                stability_job *j) {
    *j = (stability_job){0};
    const hamel_status status = vary_job_run(m, at, words, false, &j->vary);
    return status ? status : look(j, steps);
}

void stability_job_close(stability_job *j) {
    if (j->begin.refined) arb_clear(j->begin.value);
    if (j->end.refined) arb_clear(j->end.value);
    stable_pieces_clear(&j->pieces);
    critical_clear(&j->critical);
    scan_clear(&j->rows);
    vary_job_close(&j->vary);
}

hamel_status stability_job_scan_from(const steady_job *known, const ode *o, const char *words,
                                     uint32_t steps, stability_job *j) {
    *j = (stability_job){0};
    const hamel_status status = vary_job_from(known, o, words, &j->vary);
    return status ? status : look(j, steps);
}

static hamel_status finish(stability_job *j, const struct format *as, const hamel_plot *plot,
                           char **result) {
    stability_figure f = {0};
    hamel_status status = plot ? stability_figure_open(j, plot, &f) : HAMEL_OK;
    if (!status && plot && plot->output) {
        status = stability_figure_write(&f, (byte_writer){0}); // it goes to a file
    } else if (!status && plot) {
        j->drawing = &f.draw;
    }
    if (!status)
        status = api_finish_result(
            as, &(printable){j, write_text, write_json, j->vary.steady.s->model}, result);
    if (plot) stability_figure_close(&f);
    return status;
}

static hamel_status stability(hamel_model *m, const char *at, const char *vary,
                              const hamel_plot *plot, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    if (plot && plot->output && strcmp(plot->output, "-") == 0) {
        diag_error(m->ctx, (span){0}, "give the name of a file",
                   "a figure of stability is not written to standard output");
        return HAMEL_USAGE;
    }
    if (plot && !stability_figure_is_csv(plot)) {
        const hamel_status status = plot_check_output(m->ctx, plot);
        if (status) return status;
    }
    if (vary_is_plane(vary)) return stability_map_call(m, at, vary, plot, as, result);
    stability_job j;
    hamel_status status = stability_job_scan(m, at, vary, STEPS, &j);
    if (!status) status = stability_job_prove(&j);
    if (!status) stability_job_formula(&j);
    if (!status) status = finish(&j, as, plot, result);
    stability_job_close(&j);
    return status;
}

hamel_status hamel_model_stability(hamel_model *m, const char *at, const char *vary,
                                   const hamel_plot *plot, hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, vary);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, stability(m, at, vary, plot, format, result), "stability of `%s`",
             m->name);
}
