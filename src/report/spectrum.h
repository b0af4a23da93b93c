// What frequencies a column of a run has: the amplitude spectrum of its rows under Hann's window,
// and its peaks with frequencies between those of the transform. spectrum_times() says first
// whether the rows are evenly spaced, and spectrum_of() then makes the spectrum of one column; rows
// that are not even are interpolated on an even grid.
#ifndef HAMEL_REPORT_SPECTRUM_H
#define HAMEL_REPORT_SPECTRUM_H

#include "base/arena.h"
#include "record/table.h"

enum { SPECTRUM_LEAST_ROWS = 16, SPECTRUM_MOST_PEAKS = 12 };

// The even times that a spectrum is made of
typedef struct {
    uint64_t count;
    double first, apart;
    bool resampled; // the rows were not even
} spectrum_grid;

// From the first column of the rows. What is wrong with them, in the arena; NULL: nothing.
const char *spectrum_times(const table *rows, arena *a, spectrum_grid *out);

typedef struct {
    double frequency, amplitude; // of A cos(2 pi f t + phase)
} spectrum_peak;

typedef struct {
    uint64_t count; // of frequencies: 0, 1/T, 2/T .. with T = grid.count * grid.apart
    double *frequency, *amplitude; // in the arena
    double mean;                   // of the column, taken off before
    uint32_t peak_count;
    spectrum_peak peak[SPECTRUM_MOST_PEAKS]; // the highest first
} spectrum;

// Of a column. What is wrong with it, in the arena; NULL: nothing.
const char *spectrum_of(const table *rows, uint32_t column, const spectrum_grid *grid, arena *a,
                        spectrum *out);

#endif
