// Is the characteristic polynomial of the linear motion an even one, along a whole path? That is
// proved by what the system is, never by digits: conservative systems with constraints on positions
// only are Hamiltonian, and others may run backwards as they run forwards.
#ifndef HAMEL_STUDY_EVEN_SPECTRUM_H
#define HAMEL_STUDY_EVEN_SPECTRUM_H

#include "study/steady_path.h"

bool even_spectrum_is_proved(const steady_path *a);

// The same for one motion: is the polynomial of what is left without neutral directions even?
bool even_spectrum_at(steady_problem *w, const steady_motion *at, const ode *o,
                      const completion_request *guess);

#endif
