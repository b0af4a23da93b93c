// Branches as a bifurcation diagram, or as rows of a CSV file.
#include "api/continue_job.h"

#include <math.h>
#include <string.h>

// Columns: the parameter, what is stable, marginal, unstable, folds, branch points, Hopf points
enum { STABLE = 1, MARGINAL, UNSTABLE, FOLDS, CROSSINGS, HOPFS, COLUMNS };

// What is drawn: the one asked for, or the first that changes most
static hamel_status choose(const continue_job *j, const hamel_plot *asked, uint32_t *out) {
    const uint32_t count = continue_state_count(j);
    context *ctx = j->vary.steady.m->ctx;
    if (asked->panel_count) {
        for (uint32_t i = 0; i < count; i++)
            if (strcmp(continue_state_name(j, i), asked->panels[0]) == 0) return *out = i, HAMEL_OK;
        diag_error(ctx, (span){0}, "name a coordinate, a velocity or a quasi-velocity",
                   "there is no `%s` to draw", asked->panels[0]);
        return HAMEL_USAGE;
    }
    double *low = memory_array(double, 3 * count + 1), *high = low + count, *v = high + count;
    for (uint32_t i = 0; i < count; i++) low[i] = INFINITY, high[i] = -INFINITY;
    for (uint32_t k = 0; k < j->all.branch_count; k++)
        for (uint32_t i = 0; i < j->all.branch[k].point_count; i++) {
            continue_state(j, j->all.branch[k].point[i].y, v);
            for (uint32_t c = 0; c < count; c++)
                low[c] = fmin(low[c], v[c]), high[c] = fmax(high[c], v[c]);
        }
    *out = 0;
    for (uint32_t c = count; c-- > 0;)
        if (high[c] - low[c] > 1e-9 * (1 + fabs(low[c])) &&
            strcmp(continue_state_name(j, c), j->vary.what.name) != 0)
            *out = c;
    memory_free(low);
    return HAMEL_OK;
}

typedef struct {
    const continue_job *j;
    context *ctx;
    uint32_t shown, states;
    double *state;
    table *out;
    hamel_status status;
} filling;

static void add(filling *f, const double *y, uint32_t to, bool gap) {
    double row[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) row[i] = NAN;
    continue_state(f->j, y, f->state);
    row[0] = y[f->j->all.system.r];
    if (!gap) row[to] = f->state[f->shown];
    if (!f->status) f->status = table_add_within(f->ctx, f->out, row);
}

// The column of a verdict; 0: it is not known
static uint32_t column_of(int stable) {
    return stable == 2 ? 0 : stable < 0 ? UNSTABLE : stable ? STABLE : MARGINAL;
}

static void fill_branch(filling *f, const branch *b) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < b->point_count; i++) {
        const branch_point *p = &b->point[i];
        // a special point belongs to what is before it and to what is behind it
        uint32_t next = column_of(p->stable);
        for (uint32_t k = i + 1; k < b->point_count && !next; k++)
            next = column_of(b->point[k].stable);
        if (!next) next = before ? before : UNSTABLE;
        if (before && before != next) {
            add(f, p->y, before, false);
            add(f, p->y, before, true);
        }
        add(f, p->y, next, false);
        before = next;
    }
    if (b->point_count) add(f, b->point[b->point_count - 1].y, before, true);
}

