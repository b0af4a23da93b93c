// Rows in an HDF5 file that explains itself and survives the end of the process that writes it.
//
//   /                  attributes: what was asked (run_terms), how it ended (outcome, t, steps ..)
//   /trajectory/NAME   one float64 dataset that grows for each column; attributes name, kind,
//                      unit ("": the language has no units), drift
//   /events            name, t, direction, state: coordinates and velocities there
//   /state             attribute `position`: where the run stands, and how many rows belong to it;
//                      datasets z, rest (of z), turns (of coordinates), here (the columns at z,
//                      which mean the same in every chart) and deviation: two places each, used in
//                      turn; position.place says which is valid
//
// Rows go to the file itself as they are stored; what HDF5 knows about them (lengths, indices)
// changes on the disk only in save_all(), because evictions are off. So a kill leaves the file as
// the last save left it. `position` is a single attribute and gets there in one piece; z goes to
// the place not in use. The first row of a chunk is stored at once: where things lie in the file
// never depends on the clock, and equal runs make equal files.
#define _GNU_SOURCE // memfd_create
#include "record/hdf5_internal.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CALLS_BETWEEN_SAVES = 4, EVENT_CHUNK = 64, LEAST_CHUNK = 64, CHUNKS = 32 };

// --- storing -------------------------------------------------------------------------------------

static bool append(hid_t data, hid_t type, hsize_t from, hsize_t count, void *values) {
    const hsize_t length = from + count;
    return H5Dset_extent(data, &length) >= 0 &&
           hdf5_transfer(data, type, from, count, values, true);
}

// The buffer holds the rows of one chunk from its beginning; those from h->stored on are new.
static bool store_rows(store *h) {
    const uint64_t before = h->stored % h->chunk, count = h->buffered - before;
    if (!count) return true;
    bool good = true;
    for (uint32_t i = 0; i < h->sim->column_count && good; i++)
        good = append(h->column[i], H5T_NATIVE_DOUBLE, h->stored, count,
                      h->buffer + i * h->chunk + before);
    h->stored += count;
    if (h->buffered == h->chunk) h->buffered = 0;
    return good;
}

static bool store_event(store *h, const event_record *e) {
    const size_t state = sizeof(double) * h->event_state;
    char *bytes = memory_zeros(char, sizeof(event_numbers) + state + h->event_name);
    if (!bytes) return false;
    memcpy(bytes, &(event_numbers){e->t, e->direction}, sizeof(event_numbers));
    for (uint32_t i = 0; i < h->event_state; i++)
        memcpy(bytes + sizeof(event_numbers) + sizeof(double) * i,
               e->state ? &e->state[i] : &(double){NAN}, sizeof(double));
    // not longer than the longest
    memcpy(bytes + sizeof(event_numbers) + state, e->name, strlen(e->name));
    const bool good = append(h->events, h->event_type, h->events_stored++, 1, bytes);
    memory_free(bytes);
    return good;
}

static bool write_position(store *h, const run_position *here) {
    const run_record *record = h->record;
    h->place = !h->place;
    const position p = {.t = here->t,
                        .carried = {here->pace[0], here->pace[1], 0, here->chart},
                        .smallest_step = record->smallest_step,
                        .largest_step = record->largest_step,
                        .rows = h->stored,
                        .next_row = record->next_row,
                        .steps = record->steps,
                        .rejected = here->rejected,
                        .evaluations = here->evaluations,
                        .events = h->events_stored,
                        .place = h->place};
    return hdf5_transfer_parts(h, h->place, here, record->deviation, true) &&
           H5Awrite(h->position, h->position_type, &p) >= 0;
}

static bool store_events(store *h) {
    bool good = true;
    while (good && h->events_stored < h->record->events_count)
        good = store_event(h, &h->record->events[h->events_stored]);
    return good;
}

// Between two steps only: then rows, events and position belong together.
static bool save_all(store *h, const run_position *here) {
    return store_events(h) && store_rows(h) && write_position(h, here) &&
           H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0;
}

