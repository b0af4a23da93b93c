// Steady motions as the speed that belongs to a shape: where the constraints leave the group one
// motion, as they do a bicycle that turns, everything moves in proportion to one velocity, and the
// equations are linear in its square. Make the form of a problem, read it; it lives in the arena.
#ifndef HAMEL_STUDY_STEADY_SHAPE_H
#define HAMEL_STUDY_STEADY_SHAPE_H

#include "study/steady_problem.h"

typedef struct {
    bool found;
    expr speed;          // a velocity,
    expr square;         // its square as a function of the shape;
    uint32_t velocities; // the others are ratio[i] times it
    const expr *velocity, *ratio;
    uint32_t relations; // functions of the shape that must vanish: constraints first
    const expr *relation;
    uint32_t shapes; // the coordinates that these are functions of
    const expr *shape;
} shape_form;

// `gauge`: coordinates that are 0
shape_form steady_shape_form(steady_problem *p, uint32_t gauges, const expr *gauge);

#endif
