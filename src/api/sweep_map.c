// Maps of runs: the call, the classes of runs, rounds of refinement.
#include "api/sweep_map.h"

#include "sweep/drive_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_CELLS = 16, USUAL_DEPTH = 4, MOST_CELLS = 4096, MOST_DEPTH = 12, MOST_CLASSES = 256 };

// --- classes -------------------------------------------------------------------------------------

// The order in which classes are told: those that came to their end, by their value; then by event;
// then what failed
static int compare_classes(const void *left, const void *right) {
    const run_class *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    if (a->outcome != b->outcome) return a->outcome < b->outcome ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}

static const char *class_name(const map_of_runs *w, const run_class *c) {
    arena *a = &w->sweep.m->ctx->arena;
    const sweep_end end = {.outcome = c->outcome, .event = c->event};
    if (!w->asked->by || c->outcome > SWEEP_STOPPED) return sweep_end_words(&end, w->sweep.event);
    return isfinite(c->value) ? arena_format(a, "%.0f", c->value) : "no value";
}

// -1: there are too many
static int32_t number_of(map_of_runs *w, run_class c) {
    for (uint32_t i = 0; i < w->classes_count; i++)
        if (!compare_classes(&w->classes[i], &c)) return (int32_t)i;
    if (w->classes_count == MOST_CLASSES) return -1;
    if (!c.name) c.name = class_name(w, &c);
    list_push(w, classes, c);
    return (int32_t)w->classes_count - 1;
}

static run_class class_of(const map_of_runs *w, double value, const sweep_end *end) {
    const bool by = w->asked->by && end->outcome <= SWEEP_STOPPED;
    if (!by) return (run_class){.outcome = end->outcome, .event = end->event};
    const double rounded = isnan(value) ? INFINITY : nearbyint(value) + 0.0; // of -0 it makes 0
    return (run_class){SWEEP_REACHED, -1, rounded, NULL, 0};
}

// In an order that does not depend on that in which they were found
static void sort_classes(map_of_runs *w) {
    const uint32_t count = w->classes_count;
    run_class *found = memory_array(run_class, count + 1);
    int32_t *place = memory_array(int32_t, count + 1);
    memcpy(found, w->classes, sizeof *found * count);
    qsort(w->classes, count, sizeof *w->classes, compare_classes);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (!compare_classes(&found[i], &w->classes[k])) place[i] = (int32_t)k;
    const uint64_t points = (uint64_t)(w->r.width + 1) * (w->r.height + 1);
    for (uint64_t k = 0; k < points; k++)
        if (w->r.class[k] >= 0) w->r.class[k] = place[w->r.class[k]];
    memory_free(found), memory_free(place);
}

// The shares of the area: a leaf on a boundary belongs to its corners
static void measure(map_of_runs *w) {
    const double all = (double)w->r.width * w->r.height;
    for (uint32_t k = 0; k < w->r.cells_count; k++) {
        const raster_cell *c = &w->r.cells[k];
        const int32_t of = refinement_of_cell(&w->r, c);
        const double area = (double)c->size * c->size / all;
        w->mixed += of == CLASS_MIXED;
        if (of >= 0) w->classes[of].area += area;
        for (uint32_t corner = 0; corner < 4 && of == CLASS_MIXED; corner++)
            w->classes[*refinement_class(&w->r, c->i + (corner & 1) * c->size,
                                         c->j + (corner >> 1) * c->size)]
                .area += area / 4;
    }
}

// --- rounds --------------------------------------------------------------------------------------

static void tell_progress(uint64_t done, void *data) {
    const map_of_runs *w = data;
    const hamel_sweep_progress p = {
        .runs = w->r.looked + w->r.wanted_count, .done = w->r.looked + done, .remaining = NAN};
    const locale_t inside = uselocale(recovery_now->callers);
    w->asked->progress(&p, w->asked->data);
    uselocale(inside);
}

static hamel_status refuse_classes(const map_of_runs *w) {
    diag_error(w->sweep.m->ctx, (span){0},
               "give an expression with few values at the ends of runs, such as sign(x)",
               "there are more than %d classes of runs by `%s`", MOST_CLASSES, w->asked->by);
    return HAMEL_USAGE;
}

