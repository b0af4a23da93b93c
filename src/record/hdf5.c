// A run on record as an HDF5 file that explains itself.
//
//   /                  attributes: what was asked (run_terms), how it ended (outcome, t, steps ..)
//   /trajectory/NAME   one float64 dataset for each column; attributes name, kind, unit (""
//                      where the model states none), drift, drift_at; attribute `columns` of the
//                      group: their order
//   /events            name, t, direction, state: coordinates and velocities there
//   /state/head, end   the record itself without its rows, for --resume and `plot`: see recording.h
//
// Nothing depends on the clock: equal runs make equal files.
#include "record/hdf5_internal.h"

#include <errno.h>
#include <math.h>

static const char FORMAT[] = "hamel trajectory 3";

// One file under way
typedef struct {
    const recording *from;
    hid_t file;
    hdf5_output *to;
    hid_t *column;
} store;

// --- what was asked, how it ended ----------------------------------------------------------------

static bool write_terms(hid_t file, const run_terms *t) {
    const struct {
        const char *name, *value;
    } texts[] = {{"format", FORMAT},
                 {"version", t->version},
                 {"system", t->name},
                 {"title", t->title},
                 {"model", t->text},
                 {"set", t->set},
                 {"at", t->at},
                 {"form", t->form},
                 {"method", t->method},
                 {"execution", t->execution},
                 {"precision", t->precision}};
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && good; i++)
        good = hdf5_put_text(file, texts[i].name, texts[i].value);
    if (good && t->included_count)
        good = hdf5_put_texts(file, "included", t->included_count, t->included);
    return good && hdf5_put_number(file, "tolerance", t->tolerance) &&
           hdf5_put_number(file, "interval", t->interval) &&
           hdf5_put_number(file, "until", t->until) && hdf5_put_number(file, "step", t->step) &&
           hdf5_put_count(file, "project", t->project);
}

static bool write_summary(const store *h) {
    const recording *r = h->from;
    bool good =
        hdf5_put_text(h->file, "outcome", r->outcome) && hdf5_put_count(h->file, "rows", r->rows);
    if (!good || !r->has_position) return good;
    good = hdf5_put_number(h->file, "t", r->position.t) &&
           hdf5_put_count(h->file, "steps", r->counted.steps) &&
           hdf5_put_count(h->file, "rejected", r->position.rejected) &&
           hdf5_put_count(h->file, "evaluations", r->position.evaluations);
    for (uint32_t i = 0; i < r->column_count && good; i++)
        if (column_should_stay(r->column[i].kind))
            good = hdf5_put_number(h->column[i], "drift", r->counted.deviation[i]) &&
                   hdf5_put_number(h->column[i], "drift_at", r->counted.deviation_t[i]);
    return good;
}

// --- rows ----------------------------------------------------------------------------------------

static bool make_columns(store *h) {
    const recording *r = h->from;
    const hid_t group = H5Gcreate2(h->file, HDF5_COLUMNS, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char **names = memory_array(const char *, r->column_count);
    bool good = group >= 0;
    for (uint32_t i = 0; i < r->column_count && good; i++) {
        const column *c = &r->column[i];
        names[i] = c->name;
        h->column[i] = hdf5_make_data(group, c->name, H5T_IEEE_F64LE, r->rows);
        good = h->column[i] >= 0 && hdf5_put_text(h->column[i], "name", c->name) &&
               hdf5_put_text(h->column[i], "kind", column_kind_name(c->kind)) &&
               hdf5_put_text(h->column[i], "unit", c->unit ? c->unit : "");
    }
    // in their order: a group has none
    good = good && hdf5_put_texts(group, "columns", r->column_count, names);
    H5Gclose(group);
    memory_free(names);
    return good;
}

static bool write_rows(store *h) {
    const recording *r = h->from;
    const uint32_t columns = r->column_count;
    const uint64_t at_once = recording_rows_at_once(columns);
    double *value = memory_array(double, at_once *columns);
    double *one = memory_array(double, at_once);
    bool good = true;
    for (uint64_t from = 0; from < r->rows && good && !h->to->failure; from += at_once) {
        const uint64_t count = r->rows - from < at_once ? r->rows - from : at_once;
        good = recording_rows(r, from, count, value);
        if (!good) h->to->failure = errno;
        for (uint32_t i = 0; i < columns && good; i++) {
            for (uint64_t k = 0; k < count; k++) one[k] = value[k * columns + i];
            good = hdf5_write_part(h->column[i], H5T_NATIVE_DOUBLE, from, count, one);
        }
    }
    memory_free(value), memory_free(one);
    return good;
}

// --- events --------------------------------------------------------------------------------------

typedef struct {
    double t;
    int64_t direction;
} event_numbers; // in front of the state, n coordinates and n velocities, and the name

static hid_t event_type(uint32_t state_numbers, size_t name_bytes) {
    const hsize_t count = state_numbers;
    const size_t state = sizeof(double) * state_numbers;
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(event_numbers) + state + name_bytes),
                name = H5Tcopy(H5T_C_S1), numbers = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &count);
    H5Tset_size(name, name_bytes);
    H5Tset_strpad(name, H5T_STR_NULLPAD);
    H5Tset_cset(name, H5T_CSET_UTF8);
    H5Tinsert(type, "t", offsetof(event_numbers, t), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "direction", offsetof(event_numbers, direction), H5T_NATIVE_INT64);
    if (state_numbers) H5Tinsert(type, "state", sizeof(event_numbers), numbers);
    H5Tinsert(type, "name", sizeof(event_numbers) + state, name);
    H5Tclose(name), H5Tclose(numbers);
    return type;
}

