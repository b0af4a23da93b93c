// What a map of runs says: shares, cells, a figure.
#include "api/sweep_map.h"

#include "api/sweep_plot.h"
#include "base/decimal.h"
#include "derive/formalism.h"
#include "record/csv_write.h"

#include <string.h>

static void value_at(const map_of_runs *w, uint32_t i, uint32_t j, double out[2]) {
    sweep_plan_find(w->sweep.plan, (uint64_t)i * (w->r.height + 1) + j, out);
}

// --- cells ---------------------------------------------------------------------------------------

static void put_cell(const map_of_runs *w, const raster_cell *c, text *out) {
    double low[2], high[2];
    value_at(w, c->i, c->j, low), value_at(w, c->i + c->size, c->j + c->size, high);
    for (int k = 0; k < 2; k++) {
        decimal_append(low[k], out), text_char(out, ',');
        decimal_append(high[k], out), text_char(out, ',');
    }
    const int32_t of = refinement_of_cell(&w->r, c);
    csv_put_name(out, of >= 0 ? w->classes[of].name : "boundary");
    text_char(out, '\n');
}

static void put_name(const map_of_runs *w, uint32_t k, const char *which, text *out) {
    csv_put_name(out, arena_format(&w->sweep.m->ctx->arena, "%s %s",
                                   sweep_plan_name(w->sweep.plan, k), which));
    text_char(out, ',');
}

hamel_status sweep_map_write(map_of_runs *w) {
    const char *file = w->asked->output;
    if (!file) return HAMEL_OK;
    text out = {0};
    for (uint32_t k = 0; k < 2; k++) {
        put_name(w, k, "from", &out);
        put_name(w, k, "to", &out);
    }
    text_append(&out, "class\n");
    for (uint32_t k = 0; k < w->r.cells_count; k++) put_cell(w, &w->r.cells[k], &out);
    const hamel_status status = api_write_file(w->sweep.m->ctx, file, out.bytes, out.length);
    text_free(&out);
    return status;
}

// --- figure --------------------------------------------------------------------------------------

static const char *const ENDED[] = {"ended"};

static void names_of(const map_of_runs *w, sweep_rows *out) {
    arena *a = &w->sweep.m->ctx->arena;
    const char **name = arena_array(a, const char *, 2), **unit = arena_array(a, const char *, 2),
               **word = arena_array(a, const char *, w->classes_count + 1);
    static const bool is_axis[] = {true, true};
    for (uint32_t k = 0; k < 2; k++) {
        name[k] = sweep_plan_name(w->sweep.plan, k);
        unit[k] = sweep_plan_unit(w->sweep.plan, k);
    }
    for (uint32_t i = 0; i < w->classes_count; i++) word[i] = w->classes[i].name;
    word[w->classes_count] = "";
    *out = (sweep_rows){.column_count = 2,
                        .name = name,
                        .unit = unit,
                        .is_axis = is_axis,
                        .varied_count = 2,
                        .word_count = w->classes_count ? w->classes_count : 1,
                        .word = word,
                        .ended_words = w->motions     ? "steady motion"
                                       : w->asked->by ? "class"
                                                      : "ended"};
}

static hamel_plot plot_of(const map_of_runs *w) {
    hamel_plot plot = *w->asked->figure;
    plot.panels = ENDED, plot.panel_count = 1;
    return plot;
}

hamel_status sweep_map_check_figure(map_of_runs *w) {
    if (!w->asked->figure) return HAMEL_OK;
    sweep_rows names;
    names_of(w, &names);
    const hamel_plot plot = plot_of(w);
    return sweep_plot_check(w->sweep.m->ctx, &names, &plot);
}

