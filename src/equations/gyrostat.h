// Masses that move as one. A wheel and the fork that carries it turn together but for the wheel's
// spin, which a symmetric wheel cannot be seen to do: both are one rigid body with a rotor in it, a
// gyrostat. Taking the masses of a model together so halves what its equations cost.
//
//   momentum  m u,   u = u_place + w x offset                  the velocity of the common centre
//   moment    h = I w + sum_r J_r s_r n_r                      about it, I without the moments J_r
//   spin      s_r = w_r . n_r                                  of rotor r about its axis n_r
#ifndef HAMEL_EQUATIONS_GYROSTAT_H
#define HAMEL_EQUATIONS_GYROSTAT_H

#include "model/model.h"

typedef struct {
    expr moment; // J, about its axis
    vec3 axis;   // n, a unit vector, in the axes of the gyrostat
    expr spin;   // in (q, q', t)
} rotor;

typedef struct {
    rotation axes;
    vec3 place;  // a point of it, in space ..
    vec3 offset; // .. and from there to the centre of mass, in its axes: free of q and t
    expr mass;
    expr inertia[6]; // about the centre: Ix, Iy, Iz, Ixy, Ixz, Iyz
    uint32_t rotor_count;
    rotor *rotors;
} gyrostat;

// The points and bodies of a model, each in one of them; in the arena. At most points and bodies
// together.
uint32_t gyrostat_collect(const model *m, gyrostat **out);

#endif
