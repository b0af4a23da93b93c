// One run of an integrator: where it is, what it has to reach, where results go.
#ifndef HAMEL_SIMULATE_RUN_H
#define HAMEL_SIMULATE_RUN_H

#include "simulate/field.h"

typedef enum {
    RUN_DONE,       // the end was reached
    RUN_EVENT,      // an event with `stop` happened
    RUN_INTERRUPTED,
    RUN_NOT_FINITE, // f has no finite value and no smaller step helps: a singular mass matrix, a root of a negative number ..
    RUN_UNDERFLOW,  // the step became too small for the machine
    RUN_TOO_MANY,   // steps
    RUN_FAILED,     // something else; run->failure says what
} run_status;

// The solution within a step: z at a time between its ends.
typedef struct dense {
    void (*at)(const struct dense *d, double t, double *z);
    const void *data;
} dense;

typedef struct {
    const char *name;
    double t;
    int direction; // +1: from negative to positive
} event_record;

// Where rows go. Each returns false if it cannot go on (a full disk).
typedef struct sink {
    bool (*row)(struct sink *s, const double *values);
    bool (*finish)(struct sink *s); // also after an interrupted run
    void *data;
} sink;

typedef struct run {
    field *f;
    double t, end;
    double *z; // the state at t
    double tolerance;
    bool wide;        // all of the arithmetic in long double, by methods that can (taylor): --precision long
    double step;      // fixed step of methods without error control; 0: chosen from the length of the run
    double interval;  // between rows; 0: every step
    uint64_t next_row; // its number
    uint64_t rows;
    sink *out;
    const volatile int *interrupted; // set from outside; NULL: never
    void (*progress)(const struct run *r, void *data);
    void *progress_data;
    // counted
    uint64_t steps, rejected;
    double smallest_step, largest_step;
    LIST(event_record, events);
    // drift of the columns that should not change: largest deviation from the first row
    double *first_row, *last_row, *deviation;
    const char *failure;
    // of the integrator, before run_step(): times inside the step between which an event function changes its sign once at most; with none
    // only the ends are looked at
    uint32_t watch_count;
    const double *watch;
    // of the driver
    double *event_value, *work;
    bool started;
} run;

// Begin: the first row is written.
run_status run_begin(run *r);
// An accepted step from r->t to t, where the solution is z: writes the rows within it, locates events, moves r->t and r->z. RUN_DONE to go on, RUN_EVENT or
// RUN_INTERRUPTED to stop there.
run_status run_step(run *r, double t, const double *z, const dense *inside);
void run_free(run *r);

#endif
