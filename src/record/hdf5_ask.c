// HDF5 files that may be anybody's. HDF5 1.10 was not made for hostile files, so it reads them in a
// child process (base/fence.h), and there only what this program writes itself: plain datasets of
// bytes and numbers behind hard links, in one piece or, of sweeps, in chunks. See hdf5_internal.h.
#include "record/hdf5_internal.h"

#include <errno.h>

static const double MOST_SECONDS = 300;
static const uint64_t MOST_MEMORY = 1u << 30;

// --- in the child --------------------------------------------------------------------------------

static bool is_hard_link(hid_t where, const char *name) {
    H5L_info_t info;
    return H5Lget_info(where, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

// Only what hdf5_make_chunked() packs with
static bool filters_are_ours(hid_t how, int count) {
    for (int i = 0; i < count; i++) {
        unsigned flags;
        size_t values = 0;
        const H5Z_filter_t f =
            H5Pget_filter2(how, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (f != H5Z_FILTER_DEFLATE && f != H5Z_FILTER_SHUFFLE) return false;
    }
    return count <= 2;
}

// Does the dataset lie in this file, as it is?
static bool is_plain(hid_t data, hdf5_layout lies, hsize_t bytes) {
    const hid_t how = H5Dget_create_plist(data);
    const int filters = how < 0 ? -1 : H5Pget_nfilters(how);
    const H5D_layout_t layout = how < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(how);
    const hsize_t there = H5Dget_storage_size(data);
    bool good = filters >= 0 && H5Pget_external_count(how) == 0;
    if (lies == HDF5_CONTIGUOUS)
        good = good && layout == H5D_CONTIGUOUS && filters == 0 && there == bytes;
    if (lies == HDF5_CHUNKED)
        good = good && layout == H5D_CHUNKED && filters == 0 && there >= bytes;
    if (lies == HDF5_PACKED) good = good && layout == H5D_CHUNKED && filters_are_ours(how, filters);
    H5Pclose(how);
    return good;
}

hid_t hdf5_open_data(hid_t where, const char *name, hid_t type, hdf5_layout lies, hsize_t *length) {
    if (where < 0 || strchr(name, '/') || !is_hard_link(where, name)) return -1;
    const hid_t data = H5Dopen2(where, name, H5P_DEFAULT), space = H5Dget_space(data),
                stored = H5Dget_type(data);
    const bool good =
        data >= 0 && space >= 0 && stored >= 0 && H5Tequal(stored, type) > 0 &&
        H5Sget_simple_extent_type(space) == H5S_SIMPLE && H5Sget_simple_extent_ndims(space) == 1 &&
        H5Sget_simple_extent_dims(space, length, NULL) == 1 && *length <= UINT64_MAX / 16 &&
        is_plain(data, lies, *length * H5Tget_size(type));
    H5Tclose(stored), H5Sclose(space);
    if (good) return data;
    H5Dclose(data);
    return -1;
}

hid_t hdf5_open_group(hid_t file, const char *path) {
    return is_hard_link(file, path) ? H5Gopen2(file, path, H5P_DEFAULT) : -1;
}

unsigned char *hdf5_find_bytes(hid_t file, const char *name, hsize_t *length) {
    *length = 0;
    const hid_t data = hdf5_open_data(hdf5_open_group(file, HDF5_STATE), name, H5T_STD_U8LE,
                                      HDF5_CONTIGUOUS, length);
    if (data < 0 || *length > HDF5_MOST_HEAD) return NULL;
    unsigned char *bytes = memory_array(unsigned char, *length + 1);
    if (H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) return bytes;
    memory_free(bytes);
    return NULL;
}

bool hdf5_read_part(hid_t data, hsize_t from, hsize_t count, double *value) {
    const hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(data);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL) >= 0 &&
                      H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory), H5Sclose(space);
    return good;
}

// Nothing is closed: the process ends here.
static bool work(fence *f, void *data) {
    const hdf5_question *q = data;
    hdf5_trouble trouble;
    if (!hdf5_listen(&trouble)) {
        hdf5_give_up(&trouble, f);
        return false;
    }
    H5PLset_loading_state(0); // no filters that a file asks for
    const hid_t file = H5Fopen(q->file, H5F_ACC_RDONLY, H5P_DEFAULT);
    fence_lock();
    const bool good = file >= 0 && q->read(f, file, q->data);
    if (!good) hdf5_give_up(&trouble, f);
    return good;
}

// --- here ----------------------------------------------------------------------------------------

hamel_status hdf5_refuse(text *why, const char *words) {
    text_append(why, words);
    return HAMEL_USAGE;
}

hamel_status hdf5_fail(text *why, int error) {
    text_append(why, error == ELIBACC ? HDF5_MISSING : strerror(error));
    return context_status_of(error);
}

typedef struct {
    const hdf5_question *asked;
    bool begun; // something has come
} listener;

static bool listen_on(const void *bytes, size_t size, void *to) {
    listener *l = to;
    l->begun = true;
    return l->asked->take(bytes, size, l->asked->to);
}

// HDF5 crashes of a damaged file, and where it gets no memory: a child that dies before it has sent
// anything is given a second chance, and only what happens twice is of the file.
hamel_status hdf5_ask(const hdf5_question *q, text *why) {
    const fence_limits limits = {.memory = MOST_MEMORY, .output = q->most, .seconds = MOST_SECONDS};
    listener l = {q, false};
    const fence_job job = {.work = work, .data = (void *)(uintptr_t)q, .take = listen_on, .to = &l};
    fence_outcome o = fence_run(&job, &limits);
    if (o == FENCE_DIED && !l.begun) o = fence_run(&job, &limits);
    const int error = errno;
    switch (o) {
    case FENCE_DONE: return HAMEL_OK;
    case FENCE_SYSTEM: return hdf5_fail(why, error);
    case FENCE_NONE: text_format(why, "%s: %s", fence_words(o), strerror(error)); break;
    default: text_append(why, o == FENCE_REFUSED ? q->none : fence_words(o));
    }
    return o == FENCE_NONE ? HAMEL_NUMERICS : o == FENCE_MEMORY ? HAMEL_LIMIT : HAMEL_USAGE;
}
