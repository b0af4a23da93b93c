// Tapes as C. Runs emit, compile and load them; `codegen` puts the same functions into a project.
#ifndef HAMEL_CODEGEN_EMIT_H
#define HAMEL_CODEGEN_EMIT_H

#include "codegen/tape.h"
#include "codegen/scalar_type.h"

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

// Taylor coefficients of the solution of z' = f (the tape has state_count outputs), S being the
// scalar type:
//   int NAME(S t, const S *z, const S *p, const S *c, int order, S *out);
//   out[k * n + i]: coefficient k of z_i, k = 0 .. order <= most
//   returns 0; or 1 where memory for the registers was refused, and nothing is computed
// with its NAME_fixed as above.
// Plans of at most `longest` operations are written out one by one, longer ones and those with
// linear systems as loops over tables of registers, which compile quickly; same results.
uint32_t emit_jet(const tape *t, const scalar_type *as, const char *name, uint32_t most,
                  uint32_t longest, text *out);
// A compiler takes 0.7 ms an operation, and beyond this many the code is no faster than loops.
enum { EMIT_JET_LONGEST = 300 };

#endif
