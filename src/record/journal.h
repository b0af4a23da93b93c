// The journal of a run: its rows on the disk while it goes on, in FILE.journal beside the FILE that
// was asked for. It is a run on record (recording.h) that is only ever appended to; at the end FILE
// is made from it under another name and renamed, so FILE is whole or it is not there. A run that
// was killed, or whose disk was full, leaves its journal: --resume goes on from it, and `hamel
// recover` makes FILE of what it holds. The journal is locked before anything is touched, so two
// runs never write one FILE; the lock ends with the process, whatever ends that.
#ifndef HAMEL_RECORD_JOURNAL_H
#define HAMEL_RECORD_JOURNAL_H

#include "record/sinks.h"

// Rows become r->file, in the format its name ends in. NULL after saying why not: another run
// writes it, or an earlier one left rows in the journal.
sink *journal_create(const sink_request *r, text *why);
// The same for a run that goes on: sink->restore() takes it to where it stood.
sink *journal_continue(const sink_request *r, text *why);

// An earlier run that goes to this file: what it was asked, in the arena, where it stands and how
// it ended. From its journal where there is one, else from the file.
typedef struct {
    run_terms terms;
    double t;
    const char *outcome;
    bool unpublished; // it is in a journal: its file has not been made
} run_past;
// After saying why not: HAMEL_USAGE, or HAMEL_NUMERICS where the system refused something.
hamel_status journal_past(context *ctx, const char *file, run_past *out, text *why);

// FILE from what its journal holds, which is removed then. `name` is of either.
typedef struct {
    const char *file; // in the arena
    uint64_t rows;
    uint64_t torn; // bytes behind the last whole row or state: what was being written
    double t;      // of the last row
    const char *outcome;
} recovery_report;
bool journal_recover(context *ctx, const char *name, recovery_report *out, text *why);

#endif
