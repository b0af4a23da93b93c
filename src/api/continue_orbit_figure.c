// The bifurcation diagram of orbits: the largest value of a coordinate along the orbit, or the
// period, over the parameter. The first curve, full, has the stable orbits, the second, dashed, the
// others; special points have small rings, a curve for each kind. The points as rows of a CSV file
// too.
#include "api/continue_orbit_job.h"

#include "model/mechanics.h"

#include <math.h>
#include <string.h>

enum { STABLE = 1, UNSTABLE, FIRST_KIND, COLUMNS = FIRST_KIND + ORBIT_KINDS };

static const column *columns_of(const orbits_job *j) {
    static const char *const names[COLUMNS] = {
        "", "stable", "unstable", "fold", "branch point", "period doubling", "torus", "Hopf point"};
    column *out = arena_array(&j->v.m->ctx->arena, column, COLUMNS);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        out[i].name = i ? names[i] : j->what.name;
        out[i].kind = i ? COLUMN_OBSERVABLE : COLUMN_TIME;
    }
    return out;
}

static double shown(const orbits_job *j, const orbit_point *at) {
    return j->shows_period ? at->period : at->high[j->shown];
}

static hamel_status add(const orbits_job *j, table *out, const orbit_point *at, bool stable,
                        bool unstable) {
    double row[COLUMNS];
    for (uint32_t i = 0; i < COLUMNS; i++) row[i] = NAN;
    if (at) row[0] = at->p;
    if (stable) row[STABLE] = shown(j, at);
    if (unstable) row[UNSTABLE] = shown(j, at);
    return table_add_within(j->v.m->ctx, out, row);
}

// Points of a branch with its special points between them, which both curves have where stability
// changes, so that no gap is left
static hamel_status add_branch(const orbits_job *j, const orbit_branch *b, table *out) {
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < b->points_count && !status; i++) {
        const orbit_point *at = &b->points[i], *before = i ? at - 1 : at;
        const bool changes = before->stable != at->stable;
        bool joined = false;
        for (uint32_t k = 0; k < b->special_count && !status; k++)
            if (b->special[k].place == i)
                status =
                    add(j, out, &b->special[k].at, changes || at->stable, changes || !at->stable),
                joined = true;
        if (!status)
            status = add(j, out, at, at->stable || (changes && !joined),
                         !at->stable || (changes && !joined));
    }
    if (!status) status = add(j, out, NULL, false, false); // a gap
    return status;
}

// How far what is shown goes in all
static double height(const orbits_job *j) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t b = 0; b < j->path.branches_count; b++)
        for (uint32_t i = 0; i < j->path.branches[b].points_count; i++) {
            const double v = shown(j, &j->path.branches[b].points[i]);
            low = fmin(low, v), high = fmax(high, v);
        }
    return high > low ? high - low : 1;
}

static hamel_status add_rings(const orbits_job *j, const orbit_branch *b, table *out) {
    enum { SIDES = 16 };
    static const double TURN = 6.283185307179586, WIDE = 0.006, HIGH = 0.010;
    const double wide = WIDE * (j->family.high - j->family.low), high = HIGH * height(j);
    hamel_status status = HAMEL_OK;
    for (uint32_t k = 0; k < b->special_count; k++)
        for (uint32_t i = 0; i <= SIDES + 1 && !status; i++) {
            const orbit_special *s = &b->special[k];
            double row[COLUMNS];
            for (uint32_t c = 0; c < COLUMNS; c++) row[c] = NAN;
            if (i <= SIDES) {
                row[0] = s->at.p + wide * cos(TURN * i / SIDES);
                row[FIRST_KIND + s->kind] = shown(j, &s->at) + high * sin(TURN * i / SIDES);
            }
            status = table_add_within(j->v.m->ctx, out, row);
        }
    return status;
}

