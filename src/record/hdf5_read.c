// An earlier run from its HDF5 file: its rows, what it was asked, and where it stood, to go on.
#include "record/hdf5_internal.h"

#include <math.h>
#include <string.h>

// --- the file ------------------------------------------------------------------------------------

static hid_t open_file(const char *file, unsigned mode, text *why) {
    const hid_t access = hdf5_access(), f = H5Fopen(file, mode, access);
    if (f < 0) hdf5_say_why(why, "HDF5 cannot open it"); // the next call forgets it
    H5Pclose(access);
    return f;
}

// A file that is read, with its type of positions; closed where memory runs out.
typedef struct {
    hid_t file, type;
    voice before;
    guard open;
} reading;

static void close_reading(void *what) {
    reading *r = what;
    H5Tclose(r->type), H5Fclose(r->file);
    hdf5_give_back(r->before);
}

static void begin_reading(reading *r, const char *file, text *why) {
    *r = (reading){.file = -1, .type = -1, .before = hdf5_silence()};
    guard_set(&r->open, close_reading, r);
    r->file = open_file(file, H5F_ACC_RDONLY, why);
    r->type = hdf5_position_type();
}

static void end_reading(reading *r) {
    guard_lift(&r->open);
    close_reading(r);
}

// NULL or false if there is no such attribute.
static const char **get_texts(hid_t where, const char *name, arena *a, uint32_t *count) {
    *count = 0;
    if (H5Aexists(where, name) <= 0) return NULL;
    const hid_t attribute = H5Aopen(where, name, H5P_DEFAULT), space = H5Aget_space(attribute),
                type = hdf5_text_type(), stored = H5Aget_type(attribute);
    const hssize_t length = H5Sget_simple_extent_npoints(space);
    const char **value = NULL;
    if (length > 0 && H5Tis_variable_str(stored) > 0) {
        char **read = memory_zeros(char *, length);
        if (read && H5Aread(attribute, type, read) >= 0) {
            value = arena_array(a, const char *, length);
            for (hssize_t i = 0; i < length; i++)
                value[i] = read[i] ? arena_copy(a, read[i], strlen(read[i])) : "";
            *count = (uint32_t)length;
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
        }
        memory_free(read);
    }
    H5Tclose(stored), H5Tclose(type), H5Sclose(space), H5Aclose(attribute);
    return value;
}

static const char *get_text(hid_t where, const char *name, arena *a) {
    uint32_t count;
    const char **value = get_texts(where, name, a, &count);
    return value ? value[0] : NULL;
}

static bool get_attribute(hid_t where, const char *name, hid_t type, void *value) {
    if (H5Aexists(where, name) <= 0) return false;
    const hid_t a = H5Aopen(where, name, H5P_DEFAULT);
    const bool good = H5Aread(a, type, value) >= 0;
    H5Aclose(a);
    return good;
}

// With at least so many elements; negative where it is not as this program made it
static hid_t open_data(hid_t where, const char *name, uint64_t length) {
    const hid_t access = hdf5_column_access(), data = H5Dopen2(where, name, access),
                space = H5Dget_space(data);
    const bool good = data >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_npoints(space) >= (hssize_t)length;
    H5Sclose(space), H5Pclose(access);
    return good ? data : -1;
}

static bool read_position(hid_t file, hid_t type, position *p) {
    const hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    const bool good = group >= 0 && get_attribute(group, "position", type, p) && p->rows > 0 &&
                      p->place < 2 && isfinite(p->t);
    H5Gclose(group);
    return good;
}

// --- what was asked ------------------------------------------------------------------------------

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
    const char *format = get_text(file, "format", a);
    uint64_t project = 0;
    bool good = format && strcmp(format, HDF5_FORMAT) == 0 &&
                get_attribute(file, "project", H5T_NATIVE_UINT64, &project);
    for (size_t i = 0; i < sizeof texts / sizeof *texts && good; i++)
        good = (*texts[i].value = get_text(file, texts[i].name, a)) != NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && good; i++)
        good = get_attribute(file, numbers[i].name, H5T_NATIVE_DOUBLE, numbers[i].value);
    t->included = get_texts(file, "included", a, &t->included_count);
    t->project = project != 0;
    return good;
}

