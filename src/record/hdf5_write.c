// What every HDF5 file of ours is made with: attributes, datasets, the process in which it is
// written. See hdf5_internal.h.
#include "record/hdf5_internal.h"

#include "base/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// --- attributes ----------------------------------------------------------------------------------

static bool put(hid_t where, const char *name, hid_t file_type, hid_t memory_type, hid_t space,
                const void *value) {
    const hid_t a = H5Acreate2(where, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = a >= 0 && H5Awrite(a, memory_type, value) >= 0;
    H5Aclose(a), H5Sclose(space);
    return good;
}

static bool put_strings(hid_t where, const char *name, hid_t space, const char *const *value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool good = put(where, name, type, type, space, value);
    H5Tclose(type);
    return good;
}

bool hdf5_put_texts(hid_t where, const char *name, hsize_t count, const char *const *value) {
    return put_strings(where, name, H5Screate_simple(1, &count, NULL), value);
}

bool hdf5_put_text(hid_t where, const char *name, const char *value) {
    return put_strings(where, name, H5Screate(H5S_SCALAR), &value);
}

bool hdf5_put_number(hid_t where, const char *name, double value) {
    return put(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR), &value);
}

bool hdf5_put_count(hid_t where, const char *name, uint64_t value) {
    return put(where, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, H5Screate(H5S_SCALAR), &value);
}

// --- datasets ------------------------------------------------------------------------------------

static hid_t make_data(hid_t where, const char *name, hid_t type, hsize_t length, hsize_t chunk,
                       bool packed) {
    enum { FAST = 1 }; // the level of deflate
    const hid_t space = H5Screate_simple(1, &length, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(how, false);
    if (chunk) H5Pset_chunk(how, 1, &chunk);
    if (packed && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        H5Pset_shuffle(how), H5Pset_deflate(how, FAST);
    const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Sclose(space), H5Pclose(how);
    return data;
}

hid_t hdf5_make_data(hid_t where, const char *name, hid_t type, hsize_t length) {
    return make_data(where, name, type, length, 0, false);
}

hid_t hdf5_make_chunked(hid_t where, const char *name, hid_t type, hsize_t length, hsize_t chunk,
                        bool packed) {
    if (chunk > length) chunk = length; // of 0 there are no chunks, and nothing to be packed
    return make_data(where, name, type, length, chunk, packed && chunk);
}

bool hdf5_write_part(hid_t data, hid_t type, hsize_t from, hsize_t count, const void *value) {
    const hid_t memory = H5Screate_simple(1, &count, NULL), space = H5Dget_space(data);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL) >= 0 &&
                      H5Dwrite(data, type, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory), H5Sclose(space);
    return good;
}

// --- the file ------------------------------------------------------------------------------------

static hid_t create(hdf5_output *to, const char *file) {
    const hid_t access = hdf5_output_access(to),
                f = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return f;
}

typedef struct {
    const char *file;
    hdf5_filler *fill;
    const void *data;
} order;

// In a child process, which ends with it: what fails need not be closed.
static bool work(fence *f, void *data) {
    const order *o = data;
    hdf5_trouble trouble;
    if (!hdf5_listen(&trouble)) {
        hdf5_give_up(&trouble, f);
        return false;
    }
    hdf5_output to = {.file = open(o->file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    bool good = to.file >= 0;
    if (!good) to.failure = errno;
    const hid_t h = good ? create(&to, o->file) : -1;
    good = h >= 0 && o->fill(h, &to, o->data) && H5Fclose(h) >= 0;
    if (good && close(to.file) != 0 && !to.failure) to.failure = errno;
    if (to.failure) trouble.system = to.failure;
    good = good && !trouble.system && !trouble.no_memory; // also of calls that nobody looks at
    if (!good) hdf5_give_up(&trouble, f);
    if (!good && !trouble.system) fence_send(f, trouble.reason, strlen(trouble.reason));
    return good;
}

bool hdf5_write_file(const char *file, hdf5_filler *fill, const void *data, text *why) {
    order o = {file, fill, data};
    const fence_job job = {
        .work = work, .data = &o, .take = fence_take_text, .to = why, .keeps_files = true};
    const fence_outcome end = fence_run(&job, &(fence_limits){0});
    if (end == FENCE_SYSTEM && errno == ELIBACC) text_append(why, HDF5_MISSING);
    if (end == FENCE_MEMORY || end == FENCE_DIED) recovery_jump(RECOVERY_NO_MEMORY);
    if (end && !why->length) text_append(why, fence_words(end));
    return !end;
}
