// What the files on HDF5 share. No other file includes hdf5.h.
#ifndef HAMEL_RECORD_HDF5_INTERNAL_H
#define HAMEL_RECORD_HDF5_INTERNAL_H

#include "base/recovery.h"
#include "record/sinks.h"

#include <hdf5.h>

#define HDF5_FORMAT "hamel trajectory 2"
enum { HDF5_LARGEST_CHUNK = 8192 };

enum { POSITION_CARRIED = 4 };

typedef struct {
    double t;
    // what the method takes into the next step (integration.pace), 0, the chart
    double carried[POSITION_CARRIED];
    double smallest_step, largest_step;
    uint64_t rows, next_row, steps, rejected, evaluations, events, place;
} position;

// One file under way: it has a handle for each dataset of the layout in hdf5.c, hence its size.
typedef struct {
    sink base;
    const integration *in;
    const run_record *record;
    const simulation *s;
    hid_t file, *column, events, z, rest, turns, here, deviation, position;
    hid_t position_type, event_type;
    size_t event_name;      // bytes of an event's name in the file
    uint32_t event_state;   // numbers of the state at an event
    uint64_t chunk, stored; // rows of a chunk, rows in the file
    uint64_t events_stored;
    double *buffer; // the rows of one chunk, column by column
    uint32_t buffered, pulses;
    uint64_t place;
    bool restored;
    guard open;
} store;

typedef struct {
    double t;
    int64_t direction;
} event_numbers; // in front of the state, n coordinates and n velocities, and the name

// HDF5 says nothing by itself while one of our calls is under way; afterwards it
// is as its other users want it.
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
// NULL or false if there is no such attribute.
const char **hdf5_get_texts(hid_t where, const char *name, arena *a, uint32_t *count);
const char *hdf5_get_text(hid_t where, const char *name, arena *a);
bool hdf5_get(hid_t where, const char *name, hid_t type, void *value);

hid_t hdf5_position_type(void);
hid_t hdf5_event_type(uint32_t state_numbers, size_t name_bytes); // without a state for 0
hid_t hdf5_access(void);                                          // of files
hid_t hdf5_column_access(void);                                   // of datasets that grow
bool hdf5_transfer(hid_t data, hid_t type, hsize_t from, hsize_t count, void *values, bool write);

// Of an earlier run (hdf5_again.c). Negative or false where it is not as this program made it.
hid_t hdf5_open_file(const char *file, unsigned mode, text *why); // says why
// A file that is read, with its type of positions; closed where memory runs out.
typedef struct {
    hid_t file, type;
    voice before;
    guard open;
} reading;
void hdf5_begin_reading(reading *r, const char *file, text *why);
void hdf5_end_reading(reading *r);
// with at least so many elements
hid_t hdf5_open_data(hid_t where, const char *name, uint64_t length);
bool hdf5_read_position(hid_t file, hid_t type, position *p);

// After a failed write: what HDF5 still has to say about the file goes to memory, and the file
// stays as it was last saved. Without this a full disk would leave a file in pieces, and HDF5 1.10,
// which cannot close such a file, would crash when the program ends.
void hdf5_let_go(hid_t file);

// The parts of the descriptor in hdf5.c that are elsewhere: see sinks.h
sink *hdf5_reopen(const sink_request *r, text *why);
bool hdf5_past(const char *file, arena *a, run_past *out, text *why);
hamel_status hdf5_read(context *ctx, const char *file, stored_rows *out);

// A store with no file yet; and its end.
store *hdf5_store(const sink_request *r);
bool hdf5_release(store *h);

#endif
