// Panels of a sweep: rows gathered by place, and what is shown of the runs at each.
#include "report/sweep_figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t place;
    double value;
} sample;

typedef struct {
    arena *a;
    const sweep_rows *r;
    const sweep_view *view;
    bool characters;
    panel *out;
    // of each axis: its values, each once, increasing
    double *value[SWEEP_MOST_AXES];
    uint64_t value_count[SWEEP_MOST_AXES];
    sample *samples; // by place, then by value; what is no number is left out
    uint64_t sample_count, place_count, most; // most: runs at one place
} work;

// --- places --------------------------------------------------------------------------------------

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int compare_samples(const void *a, const void *b) {
    const sample *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return compare_doubles(&x->value, &y->value);
}

static double column_at(const work *w, uint64_t row, uint32_t column) {
    return w->r->value[row * w->r->column_count + column];
}

// Numbers, but for those whose differences could be none any more
static bool can_show(double value) { return axis_can_show(&(axis){0}, value); }

static void find_values(work *w, uint32_t k) {
    double *all = arena_array(w->a, double, w->r->row_count + 1);
    uint64_t count = 0, kept = 0;
    for (uint64_t i = 0; i < w->r->row_count; i++) {
        all[count] = column_at(w, i, w->view->axis[k]);
        count += can_show(all[count]);
    }
    qsort(all, count, sizeof *all, compare_doubles);
    for (uint64_t i = 0; i < count; i++)
        if (!kept || all[i] != all[kept - 1]) all[kept++] = all[i];
    w->value[k] = all, w->value_count[k] = kept;
}

static uint64_t find_value(const work *w, uint32_t k, double x) {
    uint64_t low = 0, high = w->value_count[k];
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (w->value[k][middle] <= x) low = middle;
        else high = middle;
    }
    return low;
}

// Values of a map that has more of them than it has cells share one.
static uint64_t cells_along(const work *w, uint32_t k) {
    return w->value_count[k] < SWEEP_CELLS ? w->value_count[k] : SWEEP_CELLS;
}

static uint64_t cell_of(const work *w, uint32_t k, double x) {
    return find_value(w, k, x) * cells_along(w, k) / w->value_count[k];
}

static void gather(work *w) {
    const sweep_view *v = w->view;
    const bool map = v->axis_count == 2;
    for (uint32_t k = 0; k < v->axis_count; k++) find_values(w, k);
    w->place_count = map ? cells_along(w, 0) * cells_along(w, 1) : w->value_count[0];
    w->samples = arena_array(w->a, sample, w->r->row_count + 1);
    for (uint64_t i = 0; i < w->r->row_count; i++) {
        const double x = column_at(w, i, v->axis[0]), y = map ? column_at(w, i, v->axis[1]) : 0,
                     value = v->of == SWEEP_ENDED ? w->r->ended[i] : column_at(w, i, v->of);
        if (!can_show(x) || !can_show(y) || !can_show(value)) continue;
        const uint64_t place =
            map ? cell_of(w, 1, y) * cells_along(w, 0) + cell_of(w, 0, x) : find_value(w, 0, x);
        w->samples[w->sample_count++] = (sample){place, value};
    }
    qsort(w->samples, w->sample_count, sizeof *w->samples, compare_samples);
    for (uint64_t i = 0, run = 0; i < w->sample_count; i++) {
        run = i && w->samples[i].place == w->samples[i - 1].place ? run + 1 : 1;
        if (run > w->most) w->most = run;
    }
}

// The runs at the next place from `*first` on, which moves behind them
static uint64_t next_place(const work *w, uint64_t *first, const sample **at) {
    const uint64_t begin = *first;
    while (*first < w->sample_count && w->samples[*first].place == w->samples[begin].place)
        ++*first;
    *at = w->samples + begin;
    return *first - begin;
}

// Between sorted values, as far along as p says: h = p (n - 1), x_[h] + (h - [h])(x_[h]+1 - x_[h])
static double quantile(const sample *at, uint64_t n, double p) {
    const double h = p * (double)(n - 1);
    const uint64_t i = (uint64_t)h;
    if (i + 1 >= n) return at[n - 1].value;
    return at[i].value + (h - (double)i) * (at[i + 1].value - at[i].value);
}

// --- over one value ------------------------------------------------------------------------------

enum { QUANTILES = 5 };
static const double LEVEL[QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};
static const char *const LEVEL_WORDS[QUANTILES] = {"5 %", "25 %", "median", "75 %", "95 %"};

static double *gaps(const work *w, uint64_t count) {
    double *y = arena_array(w->a, double, count + 1);
    for (uint64_t i = 0; i < count; i++) y[i] = NAN;
    return y;
}

