// A host of lanes as its files see it: what it knows of each lane, and how it looks at a step.
// Others use lanes_host.h.
#ifndef HAMEL_SWEEP_LANES_HOST_INTERNAL_H
#define HAMEL_SWEEP_LANES_HOST_INTERNAL_H

#include "execute/machine.h"
#include "execute/range_machine.h"
#include "integrate/conserved.h"
#include "integrate/event_search.h"
#include "integrate/lookout.h"
#include "integrate/rank_watch.h"
#include "sweep/lanes_host.h"

enum { MOST_BLIND = 20000 }; // as sight.c has it

// Where nothing is to be found: of lanes that have the same parameters
typedef struct {
    lookout *look;  // in the rates; NULL: nothing can hide there
    clear_box calm; // no event is 0, and the rank is kept
} outlook;

typedef struct lane lane;
typedef struct {
    box_judge base; // first
    lane *w;
} calm_judge;

struct lane {
    field base;     // its events are asked for, and nothing else
    simulation sim; // as the sweep's, with the parameters of the run
    double *parameter;
    outlook *around, own; // around: its own, or that of the usual parameters
    bool has_own, is_own_stale;
    calm_judge judge;
    uint32_t blind;      // steps that ranges could not judge
    view seen;           // along the step that was looked along last
    uint32_t hard;       // by series: steps that were longer than one can see at once
    machine rates;       // .. where it is asked whether a step continues
    curve between, path; // cubics and series along steps; dense output of a pair
    event_search *search;
    machine events;
    range_machine ranges; // of events
    double *last;         // of each event, the last value that is not 0
    rank_watch *rank;
    range *value, *numbers; // of z and t over a step; of events there
    uint64_t run;
};

struct lanes_host {
    const lanes_plan *plan;
    outlook usual; // of the parameters that most lanes have
    lanes_view view;
    lanes_job *job;
    lane lane[MOST_LANES];
    conserved *weight; // of the energy; NULL: it is not kept
    double *numbers;   // of the view, and:
    double *after;     // the state behind a step, with its slopes
    double finest;     // the shortest step that is looked along
    double *first;     // of each run and event: where it first crossed 0; how often
    int32_t *stopped;  // of each run
    uint64_t runs;     // that there is room for
    uint64_t now;      // of the chunk
};

// --- lanes_host.c --------------------------------------------------------------------------------

// How far one can see along w->between, as sight_of_step() says: the longest of h, h/2, h/4 ..
double lanes_host_sees(lanes_host *h, lane *w, double step);
// Does the step keep the energy, to 1000 times the tolerance? As sight_keeps_energy()
bool lanes_host_keeps_energy(lanes_host *h, const lane *w);
// Is no event 0 and the rank kept over the box of the step along this curve?
bool lanes_host_is_calm(lane *w, const lanes_view *v, const curve *path);
// Events and loss of rank in the step
lanes_verdict lanes_host_look_inside(lanes_host *h, lane *w, const dense *inside,
                                     const curve *path);

// --- lanes_outlook.c -----------------------------------------------------------------------------

uint32_t lanes_host_event_count(const lanes_plan *plan);
outlook lanes_outlook_create(const lanes_plan *plan, const double *parameter);
void lanes_outlook_free(outlook *o);
// That of the parameters the lane has now
void lanes_outlook_choose(lanes_host *h, lane *w);
calm_judge lanes_outlook_judge(lane *w);
// The box for generated code: what all that is watched allows of each input, where the next step
// will be, as far as the slopes f at (t, z) tell; f: NULL: at z
void lanes_outlook_show(lanes_host *h, lane *w, double t, const double *z, const double *f,
                        double length);

// --- lanes_series.c ------------------------------------------------------------------------------

// What a lane asks by Taylor's method
lanes_verdict lanes_series_look_ahead(void *host, unsigned which, int again);
lanes_verdict lanes_series_look(void *host, unsigned which);

#endif
