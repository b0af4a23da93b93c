// What the files of the store share: store.c keeps chunks and hands them out, store_journal.c says
// how they lie in the journal, store_head.c what stands at its front, and a file each writes a
// format. The journal is a list of sealed pieces (record/sealed.h) behind "hamel sweep 001\n":
//   HEAD  what two sweeps with one journal have in common (store_head.c)
//   RUNS  number of the chunk (8) | what was collected, run by run (8 each) | times where the runs
//         ended (8 each) | how (4 each): the outcome, and 256 times the number of the event plus 1
// Numbers are little-endian. A piece whose sum does not match is passed over, one that is torn ends
// the journal.
#ifndef HAMEL_SWEEP_STORE_INTERNAL_H
#define HAMEL_SWEEP_STORE_INTERNAL_H

#include "base/descriptor.h"
#include "record/growing_file.h"
#include "record/output_file.h"
#include "record/sealed.h"
#include "sweep/store.h"

typedef struct {
    const char *suffix;
    bool (*write)(const void *store, const char *file, text *why); // of an output_maker
} store_format;
extern const store_format store_csv, store_hdf5;

struct sweep_store {
    sweep_store_request asked;
    const store_format *format; // NULL: rows are in memory
    uint64_t runs, chunks, chunk_runs;
    uint64_t finished, resumed; // runs
    uint64_t *place;            // of each chunk's content in the journal; 0: it is not finished
    unsigned char *piece;       // a chunk on its way there
    double *collected;          // in memory: of all runs
    sweep_end *end;
    output_file output;
    growing_file disk;
    guard open;
    bool is_ours;  // the journal: without a finished chunk nobody needs it
    bool has_file; // .. unless a file was made of what there is
};

// Chunks of so many runs; false: one would be too large for a piece of the journal
bool store_set_chunks(sweep_store *s, uint64_t runs);

// --- the journal ---------------------------------------------------------------------------------

// The head of a journal as this sweep writes it, and what another one says
typedef struct {
    const unsigned char *bytes;
    uint64_t length;
} store_head;
typedef struct {
    uint64_t runs, chunk_runs;
    uint32_t collected_count, event_count;
} store_layout;
void store_head_put(const sweep_store *s, text *out);
bool store_head_read(const store_head *h, store_layout *out); // false: it is none
// Where the two differ, in words; false: nowhere that matters
bool store_head_differs(const store_head *there, const store_head *own, text *why);

uint64_t store_piece_bytes(uint64_t count, uint32_t collected_count); // with its head
void store_pack(const sweep_store *s, uint64_t chunk, const double *collected,
                const sweep_end *end);
bool store_unpack(const sweep_store *s, uint64_t chunk, double *collected, sweep_end *end);
// Journal, made or taken up again. False after saying why.
bool store_journal_open(sweep_store *s, text *why);

// --- finished runs in their order ----------------------------------------------------------------

// From {.s = store}. Each step gives the next finished chunk; false at the end, or, with `failure`,
// where it cannot be read.
typedef struct {
    const sweep_store *s;
    uint64_t next, first, count; // chunk; runs
    double *varied, *collected;  // run by run
    sweep_end *end;
    int failure; // errno
} store_rows;
bool store_rows_next(store_rows *r);
void store_rows_free(store_rows *r);

#endif
