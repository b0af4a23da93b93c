// A rectangle of a plane divided into cells by classes at their corners: those whose corners differ
// are divided in four, down to a given depth, so that boundaries are found without looking at all
// of the raster. Create one, ask which points are to be looked at next, set their classes, until
// none are left; then read the leaves. Points are those of the finest raster, (i, j).
#ifndef HAMEL_SWEEP_REFINEMENT_H
#define HAMEL_SWEEP_REFINEMENT_H

#include "base/list.h"

typedef struct {
    uint32_t i, j;
} raster_point;

typedef struct {
    uint32_t i, j, size; // its lower corner, and how many steps of the raster it is wide
} raster_cell;

enum { CLASS_UNKNOWN = -1, CLASS_MIXED = -2 };

typedef struct {
    uint32_t width, height; // steps of the raster: (width + 1) * (height + 1) points
    int32_t *class;         // of each point, row by row from (0, 0), CLASS_UNKNOWN: not looked at
    LIST(raster_cell, cells);
    LIST(raster_point, wanted); // to be looked at next, each once
    uint64_t looked;            // points so far
} refinement;

enum { REFINEMENT_MOST = 1 << 26 }; // points of a raster

// cells x cells at first, each divided `depth` times at most: width = height = cells << depth.
void refinement_begin(refinement *r, uint32_t cells, uint32_t depth);
void refinement_free(refinement *r);
// The classes of all `wanted`, not negative, in their order; then those that are wanted next
void refinement_set(refinement *r, const int32_t *class);

static inline int32_t *refinement_class(const refinement *r, uint32_t i, uint32_t j) {
    return &r->class[(uint64_t)j * (r->width + 1) + i];
}
// The class of a leaf: of its corners and of what is known on its sides, CLASS_MIXED where they
// differ
int32_t refinement_of_cell(const refinement *r, const raster_cell *c);
// All points of the raster: those that were not looked at get the class of their leaf; in leaves
// that are mixed, none are left.
void refinement_fill(refinement *r);

#endif
