// What a run writes and counts.
//
// The driver (simulate/run.c) makes a row at each output time and hands it to a `sink`. Now and
// then, between two steps, it asks the sink to save, with the `run_position` from which the same
// run could go on; at the end it asks it to finish. A sink turns these into bytes and knows nothing
// else of a run: no integrator, no clock. What summaries tell is counted in the `run_record`.
#ifndef HAMEL_RECORD_RECORD_H
#define HAMEL_RECORD_RECORD_H

#include "execute/simulation.h"

typedef struct {
    const char *name;
    double t;
    int direction; // +1: from negative to positive
    // coordinates and velocities there, n each; heap, NULL: they have no finite values
    double *state;
} event_record;

// From here on another method took the steps.
typedef struct {
    double t;
    uint64_t steps;               // there were so far
    const char *method, *because; // its id; why, in words, "" where it is not known any more
} method_change;

// Where a run stands between two steps: everything that its next step depends on. The arrays are
// the run's own; simulation.o->size numbers each, but for the columns.
typedef struct {
    double t;
    double *z, *rest, *turns; // state, what rounding left out of it, turns taken off coordinates
    double *columns;          // at (t, z): these mean the same in every chart
    double pace[2];           // what the method takes into the next step
    uint32_t chart;
    uint64_t rejected, evaluations; // steps, calls of z' = f(t, z) so far
} run_position;

struct run_record;

// Where rows go. Each function returns false if it cannot go on (a full disk).
typedef struct sink {
    bool (*row)(struct sink *s, const double *values);
    // What was handed over so far is to survive a kill; NULL: this sink has no way to do that
    bool (*save)(struct sink *s, const run_position *here);
    // The end, also of an interrupted run: writes what is left, closes and frees. False, after
    // saying why: the results are not where they were to be. `here` is NULL where it was saved
    // just before the last row, which a run that goes on does without
    bool (*finish)(struct sink *s, const run_position *here, const char *outcome, text *why);
    // An earlier run in the same place: takes the arrays, the numbers and the counts to where that
    // one stood. NULL: this is a new run
    bool (*restore)(struct sink *s, run_position *there, struct run_record *record);
    // save() and finish() get a position; else `here` is NULL. finish() gets none either where a
    // row inside of a step was refused: then the last one that was saved counts.
    bool wants_position;
} sink;

typedef struct run_record {
    sink *out;         // NULL: rows go nowhere
    uint64_t next_row; // its number
    uint64_t rows;     // written so far
    double *row;       // being made
    int64_t number;    // of that row; negative if it is at no multiple of the interval
    // drift of the columns that should not change: largest deviation from the start at the ends of
    // all steps, and when; 0 for the others
    double *first_row, *last_row, *deviation, *deviation_t;
    bool refused; // by the sink: it takes no more rows
    LIST(event_record, events);
    bool events_confused; // somewhere more zeros lay together than could be told apart
    uint64_t steps;
    double smallest_step, largest_step;
    bool may_change;               // its method, as it chose it
    LIST(method_change, changes);  // .. and did
    uint64_t stiff_looks, looks;   // at an explicit method that was asked for: it was stiff
    double stiff_from, stiff_rate; // where first, and the mode
} run_record;

#endif