// All points that are wanted; what they are in `class`
static hamel_status look_at_points(map_of_runs *w, int32_t *class) {
    sweep_job *j = &w->sweep;
    const uint32_t count = w->r.wanted_count;
    uint64_t *run = memory_array(uint64_t, count);
    double *collected = memory_array(double, count);
    sweep_end *end = memory_zeros(sweep_end, count);
    for (uint32_t k = 0; k < count; k++)
        run[k] = (uint64_t)w->r.wanted[k].i * (w->r.height + 1) + w->r.wanted[k].j;
    const sweep_list_drive d = {.plan = j->plan,
                                .engine = j->engine,
                                .stop = &j->stop,
                                .interrupted = j->run->interrupted,
                                .progress = w->asked->progress ? tell_progress : NULL,
                                .data = w};
    w->found = sweep_drive_list(&d, count, run, collected, end);
    hamel_status status = w->found ? HAMEL_NUMERICS : HAMEL_OK;
    for (uint32_t k = 0; k < count && !status; k++) {
        class[k] = number_of(w, class_of(w, collected[k], &end[k]));
        if (class[k] < 0) status = refuse_classes(w);
    }
    memory_free(run), memory_free(collected), memory_free(end);
    return status;
}

// The same of steady motions
static hamel_status look_at_motions(map_of_runs *w, int32_t *class) {
    enum { OFTEN = 64 };
    for (uint32_t k = 0; k < w->r.wanted_count; k++) {
        if (budget_flag_is_set(w->sweep.run->interrupted)) {
            w->found = DRIVEN_INTERRUPTED;
            return HAMEL_NUMERICS;
        }
        if (k % OFTEN == 0 && w->asked->progress) tell_progress(k, w);
        class[k] = number_of(w, sweep_map_verdict(w, w->r.wanted[k].i, w->r.wanted[k].j));
    }
    return HAMEL_OK;
}

static hamel_status judge(const map_of_runs *w) {
    context *ctx = w->sweep.m->ctx;
    const unsigned long long looked = w->r.looked;
    switch (w->found) {
    case DRIVEN_ALL: return HAMEL_USAGE; // it was said
    case DRIVEN_INTERRUPTED:
        diag_error(ctx, (span){0}, NULL, "interrupted after %llu runs", looked);
        return HAMEL_NUMERICS;
    case DRIVEN_TIME:
        diag_error(ctx, (span){0}, "a smaller --depth takes fewer runs",
                   "limit reached: time (at most %g s) after %llu runs", ctx->budget.seconds,
                   looked);
        return HAMEL_LIMIT;
    case DRIVEN_NO_FILE:
    case DRIVEN_NO_ENGINE: break;
    }
    diag_error(ctx, (span){0}, NULL, "the runs could not go on: memory exhausted");
    return HAMEL_LIMIT;
}

static hamel_status refine(map_of_runs *w) {
    while (w->r.wanted_count) {
        int32_t *class = memory_array(int32_t, w->r.wanted_count);
        const hamel_status status =
            w->motions ? look_at_motions(w, class) : look_at_points(w, class);
        if (!status) refinement_set(&w->r, class);
        memory_free(class);
        if (status) return judge(w);
    }
    sort_classes(w);
    measure(w);
    return HAMEL_OK;
}

// --- the call ------------------------------------------------------------------------------------

static hamel_status refuse(const map_of_runs *w, const char *help, const char *what) {
    diag_error(w->sweep.m->ctx, (span){0}, help, "%s", what);
    return HAMEL_USAGE;
}

