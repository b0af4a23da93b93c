// Derivatives of what a motion shows, at its end and at its events, by parameters and by values at
// the start. Make the flow (flow.h) with the columns of start_slopes(), let it go to a time, and
// look there.
//
// At a time T that is fixed, dE/dv = E_z Z + E_v. Where an event g(t, z, v) = 0 ends the motion its
// time depends on the data too,
//   dT/dv = -(g_z Z + g_v) / (g_t + g_z f),   dE/dv = E_z Z + E_v + (E_t + E_z f) dT/dv,
// and where the denominator vanishes, the motion only touches g = 0: there is no derivative.
#ifndef HAMEL_STUDY_SENSITIVITY_H
#define HAMEL_STUDY_SENSITIVITY_H

#include "study/flow.h"

typedef struct {
    const char *event; // NULL: the end, at a time that is fixed
    double t;
    bool grazes;   // the event is only touched: nothing below has a value
    double *time;  // dT/dv of each datum; of an event
    double *value; // of each function
    double *slope; // of each function, by each datum: slope[function * data + datum]
    double *bend;  // second ones, by each pair: bend[function * pairs + pair]; NULL: none
} sensitivity;

// Functions as the model writes them, and an event or NULL. Memory in the arena. False where
// something has no finite value.
bool sensitivity_look(flow *w, const variation_request *asked, uint32_t count, const expr *function,
                      const event *at, sensitivity *out);

#endif