bool hdf5_past(const char *file, arena *a, run_past *out, text *why) {
    *out = (run_past){0};
    reading now;
    begin_reading(&now, file, why);
    const hid_t f = now.file;
    position p = {0};
    if (f >= 0 && !read_terms(f, a, out)) text_append(why, "it is no trajectory of hamel");
    else if (f >= 0 && !read_position(f, now.type, &p))
        text_append(why, "no state to go on from was saved in it");
    out->t = p.t;
    end_reading(&now);
    return !why->length;
}

// --- rows ----------------------------------------------------------------------------------------

enum { BLOCK = 4096 };

static column_kind kind_called(const char *name) {
    column_kind k = COLUMN_TIME;
    while (k < COLUMN_RESIDUAL && (!name || strcmp(column_kind_name(k), name) != 0)) k++;
    return k;
}

static bool read_column(hid_t data, uint32_t i, table *out) {
    double value[BLOCK];
    bool good = true;
    for (uint64_t from = 0; good && from < out->row_count; from += BLOCK) {
        const uint64_t count = out->row_count - from < BLOCK ? out->row_count - from : BLOCK;
        good = hdf5_transfer(data, H5T_NATIVE_DOUBLE, from, count, value, false);
        for (uint64_t k = 0; k < count; k++)
            out->value[(from + k) * out->column_count + i] = value[k];
    }
    return good;
}

static bool read_columns(hid_t file, const position *p, context *ctx, stored_rows *out, text *why) {
    const hid_t group = H5Gopen2(file, "trajectory", H5P_DEFAULT);
    uint32_t count = 0;
    const char **name = group >= 0 ? get_texts(group, "columns", &ctx->arena, &count) : NULL;
    out->rows = (table){.column_count = count};
    out->column = arena_array(&ctx->arena, column, count);
    bool good = count > 0 && table_set_rows(ctx, &out->rows, p->rows) == HAMEL_OK;
    for (uint32_t i = 0; good && i < count; i++) {
        const hid_t data = open_data(group, name[i], p->rows);
        good = data >= 0 && !stored_name_fault(name[i], strlen(name[i])) &&
               read_column(data, i, &out->rows);
        if (good)
            out->column[i] =
                (column){.name = name[i], .kind = kind_called(get_text(data, "kind", &ctx->arena))};
        H5Dclose(data);
    }
    if (!good) hdf5_say_why(why, "its columns are not all there");
    H5Gclose(group);
    return good;
}

// Bytes of a name, as the file has them.
static size_t event_name_size(hid_t events) {
    const hid_t type = H5Dget_type(events);
    const int index = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_member_index(type, "name") : -1;
    const hid_t name = index >= 0 ? H5Tget_member_type(type, (unsigned)index) : -1;
    const size_t size = name >= 0 && H5Tget_class(name) == H5T_STRING && !H5Tis_variable_str(name)
                            ? H5Tget_size(name)
                            : 0;
    H5Tclose(name), H5Tclose(type);
    return size;
}

static bool read_event(hid_t events, hid_t type, uint64_t i, size_t size, arena *a,
                       event_record *out) {
    char *bytes = memory_array(char, sizeof(event_numbers) + size);
    bool good = hdf5_transfer(events, type, i, 1, bytes, false);
    if (good) {
        event_numbers e;
        memcpy(&e, bytes, sizeof e);
        const char *name = bytes + sizeof e, *end = memchr(name, 0, size);
        *out = (event_record){arena_copy(a, name, end ? (size_t)(end - name) : size), e.t,
                              (int)e.direction, NULL};
        good = isfinite(e.t) && !stored_name_fault(out->name, strlen(out->name));
    }
    memory_free(bytes);
    return good;
}

