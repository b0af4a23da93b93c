// The linear motion in second-order form, M p'' + C p' + K p = F u, on the coordinates p that stay
// when neutral directions are divided out.
//
// On the quotient, with p the coordinates and w the velocities that stay,
//   p' = R p + P w,   w' = G p + H w,
// and where there are as many velocities as coordinates and P is regular,
//   p'' = (R + P H P^-1) p' + P (G - H P^-1 R) p.
// The rows become generalised forces by the mass matrix. Forces f on eta change it by M^-1 f with
// the reduced mass matrix M = B^T (d2T/dq'2) B; the projector Q of the quotient takes eta' to w',
// and forces g on w are f = Q^T g. So w' = Q M^-1 Q^T g, p'' = P Q M^-1 Q^T P^T h for forces h on
// p, and M_p = (P Q M^-1 Q^T P^T)^-1: symmetric, and where Q leaves variables out, the Schur
// complement, which is what forces feel when nothing acts along the neutral directions.
//
// Where a neutral direction changes both coordinates and velocities (circles of a disc: lean and
// turn), p is a lean less a part of a turn, and P is not the P0 of q' = P0 w. Then p is measured so
// that p' = P0 w as for the coordinate itself: S p in the place of p, S = P0 P^-1.
#ifndef HAMEL_STUDY_SECOND_ORDER_H
#define HAMEL_STUDY_SECOND_ORDER_H

#include "study/response.h"

typedef struct {
    const char *refusal; // why there is none; NULL: there is one
    uint32_t count;
    const expr *coordinate; // p
    arb_mat_t m, c, k;
    arb_mat_t f; // count x inputs
} second_order;

// r may be NULL: no inputs. eq: Maggi's equations, whose matrix is the reduced mass matrix.
void second_order_create(const linearisation *l, const response *r, const steady_motion *at,
                         const equations *eq, second_order *out);
void second_order_clear(second_order *s);

#endif
