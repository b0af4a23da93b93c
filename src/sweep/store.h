// Where finished chunks of a sweep go: a journal beside the file that is asked for, to which chunks
// are appended as they come, in any order, each with a checksum; at the end the file itself is made
// of it, in the order of the runs, and is whole or not there. A sweep that was killed is taken up
// again from its journal: what it has is not computed again, and the file comes out the same.
#ifndef HAMEL_SWEEP_STORE_H
#define HAMEL_SWEEP_STORE_H

#include "sweep/engine.h"
#include "sweep/plan.h"

typedef struct sweep_store sweep_store;

// What the file holds beside the numbers, and what two sweeps have in common that are the same
typedef struct {
    const char *path; // ".csv", ".h5"; NULL: rows are kept in memory
    const sweep_plan *plan;
    uint32_t collected_count;
    const char *const *collected_name, *const *collected_unit; // units: NULL where there is none
    uint64_t chunk_runs;                                       // of each chunk but the last
    const char *model;                                         // its text, with what it includes
    const char *settings; // all else that decides the numbers, in words: kept in the file
    const char *version;
    bool resume;
} sweep_store_request;

// NULL after an error in the context: the file is somebody else's, another sweep's journal ..
sweep_store *sweep_store_open(context *ctx, const sweep_store_request *asked);
uint64_t sweep_store_chunks(const sweep_store *s);
bool sweep_store_has(const sweep_store *s, uint64_t chunk); // it is finished
// A finished chunk: from one thread at a time. False: it could not be kept, `why` says it.
bool sweep_store_put(sweep_store *s, uint64_t chunk, const double *collected, const sweep_end *end,
                     text *why);
// Rows of finished chunks back, for figures and summaries: false where it is not finished
bool sweep_store_get(sweep_store *s, uint64_t chunk, double *collected, sweep_end *end);
// The file of all chunks that are finished (all, or Ctrl-C: a valid file with what there is, and
// the journal stays). False after an error in the context.
bool sweep_store_finish(sweep_store *s, context *ctx);
void sweep_store_close(sweep_store *s);

#endif
