// Spectra of columns of a run or of a file, and their peaks.
#include "api/plot_spectrum.h"

#include "api/api_internal.h"
#include "api/plot_request.h"
#include "report/spectrum.h"

#include <math.h>

typedef struct {
    const plot_rows *r;
    spectrum_grid grid;
    uint32_t count;
    const uint32_t *column;
    spectrum *of; // each
} spectra;

// --- what is found -------------------------------------------------------------------------------

static void write_words(const spectra *w, text *out) {
    text_format(out, "%llu rows, %.10g apart%s; resolution %.6g\n",
                (unsigned long long)w->grid.count, w->grid.apart,
                w->grid.resampled ? " after interpolation by cubics" : "", w->of[0].frequency[1]);
    for (uint32_t i = 0; i < w->count; i++) {
        const spectrum *s = &w->of[i];
        text_format(out, "%s: mean %.6g%s\n", w->r->column[w->column[i]].name, s->mean,
                    s->peak_count ? "" : ", no peaks");
        if (s->peak_count)
            text_format(out, "  %16s %16s %16s %12s\n", "frequency", "2 pi frequency", "period",
                        "amplitude");
        for (uint32_t k = 0; k < s->peak_count; k++)
            text_format(out, "  %16.9g %16.9g %16.9g %12.5g\n", s->peak[k].frequency,
                        2 * acos(-1) * s->peak[k].frequency, 1 / s->peak[k].frequency,
                        s->peak[k].amplitude);
    }
}

static void write_numbers(json *out, const char *name, uint64_t count, const double *value) {
    json_open(out, name, '[');
    for (uint64_t i = 0; i < count; i++) json_number(out, NULL, value[i]);
    json_close(out, ']');
}

static void write_json(const spectra *w, text *to) {
    json j = {.out = to}, *out = &j;
    json_open(out, NULL, '{');
    json_integer(out, "rows", (int64_t)w->grid.count);
    json_number(out, "apart", w->grid.apart);
    json_bool(out, "resampled", w->grid.resampled);
    json_open(out, "spectra", '[');
    for (uint32_t i = 0; i < w->count; i++) {
        const spectrum *s = &w->of[i];
        json_open(out, NULL, '{');
        json_string(out, "column", w->r->column[w->column[i]].name);
        json_number(out, "mean", s->mean);
        json_open(out, "peaks", '[');
        for (uint32_t k = 0; k < s->peak_count; k++) {
            json_open(out, NULL, '{');
            json_number(out, "frequency", s->peak[k].frequency);
            json_number(out, "amplitude", s->peak[k].amplitude);
            json_close(out, '}');
        }
        json_close(out, ']');
        write_numbers(out, "frequency", s->count, s->frequency);
        write_numbers(out, "amplitude", s->count, s->amplitude);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    text_char(to, '\n');
}

// --- the figure ----------------------------------------------------------------------------------

// A table with the frequencies and a column for each spectrum, under the names of the columns
static hamel_status draw(const spectra *w, byte_writer standard, text *out, char **result) {
    context *ctx = w->r->ctx;
    table rows = {.column_count = w->count + 1};
    column *named = arena_array(&ctx->arena, column, rows.column_count);
    named[0] = (column){.name = "frequency", .kind = COLUMN_OBSERVABLE};
    for (uint32_t i = 0; i < w->count; i++)
        named[i + 1] = (column){.name = w->r->column[w->column[i]].name, .kind = COLUMN_OBSERVABLE};
    hamel_status status = table_set_rows(ctx, &rows, w->of[0].count);
    for (uint64_t k = 0; !status && k < rows.row_count; k++) {
        double *row = rows.value + k * rows.column_count;
        row[0] = w->of[0].frequency[k];
        for (uint32_t i = 0; i < w->count; i++) row[i + 1] = w->of[i].amplitude[k];
    }
    hamel_plot asked = *w->r->asked;
    if (!asked.log) asked.log = "y";
    if (!asked.y_label) asked.y_label = "amplitude";
    const plot_rows drawn = {.ctx = ctx,
                             .asked = &asked,
                             .column_count = rows.column_count,
                             .column = named,
                             .is_file = true,
                             .rows = &rows};
    if (!status) status = plot_write_derived(&drawn, standard, out, result);
    table_free(&rows);
    return status;
}

hamel_status plot_spectrum(const plot_rows *r, byte_writer standard, char **result) {
    arena *a = &r->ctx->arena;
    uint32_t *column = arena_array(a, uint32_t, r->column_count);
    spectra w = {.r = r, .column = column, .count = plot_request_columns(r, "a spectrum", column)};
    const char *fault = spectrum_times(r->rows, a, &w.grid);
    if (!w.count) return HAMEL_USAGE;
    if (fault) diag_error(r->ctx, (span){0}, NULL, "there is no spectrum: %s", fault);
    w.of = arena_array(a, spectrum, w.count);
    for (uint32_t i = 0; !fault && i < w.count; i++) {
        fault = spectrum_of(r->rows, column[i], &w.grid, a, &w.of[i]);
        if (fault)
            diag_error(r->ctx, (span){0}, NULL, "there is no spectrum of `%s`: %s",
                       r->column[column[i]].name, fault);
    }
    if (fault) return HAMEL_NUMERICS;
    text out = {0};
    if (r->asked->json) write_json(&w, &out);
    else write_words(&w, &out);
    return draw(&w, standard, &out, result);
}