static bool is_of_name(char c) {
    return c == '_' || c == '\'' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

// "x = -2 .. 2 count 5", but not "counter = -2 .. 2"
static bool has_count(const char *vary) {
    const char *range = strstr(vary, ".."), *at = range ? range : vary + strlen(vary);
    for (; (at = strstr(at, "count")); at++)
        if (!is_of_name(at[-1]) && !is_of_name(at[strlen("count")])) return true;
    return false;
}

static hamel_status check_output(const map_of_runs *w) {
    const char *file = w->asked->output;
    if (!file || text_ends_in(file, ".csv"))
        return file ? api_refuse_own(w->sweep.m->ctx, file) : HAMEL_OK;
    diag_error(w->sweep.m->ctx, (span){0}, "give a name that ends in .csv",
               "`%s` does not say that its cells are comma-separated values", file);
    return HAMEL_USAGE;
}

static hamel_status check(const map_of_runs *w) {
    const hamel_map *a = w->asked;
    const uint64_t cells = a->cells ? a->cells : USUAL_CELLS;
    const unsigned depth = a->depth ? a->depth : USUAL_DEPTH;
    if (a->vary_count != 2)
        return refuse(w, "give both with --vary, such as --vary \"x=-2..2\" --vary \"x'=-1..1\"",
                      "a map is over two parameters or initial values");
    for (int k = 0; k < 2; k++)
        if (has_count(a->vary[k]))
            return refuse(w, "--cells and --depth say how finely",
                          "what a map is over has no `count`");
    if (cells > MOST_CELLS || depth > MOST_DEPTH || (cells << depth) > MOST_CELLS)
        return refuse(w, "--cells times 2 to the power of --depth is at most 4096",
                      "the raster of the map is too fine");
    if (a->stability && a->by)
        return refuse(w, "leave one of them out",
                      "the classes of a map of stability are those of eigenvalues");
    return check_output(w);
}

// What was asked for stands in statements of a sweep: is that two grids and one class still?
static hamel_status check_sweep(const map_of_runs *w) {
    const sweep_layout *p = sweep_plan_layout(w->sweep.plan);
    bool is_map = p->axis_count == 2 && w->sweep.collected_count == 1;
    const uint64_t points[] = {w->r.width + 1, w->r.height + 1};
    for (uint32_t k = 0; k < 2 && is_map; k++)
        is_map = p->axis[k].kind == AXIS_GRID && p->axis[k].target_count == 1 &&
                 p->axis[k].count == points[k];
    if (is_map) return HAMEL_OK;
    return refuse(w, "write --vary \"x=-2..2\" --vary \"x'=-1..1\" --by \"sign(x)\"",
                  "a map is over two ranges, by one expression");
}

static void ask_for_sweep(map_of_runs *w, const hamel_run *run) {
    arena *a = &w->sweep.m->ctx->arena;
    const hamel_map *asked = w->asked;
    const uint32_t cells = asked->cells ? asked->cells : USUAL_CELLS,
                   depth = asked->whole   ? 0
                           : asked->depth ? asked->depth
                                          : USUAL_DEPTH,
                   shown =
                       asked->whole ? cells << (asked->depth ? asked->depth : USUAL_DEPTH) : cells;
    refinement_begin(&w->r, shown, depth);
    const char **vary = arena_array(a, const char *, 2),
               **collect = arena_array(a, const char *, 1);
    vary[0] = arena_format(a, "%s count %u", asked->vary[0], w->r.width + 1);
    vary[1] = arena_format(a, "%s count %u", asked->vary[1], w->r.height + 1);
    collect[0] = arena_format(a, "class = final(%s)", asked->by ? asked->by : "0");
    w->swept = (hamel_sweep){.vary = vary,
                             .vary_count = 2,
                             .collect = collect,
                             .collect_count = 1,
                             .threads = asked->threads};
    w->sweep.asked = &w->swept, w->sweep.run = run;
    w->sweep.computes_only = w->sweep.is_divided = true;
}

static hamel_status write_result(map_of_runs *w, const format *as, char **result) {
    text out = {0};
    hamel_status status = sweep_map_write(w);
    if (status) return status;
    as->result(&(printable){w, sweep_map_text, sweep_map_json, sweep_job_modes(&w->sweep)}, &out);
    status = sweep_map_draw(w, &out);
    api_finish_text(&out, result);
    return status;
}

static hamel_status make_map(hamel_model *m, const hamel_map *asked, const hamel_run *run,
                             hamel_format format, char **result) {
    map_of_runs *w = arena_new(&m->ctx->arena, map_of_runs);
    *w = (map_of_runs){.asked = asked, .sweep.m = m};
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    hamel_status status = as ? API_KNOWS(m->ctx, asked) : HAMEL_USAGE;
    if (!status) status = API_KNOWS(m->ctx, run);
    if (!status) status = check(w);
    if (status) return status;
    ask_for_sweep(w, run);
    status = asked->stability ? sweep_job_plan(&w->sweep) : sweep_job_prepare(&w->sweep);
    if (!status) status = check_sweep(w);
    if (!status) status = sweep_map_check_figure(w);
    if (!status && asked->stability) status = sweep_map_motions(w);
    if (!status) status = refine(w);
    if (!status) status = write_result(w, as, result);
    refinement_free(&w->r);
    memory_free(w->classes);
    sweep_map_motions_close(w);
    sweep_job_close(&w->sweep);
    return status;
}

hamel_status hamel_model_map(hamel_model *m, const hamel_map *asked, const hamel_run *run,
                             hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, make_map(m, asked, run, format, result), "a map of `%s`", m->name);
}