// "p:stable,p:unstable,p:fold": of the kinds those that there are
static const char *panel(const orbits_job *j, const column *columns, const table *rows) {
    text t = {0};
    for (uint32_t c = 1; c < COLUMNS; c++) {
        bool any = c < FIRST_KIND;
        for (uint64_t i = 0; i < rows->row_count && !any; i++) any = isfinite(table_at(rows, i, c));
        if (any)
            text_format(&t, "%s\"%s\":\"%s\"=%s", c > 1 ? "," : "", columns[0].name,
                        columns[c].name, columns[c].name);
    }
    const char *words = arena_copy(&j->v.m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return words;
}

hamel_status continue_orbit_figure_open(const orbits_job *j, const hamel_plot *asked,
                                        orbits_figure *out) {
    context *ctx = j->v.m->ctx;
    arena *a = &ctx->arena;
    *out = (orbits_figure){.plot = *asked, .rows = {.column_count = COLUMNS}};
    const column *columns = columns_of(j);
    hamel_status status = HAMEL_OK;
    for (uint32_t b = 0; b < j->path.branches_count && !status; b++)
        status = add_branch(j, &j->path.branches[b], &out->rows);
    for (uint32_t b = 0; b < j->path.branches_count && !status; b++)
        status = add_rings(j, &j->path.branches[b], &out->rows);
    const char **panels = arena_array(a, const char *, 1);
    panels[0] = panel(j, columns, &out->rows);
    out->plot.panels = panels, out->plot.panel_count = 1;
    if (!out->plot.y_label)
        out->plot.y_label =
            j->shows_period ? "period"
                            : arena_format(a, "largest %s",
                                           expr_symbol_text(j->v.m->pool,
                                                            j->v.run.sim->eq->system->q[j->shown]));
    out->draw = (plot_rows){.ctx = ctx,
                            .asked = &out->plot,
                            .column_count = COLUMNS,
                            .column = columns,
                            .rows = &out->rows};
    return status;
}

void continue_orbit_figure_close(orbits_figure *f) { table_free(&f->rows); }

static uint32_t most_multipliers(const orbit_path *path) {
    uint32_t most = 0;
    for (uint32_t b = 0; b < path->branches_count; b++)
        for (uint32_t i = 0; i < path->branches[b].points_count; i++) {
            const uint32_t count = path->branches[b].points[i].floquet.count;
            most = count > most ? count : most;
        }
    return most;
}

static hamel_status write_csv(const orbits_job *j, const char *file) {
    const mechanics *s = j->v.run.sim->eq->system;
    const uint32_t count = most_multipliers(&j->path);
    text out = {0};
    text_format(&out, "branch,%s,period,stable", j->what.name);
    for (uint32_t i = 0; i < s->n; i++) {
        const char *q = expr_symbol_text(j->v.m->pool, s->q[i]);
        text_format(&out, ",least %s,largest %s", q, q);
    }
    for (uint32_t i = 0; i < count; i++) text_format(&out, ",re[%u],im[%u]", i + 1, i + 1);
    text_char(&out, '\n');
    for (uint32_t b = 0; b < j->path.branches_count; b++)
        for (uint32_t k = 0; k < j->path.branches[b].points_count; k++) {
            const orbit_point *at = &j->path.branches[b].points[k];
            text_format(&out, "%u,%.17g,%.17g,%d", b + 1, at->p, at->period, at->stable);
            for (uint32_t i = 0; i < s->n; i++)
                text_format(&out, ",%.17g,%.17g", at->low[i], at->high[i]);
            for (uint32_t i = 0; i < count; i++)
                if (i < at->floquet.count)
                    text_format(&out, ",%.17g,%.17g", at->floquet.re[i], at->floquet.im[i]);
                else text_append(&out, ",,");
            text_char(&out, '\n');
        }
    const hamel_status status = api_write_file(j->v.m->ctx, file, out.bytes, out.length);
    text_free(&out);
    return status;
}

hamel_status continue_orbit_figure_write(const orbits_job *j, const orbits_figure *f) {
    const char *file = f->draw.asked->output;
    if (text_ends_in(file, ".csv")) return write_csv(j, file);
    return plot_write_picture(&f->draw, (byte_writer){0}); // it goes to a file
}
