// What a run writes and counts: rows on their way to a sink, events, the drift of what should not
// change. The driver fills it step by step; summaries and files that can be taken up again read it.
#ifndef HAMEL_RECORD_RECORD_H
#define HAMEL_RECORD_RECORD_H

#include "integrate/integration.h"

typedef struct {
    const char *name;
    double t;
    int direction; // +1: from negative to positive
    // coordinates and velocities there, n each; heap, NULL: they have no finite values
    double *state;
} event_record;

struct run_record;

// Where rows go. Each returns false if it cannot go on (a full disk).
typedef struct sink {
    bool (*row)(struct sink *s, const double *values);
    // Now and then, between two steps: what was computed is to survive a kill; may be NULL
    bool (*pulse)(struct sink *s);
    // also after an interrupted run; closes and frees
    bool (*finish)(struct sink *s, const char *outcome);
    // The results of an earlier run: takes both to where that one was; NULL: a new run
    bool (*restore)(struct sink *s, integration *in, struct run_record *record);
} sink;

typedef struct run_record {
    sink *out;         // NULL: rows go nowhere
    uint64_t next_row; // its number
    uint64_t rows;
    double *row;    // being made
    int64_t number; // of that row; ROW_WITHOUT_NUMBER if it is at no multiple of the interval
    // drift of the columns that should not change: largest deviation from the first row
    double *first_row, *last_row, *deviation;
    LIST(event_record, events);
    bool events_confused; // somewhere more zeros lay together than could be told apart
    uint64_t steps;
    double smallest_step, largest_step;
} run_record;

#endif
