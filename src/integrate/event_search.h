// Where event functions cross zero within a step: all of their roots, isolated by ranges
// of the functions and of their rates over the curve of the step, halved until in each
// part a function has no root, or changes in one direction only. Poles and zeros that
// are only touched are no crossings.
#ifndef HAMEL_INTEGRATE_EVENT_SEARCH_H
#define HAMEL_INTEGRATE_EVENT_SEARCH_H

#include "integrate/curve.h"
#include "integrate/integration.h"

typedef struct event_search event_search;

event_search *event_search_create(const simulation *sim);
void event_search_take_parameters(event_search *w, const double *parameter_value);
void event_search_free(event_search *w);

typedef struct {
    uint32_t event;
    double t;
    int direction; // +1: from negative to positive
} crossing;

typedef struct {
    uint32_t count, capacity;
    crossing *list; // in the order of their times
} crossing_list;

// Crossings along the curve up to t, the end of the step or a time before it. `value`, one for each
// event: its last value that is not 0, before the step; afterwards that at its end. inside: the
// same solution, to the last digit. False where more zeros lie together than could be told apart.
bool event_search_run(event_search *w, field *f, const curve *c, const dense *inside, double t,
                      double *value, crossing_list *out);

#endif
