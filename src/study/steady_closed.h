// Steady motions as formulas in the parameters, where the equations that are left after everything
// linear is eliminated have low degree. Make the forms of a problem, read them; they live in the
// arena. Every form was substituted into all equations and makes them vanish identically.
#ifndef HAMEL_STUDY_STEADY_CLOSED_H
#define HAMEL_STUDY_STEADY_CLOSED_H

#include "study/steady_shape.h"

typedef struct {
    expr left;  // an unknown, or the sine or cosine or tangent of one
    expr right; // what it is
} closed_solution;

// One branch of steady motions: values of some unknowns, and at most one relation among the others
typedef struct {
    uint32_t values;
    closed_solution *value;
    expr relation; // vanishes; EXPR_NONE: the others are free
    uint32_t solutions;
    closed_solution *solution; // the relation, solved in as many ways as were found
    bool singular;             // the equations do not determine the accelerations there
    bool unsolved;             // `rest` is left, of too high a degree
    uint32_t rests;
    expr *rest;
    uint32_t free; // unknowns that are left: they parametrise the family, less one for the relation
    expr *parameter;
} closed_form;

typedef struct {
    uint32_t count;
    closed_form *form;
    uint32_t gauges; // coordinates that are 0: the symmetries move them
    expr *gauge;
    const char *reason; // why there are none, or not all; NULL: these are all in general position
    shape_form shape;   // where these are not all
} closed_forms;

closed_forms steady_closed_forms(steady_problem *p);

#endif
