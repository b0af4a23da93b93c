// What is asked to be drawn of a sweep, and the figure of it.
#include "api/sweep_plot.h"

#include "base/names.h"
#include "base/utf8.h"

#include <string.h>

enum { MOST_PANELS = 6 }; // that nobody asked for

typedef struct {
    context *ctx;
    const sweep_rows *rows;
    const hamel_plot *asked;
} request;

// --- words ---------------------------------------------------------------------------------------

static hamel_status say_unknown(const request *q, const char *name) {
    names known = {0};
    for (uint32_t i = 0; i < q->rows->column_count; i++) names_put(&known, q->rows->name[i], i);
    if (q->rows->word_count) names_put(&known, "ended", 0);
    const char *near = names_nearest(&known, name, NULL);
    diag_error(q->ctx, (span){0},
               near ? arena_format(&q->ctx->arena, "did you mean `%s`?", near) : NULL,
               "the sweep has no column `%s`", utf8_shown(&q->ctx->arena, name));
    names_free(&known);
    return HAMEL_USAGE;
}

static bool find_column(const sweep_rows *r, const char *name, uint32_t *out) {
    for (*out = 0; *out < r->column_count; ++*out)
        if (strcmp(r->name[*out], name) == 0) return true;
    *out = SWEEP_ENDED;
    return r->word_count && strcmp(name, "ended") == 0;
}

// The next name of "X:Y:NAME", which may stand in double quotes; `*at` moves behind its colon, and
// is NULL behind the last one
static const char *next_name(arena *a, const char **at) {
    const char *from = *at, *end;
    if (*from == '"' && (end = strchr(from + 1, '"'))) {
        *at = end[1] == ':' ? end + 2 : NULL;
        return arena_copy(a, from + 1, (size_t)(end - from - 1));
    }
    end = from + strcspn(from, ":");
    *at = *end ? end + 1 : NULL;
    return arena_copy(a, from, (size_t)(end - from));
}

static hamel_status read_view(const request *q, const char *words, sweep_view *out) {
    uint32_t column[SWEEP_MOST_AXES + 1], count = 0;
    for (const char *at = words; at;) {
        const char *name = next_name(&q->ctx->arena, &at);
        if (count > SWEEP_MOST_AXES) {
            diag_error(q->ctx, (span){0}, "write NAME, X:NAME or X:Y:NAME",
                       "`%s` asks for a figure over more than two values",
                       utf8_shown(&q->ctx->arena, words));
            return HAMEL_USAGE;
        }
        if (!find_column(q->rows, name, &column[count])) return say_unknown(q, name);
        if (at && column[count] == SWEEP_ENDED) {
            diag_error(q->ctx, (span){0}, NULL, "nothing can be drawn over how runs ended");
            return HAMEL_USAGE;
        }
        count++;
    }
    out->of = column[--count];
    if (!count) return HAMEL_OK;
    uint32_t usual[SWEEP_MOST_AXES];
    const uint32_t usual_count = out->axis_count;
    const bool grids = !out->scattered;
    memcpy(usual, out->axis, sizeof usual);
    out->axis_count = count;
    out->scattered = count == 1;
    for (uint32_t i = 0; i < count; i++) {
        out->axis[i] = column[i];
        for (uint32_t k = 0; k < usual_count && grids; k++)
            if (usual[k] == column[i]) out->scattered = false;
    }
    return HAMEL_OK;
}

// --- panels --------------------------------------------------------------------------------------

static bool ends_differ(const sweep_rows *r) {
    for (uint64_t i = 1; i < r->row_count && r->word_count; i++)
        if (r->ended[i] != r->ended[0]) return true;
    return false;
}

static bool is_axis(const sweep_view *usual, uint32_t column) {
    for (uint32_t k = 0; k < usual->axis_count; k++)
        if (usual->axis[k] == column) return true;
    return false;
}

