// Rows of a sweep from an HDF5 file (sweep/store_hdf5.c says what is in it): what /state/sweep says
// first, then the rows, of which only as many are taken as it says.
#include "record/hdf5_internal.h"

#include "base/names.h"

#include <errno.h>
#include <sys/stat.h>

static const char NO_SWEEP[] = "it is neither a trajectory nor a sweep of hamel";
enum { BLOCK = 1 << 12 }; // rows at a time

// --- in the child --------------------------------------------------------------------------------

typedef struct {
    uint32_t varied, count; // of columns, how the runs ended being the last
    const column *column;
    uint64_t rows;
} wanted;

static bool send_head(fence *f, hid_t file, const void *data) {
    (void)data;
    hsize_t length;
    unsigned char *bytes = hdf5_find_bytes(file, "sweep", &length);
    return bytes && fence_send(f, bytes, length);
}

static hid_t open_column(hid_t file, const wanted *w, uint32_t i, hsize_t *length) {
    if (i + 1 == w->count) return hdf5_open_data(file, "ended", H5T_STD_U32LE, HDF5_PACKED, length);
    const hid_t group = hdf5_open_group(file, i < w->varied ? "varied" : "collected");
    return hdf5_open_data(group, w->column[i].name, H5T_IEEE_F64LE, HDF5_CHUNKED, length);
}

static bool send_block(fence *f, const wanted *w, const hid_t *data, hsize_t from, double *value,
                       double *one) {
    const hsize_t count = w->rows - from < BLOCK ? w->rows - from : BLOCK;
    for (uint32_t i = 0; i < w->count; i++) {
        if (!hdf5_read_part(data[i], from, count, one)) return false;
        for (hsize_t k = 0; k < count; k++) value[k * w->count + i] = one[k];
    }
    return fence_send(f, value, sizeof *value * count * w->count);
}

static bool send_rows(fence *f, hid_t file, const void *asked) {
    const wanted *w = asked;
    hid_t *data = memory_array(hid_t, w->count);
    hsize_t length = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        data[i] = open_column(file, w, i, &length);
        if (data[i] < 0 || length != w->rows) return false;
    }
    double *value = memory_array(double, (uint64_t)BLOCK * w->count),
           *one = memory_array(double, BLOCK);
    for (hsize_t from = 0; from < w->rows; from += BLOCK)
        if (!send_block(f, w, data, from, value, one)) return false;
    return true;
}

// --- here ----------------------------------------------------------------------------------------

// What may be shown; NULL where it is something else
static const char *get_words(context *ctx, byte_reader *b) {
    const uint64_t length = bytes_get(b, 4);
    const char *letters = (const char *)bytes_take(b, length);
    if (!letters || stored_name_fault(letters, length)) return NULL;
    return arena_copy(&ctx->arena, letters, length);
}

static bool read_columns(context *ctx, byte_reader *b, stored_rows *out) {
    names known = {0};
    const uint32_t count = out->rows.column_count;
    bool *is_axis = arena_array(&ctx->arena, bool, count), good = true;
    for (uint32_t i = 0; i + 1 < count && good; i++) {
        const char *name = get_words(ctx, b), *unit = get_words(ctx, b);
        is_axis[i] = bytes_get(b, 1);
        good = name && unit && names_put(&known, name, i);
        if (good) out->column[i] = (column){.name = name, .kind = COLUMN_OBSERVABLE};
        if (good && *unit) out->column[i].unit = unit;
    }
    names_free(&known);
    out->is_axis = is_axis;
    out->column[count - 1] = (column){.name = "ended", .kind = COLUMN_OBSERVABLE};
    return good;
}

static bool read_words(context *ctx, byte_reader *b, stored_rows *out) {
    bool good = true;
    out->word = arena_array(&ctx->arena, const char *, out->word_count);
    for (uint32_t i = 0; i < out->word_count && good; i++)
        good = (out->word[i] = get_words(ctx, b)) != NULL;
    return good;
}

// rows (8) | columns that are varied (4), collected (4), words (4) | name, unit, 1 for one along a
// grid, of each column | words
static bool read_head(context *ctx, const text *sent, stored_rows *out, uint64_t *rows) {
    const unsigned char *begin = (const unsigned char *)text_string(sent);
    byte_reader b = {begin, begin + sent->length, false};
    *rows = bytes_get(&b, 8);
    const uint64_t varied = bytes_get(&b, 4), collected = bytes_get(&b, 4),
                   words = bytes_get(&b, 4), left = (uint64_t)(b.end - b.at);
    // each takes 4 bytes at least
    if (b.short_of || !words || varied > left || collected > left || words > left) return false;
    out->varied_count = (uint32_t)varied, out->word_count = (uint32_t)words;
    out->rows = (table){.column_count = (uint32_t)(varied + collected + 1)};
    out->column = arena_array(&ctx->arena, column, out->rows.column_count);
    return read_columns(ctx, &b, out) && read_words(ctx, &b, out) && !b.short_of && b.at == b.end;
}

typedef struct {
    unsigned char *at, *end;
} room;

static bool fill(const void *bytes, size_t size, void *to) {
    room *r = to;
    if (size > (size_t)(r->end - r->at)) return false;
    memcpy(r->at, bytes, size), r->at += size;
    return true;
}

static hamel_status read_rows(context *ctx, const char *file, uint64_t rows, stored_rows *out,
                              text *why) {
    const wanted w = {out->varied_count, out->rows.column_count, out->column, rows};
    hamel_status status = table_set_rows(ctx, &out->rows, rows);
    if (status || !rows) return status;
    const uint64_t bytes = sizeof(double) * rows * w.count;
    room to = {(unsigned char *)out->rows.value, (unsigned char *)out->rows.value + bytes};
    const hdf5_question q = {file, send_rows, &w, bytes, fill, &to, NO_SWEEP};
    status = hdf5_ask(&q, why);
    return !status && to.at != to.end ? hdf5_refuse(why, NO_SWEEP) : status;
}

hamel_status hdf5_read_sweep(context *ctx, const char *file, stored_rows *out, text *why) {
    text head = {0};
    uint64_t rows;
    const hdf5_question q = {file,  send_head, NULL, HDF5_MOST_HEAD, fence_take_text,
                             &head, NO_SWEEP};
    hamel_status status = hdf5_ask(&q, why);
    if (!status && !read_head(ctx, &head, out, &rows)) status = hdf5_refuse(why, NO_SWEEP);
    text_free(&head);
    if (!status) status = read_rows(ctx, file, rows, out, why);
    if (status) table_free(&out->rows);
    return status;
}