static bool read_events(hid_t file, const position *p, context *ctx, stored_rows *out, text *why) {
    const hid_t data = open_data(file, "events", p->events);
    const size_t size = data >= 0 ? event_name_size(data) : 0;
    bool good = size > 0 && size <= STORED_LONGEST_NAME &&
                p->events <= ctx->limits.table_bytes / sizeof(event_record);
    event_record *event = good ? arena_array(&ctx->arena, event_record, p->events) : NULL;
    const hid_t type = good ? hdf5_event_type(0, size) : -1;
    for (uint64_t i = 0; good && i < p->events; i++)
        good = read_event(data, type, i, size, &ctx->arena, &event[i]);
    if (!good) hdf5_say_why(why, "its events are not all there");
    H5Tclose(type), H5Dclose(data);
    out->has_events = good, out->event = event, out->event_count = good ? (uint32_t)p->events : 0;
    return good;
}

hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out) {
    text why = {0};
    reading now;
    begin_reading(&now, file, &why);
    const hid_t f = now.file;
    const char *format = f >= 0 ? get_text(f, "format", &ctx->arena) : NULL;
    position p = {0};
    bool good = f >= 0;
    if (good && (!format || strcmp(format, HDF5_FORMAT) != 0))
        good = false, text_append(&why, "it is no trajectory of hamel");
    if (good && !read_position(f, now.type, &p)) good = false, text_append(&why, "it has no rows");
    good = good && read_columns(f, &p, ctx, out, &why) && read_events(f, &p, ctx, out, &why);
    if (!good && !ctx->exhausted)
        diag_error(ctx, (span){0}, NULL, "cannot read `%s`: %s", file, text_string(&why));
    end_reading(&now);
    text_free(&why);
    return good ? HAMEL_OK : ctx->exhausted ? HAMEL_LIMIT : HAMEL_USAGE;
}

// --- going on ------------------------------------------------------------------------------------

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
    for (uint32_t i = 0; i < h->sim->column_count && good; i++)
        good = (h->column[i] = open_data(group, h->sim->column[i].name, p->rows)) >= 0;
    if (!good) return false;
    h->chunk = chunk_of(h->column[0]);
    for (uint32_t i = 0; i < PART_COUNT && good; i++)
        good =
            (h->part[i] = open_data(state, hdf5_part_name(i), 2 * hdf5_part_size(h->sim, i))) >= 0;
    h->events = open_data(h->file, "events", p->events);
    h->position = H5Aopen(state, "position", H5P_DEFAULT);
    return good && h->chunk > 0 && h->chunk <= HDF5_LARGEST_CHUNK && h->events >= 0;
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

static bool restore_events(store *h, const position *p, run_record *record) {
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
            good ? known_event(h->sim->m, bytes + sizeof e + state, h->event_name) : NULL;
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
static bool restore_rows(store *h, const position *p, run_record *record) {
    const uint64_t begin = p->rows - p->rows % h->chunk;
    bool good = true;
    for (uint32_t i = 0; i < h->sim->column_count && good; i++)
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

static bool restore(sink *s, run_position *there, run_record *record) {
    store *h = (store *)s;
    const voice v = hdf5_silence();
    position p;
    bool good = read_position(h->file, h->position_type, &p) && restore_rows(h, &p, record) &&
                restore_events(h, &p, record) &&
                hdf5_transfer_parts(h, p.place, there, record->deviation, false);
    for (hsize_t i = 0; i < h->sim->o->size && good; i++)
        good = isfinite(there->z[i]) && isfinite(there->rest[i]) && isfinite(there->turns[i]);
    if (good) {
        there->t = p.t, there->rejected = p.rejected, there->evaluations = p.evaluations;
        there->pace[0] = p.carried[0], there->pace[1] = p.carried[1];
        there->chart = p.carried[3] != 0;
        record->rows = p.rows, record->next_row = p.next_row, record->steps = p.steps;
        record->smallest_step = p.smallest_step, record->largest_step = p.largest_step;
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
    h->file = open_file(r->file, H5F_ACC_RDWR, why);
    position p;
    const bool good = h->file >= 0 && read_position(h->file, h->position_type, &p) &&
                      open_columns(h, &p) && hdf5_put_number(h->file, "until", r->terms->until) &&
                      hdf5_put_text(h->file, "outcome", OUTCOME_NONE);
    if (good) {
        h->buffer = memory_array(double, (size_t)h->chunk * h->sim->column_count);
    } else {
        hdf5_say_why(why, "its columns are not those of the model");
        hdf5_release(h);
    }
    hdf5_give_back(v);
    return good ? &h->base : NULL;
}
