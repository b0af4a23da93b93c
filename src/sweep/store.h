// Where finished chunks of a sweep go: a journal beside the file that is asked for, to which chunks
// are appended as they come, in any order, each with a checksum; at the end the file itself is made
// of it, in the order of the runs, and is whole or not there. A sweep that was killed is taken up
// again from its journal: what it has is not computed again, and the file comes out the same.
// Without a file the rows are in memory.
#ifndef HAMEL_SWEEP_STORE_H
#define HAMEL_SWEEP_STORE_H

#include "base/byte_writer.h"
#include "sweep/engine.h"
#include "sweep/plan.h"

typedef struct sweep_store sweep_store;

// Something beside model and plan that decides the numbers, or tells how they were made: "method",
// "dop853". Two sweeps with one journal have all of them in common.
typedef struct {
    const char *name, *value;
} sweep_setting;

// What the file holds beside the numbers, and what two sweeps have in common that are the same.
// All of it is the caller's, and stays until the store is closed.
typedef struct {
    const char *path; // ".csv", ".h5"; NULL: rows are kept in memory
    const sweep_plan *plan;
    const char *const *value_unit; // of what is varied, NULL where there is none; NULL: of nothing
    uint32_t collected_count;
    const char *const *collected_name, *const *collected_unit; // units as above
    uint32_t event_count;
    const char *const *event_name;
    uint64_t chunk_runs;         // of each chunk but the last
    const char *version, *model; // of the program; text of the model, with what it includes
    uint32_t setting_count;
    const sweep_setting *setting;
    bool resume; // where there is no journal and no file it begins
} sweep_store_request;

// After an error in the context: HAMEL_USAGE where the name says no format, HAMEL_LIMIT where the
// rows are more than memory or file may hold, HAMEL_NUMERICS where it cannot be written: the
// system refuses, the journal is somebody else's or of another sweep, another sweep writes it ..
hamel_status sweep_store_open(context *ctx, const sweep_store_request *asked, sweep_store **out);
uint64_t sweep_store_chunks(const sweep_store *s);
uint64_t sweep_store_first(const sweep_store *s, uint64_t chunk); // run of a chunk
uint64_t sweep_store_count(const sweep_store *s, uint64_t chunk); // of its runs
bool sweep_store_has(const sweep_store *s, uint64_t chunk);       // it is finished
uint64_t sweep_store_resumed(const sweep_store *s); // runs that the journal held when it was opened
uint64_t sweep_store_runs(const sweep_store *s);    // runs of finished chunks
// A finished chunk: from one thread at a time. False: it could not be kept, `why` says it; what was
// kept before is safe. A chunk that is there already is left as it is.
bool sweep_store_put(sweep_store *s, uint64_t chunk, const double *collected, const sweep_end *end,
                     text *why);
// Rows of finished chunks back, for figures and summaries, also after sweep_store_finish(): false
// where it is not finished, or cannot be read any more
bool sweep_store_get(const sweep_store *s, uint64_t chunk, double *collected, sweep_end *end);
// The file of all chunks that are finished: all, and the journal is gone then; or less (Ctrl-C), a
// valid file with what there is, and the journal stays. False after an error in the context, which
// says where the rows are.
bool sweep_store_finish(sweep_store *s, context *ctx);
// The rows that a .csv file of it has or would have, through `to`. False: it could not.
bool sweep_store_write_csv(const sweep_store *s, const byte_writer *to);
void sweep_store_close(sweep_store *s);

// How a run ended, in the words of the column `ended`: "end", the name of an event, the cause of a
// failure without a comma
const char *sweep_end_words(const sweep_end *e, const char *const *event_name);

#endif
