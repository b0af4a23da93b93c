// A steady motion for the calls that start from one: `steady` shows it, `linearise` looks at the
// motions around it. Run the job, read it, close it, also where it failed.
#ifndef HAMEL_API_STEADY_JOB_H
#define HAMEL_API_STEADY_JOB_H

#include "api/api_internal.h"
#include "api/listed_names.h"
#include "equations/ode.h"
#include "study/steady_box.h"
#include "study/steady_closed.h"

typedef struct {
    model *m;
    const mechanics *s;       // with inputs as the model states them
    const mechanics *stated;  // the same, with inputs as symbols
    completion_request guess; // what --at says
    symmetries group;
    steady_problem *problem;
    steady_motion motion; // near the state
    bool in_box;          // or all those in a box
    steady_motions all;
    bool asks_closed; // formulas, and nothing else
    closed_forms closed;
    uint32_t solved_count; // parameters that are solved for, then inputs
    const expr *solved;
    uint32_t trim_count; // how many of them are inputs
    // values of the initial state that these do not hold
    uint32_t moved_count;
    const expr *moved;
} steady_job;

hamel_status steady_job_run(model *m, const char *at, steady_job *j);
// The same where it is no error that there is none, or none without a kink: motion.found says so
hamel_status steady_job_look(model *m, const char *at, steady_job *j);
// The dependent velocities chosen anew at the motion, and the motion found again: where the choice
// made at the guess fails there, or `always`.
hamel_status steady_job_choose_velocities(steady_job *j, bool always);
// --trim: inputs that are solved for, as symbols of their own, appended to `solved`; the system
// with these and with the other inputs as stated
hamel_status steady_job_read_trim(steady_job *j, const char *list);
// Their values at a state where the search begins
void steady_job_start_trim(const steady_job *j, state *x);
// Do they hold the state? An error where a value of --at would have to change.
hamel_status steady_job_check_trim(steady_job *j, const state *from);
// The system in first-order form, for linearisation; `eq` is the caller's to free
hamel_status steady_job_ode(const steady_job *j, equations **eq, const ode **o);
void steady_job_close(steady_job *j);

// Digits that are right, or 0 where the ball is around it; a radius, rounded up. In the arena.
const char *steady_job_number(const steady_job *j, arb_srcptr v);
const char *steady_job_radius(const steady_job *j, const mag_t r);

// What `steady` says
void steady_job_write_text(const void *job, text *out);
void steady_job_write_json(const void *job, json *out);
// Inputs: which are free, and how the others follow them
void steady_job_write_trim_text(const steady_job *j, const steady_motion *m, text *out);
void steady_job_write_trim_json(const steady_job *j, const steady_motion *m, json *out);
// Its formulas
void steady_job_write_closed_text(const steady_job *j, text *out);
void steady_job_write_closed_json(const steady_job *j, json *out);

#endif
