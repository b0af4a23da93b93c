// Runs of a sweep whose motion is in pieces: contacts, resets and clocks (pieces.h). Each is made
// ready by itself, in a context of its own, as `simulate` makes it with its values: through which
// systems it goes, by which methods and in which independent velocities, follows from these alone.
#ifndef HAMEL_API_SWEEP_PIECES_H
#define HAMEL_API_SWEEP_PIECES_H

#include "api/sweep_worker.h"

typedef struct {
    const sweep_setting_up *how;
    const hamel_motion *first; // tolerance and step
    double end;                // of each run; 0: as the model says with its values
    uint32_t numbers;          // collected of each run
} sweep_pieces;

// One run, from its own thread. HAMEL_LIMIT: there is no memory, or the sweep is to end.
hamel_status sweep_pieces_run(const sweep_pieces *w, const double *values, double *collected,
                              sweep_end *end);
// Rows of one at these times; those that it does not come to stay as they are.
hamel_status sweep_pieces_rows(const sweep_pieces *w, const double *values, const double *times,
                               size_t count, double *rows);

#endif