// All that was collected, and how runs ended where they differ
static uint32_t usual_views(const request *q, const sweep_view *usual, sweep_view *view) {
    uint32_t count = 0;
    const sweep_rows *r = q->rows;
    const bool ends = ends_differ(r);
    bool varied = true;
    for (uint32_t c = r->varied_count; c < r->column_count && count + ends < MOST_PANELS; c++) {
        // what is varied stands first: what comes behind something else is collected
        varied =
            varied && (is_axis(usual, c) || (!r->varied_count && sweep_view_repeats(r, usual, c)));
        if (varied || is_axis(usual, c)) continue;
        view[count] = *usual;
        view[count++].of = c;
    }
    if (ends || !count) view[count] = *usual, view[count++].of = SWEEP_ENDED;
    return count;
}

static hamel_status find_views(const request *q, sweep_view *view, uint32_t *count) {
    sweep_view usual = {0};
    sweep_view_find(q->rows, &usual);
    hamel_status status = HAMEL_OK;
    for (size_t i = 0; i < q->asked->panel_count && !status; i++) {
        view[i] = usual;
        status = read_view(q, q->asked->panels[i], &view[i]);
    }
    *count = (uint32_t)q->asked->panel_count;
    if (!*count) *count = usual_views(q, &usual, view);
    return status;
}

// A panel behind those that are there, if there is something to be seen of it
static bool add_panel(const request *q, const sweep_view *view, figure *out) {
    const char *caption;
    panel *p = &out->panel[out->panel_count];
    if (view->of == SWEEP_ENDED && !q->rows->word_count) return false;
    if (!panel_set_sweep(&q->ctx->arena, q->rows, view, !q->asked->output, p, &caption) ||
        !panel_set_range(p))
        return false;
    if (*caption && !out->title) out->title = caption;
    out->panel_count++;
    return true;
}

static const char NOTHING[] = "no run has a value that can be shown";

static hamel_status say_empty(const request *q, const sweep_view *view) {
    diag_error(q->ctx, (span){0}, NULL, "there is nothing to plot of `%s`: %s",
               view->of == SWEEP_ENDED ? "ended" : q->rows->name[view->of], NOTHING);
    return HAMEL_NUMERICS;
}

// What nobody asked for by its name is left out where it is empty; how runs ended never is.
static hamel_status make_figure(const request *q, figure *out) {
    const bool named = q->asked->panel_count > 0;
    uint32_t count = named ? (uint32_t)q->asked->panel_count : MOST_PANELS;
    sweep_view *view = arena_array(&q->ctx->arena, sweep_view, count);
    hamel_status status = find_views(q, view, &count);
    *out = (figure){.panel = arena_array(&q->ctx->arena, panel, count)};
    for (uint32_t i = 0; i < count && !status; i++) {
        if (add_panel(q, &view[i], out)) continue;
        if (named || view[i].of == SWEEP_ENDED) status = say_empty(q, &view[i]);
        else
            diag_note(q->ctx, (span){0}, NULL, "`%s` is left out: %s", q->rows->name[view[i].of],
                      NOTHING);
    }
    if (status || out->panel_count) return status;
    view->of = SWEEP_ENDED;
    return add_panel(q, view, out) ? HAMEL_OK : say_empty(q, view);
}

hamel_status sweep_plot_check(context *ctx, const sweep_rows *rows, const hamel_plot *asked) {
    const request q = {ctx, rows, asked};
    hamel_status status = plot_check_output(ctx, asked);
    for (size_t i = 0; i < asked->panel_count && !status; i++) {
        sweep_view view = {0};
        status = read_view(&q, asked->panels[i], &view);
    }
    return status;
}

hamel_status sweep_plot(context *ctx, const sweep_rows *rows, const hamel_plot *asked,
                        byte_writer standard, char **result) {
    const request q = {ctx, rows, asked};
    figure made;
    hamel_status status = make_figure(&q, &made);
    const plot_rows r = {.ctx = ctx, .asked = asked, .made = &made};
    if (!status) status = plot_figure_check(&r);
    if (!status) status = plot_write(&r, standard, result);
    return status;
}
