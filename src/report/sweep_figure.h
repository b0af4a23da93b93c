// Figures of many runs: a quantity over one varied value, as a curve or, where there are several
// runs at each place, as its median with bands of quantiles; over two, as a map of colours; and how
// runs ended, as shares or as categories. sweep_view_find() says what can be drawn over what,
// panel_set_sweep() draws one quantity into a panel.
#ifndef HAMEL_REPORT_SWEEP_FIGURE_H
#define HAMEL_REPORT_SWEEP_FIGURE_H

#include "report/figure_heat.h"

enum { SWEEP_MOST_AXES = 2, SWEEP_CELLS = 256 }; // cells along an axis of a map, at the most
static const uint32_t SWEEP_ENDED = UINT32_MAX;  // in the place of a column

typedef struct {
    uint32_t column_count;                 // what is varied first, then what is collected
    const char *const *name, *const *unit; // unit: NULL, or NULL where there is none
    // what is varied along a grid; NULL: found by the order of the rows
    const bool *is_axis;
    uint32_t varied_count; // 0: not known
    uint64_t row_count;
    const double *value; // row by row
    uint32_t word_count; // of how runs end; 0: not known
    const char *const *word;
    const uint32_t *ended;   // the word of each row
    const char *ended_words; // what they say, if it is not how runs ended; NULL: "ended"
} sweep_rows;

typedef struct {
    uint32_t axis_count, axis[SWEEP_MOST_AXES];
    bool scattered; // over values that are not those of a grid: a point for each run
    uint32_t of;    // a column, or SWEEP_ENDED
} sweep_view;

// Over what a sweep is drawn if nobody says: its first one or two grids, else its first column;
// `of` is left as it is.
void sweep_view_find(const sweep_rows *r, sweep_view *out);
// Has this column the same values at every place of those grids, as what is drawn for each run has?
bool sweep_view_repeats(const sweep_rows *r, const sweep_view *usual, uint32_t column);

// `characters`: it is to be drawn so, without colours that shine through. The caption, "" if there
// is nothing to say, is of the arena. False: there is nothing to be seen.
bool panel_set_sweep(arena *a, const sweep_rows *r, const sweep_view *view, bool characters,
                     panel *out, const char **caption);

#endif
