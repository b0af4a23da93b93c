// A run from an HDF5 file, which may be anybody's. HDF5 1.10 was not made for hostile files, so it
// reads them in a child process (base/fence.h), and there only what this program writes itself:
// plain contiguous datasets of bytes and doubles behind hard links. What the child sends is a run
// on record, with sums and bounds that are looked at here.
#include "record/hdf5_internal.h"

#include "base/descriptor.h"

#include <errno.h>
#include <sys/stat.h>

static const double MOST_SECONDS = 300;
static const uint64_t MOST_HEAD = 1u << 28, MOST_MEMORY = 1u << 30;

// --- in the child --------------------------------------------------------------------------------

typedef struct {
    const char *file;
    uint32_t count; // of columns to be sent as rows; 0: head and end instead
    const column *column;
    uint64_t rows; // the first ones, at the most
} wanted;

static bool is_hard_link(hid_t where, const char *name) {
    H5L_info_t info;
    return H5Lget_info(where, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

// Does the dataset lie in this file, as it is, in one piece?
static bool is_plain(hid_t data, hsize_t bytes) {
    const hid_t how = H5Dget_create_plist(data);
    const bool good = how >= 0 && H5Pget_layout(how) == H5D_CONTIGUOUS &&
                      H5Pget_external_count(how) == 0 && H5Pget_nfilters(how) == 0 &&
                      H5Dget_storage_size(data) == bytes;
    H5Pclose(how);
    return good;
}

// One row of elements of exactly this type; negative where it is something else
static hid_t open_plain(hid_t where, const char *name, hid_t type, hsize_t *length) {
    if (strchr(name, '/') || !is_hard_link(where, name)) return -1;
    const hid_t data = H5Dopen2(where, name, H5P_DEFAULT), space = H5Dget_space(data),
                stored = H5Dget_type(data);
    const bool good = data >= 0 && space >= 0 && stored >= 0 && H5Tequal(stored, type) > 0 &&
                      H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                      H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, length, NULL) == 1 &&
                      *length <= UINT64_MAX / 16 && is_plain(data, *length * H5Tget_size(type));
    H5Tclose(stored), H5Sclose(space);
    if (good) return data;
    H5Dclose(data);
    return -1;
}

static hid_t open_group(hid_t file, const char *path) {
    return is_hard_link(file, path) ? H5Gopen2(file, path, H5P_DEFAULT) : -1;
}

// Its length in 8 bytes, then its bytes
static bool send_bytes(fence *f, hid_t file, const char *path) {
    hsize_t length = 0;
    const hid_t group = open_group(file, "state"),
                data = group < 0 ? -1
                                 : open_plain(group, strrchr(path, '/') + 1, H5T_STD_U8LE, &length);
    if (data < 0 || length > MOST_HEAD) return false;
    unsigned char *bytes = memory_array(unsigned char, length), size[8];
    bytes_store(size, length, 8);
    return H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0 &&
           fence_send(f, size, sizeof size) && fence_send(f, bytes, length);
}

static bool read_part(hid_t data, hsize_t from, hsize_t count, double *value) {
    const hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(data);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL) >= 0 &&
                      H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory), H5Sclose(space);
    return good;
}

static bool send_block(fence *f, const wanted *w, const hid_t *data, hsize_t from, hsize_t count,
                       double *value, double *one) {
    for (uint32_t i = 0; i < w->count; i++) {
        if (!read_part(data[i], from, count, one)) return false;
        for (hsize_t k = 0; k < count; k++) value[k * w->count + i] = one[k];
    }
    unsigned char head[SEALED_HEAD];
    recording_rows_head(head, count * w->count, value);
    return fence_send(f, head, sizeof head) && fence_send(f, value, 8 * count * w->count);
}