static bool row(sink *s, const double *value) {
    store *h = (store *)s;
    for (uint32_t i = 0; i < h->sim->column_count; i++)
        h->buffer[i * h->chunk + h->buffered] = value[i];
    h->buffered++;
    if (h->buffered > 1 && h->buffered < h->chunk && h->events_stored == h->record->events_count)
        return true;
    const voice v = hdf5_silence();
    bool good = store_events(h);
    if (good && (h->buffered == 1 || h->buffered == h->chunk)) good = store_rows(h);
    hdf5_give_back(v);
    return good;
}

static bool save(sink *s, const run_position *here) {
    store *h = (store *)s;
    if (h->saves++ % CALLS_BETWEEN_SAVES) return true;
    const voice v = hdf5_silence();
    const bool good = save_all(h, here);
    hdf5_give_back(v);
    return good;
}

// --- the end -------------------------------------------------------------------------------------

static bool write_summary(store *h, const run_position *here, const char *outcome) {
    const run_record *record = h->record;
    bool good = hdf5_put_text(h->file, "outcome", outcome) &&
                hdf5_put_number(h->file, "t", here->t) &&
                hdf5_put_count(h->file, "steps", record->steps) &&
                hdf5_put_count(h->file, "rejected", here->rejected) &&
                hdf5_put_count(h->file, "evaluations", here->evaluations) &&
                hdf5_put_count(h->file, "rows", h->stored);
    for (uint32_t i = 0; i < h->sim->column_count && good; i++)
        if (column_should_stay(h->sim->column[i].kind))
            good = hdf5_put_number(h->column[i], "drift", record->deviation[i]);
    return good;
}

bool hdf5_release(store *h) {
    guard_lift(&h->open);
    H5Tclose(h->position_type), H5Tclose(h->event_type);
    const bool good = h->file < 0 || H5Fclose(h->file) >= 0; // with everything open in it
    memory_free(h->column), memory_free(h->buffer);
    memory_free(h);
    return good;
}

// After a failed write: what HDF5 still has to say about the file goes to memory, and the file
// stays as it was last saved. Without this a full disk would leave a file in pieces, and HDF5 1.10,
// which cannot close such a file, would crash when the program ends.
static void let_go(hid_t file) {
    void *handle = NULL;
    const int memory = memfd_create("hamel", 0);
    if (memory >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle)
        dup2(memory, *(int *)handle);
    if (memory >= 0) close(memory);
}

static bool finish(sink *s, const run_position *here, const char *outcome) {
    store *h = (store *)s;
    const voice v = hdf5_silence();
    bool good = !h->base.restore || h->restored; // what could not be read is not overwritten
    // Both places hold the end: no trace of how often the clock had it saved
    good = good && save_all(h, here) && save_all(h, here) && (h->place || save_all(h, here));
    good = good && write_summary(h, here, outcome) && H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0;
    if (!good) let_go(h->file);
    if (!hdf5_release(h)) good = false;
    hdf5_give_back(v);
    return good;
}

// Memory ran out: the file stays as it was saved last.
static void abandon(void *what) {
    store *h = what;
    const voice v = hdf5_silence();
    H5Tclose(h->position_type), H5Tclose(h->event_type);
    if (h->file >= 0) let_go(h->file), H5Fclose(h->file);
    hdf5_give_back(v);
}

static size_t longest_event_name(const model *m) {
    size_t most = 1;
    for (uint32_t i = 0; i < m->events_count; i++)
        if (strlen(m->events[i].name) > most) most = strlen(m->events[i].name);
    return most;
}

store *hdf5_store(const sink_request *r) {
    store *h = memory_new(store);
    *h = (store){.base = {.row = row, .save = save, .finish = finish, .wants_position = true},
                 .record = r->record,
                 .sim = r->sim,
                 .file = -1,
                 .position_type = hdf5_position_type()};
    guard_set(&h->open, abandon, h);
    h->event_name = longest_event_name(h->sim->m);
    h->event_state = 2 * h->sim->eq->system->n;
    h->event_type = hdf5_event_type(h->event_state, h->event_name);
    h->column = memory_array(hid_t, h->sim->column_count);
    return h;
}

// --- a new file ----------------------------------------------------------------------------------

static hid_t growing(hid_t where, const char *name, hid_t type, hsize_t chunk) {
    const hsize_t none = 0, any = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(1, &none, &any), how = H5Pcreate(H5P_DATASET_CREATE),
                access = hdf5_column_access();
    H5Pset_chunk(how, 1, &chunk);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(how, false);
    const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, how, access);
    H5Sclose(space), H5Pclose(how), H5Pclose(access);
    return data;
}

