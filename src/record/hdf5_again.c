// Going on with an earlier run from its HDF5 file.
#include "record/hdf5_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool hdf5_read_position(hid_t file, hid_t type, position *p) {
    const hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    const bool good = group >= 0 && hdf5_get(group, "position", type, p) && p->rows > 0 &&
                      p->place < 2 && isfinite(p->t);
    H5Gclose(group);
    return good;
}

static bool read_terms(hid_t file, arena *a, run_past *out) {
    run_terms *t = &out->terms;
    const struct {
        const char *name, **value;
    } texts[] = {
        {"version", &t->version},     {"system", &t->name},      {"title", &t->title},
        {"model", &t->text},          {"set", &t->set},          {"at", &t->at},
        {"form", &t->form},           {"method", &t->method},    {"execution", &t->execution},
        {"precision", &t->precision}, {"outcome", &out->outcome}};
    const struct {
        const char *name;
        double *value;
    } numbers[] = {{"tolerance", &t->tolerance},
                   {"interval", &t->interval},
                   {"until", &t->until},
                   {"step", &t->step}};
    const char *format = hdf5_get_text(file, "format", a);
    uint64_t project = 0;
    bool good = format && strcmp(format, HDF5_FORMAT) == 0 &&
                hdf5_get(file, "project", H5T_NATIVE_UINT64, &project);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && good; i++)
        good = (*texts[i].value = hdf5_get_text(file, texts[i].name, a)) != NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && good; i++)
        good = hdf5_get(file, numbers[i].name, H5T_NATIVE_DOUBLE, numbers[i].value);
    t->included = hdf5_get_texts(file, "included", a, &t->included_count);
    t->project = project != 0;
    return good;
}

hid_t hdf5_open_file(const char *file, unsigned mode, text *why) {
    const hid_t access = hdf5_access(), f = H5Fopen(file, mode, access);
    if (f < 0) hdf5_say_why(why, "HDF5 cannot open it"); // the next call forgets it
    H5Pclose(access);
    return f;
}

static void close_reading(void *what) {
    reading *r = what;
    H5Tclose(r->type), H5Fclose(r->file);
    hdf5_give_back(r->before);
}

void hdf5_begin_reading(reading *r, const char *file, text *why) {
    *r = (reading){.file = -1, .type = -1, .before = hdf5_silence()};
    guard_set(&r->open, close_reading, r);
    r->file = hdf5_open_file(file, H5F_ACC_RDONLY, why);
    r->type = hdf5_position_type();
}

void hdf5_end_reading(reading *r) {
    guard_lift(&r->open);
    close_reading(r);
}

bool hdf5_past(const char *file, arena *a, run_past *out, text *why) {
    *out = (run_past){0};
    reading now;
    hdf5_begin_reading(&now, file, why);
    const hid_t f = now.file;
    position p = {0};
    if (f >= 0 && !read_terms(f, a, out)) text_append(why, "it is no trajectory of hamel");
    else if (f >= 0 && !hdf5_read_position(f, now.type, &p))
        text_append(why, "no state to go on from was saved in it");
    out->t = p.t;
    hdf5_end_reading(&now);
    return !why->length;
}

hid_t hdf5_open_data(hid_t where, const char *name, uint64_t length) {
    const hid_t access = hdf5_column_access(), data = H5Dopen2(where, name, access),
                space = H5Dget_space(data);
    const bool good = data >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_npoints(space) >= (hssize_t)length;
    H5Sclose(space), H5Pclose(access);
    return good ? data : -1;
}

static hsize_t chunk_of(hid_t data) {
    hsize_t chunk = 0;
    const hid_t how = H5Dget_create_plist(data);
    const bool good = H5Pget_chunk(how, 1, &chunk) == 1;
    H5Pclose(how);
    return good ? chunk : 0;
}

static bool open_columns(store *h, const position *p) {
    const hid_t group = H5Gopen2(h->file, "trajectory", H5P_DEFAULT),
                state = H5Gopen2(h->file, "state", H5P_DEFAULT);
    bool good = group >= 0 && state >= 0;
    for (uint32_t i = 0; i < h->s->column_count && good; i++)
        good = (h->column[i] = hdf5_open_data(group, h->s->column[i].name, p->rows)) >= 0;
    if (!good) return false;
    h->chunk = chunk_of(h->column[0]);
    h->z = hdf5_open_data(state, "z", 2 * h->s->o->size),
    h->rest = hdf5_open_data(state, "rest", 2 * h->s->o->size),
    h->turns = hdf5_open_data(state, "turns", 2 * h->s->o->size);
    h->here = hdf5_open_data(state, "here", 2 * h->s->column_count),
    h->deviation = hdf5_open_data(state, "deviation", 2 * h->s->column_count);
    h->events = hdf5_open_data(h->file, "events", p->events);
    h->position = H5Aopen(state, "position", H5P_DEFAULT);
    return h->chunk > 0 && h->chunk <= HDF5_LARGEST_CHUNK && h->z >= 0 && h->rest >= 0 &&
           h->turns >= 0 && h->here >= 0 && h->deviation >= 0 && h->events >= 0;
}

