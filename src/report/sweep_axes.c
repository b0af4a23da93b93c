// Which columns of a sweep run along a grid, found by the order of its rows.
#include "report/sweep_figure.h"

#include <math.h>

static double at(const sweep_rows *r, uint64_t row, uint32_t column) {
    return r->value[row * r->column_count + column];
}

// Rows until the value changes
static uint64_t block_of(const sweep_rows *r, uint32_t column) {
    uint64_t row = 1;
    while (row < r->row_count && at(r, row, column) == at(r, 0, column)) row++;
    return row;
}

static bool is_even(const sweep_rows *r, uint32_t column, uint64_t block, uint64_t count) {
    static const double ROUNDING = 1e-6;
    const double step = at(r, block, column) - at(r, 0, column);
    for (uint64_t i = 1; i < count; i++)
        if (fabs(at(r, i * block, column) - at(r, (i - 1) * block, column) - step) >
            ROUNDING * fabs(step))
            return false;
    return true;
}

// The places of a grid that this column runs along: 0 if it is none. Its values stay for a block of
// rows, then rise or fall to the next place, and begin again after the last one.
static uint64_t places_of(const sweep_rows *r, uint32_t column) {
    enum { FEW = 12 }; // places of a list that is not even
    const uint64_t block = block_of(r, column);
    if (block == r->row_count || r->row_count % block) return 0;
    const double way = at(r, block, column) - at(r, 0, column);
    uint64_t count = 2;
    while (count * block < r->row_count &&
           (at(r, count * block, column) - at(r, (count - 1) * block, column)) * way > 0)
        count++;
    if (!(way * way > 0) || r->row_count % (block * count)) return 0;
    for (uint64_t row = 0; row < r->row_count; row++)
        if (at(r, row, column) != at(r, row / block % count * block, column)) return 0;
    return count > FEW && !is_even(r, column, block, count) ? 0 : count;
}

void sweep_view_find(const sweep_rows *r, sweep_view *out) {
    uint64_t product = 1;
    out->axis_count = 0;
    out->scattered = false;
    const uint32_t among = r->varied_count ? r->varied_count : r->column_count;
    for (uint32_t c = 0; c < among && out->axis_count < SWEEP_MOST_AXES; c++) {
        const uint64_t places = r->is_axis ? r->is_axis[c] : places_of(r, c);
        if (!places || (!r->is_axis && product * places > r->row_count)) continue;
        product *= places;
        out->axis[out->axis_count++] = c;
    }
    if (out->axis_count) return;
    out->axis[out->axis_count++] = 0;
    out->scattered = true;
}

bool sweep_view_repeats(const sweep_rows *r, const sweep_view *usual, uint32_t column) {
    uint64_t block = r->row_count;
    for (uint32_t k = 0; k < usual->axis_count && !usual->scattered; k++) {
        const uint64_t own = block_of(r, usual->axis[k]);
        if (own < block) block = own;
    }
    if (block < 2 || block == r->row_count) return false;
    bool varies = false;
    for (uint64_t row = 0; row < r->row_count; row++) {
        if (at(r, row, column) != at(r, row % block, column)) return false;
        varies = varies || at(r, row, column) != at(r, 0, column);
    }
    return varies;
}
