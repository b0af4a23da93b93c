// A tape over ranges: what every register may hold while (z, t) is in a box, and how fast it may
// change along a curve through it. integrate/lookout.h runs it over the box of a step, to see what
// the rates can do there.
#ifndef HAMEL_EXECUTE_RANGE_MACHINE_H
#define HAMEL_EXECUTE_RANGE_MACHINE_H

#include "execute/ranges.h"

typedef struct {
    const tape *t;
    uint32_t leaves; // inputs and constants: step i is register leaves + i
    range *value;
    range *rate; // d/dt along the curve; NULL: not wanted
    bool *wave;  // of each step: it is cos a cos b + sin a sin b or the like, at most 1
    // A linear system A x = b at the middle of the box
    double *inverse, *work; // A_mid^-1
    // |A_mid^-1| |A - A_mid|, of the system last looked at: below 1 it stays regular
    double spread;
} range_machine;

// `rates`: the rates are wanted too.
void range_machine_init(range_machine *m, const tape *t, const double *parameter_value, bool rates);
// Other values of the parameters
void range_machine_set_parameters(range_machine *m, const double *parameter_value);
void range_machine_free(range_machine *m);

static inline bool range_machine_is_fixed(const range_machine *m, uint32_t reg) {
    return reg < m->leaves ? reg > m->t->state_count
                           : m->t->step[reg - m->leaves].level == TAPE_FIXED;
}

// One step from its operands; an entry of a solution comes with the first of them.
void range_machine_step(range_machine *m, uint32_t step);
// The inverse of a system at the middle of the box, and how far the box is from it: *spread.
void range_machine_invert(range_machine *m, const tape_system *s);

#endif
