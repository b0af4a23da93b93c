// Steady motions along a parameter or an initial value p, prepared once: programs for their
// equations F(s, p) = 0, for the linear motion around them, and for what a proof needs.
//
// Start from a motion that was found (steady_motion_find). What it solved for stays s, the other
// unknowns are held: at the values that `initial` gives them as functions of p, or where they are.
// Then go to as many values of p as wanted (path_point_solve), enclose the motions over a whole
// interval of p (path_point_enclose), and look at what is linear there (path_point_linearise).
#ifndef HAMEL_STUDY_STEADY_PATH_H
#define HAMEL_STUDY_STEADY_PATH_H

#include "study/linear_problem.h"

#include <arb_poly.h>

typedef struct {
    steady_problem *w;
    const steady_motion *from;
    expr p;                 // a parameter, or a symbol that stands for the value that is varied
    expr second;            // another one that may be moved (path_point_set_second); or EXPR_NONE
    uint32_t rank;          // of F, and of s
    const uint32_t *row;    // which functions of the motion are F
    const uint32_t *solved; // positions of s among the unknowns
    // Unknowns that are 0 all along: with them at 0 as many functions vanish identically, so that
    // neither is looked at. Where symmetric motions branch off, as steady turns do from riding
    // straight on, F stays regular without them.
    uint32_t zeros;
    const uint32_t *zero;
    uint32_t stills; // how many of `zero` there are, also where all rows are looked at (zeros = 0)
    uint32_t settings; // what follows from p without solving: parameters, unknowns that are held
    expr *setting;
    const expr *meaning;  // of each, an expression in p
    program *set;         // their values
    program *rows;        // F; dF/d(unknowns), rank x unknowns; dF/dp with what follows from p
    expr *pace;           // ds/dp: symbols
    program *slope_rates; // d/dp of dF/d(unknowns) along the path
    // moved copies, d(q, q', eta) = (X_a, A_a q', ..) for each symmetry; their rates along the path
    program *copies, *copy_rates;
    program *checks; // identities of rows left out; the block of speeds
    program *breaks; // what is 0 where a function jumps or bends
    uint32_t identities, block;
    linear_problem linear;
    arb_ptr value; // of the outputs of rows
    bool changes;  // something in F or in the rates depends on p
    bool proves;   // zeros of F are steady motions: it has full rank, or what it leaves out follows
    // More equations than unknowns, as where a body at rest is held by a constraint on velocities:
    // velocities that are 0 at each zero of F where dR/dZ is regular, R the rows that vanish with
    // all of them. Positions of R in F and of Z in s.
    uint32_t rests;
    const uint32_t *rest_row, *rest;
} steady_path;

// `vary`: a parameter, or an unknown that the motion holds (steady_path_holds). `whole`: unknowns
// that are 0 all along are solved for like all others, so that branches can leave.
bool steady_path_holds(const steady_problem *w, const steady_motion *from, expr vary);
void steady_path_create(steady_problem *w, const steady_motion *from, const ode *o,
                        const completion_request *guess, expr vary, bool whole, steady_path *out);
// The same with two that are varied; paths go along the first.
void steady_path_create_plane(steady_problem *w, const steady_motion *from, const ode *o,
                              const completion_request *guess, expr vary, expr vary_too,
                              steady_path *out);
void steady_path_clear(steady_path *a);

typedef struct {
    state x;     // all values; s as balls where it is enclosed
    bool proved; // a motion is in the ball of s for each p in its ball, and one only
    // where it is proved: the only one in x + t (p - p0) + E; p0, then x, t and E for all of s
    uint32_t around_count;
    arb_ptr around;
    linear_matrices linear;
    arb_poly_t polynomial;      // characteristic polynomial of the quotient
    arb_poly_t polynomial_rate; // and its derivative along the path, where it was asked for
    bool has_linear;
} path_point;

void path_point_init(const steady_path *a, slong bits, path_point *out); // at the motion it is from
void path_point_copy(const path_point *from, slong bits, path_point *out);
void path_point_clear(path_point *at);
arb_ptr path_point_p(const steady_path *a, path_point *at);

// Another p, also a ball, and what follows from it without solving; s stays.
void path_point_set_p(steady_path *a, path_point *at, const arb_t p);
// Another value of the second one, in the same way.
void path_point_set_second(steady_path *a, path_point *at, const arb_t value);
// Another p, with s where the tangent leads: s += ds/dp (p - p before). False where dF/ds is
// singular.
bool path_point_predict(steady_path *a, path_point *at, const arb_t p);
// Newton's method from where s is. False where it does not converge.
bool path_point_solve(steady_path *a, path_point *at);
// Krawczyk's test for all p in its ball, around s; sets `proved` and the balls of s.
void path_point_enclose(steady_path *a, path_point *at);
// Is the motion `at` with one p of the ball of `over` the one that is enclosed there? Both proved.
bool path_point_holds(const steady_path *a, const path_point *over, const path_point *at);
// Over the balls of a point: do the rows that were left out follow from the others?
bool path_point_rows_follow(steady_path *a, path_point *at);
// A, its quotient and polynomial there; false where something is not finite. For a ball of p, with
// the point at its middle: also the derivative of the polynomial along the path; else NULL.
bool path_point_linearise(steady_path *a, path_point *at, path_point *middle);

#endif
