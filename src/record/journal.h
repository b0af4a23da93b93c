// The journal of a run: its rows on the disk while it goes on, in FILE.journal beside the FILE that
// was asked for. It is a record (recording.h) that is only ever appended to; at the end FILE is
// made from it under another name and renamed, so FILE is whole or is not there. A run that was
// killed, or whose disk was full, leaves its journal: --resume goes on from it, and `hamel recover`
// makes FILE of what it holds. The journal is locked before anything is written, so two runs never
// write one FILE; the lock ends with the process, whatever ends it.
#ifndef HAMEL_RECORD_JOURNAL_H
#define HAMEL_RECORD_JOURNAL_H

#include "record/sinks.h"

// A sink whose rows become r->file, in the format its name ends in. NULL after saying why not:
// another run has the journal, or an earlier one left rows in it.
sink *journal_create(const sink_request *r, text *why);

// Is there a journal of an earlier run for this file?
bool journal_is_there(const char *file);

// The earlier run that ends in `file`: from its journal, or else from the file itself.
bool journal_past(context *ctx, const char *file, run_past *out, text *why);
// A sink that goes on from there.
sink *journal_continue(context *ctx, const sink_request *r, text *why);

// FILE from what its journal holds, which is gone then. Names of both are understood.
typedef struct {
    const char *file;    // in the arena
    uint64_t rows, torn; // bytes behind them that were not whole
    double t;            // of the last row
    const char *outcome;
} recovered;
bool journal_recover(context *ctx, const char *name, recovered *out, text *why);

#endif
