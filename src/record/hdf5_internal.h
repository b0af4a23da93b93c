// What the files on HDF5 share: hdf5.c writes through hdf5_driver.c, hdf5_read.c reads back. No
// other file includes hdf5.h, and none of its calls reads a file of others in this process
// (base/fence.h).
#ifndef HAMEL_RECORD_HDF5_INTERNAL_H
#define HAMEL_RECORD_HDF5_INTERNAL_H

#include "record/sinks.h"

#include <hdf5.h>

// Where the record of a run is, without its rows: bytes as recording.h has them. The columns hold
// the rows; everything else in the file is for people and other programs.
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

// The parts of the descriptor in hdf5.c that are in hdf5_read.c: see sinks.h
bool hdf5_recall(context *ctx, const char *file, recall_rows which, const byte_writer *take,
                 text *why);
hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out);

#endif
