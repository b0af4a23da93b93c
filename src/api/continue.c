// Steady motions along a parameter, through folds and onto branches: the call, in words and JSON.
#include "api/continue_job.h"

#include "study/steady_problem.h"

#include <math.h>
#include <string.h>

enum { USUAL_BRANCHES = 20, USUAL_STEPS = 2000 };

static const char *const KIND[] = {"point", "fold", "branch", "hopf", "end"};
static const char *const VERDICT[] = {"no", "marginal", "yes", "undecided"};
static const char *const END[] = {"bound", "closed", "steps", "infinity", "lost"};

// --- states --------------------------------------------------------------------------------------

uint32_t continue_state_count(const continue_job *j) {
    const mechanics *s = j->vary.steady.problem->s;
    return 2 * s->n + (s->has_quasi ? s->m : 0);
}

const char *continue_state_name(const continue_job *j, uint32_t i) {
    const steady_problem *w = j->vary.steady.problem;
    return expr_symbol_text(w->p, w->unknown[i]);
}

void continue_state(const continue_job *j, const double *y, double *value) {
    const steady_problem *w = j->vary.steady.problem;
    path_point at;
    branch_point_at((branch_system *)&j->all.system, y, 64, &at);
    for (uint32_t i = 0; i < continue_state_count(j); i++)
        value[i] = ball_middle(state_get(&at.x, w->unknown[i]));
    path_point_clear(&at);
}

// --- JSON ----------------------------------------------------------------------------------------

static const char *value_of(const continue_job *j, const special_point *s) {
    if (s->refined) return steady_job_number(&j->vary.steady, s->value);
    return arena_format(&j->vary.steady.m->ctx->arena, "%.6g", ball_middle(s->value));
}

static void write_state(const continue_job *j, const double *y, json *out) {
    const uint32_t count = continue_state_count(j);
    double *v = memory_array(double, count + 1);
    continue_state(j, y, v);
    json_open(out, "state", '{');
    for (uint32_t i = 0; i < count; i++) json_number(out, continue_state_name(j, i), v[i]);
    json_close(out, '}');
    memory_free(v);
}

static void write_special(const continue_job *j, uint32_t number, json *out) {
    const special_point *s = &j->all.special[number];
    json_open(out, NULL, '{');
    json_string(out, "kind", KIND[s->kind]);
    json_string(out, "value", value_of(j, s));
    if (s->proved)
        json_string(out, "radius", steady_job_radius(&j->vary.steady, arb_radref(s->value)));
    write_state(j, s->y, out);
    if (s->kind == POINT_BRANCH) {
        json_open(out, "branches", '[');
        for (uint32_t b = 0; b < j->all.branch_count; b++)
            for (uint32_t i = 0; i < j->all.branch[b].point_count; i++) {
                const branch_point *p = &j->all.branch[b].point[i];
                if (p->kind == POINT_PLAIN || p->special != number) continue;
                json_integer(out, NULL, b + 1);
                break;
            }
        json_close(out, ']');
    }
    if (s->kind == POINT_HOPF) json_number(out, "frequency", s->frequency);
    if (s->has_l1) json_number(out, "l1", s->l1);
    else if (s->kind == POINT_HOPF) json_string(out, "no_l1", s->why ? s->why : "");
    json_close(out, '}');
}

static void write_json_end(const continue_job *j, const branch_point *p, branch_end why,
                           json *out) {
    json_open(out, NULL, '{');
    json_string(out, "kind", "end");
    json_number(out, "value", p->y[j->all.system.r]);
    json_string(out, "why", END[why]);
    write_state(j, p->y, out);
    json_close(out, '}');
}