static curve curve_of(const work *w, const double *y, const char *label) {
    const sweep_rows *r = w->r;
    return (curve){.x_name = r->name[w->view->axis[0]],
                   .y_name = w->view->of == SWEEP_ENDED ? "ended" : r->name[w->view->of],
                   .label = label,
                   .count = w->value_count[0],
                   .x = w->value[0],
                   .y = y};
}

static void draw_quantiles(work *w) {
    double *y[QUANTILES];
    for (int q = 0; q < QUANTILES; q++) y[q] = gaps(w, w->place_count);
    for (uint64_t i = 0; i < w->sample_count;) {
        const sample *at;
        const uint64_t n = next_place(w, &i, &at);
        for (int q = 0; q < QUANTILES; q++) y[q][at->place] = quantile(at, n, LEVEL[q]);
    }
    const bool all = w->characters;
    w->out->curve = arena_array(w->a, curve, QUANTILES);
    for (int q = all ? 0 : 2; q < (all ? QUANTILES : 3); q++)
        w->out->curve[w->out->curve_count++] = curve_of(w, y[q], all ? LEVEL_WORDS[q] : NULL);
    if (all) return;
    band *bands = arena_array(w->a, band, 2);
    for (int k = 0; k < 2; k++)
        bands[k] = (band){w->place_count, w->value[0], y[k], y[QUANTILES - 1 - k]};
    w->out->band = bands, w->out->band_count = 2;
}

static void draw_curve(work *w) {
    double *y = gaps(w, w->place_count);
    for (uint64_t i = 0; i < w->sample_count; i++) y[w->samples[i].place] = w->samples[i].value;
    w->out->curve = arena_new(w->a, curve);
    *w->out->curve = curve_of(w, y, NULL);
    w->out->curve_count = 1;
}

static void draw_points(work *w) {
    double *x = arena_array(w->a, double, w->sample_count + 1), *y = gaps(w, w->sample_count);
    for (uint64_t i = 0; i < w->sample_count; i++)
        x[i] = w->value[0][w->samples[i].place], y[i] = w->samples[i].value;
    w->out->curve = arena_new(w->a, curve);
    *w->out->curve = curve_of(w, y, NULL);
    w->out->curve->x = x, w->out->curve->count = w->sample_count, w->out->curve->single = true;
    w->out->curve_count = 1;
}

// Of the runs at each place the part that ended in each way
static void draw_shares(work *w) {
    const sweep_rows *r = w->r;
    double **y = arena_array(w->a, double *, r->word_count);
    bool *used = arena_array(w->a, bool, r->word_count);
    for (uint32_t k = 0; k < r->word_count; k++) y[k] = gaps(w, w->place_count), used[k] = false;
    for (uint64_t i = 0; i < w->sample_count;) {
        const sample *at;
        const uint64_t n = next_place(w, &i, &at);
        for (uint32_t k = 0; k < r->word_count; k++) y[k][at->place] = 0;
        for (uint64_t s = 0; s < n; s++) {
            const uint32_t k = (uint32_t)at[s].value;
            y[k][at->place] += 1 / (double)n, used[k] = true;
        }
    }
    w->out->curve = arena_array(w->a, curve, r->word_count);
    for (uint32_t k = 0; k < r->word_count; k++)
        if (used[k]) w->out->curve[w->out->curve_count++] = curve_of(w, y[k], r->word[k]);
    w->out->y.words = "share of the runs";
}

// --- over two ------------------------------------------------------------------------------------

// Half way between the values that neighbour it
static double *edges_of(const work *w, uint32_t k) {
    const uint64_t n = cells_along(w, k), count = w->value_count[k];
    double *edge = arena_array(w->a, double, n + 1);
    const double *value = w->value[k];
    for (uint64_t i = 1; i < n; i++) { // the first value of cell i
        const uint64_t first = (i * count + n - 1) / n;
        edge[i] = value[first - 1] + (value[first] - value[first - 1]) / 2;
    }
    const double size = fabs(value[0]) > 0 ? fabs(value[0]) / 10 : 1,
                 before = count > 1 ? (value[1] - value[0]) / 2 : size,
                 behind = count > 1 ? (value[count - 1] - value[count - 2]) / 2 : size;
    edge[0] = value[0] - before, edge[n] = value[count - 1] + behind;
    return edge;
}

static double most_frequent(const sample *at, uint64_t n) {
    double best = at->value;
    for (uint64_t i = 0, run = 0, longest = 0; i < n; i++) {
        run = i && at[i].value == at[i - 1].value ? run + 1 : 1;
        if (run > longest) longest = run, best = at[i].value;
    }
    return best;
}

