// Runs of a sweep as an HDF5 file that explains itself.
//
//   /                attributes: format, version, model (its text), runs (of the whole sweep), rows
//                    (in this file), outcome ("finished", or "unfinished" after Ctrl-C)
//   /settings        an attribute each: method, tolerance, seed ..
//   /run             the number of each run in the plan, from 0
//   /varied/NAME     float64; attributes name, kind ("parameter", "initial value"), unit
//   /collected/NAME  float64; attributes name, unit
//   /ended           how each ended, an index into its attribute `words`
//   /end             the time where it ended
//   /state/sweep     what `plot` reads of it first: see record/hdf5_read_sweep.c
//
// /varied and /collected have an attribute `columns`, their order. All datasets are chunked, /run
// and /ended are deflated. Nothing depends on the clock or on the order in which runs came.
#include "record/hdf5_internal.h"
#include "sweep/store_internal.h"

#include <string.h>

static const char FORMAT[] = "hamel sweep 1";
enum { BLOCK = 1 << 14 }; // runs of a chunk of a dataset, and at a time

// --- columns -------------------------------------------------------------------------------------

typedef struct {
    hid_t data, type;
    size_t bytes; // of a number
    void *waiting;
} column_out;

typedef struct {
    const sweep_store *s;
    hid_t file;
    hdf5_output *to;
    uint32_t column_count;
    column_out *column; // varied, collected, run, ended, end
    uint64_t written, waiting;
} writer;

static void add_column(writer *w, hid_t data, hid_t type, size_t bytes) {
    w->column[w->column_count++] =
        (column_out){data, type, bytes, memory_zeros(char, bytes *BLOCK)};
}

static bool add_numbers(writer *w, hid_t group, const char *name, const char *unit,
                        const char *kind) {
    const hid_t data = hdf5_make_chunked(group, name, H5T_IEEE_F64LE, w->s->finished, BLOCK, false);
    add_column(w, data, H5T_NATIVE_DOUBLE, sizeof(double));
    return data >= 0 && hdf5_put_text(data, "name", name) &&
           hdf5_put_text(data, "unit", unit ? unit : "") &&
           (!kind || hdf5_put_text(data, "kind", kind));
}