static hid_t two_places(hid_t where, const char *name, hsize_t size) {
    const hsize_t length = 2 * size;
    const hid_t space = H5Screate_simple(1, &length, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_obj_track_times(how, false);
    const hid_t data =
        H5Dcreate2(where, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Sclose(space), H5Pclose(how);
    return data;
}

static bool write_terms(hid_t file, const run_terms *t) {
    const struct {
        const char *name, *value;
    } texts[] = {{"format", HDF5_FORMAT},
                 {"version", t->version},
                 {"system", t->name},
                 {"title", t->title},
                 {"model", t->text},
                 {"set", t->set},
                 {"at", t->at},
                 {"form", t->form},
                 {"method", t->method},
                 {"execution", t->execution},
                 {"precision", t->precision},
                 {"outcome", OUTCOME_NONE}};
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

static bool make_columns(store *h) {
    const hid_t group = H5Gcreate2(h->file, "trajectory", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char **names = memory_array(const char *, h->sim->column_count);
    bool good = group >= 0;
    for (uint32_t i = 0; i < h->sim->column_count && good; i++) {
        const column *c = &h->sim->column[i];
        names[i] = c->name;
        h->column[i] = growing(group, c->name, H5T_IEEE_F64LE, h->chunk);
        good = h->column[i] >= 0 && hdf5_put_text(h->column[i], "name", c->name) &&
               hdf5_put_text(h->column[i], "kind", column_kind_name(c->kind)) &&
               hdf5_put_text(h->column[i], "unit", "");
    }
    // in their order: a group has none
    good = good && hdf5_put_texts(group, "columns", h->sim->column_count, names);
    memory_free(names);
    return good;
}

static bool make_state(store *h) {
    const hid_t group = H5Gcreate2(h->file, "state", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                one = H5Screate(H5S_SCALAR);
    bool good = group >= 0;
    for (uint32_t i = 0; i < PART_COUNT && good; i++) {
        h->part[i] = two_places(group, hdf5_part_name(i), hdf5_part_size(h->sim, i));
        good = h->part[i] >= 0;
    }
    h->position = H5Acreate2(group, "position", h->position_type, one, H5P_DEFAULT, H5P_DEFAULT);
    h->events = growing(h->file, "events", h->event_type, EVENT_CHUNK);
    H5Sclose(one);
    return good && h->events >= 0 && h->position >= 0 &&
           H5Awrite(h->position, h->position_type, &(position){0}) >= 0;
}

// About CHUNKS chunks where the number of rows is known beforehand.
static uint64_t chunk_rows(const sink_request *r) {
    const run_terms *asked = r->terms;
    const double rows =
        asked->interval > 0 ? (asked->until - r->start) / asked->interval : CHUNKS * 1024;
    uint64_t chunk = LEAST_CHUNK;
    while (chunk < HDF5_LARGEST_CHUNK && (double)chunk * CHUNKS < rows) chunk *= 2;
    return chunk;
}

static sink *open_new(const sink_request *r, text *why) {
    const voice v = hdf5_silence();
    store *h = hdf5_store(r);
    h->chunk = chunk_rows(r);
    h->buffer = memory_array(double, (size_t)h->chunk * h->sim->column_count);
    const hid_t access = hdf5_access();
    h->file = H5Fcreate(r->file, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (h->file < 0) hdf5_say_why(why, "HDF5 cannot make it"); // the next call forgets it
    H5Pclose(access);
    const bool good = h->file >= 0 && write_terms(h->file, r->terms) && make_columns(h) &&
                      make_state(h) && H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0;
    if (!good) {
        hdf5_say_why(why, "HDF5 refused");
        hdf5_release(h);
    }
    hdf5_give_back(v);
    return good ? &h->base : NULL;
}

const sink_kind sink_hdf5 = {
    .id = "hdf5",
    .suffix = ".h5",
    .about = "rows with what was asked and how it ended; a run can go on from there",
    .open = open_new,
    .reopen = hdf5_reopen,
    .past = hdf5_past,
    .read = hdf5_read,
};
