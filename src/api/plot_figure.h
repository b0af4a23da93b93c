// What was asked to be drawn, made into a figure. A call checks first (plot_figure_check), so that
// a misspelt column is an error before a long run and not after it; with the rows it makes the
// figure, as SVG (plot_figure_svg) or in characters (plot_figure_characters).
#ifndef HAMEL_API_PLOT_FIGURE_H
#define HAMEL_API_PLOT_FIGURE_H

#include "base/byte_writer.h"
#include "hamel.h"
#include "record/table.h"
#include "report/figure_area.h"

// What axes of a panel show in the place of what follows from its columns; NULL: that
typedef struct {
    const char *x_words, *y_words; // as they are
    const char *y_name;            // set as the names of columns are
    const double *frame;           // x from and to, y from and to
} plot_axes;

// Rows to draw from, of a run or of a file.
typedef struct {
    context *ctx;
    const hamel_plot *asked;
    uint32_t column_count;
    const column *column; // names and kinds
    bool dots;            // rows are points that no line connects
    const bool *single;   // by column: each of its points has a sign, and no line; NULL: none has
    bool is_file;         // where no panel is asked for, all columns are drawn against the first
    const table *rows;    // NULL or empty: they are not there yet
    uint32_t event_count;
    const event_record *event;
    uint32_t stretch_count; // of the first column, shaded
    const double (*stretch)[2];
    uint32_t area_count; // behind the curves of each panel
    const figure_area *area;
    const struct figure *made; // the figure itself, where it is not made of columns; NULL: it is
    const plot_axes *axes;     // of each panel, where nothing else is asked for; NULL: none
} plot_rows;

// Columns and options that do not exist are reported; the rows need not be there yet.
hamel_status plot_figure_check(const plot_rows *r);
// With the rows: the figure, as SVG or drawn in characters.
hamel_status plot_figure_svg(const plot_rows *r, text *out);
hamel_status plot_figure_characters(const plot_rows *r, text *out);

// (plot.c) The name of the file says in which format it is written; HAMEL_USAGE after saying why
// not. Then the picture itself, to that file or to standard output.
hamel_status plot_check_output(context *ctx, const hamel_plot *asked);
hamel_status plot_write_picture(const plot_rows *r, byte_writer standard);
// The figure to where it was asked for: a file, `standard`, or the result in characters
hamel_status plot_write(const plot_rows *r, byte_writer standard, char **result);

#endif
