// A motion between the files that make one (motion.c) and run it (motion_run.c). It is a run_job
// without a place for rows, in a context of its own: what `simulate` does once is done again and
// again, from other states and with other parameters, by the same driver.
#ifndef HAMEL_API_MOTION_H
#define HAMEL_API_MOTION_H

#include "api/run_job.h"

// A parameter as the caller sees it
typedef struct {
    const char *name;
    double value;
    bool is_set;       // by hamel_motion_set()
    bool is_input;     // of the model, held at this value
    program *follows;  // its value from those of others; NULL: it is a number
    uint32_t declared; // its place among the parameters of the model
} knob;

// An input that hamel_motion_set() holds: a parameter in the place of what the model says
typedef struct {
    const char *name;
    double value;
} held_input;

// Rows into memory of the caller: those with a number, or behind each step
typedef struct {
    sink base;
    const run_record *record;
    bool every_step, skips_first; // the first row is where it begins, perhaps at none of the times
    size_t columns, written;
    double *rows;
} row_writer;

struct hamel_motion {
    context *ctx; // its own
    model *m;
    hamel_run *asked;
    completion_request where; // the usual start
    run_job *j;               // in the context's arena: what is made for it knows where it is
    uint32_t knob_count;
    knob *knobs;
    double *value, *by_symbol; // of the parameters; of all symbols, to find those that follow
    double *z, *usual;         // where it is; the usual start, at usual_t
    double usual_t;
    bool usual_depends;     // on parameters
    bool is_changed;        // a parameter is, since the last start
    bool is_unusual;        // .. and the usual start is another one
    bool has_no_start;      // the last one was refused
    LIST(held_input, held); // those that stand for inputs, also those of the next start
    bool holds_more;        // .. there are such
    int (*happened)(void *data, size_t which, double t, int direction, const double *row);
    void *happened_data;
    bool of_pieces;  // only its free motion is here, which is not run: see sweep_pieces.h
    bool is_running; // a callback is being called, or could be
    uint32_t nodes;  // of expressions, when it was made
    const char **state_name;
    row_writer out;
    double *times;
    int64_t *numbers;
    size_t times_capacity;
};

// HAMEL_USAGE, after saying so in the motion's context as printf() would
#define motion_refuse(w, ...) (diag_error((w)->ctx, (span){0}, NULL, __VA_ARGS__), HAMEL_USAGE)
// The start of the motion's simulation is the usual one from now on.
void motion_take_usual(hamel_motion *w);
// With the values that are set, before a start: those that follow from them; and all of the motion
// anew where the constraints are others for these values. Not inside of a call on its context
hamel_status motion_settle_parameters(hamel_motion *w);

// The parts of a start, for those who make one after the other inside of a call on its context.
// Values that knobs were given: those that follow from them. False: the constraints are others for
// them.
bool motion_follow(hamel_motion *w);
// Of an expression in parameters, with the values that these have
double motion_value(hamel_motion *w, const program *of);
bool motion_is_full(const hamel_motion *w); // used up: it holds too many expressions
void motion_take_values(hamel_motion *w);   // .. from here on
// t0 and z0 of its simulation, from this and what the model says
hamel_status motion_complete(hamel_motion *w, const completion_request *given);
void motion_stand(hamel_motion *w); // there

hamel_status motion_go(hamel_motion *w, double until, const double *times, size_t count,
                       double *rows, hamel_outcome *out); // .. and on, as hamel_motion_run()

// As hamel_model_prepare() makes one, and of a motion in pieces what is common to its runs; what is
// wrong is said in the context of the model only if `tells`: other threads may not.
hamel_status motion_create(const model *like, const hamel_run *run, bool tells, hamel_motion **out);

// What is said in the motion's context is said in that of the model it was made from.
void motion_hand_over(const hamel_motion *w, const model *like);
// For these values, one for each parameter, of which some are set: those that follow. False: the
// constraints are others for them. The motion must not be run again.
bool motion_follow_values(hamel_motion *w, double *value, const bool *is_set);

#endif
