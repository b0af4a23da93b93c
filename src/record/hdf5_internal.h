// What the files on HDF5 share: one file under way (`store`), where a run stood (`position`), and
// attributes, types and errors in short. hdf5.c writes, hdf5_read.c reads back and goes on,
// hdf5_tools.c has the rest. No other file includes hdf5.h.
#ifndef HAMEL_RECORD_HDF5_INTERNAL_H
#define HAMEL_RECORD_HDF5_INTERNAL_H

#include "base/recovery.h"
#include "record/sinks.h"

#include <hdf5.h>

#define HDF5_FORMAT "hamel trajectory 2"
enum { HDF5_LARGEST_CHUNK = 8192 };

enum { POSITION_CARRIED = 4 };

// The attribute `position`: the numbers of a run_position and of a run_record
typedef struct {
    double t;
    double carried[POSITION_CARRIED]; // pace (2 numbers), 0, the chart
    double smallest_step, largest_step;
    uint64_t rows, next_row, steps, rejected, evaluations, events, place;
} position;

// The datasets of /state, in the order of hdf5_part_name
enum { PART_Z, PART_REST, PART_TURNS, PART_HERE, PART_DEVIATION, PART_COUNT };

// One file under way. It has more than 20 members because HDF5 wants a handle for each dataset of
// the layout (hdf5.c), and none of them means anything apart from the file.
typedef struct {
    sink base;
    const run_record *record;
    const simulation *sim;
    hid_t file, *column, events, part[PART_COUNT], position;
    hid_t position_type, event_type;
    size_t event_name;      // bytes of an event's name in the file
    uint32_t event_state;   // numbers of the state at an event
    uint64_t chunk, stored; // rows of a chunk, rows in the file
    uint64_t events_stored;
    double *buffer; // the rows of one chunk, column by column
    uint32_t buffered, saves;
    uint64_t place; // 0 or 1: the half of each part that is valid
    bool restored;
    guard open;
} store;

typedef struct {
    double t;
    int64_t direction;
} event_numbers; // in front of the state, n coordinates and n velocities, and the name

// HDF5 prints nothing while one of our calls is under way; afterwards it behaves as its other users
// want it.
typedef struct {
    H5E_auto2_t print;
    void *data;
} voice;
voice hdf5_silence(void);
void hdf5_give_back(voice v);
// the innermost error, unless something was said already
void hdf5_say_why(text *why, const char *otherwise);

bool hdf5_put_texts(hid_t where, const char *name, hsize_t count, const char *const *value);
bool hdf5_put_text(hid_t where, const char *name, const char *value);
bool hdf5_put_number(hid_t where, const char *name, double value);
bool hdf5_put_count(hid_t where, const char *name, uint64_t value);
hid_t hdf5_text_type(void); // UTF-8 of any length
hid_t hdf5_position_type(void);
hid_t hdf5_event_type(uint32_t state_numbers, size_t name_bytes); // without a state for 0
hid_t hdf5_access(void);                                          // of files
hid_t hdf5_column_access(void);                                   // of datasets that grow
bool hdf5_transfer(hid_t data, hid_t type, hsize_t from, hsize_t count, void *values, bool write);

// Each dataset of /state has two places of this size, used in turn.
const char *hdf5_part_name(uint32_t part);
hsize_t hdf5_part_size(const simulation *sim, uint32_t part);
// All of them between the file, at this place, and memory
bool hdf5_transfer_parts(const store *h, uint64_t place, const run_position *here,
                         double *deviation, bool write);

// A store with no file yet; and its end.
store *hdf5_store(const sink_request *r);
bool hdf5_release(store *h);

// The parts of the descriptor in hdf5.c that are in hdf5_read.c: see sinks.h
sink *hdf5_reopen(const sink_request *r, text *why);
bool hdf5_past(const char *file, arena *a, run_past *out, text *why);
hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out);

#endif
