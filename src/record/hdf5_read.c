// A run from an HDF5 file, which may be anybody's. What the child process sends (hdf5_ask.c) is a
// run on record, with sums and bounds that are looked at here.
#include "record/hdf5_internal.h"

#include "base/descriptor.h"

#include <errno.h>
#include <sys/stat.h>

// --- in the child --------------------------------------------------------------------------------

typedef struct {
    const char *file;
    uint32_t count; // of columns to be sent as rows; 0: head and end instead
    const column *column;
    uint64_t rows; // the first ones, at the most
} wanted;

// Its length in 8 bytes, then its bytes
static bool send_bytes(fence *f, hid_t file, const char *path) {
    hsize_t length = 0;
    unsigned char *bytes = hdf5_find_bytes(file, strrchr(path, '/') + 1, &length), size[8];
    bytes_store(size, length, 8);
    return bytes && fence_send(f, size, sizeof size) && fence_send(f, bytes, length);
}

static bool send_block(fence *f, const wanted *w, const hid_t *data, hsize_t from, hsize_t count,
                       double *value, double *one) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (!hdf5_read_part(data[i], from, count, one)) return false;
        for (hsize_t k = 0; k < count; k++) value[k * w->count + i] = one[k];
    }
    unsigned char head[SEALED_HEAD];
    recording_rows_head(head, count * w->count, value);
    return fence_send(f, head, sizeof head) && fence_send(f, value, 8 * count * w->count);
}

static bool send_rows(fence *f, const wanted *w, hid_t file) {
    const hid_t group = hdf5_open_group(file, "trajectory");
    hid_t *data = memory_array(hid_t, w->count);
    hsize_t rows = 0, length = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        data[i] =
            hdf5_open_data(group, w->column[i].name, H5T_IEEE_F64LE, HDF5_CONTIGUOUS, &length);
        if (data[i] < 0 || (i && length != rows)) return false; // all have as many
        rows = length;
    }
    if (w->rows < rows) rows = w->rows;
    const uint64_t at_once = recording_rows_at_once(w->count);
    double *value = memory_array(double, at_once * w->count), *one = memory_array(double, at_once);
    for (hsize_t from = 0; from < rows; from += at_once)
        if (!send_block(f, w, data, from, rows - from < at_once ? rows - from : at_once, value,
                        one))
            return false;
    return true;
}

static bool read_run(fence *f, hid_t file, const void *data) {
    const wanted *w = data;
    return w->count ? send_rows(f, w, file)
                    : send_bytes(f, file, HDF5_HEAD) && send_bytes(f, file, HDF5_END);
}

// --- here ----------------------------------------------------------------------------------------

static bool pass_on(const void *bytes, size_t size, void *to) {
    const byte_writer *w = to;
    return w->write(bytes, size, w->data);
}

static const char NO_TRAJECTORY[] = "it is no trajectory of hamel";

static hamel_status ask(const wanted *w, uint64_t most, bool (*take)(const void *, size_t, void *),
                        void *to, text *why) {
    return hdf5_ask(&(hdf5_question){w->file, read_run, w, most, take, to, NO_TRAJECTORY}, why);
}

// Two stretches of bytes, each behind its length, in what the child sent
static bool cut_in_two(const text *sent, text *head, text *end) {
    byte_reader b = {(const unsigned char *)sent->bytes,
                     (const unsigned char *)sent->bytes + sent->length, false};
    text *const part[] = {head, end};
    for (int i = 0; i < 2; i++) {
        const uint64_t length = bytes_get(&b, 8);
        const unsigned char *bytes = bytes_take(&b, length);
        if (!bytes) return false;
        text_append_n(part[i], (const char *)bytes, length);
    }
    return b.at == b.end;
}

typedef struct {
    const char *file;
    uint64_t file_size;
    recall_rows which;
} wanted_rows;

