// Points and bodies in motion: velocities and accelerations in (q, q', q'', t), for the
// formalisms that start from them and never from an energy. particles_of() makes them all; newton,
// appell, kane and volterra project them.
#ifndef HAMEL_DERIVE_PARTICLES_H
#define HAMEL_DERIVE_PARTICLES_H

#include "model/mechanics.h"

typedef struct { // a point, or the centre of a body
    const char *name;
    expr mass;
    vec3 position, velocity, acceleration;
} moving_mass;

typedef struct { // the turning of a body, in body axes
    const char *name;
    const expr *inertia; // six entries
    vec3 omega, omega_rate;
    vec3 moment; // I omega' + omega x I omega
} turning_body;

typedef struct {
    uint32_t mass_count, body_count;
    moving_mass *masses;
    turning_body *bodies;
} particles;

particles particles_of(const mechanics *s);

#endif