// Of a raster that is finer than what can be seen, every so many points
hamel_status sweep_map_draw(map_of_runs *w, text *out) {
    enum { SEEN = 512 };
    if (!w->asked->figure) return HAMEL_OK;
    refinement_fill(&w->r);
    const uint32_t step = (w->r.width + SEEN - 1) / SEEN;
    const uint64_t across = w->r.width / step + 1;
    double *value = memory_array(double, 2 * across * across);
    uint32_t *ended = memory_array(uint32_t, across * across);
    sweep_rows rows;
    names_of(w, &rows);
    for (uint32_t i = 0; i < across; i++)
        for (uint32_t j = 0; j < across; j++, rows.row_count++) {
            value_at(w, i * step, j * step, value + 2 * rows.row_count);
            ended[rows.row_count] = (uint32_t)*refinement_class(&w->r, i * step, j * step);
        }
    rows.value = value, rows.ended = ended;
    char *drawn = NULL;
    const hamel_plot plot = plot_of(w);
    const hamel_status status =
        sweep_plot(w->sweep.m->ctx, &rows, &plot, run_job_callers_writer(w->sweep.run), &drawn);
    if (drawn) text_format(out, "\n%s", drawn), memory_free(drawn);
    memory_free(value), memory_free(ended);
    return status;
}

// --- words ---------------------------------------------------------------------------------------

static void put_what(const map_of_runs *w, text *out) {
    const sweep_job *j = &w->sweep;
    text_append(out, j->m->title ? j->m->title : j->m->name);
    if (w->motions) {
        uint32_t eigenvalues, neutral;
        sweep_map_count(w, &eigenvalues, &neutral);
        text_format(out, ", steady motions: %u eigenvalues, and %u neutral directions\n",
                    eigenvalues, neutral);
        return;
    }
    const hamel_motion *first = sweep_job_motion(j);
    text_format(out, " by %s, %s, tolerance %g, to t = ", first->j->form->id, first->j->method->id,
                first->j->r.asked.tolerance);
    text_append(out, sweep_job_end_words(j)), text_char(out, '\n');
}

void sweep_map_text(const void *of, text *out) {
    const map_of_runs *w = of;
    const unsigned long long points = (unsigned long long)(w->r.width + 1) * (w->r.height + 1);
    put_what(w, out);
    text_format(out, "%llu %s at %llu points of a raster; %u cells, %llu of them on boundaries\n",
                (unsigned long long)w->r.looked, w->motions ? "motions" : "runs", points,
                w->r.cells_count, (unsigned long long)w->mixed);
    text_format(out, "\n  %-24s %12s\n", "class", "share");
    for (uint32_t i = 0; i < w->classes_count; i++)
        text_format(out, "  %-24s %11.4f %%\n", w->classes[i].name, 100 * w->classes[i].area);
}

static void put_how(const map_of_runs *w, json *out) {
    if (w->motions) {
        uint32_t eigenvalues, neutral;
        sweep_map_count(w, &eigenvalues, &neutral);
        json_integer(out, "eigenvalues", eigenvalues);
        json_integer(out, "neutral", neutral);
        return;
    }
    const hamel_motion *first = sweep_job_motion(&w->sweep);
    json_string(out, "form", first->j->form->id);
    json_string(out, "method", first->j->method->id);
    json_number(out, "tolerance", first->j->r.asked.tolerance);
    json_string(out, "until", sweep_job_end_words(&w->sweep));
}

void sweep_map_json(const void *of, json *out) {
    const map_of_runs *w = of;
    const sweep_job *j = &w->sweep;
    json_open(out, NULL, '{');
    json_string(out, "system", j->m->name);
    json_open(out, "varied", '[');
    for (uint32_t k = 0; k < 2; k++) json_string(out, NULL, sweep_plan_name(j->plan, k));
    json_close(out, ']');
    put_how(w, out);
    json_integer(out, w->motions ? "motions" : "runs", (int64_t)w->r.looked);
    json_integer(out, "points", (int64_t)(w->r.width + 1) * (w->r.height + 1));
    json_integer(out, "cells", w->r.cells_count);
    json_integer(out, "boundary", (int64_t)w->mixed);
    json_open(out, "classes", '[');
    for (uint32_t i = 0; i < w->classes_count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", w->classes[i].name);
        json_number(out, "share", w->classes[i].area);
        json_close(out, '}');
    }
    json_close(out, ']');
    api_write_warnings(j->m->ctx, out);
    json_close(out, '}');
}