static bool cut(hid_t data, hsize_t length) { return H5Dset_extent(data, &length) >= 0; }

static const char *known_event(const model *m, const char *name, size_t size) {
    for (uint32_t i = 0; i < m->events_count; i++)
        if (strlen(m->events[i].name) <= size && strncmp(m->events[i].name, name, size) == 0)
            return m->events[i].name;
    return NULL;
}

// A file of an earlier version has no states there.
static double *state_of_event(const store *h, const char *bytes) {
    double *state = memory_array(double, h->event_state + 1);
    bool finite = true;
    memcpy(state, bytes + sizeof(event_numbers), sizeof(double) * h->event_state);
    for (uint32_t i = 0; i < h->event_state; i++) finite = finite && isfinite(state[i]);
    if (finite) return state;
    memory_free(state);
    return NULL;
}

static bool read_events(store *h, const position *p, run_record *record) {
    const size_t state = sizeof(double) * h->event_state,
                 size = sizeof(event_numbers) + state + h->event_name;
    char *bytes = memory_array(char, size);
    bool good = cut(h->events, p->events);
    for (; good && h->events_stored < p->events; h->events_stored++) {
        event_numbers e;
        memset(bytes, 0xff, size); // not a number
        good = hdf5_transfer(h->events, h->event_type, h->events_stored, 1, bytes, false);
        memcpy(&e, bytes, sizeof e);
        const char *name =
            good ? known_event(h->s->m, bytes + sizeof e + state, h->event_name) : NULL;
        good = name != NULL;
        if (good)
            list_push(record, events,
                      (event_record){name, e.t, (int)e.direction, state_of_event(h, bytes)});
    }
    memory_free(bytes);
    return good;
}

// Rows beyond the position are there if the kill came in the middle of a save:
// they are cut off, and made again.
static bool read_rows(store *h, const position *p, run_record *record) {
    const uint64_t begin = p->rows - p->rows % h->chunk;
    bool good = true;
    for (uint32_t i = 0; i < h->s->column_count && good; i++)
        good =
            cut(h->column[i], p->rows) &&
            hdf5_transfer(h->column[i], H5T_NATIVE_DOUBLE, 0, 1, record->first_row + i, false) &&
            hdf5_transfer(h->column[i], H5T_NATIVE_DOUBLE, p->rows - 1, 1, record->last_row + i,
                          false) &&
            (p->rows == begin || hdf5_transfer(h->column[i], H5T_NATIVE_DOUBLE, begin,
                                               p->rows - begin, h->buffer + i * h->chunk, false));
    h->stored = p->rows, h->buffered = (uint32_t)(p->rows - begin);
    return good;
}

static bool restore(sink *s, integration *in, run_record *record) {
    store *h = (store *)s;
    const hsize_t n = h->s->o->size, columns = h->s->column_count;
    const voice v = hdf5_silence();
    position p;
    bool good =
        hdf5_read_position(h->file, h->position_type, &p) && read_rows(h, &p, record) &&
        read_events(h, &p, record) &&
        (!n || (hdf5_transfer(h->z, H5T_NATIVE_DOUBLE, p.place * n, n, in->z, false) &&
                hdf5_transfer(h->rest, H5T_NATIVE_DOUBLE, p.place * n, n, in->rest, false) &&
                hdf5_transfer(h->turns, H5T_NATIVE_DOUBLE, p.place * n, n, in->turns, false))) &&
        hdf5_transfer(h->here, H5T_NATIVE_DOUBLE, p.place * columns, columns, record->row, false) &&
        hdf5_transfer(h->deviation, H5T_NATIVE_DOUBLE, p.place * columns, columns,
                      record->deviation, false);
    for (hsize_t i = 0; i < n && good; i++)
        good = isfinite(in->z[i]) && isfinite(in->rest[i]) && isfinite(in->turns[i]);
    if (good) {
        in->t = p.t, record->rows = p.rows, record->next_row = p.next_row, record->steps = p.steps,
        in->rejected = p.rejected, in->f->rate_calls = p.evaluations;
        record->smallest_step = p.smallest_step, record->largest_step = p.largest_step;
        in->pace[0] = p.carried[0], in->pace[1] = p.carried[1], in->chart = p.carried[3] != 0;
        h->place = p.place;
    }
    h->restored = good;
    hdf5_give_back(v);
    return good;
}

sink *hdf5_reopen(const sink_request *r, text *why) {
    const voice v = hdf5_silence();
    store *h = hdf5_store(r);
    h->base.restore = restore;
    h->file = hdf5_open_file(r->file, H5F_ACC_RDWR, why);
    position p;
    const bool good = h->file >= 0 && hdf5_read_position(h->file, h->position_type, &p) &&
                      open_columns(h, &p) && hdf5_put_number(h->file, "until", r->terms->until) &&
                      hdf5_put_text(h->file, "outcome", OUTCOME_NONE);
    if (good) {
        h->buffer = memory_array(double, (size_t)h->chunk * h->s->column_count);
    } else {
        hdf5_say_why(why, "its columns are not those of the model");
        hdf5_release(h);
    }
    hdf5_give_back(v);
    return good ? &h->base : NULL;
}
