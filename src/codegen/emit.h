// Tapes as C. Runs emit, compile and load them; `codegen` puts the same functions into a project.
#ifndef HAMEL_CODEGEN_EMIT_H
#define HAMEL_CODEGEN_EMIT_H

#include "codegen/scalar_type.h"
#include "codegen/tableau.h"
#include "codegen/tape.h"

// Two functions that compute the outputs of a tape, S being the scalar type:
//   void NAME_fixed(const S *p, S *c);
//   what depends on parameters only, once for all
//   void NAME(S t, const S *z, const S *p, const S *c, S *out);               all outputs
// Large bodies are split into several functions. `out` must not overlap the others. Returns how
// many places c needs (at least 1).
uint32_t emit_tape(const tape *t, const scalar_type *as, const char *name, text *out);
// The same with names for the inputs in the bodies: label[i] is a C identifier for each input but
// t, none like r1, matrix1, solution1, rows1 or t, z, p, c, kept, out.
uint32_t emit_tape_named(const tape *t, const scalar_type *as, const char *name,
                         const char *const *label, text *out);

// hamel_factor_symmetric(n, a), hamel_solve_symmetric(n, a, x), or _general with a list of
// exchanged rows: what solves the systems of a tape. May be written several times into one file.
void emit_solver(const scalar_type *as, bool symmetric, text *out);

// How Taylor coefficients are written; the results are the same.
typedef enum {
    EMIT_JET_SHORT,    // the first of these three that a compiler is done with soon
    EMIT_JET_UNROLLED, // without a loop over orders; systems are not
    EMIT_JET_WRITTEN,  // one by one, for an order k; systems are not
    // as short as it gets, for a thread of a GPU; there are no systems, and S has a literal pattern
    EMIT_JET_IN_ROWS,
    // for vectors of runs, as lanes/series.c calls them (emit_lanes.h); there are no systems
    EMIT_JET_ABREAST,
    EMIT_JET_IN_LOOPS, // over tables of registers, whose code does not grow
} emit_jet_way;

// Steps of a tape whose coefficients are written operation by operation: a compiler takes about
// 0.7 ms for each
enum { EMIT_JET_MOST_WRITTEN = 1500 };

// Taylor coefficients of the solution of z' = f (the tape has state_count outputs), S being the
// scalar type:
//   int NAME(S t, const S *z, const S *p, const S *c, int order, S *out);
//   out[k * n + i]: coefficient k of z_i, k = 0 .. order <= most
//   returns 0; or 1 where memory for the registers was refused, and nothing is computed
// with its NAME_fixed as above.
uint32_t emit_jet(const tape *t, const scalar_type *as, const char *name, uint32_t most,
                  emit_jet_way way, text *out);

// One attempt of a step of the length h by a Runge-Kutta pair:
//   double NAME(double t, const double *z, const double *p, const double *c, double h,
//               double tolerance, double *k, double *work, double *z1);
//   k: the stages, the first of which is given; work: the argument of the stage before the last;
//   z1: the solution; returns the size of its error, not finite where a stage is not
// with its NAME_fixed as above. The same sums in the same order as runge_kutta_template.h has.
uint32_t emit_pair(const tape *rate, const scalar_type *as, const char *name, const tableau *pair,
                   text *out);
// How often the rates stand in it
uint32_t emit_pair_copies(const tape *rate, const tableau *pair);

#endif