static bool add_varied(writer *w) {
    const sweep_store_request *r = &w->s->asked;
    const uint32_t count = sweep_plan_values(r->plan);
    const char **names = memory_array(const char *, count + 1);
    const hid_t group = H5Gcreate2(w->file, "/varied", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = group >= 0;
    for (uint32_t i = 0; i < count && good; i++) {
        names[i] = sweep_plan_name(r->plan, i);
        good = add_numbers(w, group, names[i], r->value_unit ? r->value_unit[i] : NULL,
                           sweep_plan_is_parameter(r->plan, i) ? "parameter" : "initial value");
    }
    good = good && hdf5_put_texts(group, "columns", count, names);
    memory_free(names);
    return good;
}

static bool add_collected(writer *w) {
    const sweep_store_request *r = &w->s->asked;
    const hid_t group = H5Gcreate2(w->file, "/collected", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = group >= 0;
    for (uint32_t i = 0; i < r->collected_count && good; i++)
        good = add_numbers(w, group, r->collected_name[i],
                           r->collected_unit ? r->collected_unit[i] : NULL, NULL);
    return good && hdf5_put_texts(group, "columns", r->collected_count, r->collected_name);
}

// --- how runs ended ------------------------------------------------------------------------------

static const sweep_outcome FAILURES[] = {SWEEP_NO_START, SWEEP_NOT_FINITE, SWEEP_STUCK,
                                         SWEEP_SINGULAR, SWEEP_LIMIT,      SWEEP_OTHER};
enum { FAILURE_COUNT = sizeof FAILURES / sizeof *FAILURES };

// Of a list of words: the end, the failures, the events
static uint32_t word_of(const sweep_end *e) {
    if (e->outcome == SWEEP_STOPPED) return 1 + FAILURE_COUNT + (uint32_t)e->event;
    uint32_t i = 0;
    while (i < FAILURE_COUNT && FAILURES[i] != e->outcome) i++;
    return e->outcome == SWEEP_REACHED ? 0 : 1 + i;
}

static const char *word(const sweep_store_request *r, uint32_t i) {
    if (i > FAILURE_COUNT) return r->event_name[i - FAILURE_COUNT - 1];
    return sweep_end_words(&(sweep_end){0, i ? FAILURES[i - 1] : SWEEP_REACHED, -1}, NULL);
}

static bool add_ended(writer *w) {
    const sweep_store_request *r = &w->s->asked;
    const uint64_t rows = w->s->finished;
    const char **words = memory_array(const char *, 1 + FAILURE_COUNT + r->event_count);
    for (uint32_t i = 0; i < 1 + FAILURE_COUNT + r->event_count; i++) words[i] = word(r, i);
    const hid_t run = hdf5_make_chunked(w->file, "/run", H5T_STD_U64LE, rows, BLOCK, true),
                ended = hdf5_make_chunked(w->file, "/ended", H5T_STD_U32LE, rows, BLOCK, true),
                end = hdf5_make_chunked(w->file, "/end", H5T_IEEE_F64LE, rows, BLOCK, false);
    add_column(w, run, H5T_NATIVE_UINT64, sizeof(uint64_t));
    add_column(w, ended, H5T_NATIVE_UINT32, sizeof(uint32_t));
    add_column(w, end, H5T_NATIVE_DOUBLE, sizeof(double));
    const bool good = run >= 0 && ended >= 0 && end >= 0 &&
                      hdf5_put_texts(ended, "words", 1 + FAILURE_COUNT + r->event_count, words);
    memory_free(words);
    return good;
}

// --- for reading back ----------------------------------------------------------------------------

static bool is_axis(const sweep_layout *p, uint32_t value) {
    for (uint32_t i = 0, at = 0; i < p->axis_count; at += p->axis[i++].target_count)
        if (at == value) return p->axis[i].kind == AXIS_GRID || p->axis[i].kind == AXIS_LIST;
    return false;
}

static void put_column(text *out, const char *name, const char *const *unit, uint32_t i,
                       bool axis) {
    bytes_put_string(out, name);
    bytes_put_string(out, unit && unit[i] ? unit[i] : "");
    bytes_put(out, axis, 1);
}

// As read_head() of record/hdf5_read_sweep.c takes it
static void put_state(const writer *w, text *out) {
    const sweep_store_request *r = &w->s->asked;
    const uint32_t varied = sweep_plan_values(r->plan), words = 1 + FAILURE_COUNT + r->event_count;
    bytes_put(out, w->s->finished, 8);
    bytes_put(out, varied, 4), bytes_put(out, r->collected_count, 4), bytes_put(out, words, 4);
    for (uint32_t i = 0; i < varied; i++)
        put_column(out, sweep_plan_name(r->plan, i), r->value_unit, i,
                   is_axis(sweep_plan_layout(r->plan), i));
    for (uint32_t i = 0; i < r->collected_count; i++)
        put_column(out, r->collected_name[i], r->collected_unit, i, false);
    for (uint32_t i = 0; i < words; i++) bytes_put_string(out, word(r, i));
}

static bool add_state(writer *w) {
    text state = {0};
    put_state(w, &state);
    const hid_t group = H5Gcreate2(w->file, HDF5_STATE, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                data = hdf5_make_data(group, "sweep", H5T_STD_U8LE, state.length);
    const bool good = data >= 0 && H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                            state.bytes) >= 0;
    H5Dclose(data), H5Gclose(group);
    text_free(&state);
    return good;
}

// --- rows ----------------------------------------------------------------------------------------

static bool flush(writer *w) {
    bool good = !w->to->failure;
    for (uint32_t i = 0; i < w->column_count && good && w->waiting; i++) {
        const column_out *c = &w->column[i];
        good = hdf5_write_part(c->data, c->type, w->written, w->waiting, c->waiting);
    }
    w->written += w->waiting, w->waiting = 0;
    return good;
}

static bool put_run(writer *w, const store_rows *r, uint64_t i) {
    const uint32_t varied = sweep_plan_values(w->s->asked.plan),
                   collected = w->s->asked.collected_count;
    const column_out *c = w->column;
    const uint64_t at = w->waiting++;
    for (uint32_t k = 0; k < varied; k++, c++)
        ((double *)c->waiting)[at] = r->varied[i * varied + k];
    for (uint32_t k = 0; k < collected; k++, c++)
        ((double *)c->waiting)[at] = r->collected[i * collected + k];
    ((uint64_t *)c[0].waiting)[at] = r->first + i;
    ((uint32_t *)c[1].waiting)[at] = word_of(&r->end[i]);
    ((double *)c[2].waiting)[at] = r->end[i].t;
    return w->waiting < BLOCK || flush(w);
}

static bool write_rows(writer *w) {
    store_rows r = {.s = w->s};
    bool good = true;
    while (good && store_rows_next(&r))
        for (uint64_t i = 0; i < r.count && good; i++) good = put_run(w, &r, i);
    if (r.failure) w->to->failure = r.failure;
    good = good && !r.failure && flush(w);
    store_rows_free(&r);
    return good;
}

// --- the file ------------------------------------------------------------------------------------

static bool write_terms(const writer *w) {
    const sweep_store *s = w->s;
    const sweep_store_request *r = &s->asked;
    const hid_t group = H5Gcreate2(w->file, "/settings", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good =
        group >= 0 && hdf5_put_text(w->file, "format", FORMAT) &&
        hdf5_put_text(w->file, "version", r->version) &&
        hdf5_put_text(w->file, "model", r->model) && hdf5_put_count(w->file, "runs", s->runs) &&
        hdf5_put_count(w->file, "rows", s->finished) &&
        hdf5_put_text(w->file, "outcome", s->finished == s->runs ? "finished" : "unfinished");
    for (uint32_t i = 0; i < r->setting_count && good; i++)
        good = hdf5_put_text(group, r->setting[i].name, r->setting[i].value);
    return good;
}

static bool write_all(hid_t file, hdf5_output *to, const void *data) {
    const sweep_store *s = data;
    const uint64_t columns =
        (uint64_t)sweep_plan_values(s->asked.plan) + s->asked.collected_count + 3;
    writer w = {.s = s, .file = file, .to = to, .column = memory_zeros(column_out, columns)};
    const bool good = write_terms(&w) && add_varied(&w) && add_collected(&w) && add_ended(&w) &&
                      add_state(&w) && write_rows(&w);
    for (uint32_t i = 0; i < w.column_count; i++) memory_free(w.column[i].waiting);
    memory_free(w.column);
    return good;
}

static bool write_file(const void *store, const char *file, text *why) {
    return hdf5_write_file(file, write_all, store, why);
}

const store_format store_hdf5 = {".h5", write_file};
