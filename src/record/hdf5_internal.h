// What the two files on HDF5 share: hdf5.c writes, hdf5_read.c reads back. No other file includes
// hdf5.h, and none of its calls reads a file of others in this process (base/fence.h).
#ifndef HAMEL_RECORD_HDF5_INTERNAL_H
#define HAMEL_RECORD_HDF5_INTERNAL_H

#include "record/sinks.h"

#include <hdf5.h>

// Where the record of a run is, without its rows: bytes as recording.h has them. The columns hold
// the rows; everything else in the file is for people and other programs.
#define HDF5_HEAD "/state/head"
#define HDF5_END "/state/end"
#define HDF5_COLUMNS "/trajectory"

// The parts of the descriptor in hdf5.c that are in hdf5_read.c: see sinks.h
bool hdf5_recall(context *ctx, const char *file, recall_rows which, const byte_writer *take,
                 text *why);
hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out);

#endif