static bool send_rows(fence *f, const wanted *w, hid_t file) {
    const hid_t group = open_group(file, "trajectory");
    hid_t *data = memory_array(hid_t, w->count);
    hsize_t rows = 0, length = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        data[i] = open_plain(group, w->column[i].name, H5T_IEEE_F64LE, &length);
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

// Nothing is closed: the process ends here.
static bool work(fence *f, void *data) {
    const wanted *w = data;
    hdf5_trouble trouble;
    if (!hdf5_listen(&trouble)) {
        hdf5_give_up(&trouble, f);
        return false;
    }
    H5PLset_loading_state(0); // no filters that a file asks for
    const hid_t file = H5Fopen(w->file, H5F_ACC_RDONLY, H5P_DEFAULT);
    fence_lock();
    const bool good =
        file >= 0 && (w->count ? send_rows(f, w, file)
                               : send_bytes(f, file, HDF5_HEAD) && send_bytes(f, file, HDF5_END));
    if (!good) hdf5_give_up(&trouble, f);
    return good;
}

// --- here ----------------------------------------------------------------------------------------

static bool pass_on(const void *bytes, size_t size, void *to) {
    const byte_writer *w = to;
    return w->write(bytes, size, w->data);
}

static const char NO_TRAJECTORY[] = "it is no trajectory of hamel";

static hamel_status refuse(text *why, const char *words) {
    text_append(why, words);
    return HAMEL_USAGE;
}

// A call of the system failed
static hamel_status fail(text *why, int error) {
    text_append(why, error == ELIBACC ? HDF5_MISSING : strerror(error));
    return context_status_of(error);
}

typedef struct {
    bool (*take)(const void *bytes, size_t size, void *to);
    void *to;
    bool begun; // something has come
} listener;

static bool listen_on(const void *bytes, size_t size, void *to) {
    listener *l = to;
    l->begun = true;
    return l->take(bytes, size, l->to);
}

// HDF5 crashes of a damaged file, and where it gets no memory: a child that dies before it has sent
// anything is given a second chance, and only what happens twice is of the file.
static hamel_status ask(const wanted *w, uint64_t most, bool (*take)(const void *, size_t, void *),
                        void *to, text *why) {
    const fence_limits limits = {.memory = MOST_MEMORY, .output = most, .seconds = MOST_SECONDS};
    listener l = {take, to, false};
    const fence_job job = {.work = work, .data = (void *)(uintptr_t)w, .take = listen_on, .to = &l};
    fence_outcome o = fence_run(&job, &limits);
    if (o == FENCE_DIED && !l.begun) o = fence_run(&job, &limits);
    const int error = errno;
    switch (o) {
    case FENCE_DONE: return HAMEL_OK;
    case FENCE_SYSTEM: return fail(why, error);
    case FENCE_NONE: text_format(why, "%s: %s", fence_words(o), strerror(error)); break;
    default: text_append(why, o == FENCE_REFUSED ? NO_TRAJECTORY : fence_words(o));
    }
    return o == FENCE_NONE ? HAMEL_NUMERICS : o == FENCE_MEMORY ? HAMEL_LIMIT : HAMEL_USAGE;
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
        status = fail(why, errno);
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
    return take->write(bytes->bytes, bytes->length, take->data) ? HAMEL_OK : fail(why, errno);
}

hamel_status hdf5_recall(context *ctx, const char *file, recall_rows which, const byte_writer *take,
                         text *why) {
    struct stat s;
    if (stat(file, &s) != 0) return fail(why, errno);
    if (!S_ISREG(s.st_mode)) return refuse(why, "it is no regular file");
    text sent = {0}, head = {0}, end = {0};
    hamel_status status = ask(&(wanted){.file = file}, 2 * MOST_HEAD, fence_take_text, &sent, why);
    if (!status && !cut_in_two(&sent, &head, &end)) status = refuse(why, NO_TRAJECTORY);
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
    if (!r->rows) return refuse(why, "it has no rows");
    const hamel_status status = table_set_rows(ctx, &out->rows, r->rows);
    if (status) return status;
    if (!recording_rows(r, 0, r->rows, out->rows.value)) return fail(why, errno);
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
    hamel_status status =
        held < 0 ? fail(&why, errno) : hdf5_recall(ctx, file, RECALL_ALL_ROWS, &to_memory, &why);
    if (!status && !recording_read(ctx, held, RECORDING_WHOLE, &r, &why))
        status = r.unreadable ? HAMEL_NUMERICS : HAMEL_USAGE;
    if (!status) status = fill_table(ctx, &r, out, &why);
    const bool other = strcmp(text_string(&why), NO_TRAJECTORY) == 0;
    if (why.length)
        diag_error(ctx, (span){0},
                   other ? "sweeps are read from .csv files, and drawn by `hamel sweep --figure`"
                         : NULL,
                   "cannot read `%s`: %s", file, text_string(&why));
    recording_free(&r);
    descriptor_close(&open, held);
    text_free(&why);
    return status;
}