hamel_status continue_figure_open(const continue_job *j, const hamel_plot *asked,
                                  continue_figure *out) {
    context *ctx = j->vary.steady.m->ctx;
    arena *a = &ctx->arena;
    *out = (continue_figure){.plot = *asked};
    filling f = {.j = j, .ctx = ctx, .states = continue_state_count(j), .out = &out->rows};
    out->rows = (table){.column_count = COLUMNS};
    const hamel_status status = choose(j, asked, &f.shown);
    if (status) return status;
    f.state = memory_array(double, f.states + 1);
    for (uint32_t k = 0; k < j->all.branch_count; k++) fill_branch(&f, &j->all.branch[k]);
    const uint32_t of[] = {[POINT_FOLD] = FOLDS, [POINT_BRANCH] = CROSSINGS, [POINT_HOPF] = HOPFS};
    bool some[COLUMNS] = {false};
    for (uint32_t i = 0; i < j->all.special_count; i++) {
        const special_point *s = &j->all.special[i];
        add(&f, s->y, of[s->kind], false), add(&f, s->y, of[s->kind], true);
        some[of[s->kind]] = true;
    }
    memory_free(f.state);
    for (uint64_t i = 0; i < out->rows.row_count; i++)
        for (uint32_t c = STABLE; c <= UNSTABLE; c++)
            some[c] = some[c] || isfinite(table_at(&out->rows, i, c));
    static const bool single[COLUMNS] = {[FOLDS] = true, [CROSSINGS] = true, [HOPFS] = true};
    static const char *const name[COLUMNS] = {NULL,   "stable",       "marginal",  "unstable",
                                              "fold", "branch point", "Hopf point"};
    column *c = arena_array(a, column, COLUMNS);
    text t = {0};
    for (uint32_t i = 0; i < COLUMNS; i++) {
        c[i].name = i ? name[i] : j->vary.what.name;
        c[i].kind = i ? COLUMN_OBSERVABLE : COLUMN_TIME;
        if (i && some[i])
            text_format(&t, "%s\"%s\":\"%s\"=%s", t.length ? "," : "", c[0].name, c[i].name,
                        c[i].name);
    }
    const char **panels = arena_array(a, const char *, 1);
    panels[0] = arena_copy(a, t.bytes, t.length);
    text_free(&t);
    out->plot.panels = panels, out->plot.panel_count = 1;
    plot_axes *axes = arena_new(a, plot_axes);
    const char *shown = continue_state_name(j, f.shown);
    *axes = (plot_axes){.y_name = shown, .y_words = asked->output ? NULL : shown};
    out->draw = (plot_rows){.ctx = ctx,
                            .asked = &out->plot,
                            .column_count = COLUMNS,
                            .column = c,
                            .rows = &out->rows,
                            .single = single,
                            .axes = axes};
    return f.status;
}

void continue_figure_close(continue_figure *f) { table_free(&f->rows); }

bool continue_figure_is_csv(const hamel_plot *asked) {
    return asked && asked->output && text_ends_in(asked->output, ".csv");
}

// branch, kind, stable, the parameter, q, q', eta
static hamel_status write_csv(const continue_job *j, const continue_figure *f) {
    static const char *const kind[] = {"", "fold", "branch", "hopf", "end"};
    const uint32_t count = continue_state_count(j);
    double *v = memory_array(double, count + 1);
    text out = {0};
    text_format(&out, "branch,kind,stable,%s", j->vary.what.name);
    for (uint32_t c = 0; c < count; c++)
        if (strcmp(continue_state_name(j, c), j->vary.what.name) != 0)
            text_format(&out, ",%s", continue_state_name(j, c));
    text_char(&out, '\n');
    for (uint32_t k = 0; k < j->all.branch_count; k++)
        for (uint32_t i = 0; i < j->all.branch[k].point_count; i++) {
            const branch_point *p = &j->all.branch[k].point[i];
            text_format(&out, "%u,%s,", k + 1, kind[p->kind]);
            if (p->stable != 2) text_format(&out, "%d", p->stable);
            text_format(&out, ",%.17g", p->y[j->all.system.r]);
            continue_state(j, p->y, v);
            for (uint32_t c = 0; c < count; c++)
                if (strcmp(continue_state_name(j, c), j->vary.what.name) != 0)
                    text_format(&out, ",%.17g", v[c]);
            text_char(&out, '\n');
        }
    const hamel_status status =
        api_write_file(f->draw.ctx, f->draw.asked->output, out.bytes, out.length);
    text_free(&out);
    memory_free(v);
    return status;
}

hamel_status continue_figure_write(const continue_job *j, const continue_figure *f) {
    if (continue_figure_is_csv(f->draw.asked)) return write_csv(j, f);
    return plot_write_picture(&f->draw, (byte_writer){0}); // it goes to a file
}
