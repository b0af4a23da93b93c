// Eigenvalues along a parameter as a figure: real and imaginary parts over the parameter, and the
// root locus in the complex plane; as rows of a CSV file too.
#include "api/stability_job.h"

#include <math.h>
#include <string.h>

// Columns: the parameter, then re[i] and im[i] of each eigenvalue
static const column *columns_of(const stability_job *j) {
    arena *a = &j->vary.steady.m->ctx->arena;
    const uint32_t count = j->rows.count;
    column *out = arena_array(a, column, 2 * count + 1);
    out[0].name = j->vary.what.name, out[0].kind = COLUMN_TIME;
    for (uint32_t i = 0; i < count; i++) {
        out[1 + i].name = arena_format(a, "re[%u]", i + 1);
        out[1 + count + i].name = arena_format(a, "im[%u]", i + 1);
        out[1 + i].kind = out[1 + count + i].kind = COLUMN_OBSERVABLE;
    }
    return out;
}

// One panel: "p:re[1],re[2]" or "re[1]:im[1],re[2]:im[2]"
// The terminal has no legend of lines: there each keeps its own name.
static const char *panel(const stability_job *j, const char *of, bool numbers) {
    text t = {0};
    for (uint32_t i = 0; i < j->rows.count; i++) {
        text_append(&t, i ? "," : "");
        if (of) text_format(&t, "\"%s\":\"%s[%u]\"", j->vary.what.name, of, i + 1);
        else text_format(&t, "\"re[%u]\":\"im[%u]\"", i + 1, i + 1);
        if (numbers) text_format(&t, "=%u", i + 1);
    }
    const char *words = arena_copy(&j->vary.steady.m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return words;
}

static hamel_status fill(const stability_job *j, context *ctx, table *out) {
    const uint32_t count = j->rows.count;
    *out = (table){.column_count = 2 * count + 1};
    double *row = memory_array(double, 2 * count + 1);
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < j->rows.row_count && !status; i++) {
        const scan_row *r = &j->rows.row[i];
        row[0] = r->p;
        for (uint32_t k = 0; k < count; k++) row[1 + k] = r->re[k], row[1 + count + k] = r->im[k];
        status = table_add_within(ctx, out, row);
    }
    memory_free(row);
    return status;
}

static void add_marks(const stability_job *j, plot_rows *out) {
    static const char *const words[TESTS] = {"zero", "Hopf", "double"};
    arena *a = &j->vary.steady.m->ctx->arena;
    event_record *event = arena_array(a, event_record, j->critical.count + 1);
    double *from = arena_array(a, double, 2 * j->pieces.count + 1);
    for (uint32_t i = 0; i < j->critical.count; i++)
        event[out->event_count++] = (event_record){.name = words[j->critical.at[i].kind],
                                                   .t = ball_middle(j->critical.at[i].value)};
    for (uint32_t i = 0; i < j->pieces.count; i++)
        if (j->pieces.at[i].verdict == STABLE_YES || j->pieces.at[i].verdict == STABLE_MARGINAL)
            from[2 * out->stretch_count] = ball_middle(j->pieces.at[i].low),
                     from[2 * out->stretch_count++ + 1] = ball_middle(j->pieces.at[i].high);
    out->event = event, out->stretch = (const double(*)[2])from;
}

hamel_status stability_figure_open(const stability_job *j, const hamel_plot *asked,
                                   stability_figure *out) {
    context *ctx = j->vary.steady.m->ctx;
    arena *a = &ctx->arena;
    *out = (stability_figure){.plot = *asked};
    static const plot_axes axes[] = {{.y_words = "real part"},
                                     {.y_words = "imaginary part"},
                                     {.x_words = "real part", .y_words = "imaginary part"}};
    const char **panels = arena_array(a, const char *, 3);
    const bool numbers = asked->output != NULL;
    panels[0] = panel(j, "re", numbers), panels[1] = panel(j, "im", numbers);
    panels[2] = panel(j, NULL, numbers);
    out->plot.panels = panels, out->plot.panel_count = asked->output ? 3 : 2;
    out->plot.events = 1;
    out->draw = (plot_rows){.ctx = ctx,
                            .asked = &out->plot,
                            .column_count = 2 * j->rows.count + 1,
                            .column = columns_of(j),
                            .rows = &out->rows,
                            .axes = axes};
    add_marks(j, &out->draw);
    return fill(j, ctx, &out->rows);
}

void stability_figure_close(stability_figure *f) { table_free(&f->rows); }

static hamel_status write_csv(const stability_figure *f) {
    text out = {0};
    const plot_rows *r = &f->draw;
    for (uint32_t k = 0; k < r->column_count; k++)
        text_format(&out, "%s%s", k ? "," : "", r->column[k].name);
    text_char(&out, '\n');
    for (uint64_t i = 0; i < f->rows.row_count; i++) {
        for (uint32_t k = 0; k < r->column_count; k++)
            text_format(&out, "%s%.17g", k ? "," : "", table_at(&f->rows, i, k));
        text_char(&out, '\n');
    }
    const hamel_status status = api_write_file(r->ctx, r->asked->output, out.bytes, out.length);
    text_free(&out);
    return status;
}

bool stability_figure_is_csv(const hamel_plot *asked) {
    return asked && asked->output && text_ends_in(asked->output, ".csv");
}

hamel_status stability_figure_write(const stability_figure *f, byte_writer standard) {
    if (stability_figure_is_csv(f->draw.asked)) return write_csv(f);
    return plot_write_picture(&f->draw, standard);
}
