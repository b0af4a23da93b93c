// What the files on HDF5 share: hdf5.c writes runs and sweep/store_hdf5.c sweeps, both by
// hdf5_write.c and through hdf5_driver.c; hdf5_read.c and hdf5_read_sweep.c read back, both by
// hdf5_ask.c. No other file sees HDF5, and all
// its calls (hdf5_calls.h) are made in child processes (base/fence.h): it was not made for files of
// others, and where it gets no memory it leaves its own state broken and crashes when the program
// ends. hdf5_trouble.c loads it there, and finds out why one of its calls failed.
#ifndef HAMEL_RECORD_HDF5_INTERNAL_H
#define HAMEL_RECORD_HDF5_INTERNAL_H

#include "base/fence.h"
#include "record/hdf5_calls.h"
#include "record/sinks.h"

// Where the record of a run is, without its rows: bytes as recording.h has them. The columns hold
// the rows; everything else in the file is for people and other programs.
#define HDF5_STATE "/state"
#define HDF5_HEAD "/state/head"
#define HDF5_END "/state/end"
#define HDF5_COLUMNS "/trajectory"

// A file that HDF5 writes. HDF5 1.10 cannot give up a file that it could not write or close: its
// own state is broken then, and it crashes when the program ends. So a failed write is kept from
// it: the first one is noted in `failure` (errno), and nothing is written any more.
typedef struct {
    int file; // open for reading and writing; stays the caller's
    int failure;
    _Alignas(16) char room[256]; // of the driver
} hdf5_output;
// How to make a file there: an access list for H5Fcreate(), whose name then means nothing.
hid_t hdf5_output_access(hdf5_output *to);

// A file of this name, made in a child process: `fill` writes into it there, and returns false
// where it fails, after setting to->failure if the system is why. False after saying why.
typedef bool hdf5_filler(hid_t file, hdf5_output *to, const void *data);
bool hdf5_write_file(const char *file, hdf5_filler *fill, const void *data, text *why);

bool hdf5_put_text(hid_t where, const char *name, const char *value);
bool hdf5_put_texts(hid_t where, const char *name, hsize_t count, const char *const *value);
bool hdf5_put_number(hid_t where, const char *name, double value);
bool hdf5_put_count(hid_t where, const char *name, uint64_t value);
// Datasets without time stamps, in one piece or in chunks; packed: deflated, where HDF5 can do that
hid_t hdf5_make_data(hid_t where, const char *name, hid_t type, hsize_t length);
hid_t hdf5_make_chunked(hid_t where, const char *name, hid_t type, hsize_t length, hsize_t chunk,
                        bool packed);
bool hdf5_write_part(hid_t data, hid_t type, hsize_t from, hsize_t count, const void *value);

// What failed first in the child process, from hdf5_listen() on. HDF5 prints nothing.
typedef struct {
    char reason[200]; // "": nothing has failed
    int system;       // errno of a call of the system that failed; 0: none did
    bool no_memory;
} hdf5_trouble;
// Before anything else of HDF5: false if that cannot be loaded, errno ELIBACC then.
#define HDF5_MISSING                                                                               \
    "HDF5 (" HAMEL_HDF5 ") cannot be loaded; install it (in Debian 12: libhdf5-103-1), or use "    \
    ".csv or .npz"
bool hdf5_listen(hdf5_trouble *t);
void *hdf5_symbol(const char *name); // after it: where something of this name is
// The work has failed: the parent is told where memory ran out or the system refused something.
void hdf5_give_up(const hdf5_trouble *t, fence *f);

// --- files of others -----------------------------------------------------------------------------

// A question to a file, which may be anybody's, answered in a child process
typedef struct {
    const char *file;
    bool (*read)(fence *f, hid_t file, const void *data); // in the child: sends what it finds
    const void *data;
    uint64_t most;                                          // bytes that may come
    bool (*take)(const void *bytes, size_t size, void *to); // here; false: enough
    void *to;
    const char *none; // said of a file where `read` returns false
} hdf5_question;
hamel_status hdf5_ask(const hdf5_question *q, text *why);
// HAMEL_USAGE with these words; what a failed call of the system means
hamel_status hdf5_refuse(text *why, const char *words);
hamel_status hdf5_fail(text *why, int error);

// In the child: what is found is behind hard links, of one dimension and of exactly this type, in
// one piece or in chunks, or in chunks that may be packed; negative where it is something else.
typedef enum { HDF5_CONTIGUOUS, HDF5_CHUNKED, HDF5_PACKED } hdf5_layout;
hid_t hdf5_open_group(hid_t file, const char *path);
hid_t hdf5_open_data(hid_t where, const char *name, hid_t type, hdf5_layout lies, hsize_t *length);
bool hdf5_read_part(hid_t data, hsize_t from, hsize_t count, double *value);
// The bytes of /state/NAME; NULL where they are not there, or too many
static const uint64_t HDF5_MOST_HEAD = 1u << 28;
unsigned char *hdf5_find_bytes(hid_t file, const char *name, hsize_t *length);

// The parts of the descriptor in hdf5.c that are in hdf5_read.c: see sinks.h
hamel_status hdf5_recall(context *ctx, const char *file, recall_rows which, const byte_writer *take,
                         text *why);
hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out);
// The rows of a sweep; after saying why not as hdf5_recall() does
hamel_status hdf5_read_sweep(context *ctx, const char *file, stored_rows *out, text *why);

#endif
