// Bytes of an HDF5 file, written so that HDF5 never sees a write fail: see hdf5_internal.h.
#include "record/hdf5_internal.h"

#include "base/descriptor.h"

#include <errno.h>
#include <unistd.h>

// What HDF5 keeps of a file, and what we do. The first member is HDF5's.
typedef struct {
    H5FD_t base;
    hdf5_output *to;
    haddr_t reserved, end; // addresses that are taken; bytes that are there
} driver_file;
_Static_assert(sizeof(driver_file) <= sizeof(((hdf5_output *)0)->room), "it has its place there");

static void fail(hdf5_output *to) {
    if (!to->failure) to->failure = errno ? errno : EIO;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    hdf5_output *const *to = H5Pget_driver_info(access);
    driver_file *f = (driver_file *)(*to)->room;
    *f = (driver_file){.to = *to};
    return &f->base;
}

static herr_t close_file(H5FD_t *file) { return file ? 0 : -1; }

static int compare(const H5FD_t *a, const H5FD_t *b) { return (a > b) - (a < b); }

// As HDF5's own driver for files
static herr_t query(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_reserved(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)file)->reserved;
}

static herr_t set_reserved(H5FD_t *file, H5FD_mem_t type, haddr_t to) {
    (void)type;
    ((driver_file *)file)->reserved = to;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)file)->end;
}

// What is behind the end, or cannot be read, is 0.
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t at, size_t size,
                         void *bytes) {
    (void)type, (void)how;
    const driver_file *f = (driver_file *)file;
    const size_t there = at >= f->end ? 0 : f->end - at < size ? (size_t)(f->end - at) : size;
    memset(bytes, 0, size);
    if (!f->to->failure && !descriptor_read_at(f->to->file, at, bytes, there)) fail(f->to);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t at, size_t size,
                          const void *bytes) {
    (void)type, (void)how;
    driver_file *f = (driver_file *)file;
    if (!f->to->failure && !descriptor_write_at(f->to->file, at, bytes, size)) fail(f->to);
    if (at + size > f->end) f->end = at + size;
    return 0;
}

static herr_t cut(H5FD_t *file, hid_t how, hbool_t closing) {
    (void)how, (void)closing;
    driver_file *f = (driver_file *)file;
    if (f->end == f->reserved) return 0;
    if (!f->to->failure && ftruncate(f->to->file, (off_t)f->reserved) != 0) fail(f->to);
    f->end = f->reserved;
    return 0;
}

hid_t hdf5_output_access(hdf5_output *to) {
    static const H5FD_class_t driver = {.name = "hamel",
                                        .maxaddr = INT64_MAX,
                                        .fc_degree = H5F_CLOSE_STRONG,
                                        .fapl_size = sizeof(hdf5_output *),
                                        .open = open_file,
                                        .close = close_file,
                                        .cmp = compare,
                                        .query = query,
                                        .get_eoa = get_reserved,
                                        .set_eoa = set_reserved,
                                        .get_eof = get_end,
                                        .read = read_bytes,
                                        .write = write_bytes,
                                        .truncate = cut,
                                        .fl_map = H5FD_FLMAP_DICHOTOMY};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), id = H5FDregister(&driver);
    const bool good =
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && H5Pset_driver(access, id, &to) >= 0;
    H5FDunregister(id); // those who use it keep it
    if (good) return access;
    H5Pclose(access);
    return -1;
}