static void write_points(const continue_job *j, const branch *b, json *out) {
    json_open(out, "points", '[');
    for (uint32_t i = 0; i < b->point_count; i++) {
        const branch_point *p = &b->point[i];
        json_open(out, NULL, '{');
        json_number(out, "value", p->y[j->all.system.r]);
        write_state(j, p->y, out);
        if (p->re) {
            json_open(out, "eigenvalues", '[');
            for (uint32_t k = 0; k < p->count; k++) {
                json_open(out, NULL, '[');
                json_number(out, NULL, p->re[k]), json_number(out, NULL, p->im[k]);
                json_close(out, ']');
            }
            json_close(out, ']');
        }
        if (p->kind != POINT_PLAIN) json_string(out, "kind", KIND[p->kind]);
        else json_string(out, "stable", VERDICT[p->stable + 1]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

// Pieces between special points and changes of the verdict: call for each [first, last]
typedef struct {
    uint32_t first, last;
    int stable;
} piece;

// The piece that begins at `from`, or false
static bool next_piece(const branch *b, uint32_t from, piece *out) {
    if (from + 1 >= b->point_count) return false;
    // what holds is what its inner points say; from one of a verdict to the next the second counts
    *out = (piece){from, from, 2};
    for (uint32_t i = from ? from + 1 : 0; i < b->point_count; i++) {
        const branch_point *p = &b->point[i];
        if (out->stable == 2) out->stable = p->stable;
        if (p->kind == POINT_PLAIN && p->stable != out->stable && p->stable != 2) break;
        out->last = i;
        if (p->kind != POINT_PLAIN && i > from) break;
    }
    return out->last > from;
}

static void write_json(const void *of, json *out) {
    const continue_job *j = of;
    const uint32_t p = j->all.system.r;
    json_open(out, NULL, '{');
    json_string(out, "parameter", j->vary.what.name);
    json_open(out, "interval", '[');
    json_string(out, NULL, steady_job_number(&j->vary.steady, j->vary.what.low));
    json_string(out, NULL, steady_job_number(&j->vary.steady, j->vary.what.high));
    json_close(out, ']');
    json_open(out, "branches", '[');
    for (uint32_t k = 0; k < j->all.branch_count; k++) {
        const branch *b = &j->all.branch[k];
        json_open(out, NULL, '{');
        json_bool(out, "closed", b->first_end == ENDS_CLOSED || b->last_end == ENDS_CLOSED);
        json_open(out, "special", '[');
        if (b->first_end != ENDS_CLOSED) write_json_end(j, &b->point[0], b->first_end, out);
        for (uint32_t i = 0; i < b->point_count; i++)
            if (b->point[i].kind != POINT_PLAIN) write_special(j, b->point[i].special, out);
        if (b->last_end != ENDS_CLOSED)
            write_json_end(j, &b->point[b->point_count - 1], b->last_end, out);
        json_close(out, ']');
        json_open(out, "stable", '[');
        piece q;
        for (uint32_t i = 0; next_piece(b, i, &q); i = q.last) {
            if (q.stable < 0 || q.stable == 2) continue;
            json_open(out, NULL, '[');
            json_number(out, NULL, b->point[q.first].y[p]);
            json_number(out, NULL, b->point[q.last].y[p]);
            json_close(out, ']');
        }
        json_close(out, ']');
        write_points(j, b, out);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_bool(out, "complete", !j->all.cut);
    json_close(out, '}');
}

// --- words ---------------------------------------------------------------------------------------

static void write_values(const continue_job *j, const double *y, text *out) {
    const uint32_t count = continue_state_count(j);
    double *v = memory_array(double, count + 1);
    bool some = false;
    continue_state(j, y, v);
    for (uint32_t i = 0; i < count; i++) {
        if (fabs(v[i]) < 1e-14 || strcmp(continue_state_name(j, i), j->vary.what.name) == 0)
            continue;
        text_format(out, "%s%s = %.8g", some ? ", " : "", continue_state_name(j, i), v[i]);
        some = true;
    }
    text_append(out, some ? "" : "at rest in 0");
    memory_free(v);
}

static void write_special_words(const continue_job *j, const branch_point *p, text *out) {
    const special_point *s = &j->all.special[p->special];
    text_format(out, "  %-34s %-7s ", value_of(j, s), KIND[s->kind]);
    write_values(j, s->y, out);
    if (s->kind == POINT_HOPF) {
        text_format(out, "; frequency %.8g", s->frequency);
        if (s->has_l1)
            text_format(out, ", l1 = %.8g: %s", s->l1,
                        fabs(s->l1) < 1e-12 ? "degenerate"
                        : s->l1 < 0         ? "supercritical"
                                            : "subcritical");
        else text_format(out, "; no l1: %s", s->why ? s->why : "it has no value");
    }
    text_append(out, s->proved ? "\n" : s->refined ? " (not proved)\n" : " (not refined)\n");
}

static void write_branch(const continue_job *j, uint32_t k, text *out) {
    static const char *const why[] = {"", "", "the steps are used up",
                                      "the motion goes to infinity",
                                      "no steady motion was found beyond"};
    static const char *const words[] = {"unstable", "marginal", "stable", "undecided"};
    const branch *b = &j->all.branch[k];
    const uint32_t p = j->all.system.r;
    const branch_point *first = &b->point[0], *last = &b->point[b->point_count - 1];
    const bool closed = b->first_end == ENDS_CLOSED || b->last_end == ENDS_CLOSED;
    text_format(out, "branch %-7u %s = %.8g .. %.8g, %u points%s\n", k + 1, j->vary.what.name,
                first->y[p], last->y[p], b->point_count, closed ? ", closed" : "");
    text_format(out, "  %-34.16g %-7s ", first->y[p], closed ? "closes" : "end");
    write_values(j, first->y, out);
    text_format(out, "%s%s\n", *why[b->first_end] ? ": " : "", why[b->first_end]);
    for (uint32_t i = 0; i < b->point_count; i++)
        if (b->point[i].kind != POINT_PLAIN) write_special_words(j, &b->point[i], out);
    if (!closed) {
        text_format(out, "  %-34.16g %-7s ", last->y[p], "end");
        write_values(j, last->y, out);
        text_format(out, "%s%s\n", *why[b->last_end] ? ": " : "", why[b->last_end]);
    }
    piece q;
    for (uint32_t i = 0; next_piece(b, i, &q); i = q.last)
        text_format(out, "  %-10s from %.12g to %.12g\n", words[q.stable + 1],
                    b->point[q.first].y[p], b->point[q.last].y[p]);
}

static void write_text(const void *of, text *out) {
    const continue_job *j = of;
    text_format(out, "along          %s from %s to %s%s\n", j->vary.what.name,
                steady_job_number(&j->vary.steady, j->vary.what.low),
                steady_job_number(&j->vary.steady, j->vary.what.high),
                api_unit_in_brackets(j->vary.steady.m, j->vary.symbol));
    for (uint32_t k = 0; k < j->all.branch_count; k++) write_branch(j, k, out);
    if (j->all.cut) text_append(out, "more branches leave; --branches follows more\n");
    if (j->drawing) {
        text_char(out, '\n');
        plot_figure_characters(j->drawing, out);
    }
}

// --- the job -------------------------------------------------------------------------------------

// Branch points that symmetry makes
static void prove_crossings(continue_job *j) {
    steady_path still = {0};
    for (uint32_t i = 0; i < j->all.special_count; i++) {
        if (j->all.special[i].kind != POINT_BRANCH) continue;
        if (!still.w) vary_job_path(&j->vary, false, &still);
        branch_prove_crossing(&j->all.system, &still, &j->all.special[i]);
    }
    if (still.w) steady_path_clear(&still);
}

static hamel_status look(continue_job *j, const hamel_continue *asked) {
    vary_job *v = &j->vary;
    context *ctx = v->steady.m->ctx;
    if (!v->path.changes) {
        diag_error(ctx, (span){0}, "vary something that the motion depends on",
                   "nothing depends on `%s`: the same steady motions are there for all its values",
                   v->what.name);
        return HAMEL_USAGE;
    }
    branches_find(&v->path, v->start, ball_middle(v->what.low), ball_middle(v->what.high),
                  asked->branches ? asked->branches : USUAL_BRANCHES,
                  asked->steps ? asked->steps : USUAL_STEPS, &j->all);
    if (j->all.found) prove_crossings(j);
    if (j->all.found) return context_status(ctx);
    diag_error(
        ctx, (span){0}, "begin at another value of it with --set, or at another motion with --at",
        "the steady motion with %s = %.10g cannot be followed: its equations lose rank there",
        v->what.name, v->start);
    return HAMEL_NUMERICS;
}

static hamel_status finish(continue_job *j, const struct format *as, const hamel_plot *plot,
                           char **result) {
    continue_figure f = {0};
    hamel_status status = plot ? continue_figure_open(j, plot, &f) : HAMEL_OK;
    if (!status && plot && plot->output) status = continue_figure_write(j, &f);
    else if (!status && plot) j->drawing = &f.draw;
    if (!status)
        status = api_finish_result(
            as, &(printable){j, write_text, write_json, j->vary.steady.s->model}, result);
    if (plot) continue_figure_close(&f);
    return status;
}

static hamel_status check_plot(context *ctx, const hamel_plot *plot) {
    if (!plot || continue_figure_is_csv(plot)) return HAMEL_OK;
    if (!plot->output || strcmp(plot->output, "-") != 0) return plot_check_output(ctx, plot);
    diag_error(ctx, (span){0}, "give the name of a file",
               "a bifurcation diagram is not written to standard output");
    return HAMEL_USAGE;
}

static hamel_status follow(hamel_model *m, const hamel_continue *asked, hamel_format format,
                           char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    hamel_status status = as ? API_KNOWS(m->ctx, asked) : HAMEL_USAGE;
    if (status) return status;
    if (asked->orbit) return continue_job_orbits(m, asked, format, result);
    status = check_plot(m->ctx, asked->plot);
    if (status) return status;
    continue_job j = {0};
    status = vary_job_run(m, asked->at, asked->vary, true, &j.vary);
    if (!status) status = look(&j, asked);
    if (!status) status = finish(&j, as, asked->plot, result);
    branches_clear(&j.all);
    vary_job_close(&j.vary);
    return status;
}

hamel_status hamel_model_continue(hamel_model *m, const hamel_continue *asked, hamel_format format,
                                  char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, asked->vary);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, follow(m, asked, format, result), "continuation of `%s`", m->name);
}
