// For which values of a parameter a steady motion is stable, proved: pieces of the interval are
// taken in whole, with the motion enclosed over each piece, and judged by Routh and Hurwitz. Scan
// and look for critical values first; then find the pieces, read them, clear them.
#ifndef HAMEL_STUDY_STABLE_PIECES_H
#define HAMEL_STUDY_STABLE_PIECES_H

#include "study/critical.h"

typedef struct {
    stability_verdict verdict; // STABLE_UNDECIDED: nothing is proved here
    arb_t low, high;           // exact numbers
    // it is proved that the motion is that of the decided piece before it; true of the first
    bool joined;
} stable_piece;

typedef struct {
    uint32_t count, capacity;
    stable_piece *at; // by increasing values, without gaps
} stable_pieces;

// Of the interval from low to high, parted at the critical values that change something; sets
// `stable_above` of these.
void stable_pieces_find(scan *s, spectrum_kind kind, critical_values *critical, arb_srcptr low,
                        arb_srcptr high, stable_pieces *out);
void stable_pieces_clear(stable_pieces *p);

#endif
