// The shapes of the modes of a linear motion: eigenvectors on what stays when neutral directions
// are divided out, in balls, where all eigenvalues are simple. Make them of a linearisation, read
// column by column, clear them; modes_settle_on_axis() comes before, where evenness is known.
#ifndef HAMEL_STUDY_MODES_H
#define HAMEL_STUDY_MODES_H

#include "study/linearise.h"

typedef struct {
    bool found;      // all eigenvalues are simple, and told apart
    acb_mat_t shape; // column i belongs to eigenvalue i; its largest entry is 1
} modes;

void modes_create(const linearisation *l, slong bits, modes *out);
void modes_clear(modes *m);

// Where eigenvalues are known to lie symmetric about the imaginary axis, one whose ball meets the
// axis and no other ball lies on it. Sets these real parts to 0 and the verdict to marginal where
// all that is not negative is such; changes nothing else.
void modes_settle_on_axis(linearisation *l);

#endif
