// The rows of an earlier run from its HDF5 file.
#include "record/hdf5_internal.h"
#include "record/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const char **name = group >= 0 ? hdf5_get_texts(group, "columns", &ctx->arena, &count) : NULL;
    out->rows = (table){.column_count = count};
    out->column = arena_array(&ctx->arena, column, count);
    bool good = count > 0 && table_set_rows(ctx, &out->rows, p->rows) == HAMEL_OK;
    for (uint32_t i = 0; good && i < count; i++) {
        const hid_t data = hdf5_open_data(group, name[i], p->rows);
        good = data >= 0 && !stored_name_fault(name[i], strlen(name[i])) &&
               read_column(data, i, &out->rows);
        if (good)
            out->column[i] = (column){
                .name = name[i], .kind = kind_called(hdf5_get_text(data, "kind", &ctx->arena))};
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
    const hid_t data = hdf5_open_data(file, "events", p->events);
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
    hdf5_begin_reading(&now, file, &why);
    const hid_t f = now.file;
    const char *format = f >= 0 ? hdf5_get_text(f, "format", &ctx->arena) : NULL;
    position p = {0};
    bool good = f >= 0;
    if (good && (!format || strcmp(format, HDF5_FORMAT) != 0))
        good = false, text_append(&why, "it is no trajectory of hamel");
    if (good && !hdf5_read_position(f, now.type, &p))
        good = false, text_append(&why, "it has no rows");
    good = good && read_columns(f, &p, ctx, out, &why) && read_events(f, &p, ctx, out, &why);
    if (!good && !ctx->exhausted)
        diag_error(ctx, (span){0}, NULL, "cannot read `%s`: %s", file, text_string(&why));
    hdf5_end_reading(&now);
    text_free(&why);
    return good ? HAMEL_OK : ctx->exhausted ? HAMEL_LIMIT : HAMEL_USAGE;
}