static void put_event(char *to, const event_record *e, uint32_t state_numbers) {
    const size_t state = sizeof(double) * state_numbers;
    memcpy(to, &(event_numbers){e->t, e->direction}, sizeof(event_numbers));
    for (uint32_t i = 0; i < state_numbers; i++)
        memcpy(to + sizeof(event_numbers) + sizeof(double) * i,
               e->state ? &e->state[i] : &(double){NAN}, sizeof(double));
    memcpy(to + sizeof(event_numbers) + state, e->name, strlen(e->name));
}

static bool write_events(const store *h) {
    const recording *r = h->from;
    const uint32_t numbers = 2 * r->coordinates;
    size_t longest = 1;
    for (uint32_t i = 0; i < r->events_count; i++)
        if (strlen(r->events[i].name) > longest) longest = strlen(r->events[i].name);
    const size_t each = sizeof(event_numbers) + sizeof(double) * numbers + longest;
    char *bytes = memory_zeros(char, each *(r->events_count + 1));
    for (uint32_t i = 0; i < r->events_count; i++)
        put_event(bytes + each * i, &r->events[i], numbers);
    const hid_t type = event_type(numbers, longest),
                data = hdf5_make_data(h->file, "events", type, r->events_count);
    const bool good = data >= 0 && (!r->events_count || H5Dwrite(data, type, H5S_ALL, H5S_ALL,
                                                                 H5P_DEFAULT, bytes) >= 0);
    H5Dclose(data), H5Tclose(type);
    memory_free(bytes);
    return good;
}

// --- the record itself ---------------------------------------------------------------------------

static bool write_bytes(hid_t file, const char *name, const text *bytes) {
    const hid_t data = hdf5_make_data(file, name, H5T_STD_U8LE, bytes->length);
    const bool good = data >= 0 && H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                            bytes->bytes) >= 0;
    H5Dclose(data);
    return good;
}

static bool write_record(const store *h) {
    const recording *r = h->from;
    const row_layout l = recording_layout(r);
    const hid_t group = H5Gcreate2(h->file, "/state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    text head = {0}, end = {0};
    recording_put_magic(&head);
    recording_put_head(&head, &r->terms, &l);
    for (uint32_t i = 0; i < r->events_there; i++) recording_put_event(&end, &r->events[i], &l);
    if (r->has_position) {
        run_record counted = r->counted;
        counted.events_count = r->events_there;
        recording_put_position(&end, &r->position, &counted, &l);
    }
    for (uint32_t i = r->events_there; i < r->events_count; i++)
        recording_put_event(&end, &r->events[i], &l);
    recording_put_outcome(&end, r->outcome);
    const bool good = group >= 0 && write_bytes(h->file, HDF5_HEAD, &head) &&
                      write_bytes(h->file, HDF5_END, &end);
    H5Gclose(group);
    text_free(&head), text_free(&end);
    return good;
}

// --- the file ------------------------------------------------------------------------------------

static bool write_all(hid_t file, hdf5_output *to, const void *data) {
    const recording *r = data;
    store h = {r, file, to, memory_zeros(hid_t, r->column_count)};
    const bool good = write_terms(h.file, &r->terms) && make_columns(&h) && write_rows(&h) &&
                      write_summary(&h) && write_events(&h) && write_record(&h);
    memory_free(h.column);
    return good;
}

static bool write_file(const recording *r, const char *file, text *why) {
    return hdf5_write_file(file, write_all, r, why);
}

const sink_kind sink_hdf5 = {
    .id = "hdf5",
    .suffix = ".h5",
    .about = "rows with what was asked and how it ended; a run can go on from there",
    .write = write_file,
    .recall = hdf5_recall,
    .read = hdf5_read,
};