// The ways in which runs ended that come about, and cells by their numbers among these
static void add_categories(const work *w, double *value, figure_heat *h) {
    const char **category = arena_array(w->a, const char *, w->r->word_count);
    uint32_t *number = arena_array(w->a, uint32_t, w->r->word_count);
    for (uint32_t k = 0; k < w->r->word_count; k++) {
        bool used = false;
        for (uint64_t i = 0; i < w->place_count && !used; i++) used = value[i] == k;
        number[k] = h->category_count;
        if (used) category[h->category_count++] = w->r->word[k];
    }
    for (uint64_t i = 0; i < w->place_count; i++)
        if (isfinite(value[i])) value[i] = number[(uint32_t)value[i]];
    h->category = category;
    h->scale.words = w->r->ended_words ? w->r->ended_words : "ended";
}

static void add_scale(const work *w, figure_heat *h) {
    const uint32_t of = w->view->of;
    h->scale.name = arena_new(w->a, const char *), h->scale.unit = arena_new(w->a, const char *);
    h->scale.name[0] = w->r->name[of], h->scale.unit[0] = w->r->unit ? w->r->unit[of] : NULL;
    h->scale.name_count = 1;
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < w->place_count; i++)
        if (isfinite(h->value[i])) low = fmin(low, h->value[i]), high = fmax(high, h->value[i]);
    if (!(low < high)) { // one value all over
        const double size = fabs(low) > 0 ? fabs(low) / 10 : 1;
        low -= size, high += size;
    }
    h->scale.low = low, h->scale.high = high;
}

static void draw_map(work *w) {
    figure_heat *h = arena_new(w->a, figure_heat);
    double *value = gaps(w, w->place_count), *frame = arena_array(w->a, double, 4);
    for (uint64_t i = 0; i < w->sample_count;) {
        const sample *at;
        const uint64_t n = next_place(w, &i, &at);
        value[at->place] = w->view->of == SWEEP_ENDED ? most_frequent(at, n) : quantile(at, n, 0.5);
    }
    *h = (figure_heat){.columns = (uint32_t)cells_along(w, 0),
                       .rows = (uint32_t)cells_along(w, 1),
                       .x_edge = edges_of(w, 0),
                       .y_edge = edges_of(w, 1),
                       .value = value};
    if (w->view->of == SWEEP_ENDED) add_categories(w, value, h);
    else add_scale(w, h);
    frame[0] = h->x_edge[0], frame[1] = h->x_edge[h->columns];
    frame[2] = h->y_edge[0], frame[3] = h->y_edge[h->rows];
    w->out->heat = h, w->out->frame = frame;
}

// --- one panel -----------------------------------------------------------------------------------

static void name_axis(const work *w, axis *a, uint32_t column) {
    a->name = arena_new(w->a, const char *), a->unit = arena_new(w->a, const char *);
    a->name_count = 1;
    a->name[0] = column == SWEEP_ENDED ? "ended" : w->r->name[column];
    a->unit[0] = column == SWEEP_ENDED || !w->r->unit ? NULL : w->r->unit[column];
}

static const char *caption_of(const work *w) {
    if (w->view->scattered || w->most < 2) return "";
    if (w->view->of == SWEEP_ENDED && w->r->ended_words) return ""; // they stand for places
    if (w->view->of == SWEEP_ENDED)
        return w->view->axis_count == 2 ? "the most frequent end at each place" : "";
    if (w->view->axis_count == 2)
        return arena_format(w->a, "median of %" PRIu64 " runs at each place", w->most);
    return arena_format(
        w->a, "median, 25 to 75 %% and 5 to 95 %% of %" PRIu64 " runs at each place", w->most);
}

bool panel_set_sweep(arena *a, const sweep_rows *r, const sweep_view *view, bool characters,
                     panel *out, const char **caption) {
    work w = {.a = a, .r = r, .view = view, .characters = characters, .out = out};
    *out = (panel){0};
    *caption = "";
    gather(&w);
    if (!w.sample_count) return false;
    name_axis(&w, &out->x, view->axis[0]);
    name_axis(&w, &out->y, view->axis_count == 2 ? view->axis[1] : view->of);
    if (view->axis_count == 2) draw_map(&w);
    else if (view->of == SWEEP_ENDED) draw_shares(&w);
    else if (view->scattered) draw_points(&w);
    else if (w.most > 1) draw_quantiles(&w);
    else draw_curve(&w);
    *caption = caption_of(&w);
    return true;
}
