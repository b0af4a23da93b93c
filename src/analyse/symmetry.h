// Symmetries of a system: fields X = sum_i (sum_j A_ij q_j + b_i) d/dq_i whose flow changes neither
// the Lagrangian nor the forces nor the constraints. `check` lists them; steady motions (the study
// room) are those that a symmetry carries along itself.
#ifndef HAMEL_ANALYSE_SYMMETRY_H
#define HAMEL_ANALYSE_SYMMETRY_H

#include "model/mechanics.h"

typedef struct {
    const expr *matrix; // A, n x n: numbers, or multiples of a parameter
    const expr *shift;  // b, n
    const expr *field;  // A q + b, n
    bool is_shift;      // A = 0
    const char *name;   // "translation of x", "rotation of x, y, theta"
} symmetry;

typedef struct {
    bool decided; // false: no random points could be made
    uint32_t count;
    const symmetry *at;
    const char *group; // "SE(2) x S(1)"; NULL: nothing to say
    // more coordinates than are looked at together: only shifts b were looked for, of more than 60
    // coordinates those of one
    bool shifts_only;
} symmetries;

// All that there are: the dimension is exact at a random point of F_p (it can be too large only
// with a probability far below 2^-50), and each one that is returned is verified on its own.
symmetries symmetries_of(const mechanics *s);

#endif
