// What the files of the engine of lanes share. The plan of a sweep is made once and read by all
// workers: what is collected where, and the compiled code. Each worker has a host of its lanes,
// which looks at the steps that a lane cannot judge by itself; host and code share the structs of
// lanes/job.h, which stand here a second time.
#ifndef HAMEL_SWEEP_LANES_HOST_H
#define HAMEL_SWEEP_LANES_HOST_H

#include "execute/module.h"
#include "sweep/lanes.h"

// As in lanes/job.h
typedef struct {
    double t, h, t1;
    double *z, *z1;
    double *k; // stages
    double *low, *high;
    double *turns, *rest;
    double energy0, energy; // at both ends
    int known, hides, tired;
} lanes_view;

typedef enum { LANE_GOES_ON, LANE_SHORTER, LANE_STOPS, LANE_GIVEN_UP } lanes_verdict;
typedef enum { RUN_IS_REACHED, RUN_IS_STOPPED, RUN_IS_GIVEN_UP } lanes_ending;

typedef struct {
    double tolerance, end;
    uint64_t count;
    const double *start;
    double *first, *out, *until;
    unsigned char *ended;
    double *end_state;
    lanes_view *view;
    void *host;
    void (*begin)(void *host, unsigned lane, uint64_t run, const double *parameters);
    lanes_verdict (*look)(void *host, unsigned lane);
    lanes_verdict (*look_ahead)(void *host, unsigned lane, int again);
    int (*keeps_energy)(void *host, unsigned lane);
    void (*shift)(void *host, unsigned lane);
    void (*weights)(double theta, double *b);
    const volatile int *interrupted;
    uint64_t steps, rejected, looks, tries;
} lanes_job;

enum { MOST_GROUPS = 2, MOST_LANES = 8 * MOST_GROUPS, MOST_CHART_ROWS = 4 };

// What a sweep in lanes is: made once, read by all workers
typedef struct {
    lanes_asked asked;
    const sweep_system *system;
    const simulation *sim;
    const tableau *pair;              // NULL: it is by series
    taylor_plan series, usual_series; // its plan, and what long steps are shortened to
    uint32_t stages, row;             // of a pair; coefficients
    const shifts *shifts;
    uint32_t width, groups, lanes; // of a vector; vectors; of all of them
    uint32_t size, parameters, collected_count;
    uint32_t extremes, means, finals;              // in this order in what generated code collects
    uint32_t *which;                               // .. their places among what is collected
    tape *extreme, *slope, *mean, *final, *energy; // NULL where there are none
    bool *is_max;                                  // of extremes
    double *usual;                                 // values of the parameters, when the sweep began
    bool hides;                                    // rates can hide something (integrate/sight.h)
    bool searches, watches_rank; // there are events, rows that may become dependent
    bool keeps_energy;
    uint32_t input_count, *input; // of the box
    module *code;
    int (*run)(lanes_job *job, void *memory);
    size_t bytes; // of `memory`
    bool sleef;
} lanes_plan;

// NULL: there is none, and `*why` says why
lanes_plan *lanes_plan_create(context *ctx, const lanes_asked *asked, const char **why);
void lanes_plan_free(lanes_plan *plan);
const char *lanes_plan_arithmetic(const lanes_plan *plan);          // of an engine
void lanes_plan_mark(const tape *t, bool *matters);                 // which of z and t it reads
const char *lanes_plan_words(const lanes_plan *plan, context *ctx); // "8 lanes (AVX-512), dop853"

typedef struct lanes_host lanes_host;
lanes_host *lanes_host_create(const lanes_plan *plan);
void lanes_host_free(lanes_host *h);
// A chunk begins, of so many runs: what is noted of events is forgotten
void lanes_host_begin(lanes_host *h, uint64_t count, lanes_job *job);
// First crossings and counts of a run, into the columns of events
void lanes_host_events(const lanes_host *h, uint64_t run, double *collected);
int32_t lanes_host_stopped(const lanes_host *h, uint64_t run); // by which event

#endif