// The rows, in the order of the columns that the head names. More bytes than the file has cannot
// come of it.
static hamel_status ask_for_rows(context *ctx, const wanted_rows *asked, const text *head,
                                 const text *end, const byte_writer *take, text *why) {
    int held = descriptor_in_memory();
    guard open;
    recording r = {.file = -1};
    descriptor_guard(&open, held);
    hamel_status status = HAMEL_OK;
    if (held < 0 || !descriptor_take(head->bytes, head->length, &held) ||
        !descriptor_take(end->bytes, end->length, &held))
        status = hdf5_fail(why, errno);
    else if (!recording_read(ctx, held, RECORDING_ROWS_ELSEWHERE, &r, why))
        status = r.unreadable ? HAMEL_NUMERICS : HAMEL_USAGE;
    const uint64_t rows = asked->which == RECALL_ALL_ROWS ? UINT64_MAX : r.counted.rows;
    const wanted w = {asked->file, r.column_count, r.column, rows};
    if (!status)
        status = ask(&w, asked->file_size + asked->file_size / 8 + 4096, pass_on,
                     (void *)(uintptr_t)take, why);
    recording_free(&r);
    descriptor_close(&open, held);
    return status;
}

static hamel_status hand_on(const byte_writer *take, const text *bytes, text *why) {
    return take->write(bytes->bytes, bytes->length, take->data) ? HAMEL_OK : hdf5_fail(why, errno);
}

hamel_status hdf5_recall(context *ctx, const char *file, recall_rows which, const byte_writer *take,
                         text *why) {
    struct stat s;
    if (stat(file, &s) != 0) return hdf5_fail(why, errno);
    if (!S_ISREG(s.st_mode)) return hdf5_refuse(why, "it is no regular file");
    text sent = {0}, head = {0}, end = {0};
    hamel_status status =
        ask(&(wanted){.file = file}, 2 * HDF5_MOST_HEAD, fence_take_text, &sent, why);
    if (!status && !cut_in_two(&sent, &head, &end)) status = hdf5_refuse(why, NO_TRAJECTORY);
    if (!status) status = hand_on(take, &head, why);
    if (!status && which != RECALL_NO_ROWS)
        status = ask_for_rows(ctx, &(wanted_rows){file, (uint64_t)s.st_size, which}, &head, &end,
                              take, why);
    if (!status) status = hand_on(take, &end, why);
    text_free(&sent), text_free(&head), text_free(&end);
    return status;
}

// --- for plots -----------------------------------------------------------------------------------

static hamel_status fill_table(context *ctx, const recording *r, stored_rows *out, text *why) {
    out->column = r->column;
    out->rows = (table){.column_count = r->column_count};
    if (!r->rows) return hdf5_refuse(why, "it has no rows");
    const hamel_status status = table_set_rows(ctx, &out->rows, r->rows);
    if (status) return status;
    if (!recording_rows(r, 0, r->rows, out->rows.value)) return hdf5_fail(why, errno);
    event_record *event = arena_array(&ctx->arena, event_record, r->events_count + 1);
    if (r->events_count) memcpy(event, r->events, r->events_count * sizeof *event);
    out->has_events = true, out->event = event, out->event_count = r->events_count;
    return HAMEL_OK;
}

hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out) {
    text why = {0};
    int held = descriptor_in_memory();
    guard open;
    recording r = {.file = -1};
    descriptor_guard(&open, held);
    const byte_writer to_memory = {descriptor_take, NULL, &held};
    hamel_status status = held < 0 ? hdf5_fail(&why, errno)
                                   : hdf5_recall(ctx, file, RECALL_ALL_ROWS, &to_memory, &why);
    if (!status && !recording_read(ctx, held, RECORDING_WHOLE, &r, &why))
        status = r.unreadable ? HAMEL_NUMERICS : HAMEL_USAGE;
    if (!status) status = fill_table(ctx, &r, out, &why);
    if (strcmp(text_string(&why), NO_TRAJECTORY) == 0)
        text_clear(&why), status = hdf5_read_sweep(ctx, file, out, &why);
    if (why.length)
        diag_error(ctx, (span){0}, NULL, "cannot read `%s`: %s", file, text_string(&why));
    recording_free(&r);
    descriptor_close(&open, held);
    text_free(&why);
    return status;
}
