// Choices made from numbers at the sampled state, beyond those of the mechanics itself: in which
// order to eliminate, whether a matrix is regular there, which velocities to take as dependent.
// Numbers choose the way only; what is computed along it is exact.
#ifndef HAMEL_DERIVE_SAMPLE_PIVOTS_H
#define HAMEL_DERIVE_SAMPLE_PIVOTS_H

#include "model/mechanics.h"

// Rank of a size x size matrix of expressions in (q, q', t) at the sampled state, with its pivots.
uint32_t sample_pivots_find(const mechanics *s, uint32_t size, const expr *matrix, uint32_t *row,
                            uint32_t *column);

// The same for rows of a rows x columns matrix, which may also hold lambda. Where the rank is too
// low, unused rows and columns complete the sequence.
uint32_t sample_pivots_find_rows(const mechanics *s, uint32_t rows, uint32_t columns,
                                 const expr *matrix, uint32_t *row, uint32_t *column);

// The same system, without quasi-velocities, with its dependent velocities chosen among the allowed
// coordinates; false if that is impossible.
bool sample_pivots_choose_dependent(const mechanics *s, const bool *allowed, mechanics *out);

#endif
