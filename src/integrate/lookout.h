// What a step may have passed over. A method knows the rates z' = f(z, t) at the places where it
// asks for them; between two of them something narrow may stand: the wall of a potential, a pulse
// in time. Sums, products, sin and cos cannot hide such a thing, for they look the same
// everywhere; exp, tanh, a quotient, a root, abs .. can be flat at one place and steep at another.
// So over the box that the step stays in, each such operation must either change so little that its
// values somewhere tell about those everywhere ("settled"), or matter less than the tolerance.
#ifndef HAMEL_INTEGRATE_LOOKOUT_H
#define HAMEL_INTEGRATE_LOOKOUT_H

#include "execute/simulation.h"
#include "integrate/clear_box.h"
#include "integrate/curve.h"

typedef struct lookout lookout;

// NULL: nothing in these rates can hide. fixed_steps: of a method that
// does not judge its own errors
lookout *lookout_create(const tape *rate, const double *parameter_value, bool fixed_steps);
void lookout_free(lookout *w);

typedef enum {
    VIEW_CLEAR, // nothing can be hidden
    // nothing can, except that the curve goes through a pole or a place where a quotient is 0/0
    VIEW_POLE,
    VIEW_HIDDEN, // something may be, as far as ranges tell
} view;

// Is nothing hidden from `a` to `b` after the beginning of the curve? A short look: true only where
// ranges show it, poles or not.
bool lookout_is_clear(lookout *w, const curve *c, double a, double b, double tolerance);

// What can be hidden from `a` to `b` after the beginning of the curve, to this tolerance. A pole is
// where ranges have no bounds even over parts as short as `finest`; *no_poles is set where there
// certainly is none, and then saves looking for them from `a` to places before `b`.
view lookout_view(lookout *w, const curve *c, double a, double b, double tolerance, double finest,
                  bool *no_poles);
// Is a step from (t, z) to z1, with the slopes f and f1, where nothing can hide, as far as earlier
// views tell? Much cheaper than a view, which would then be clear.
bool lookout_knows_ends(lookout *w, uint32_t n, double t, double h, const double *z,
                        const double *f, const double *z1, const double *f1);
// Other values of the parameters; nothing is known of the motion. Not where lookout_known_box() is
// NULL
void lookout_take_parameters(lookout *w, const double *parameter_value);
// The boxes in which lookout_knows_ends() knows steps; NULL: it never does
clear_box *lookout_known_box(lookout *w);

#endif
