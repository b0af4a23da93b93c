// Systems of Chaplygin type: the coordinates of the dependent velocities appear neither in T nor in
// the constraints, so that the equations close in the others. chaplygin_type() looks whether
// dependent velocities can be chosen so, and returns the system with that choice; `chaplygin`,
// `chaplygin-g` and `gaponov` start from it, and `check` names the type.
#ifndef HAMEL_DERIVE_CHAPLYGIN_H
#define HAMEL_DERIVE_CHAPLYGIN_H

#include "derive/manifold.h"

// NULL if the system is of Chaplygin type, else why not. *out is then the system with dependent
// velocities chosen so that their coordinates appear neither in T nor in the constraints.
const char *chaplygin_type(const mechanics *s, mechanics *out);
// The same for constraints x' = Phi(y, y', t) that need not be linear,
// homogeneous or stationary (RS (4.13)).
const char *chaplygin_type_generalised(const mechanics *s, mechanics *out);

// The constraint manifold with L as its energy: L*(y, x', y') of RS where the potential is free of
// the x. Where it is not, -dU/dx is one of the forces that act along the x.
manifold chaplygin_manifold(const mechanics *s);

#endif
