// What the two files of a collector share: collector.c makes it, finds the code of a chart and the
// numbers of a run; collector_steps.c goes along the steps. Nobody else includes this.
#ifndef HAMEL_SWEEP_COLLECTOR_INTERNAL_H
#define HAMEL_SWEEP_COLLECTOR_INTERNAL_H

#include "execute/machine.h"
#include "sweep/collector.h"

// The system of one chart: E of all that is looked at in steps, and of what is asked at the end
typedef struct {
    const simulation *sim;
    machine extreme, slope, mean, final; // where there are none their tape is NULL
} chart_code;

typedef struct {
    const model *m;
    expr *expression; // of extremes, means, finals, in this order
} model_code;

struct collector {
    run_follower base; // first
    const model *m;    // whose events are meant
    uint32_t count;
    const struct collected *what;
    uint32_t extremes, means, finals;
    LIST(model_code, models);
    uint32_t *which; // extremes, means, finals: their places in `what`
    LIST(chart_code, charts);
    chart_code *now;
    const run *r;
    double begin;
    int32_t stopped;
    double *best, *integral, *first, *times; // of extremes; of means; of each collected
    // of extremes, then means: the largest |E| seen, how often panels may still be divided, E where
    // the step begins
    double *scale, *splits, *start;
    double *value, *noise; // of all
    double *looks;         // E at places of panels, one behind the other by depth
    bool *open;            // .. which extremes or means a panel is asked for
    double *z, *work;      // a state with its turns; one inside of a step
    size_t size;           // of these
};

// The machine at a state whose coordinates get their turns back; NaN where there is no value
void collector_values_at(collector *c, machine *m, double t, const double *z, uint32_t count,
                         double *out);
// From where c->r stands to (t, end)
void collector_pass_step(collector *c, chart_code *k, double t, const double *end,
                         const dense *inside);
// A run begins; a piece of it, with E in c->start
void collector_begin_steps(collector *c);
void collector_take_start(collector *c);

#endif
