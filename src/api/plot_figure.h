// What was asked to be drawn, made into a figure. A call checks first (plot_figure_check), so that
// a misspelt column is an error before a long run and not after it; with the rows it makes the
// figure, as SVG (plot_figure_svg) or in characters (plot_figure_characters).
#ifndef HAMEL_API_PLOT_FIGURE_H
#define HAMEL_API_PLOT_FIGURE_H

#include "record/table.h"

// Rows to draw from, of a run or of a file.
typedef struct {
    context *ctx;
    const hamel_plot *asked;
    uint32_t column_count;
    const column *column; // names and kinds
    bool is_file;         // where no panel is asked for, all columns are drawn against the first
    const table *rows;    // NULL or empty: they are not there yet
    uint32_t event_count;
    const event_record *event;
} plot_rows;

// Columns and options that do not exist are reported; the rows need not be there yet.
hamel_status plot_figure_check(const plot_rows *r);
// With the rows: the figure, as SVG or drawn in characters.
hamel_status plot_figure_svg(const plot_rows *r, text *out);
hamel_status plot_figure_characters(const plot_rows *r, text *out);

#endif
