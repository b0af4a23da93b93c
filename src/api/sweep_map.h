// A map of what becomes of runs over two quantities, between the file that makes it (sweep_map.c)
// and the one that tells of it (sweep_map_output.c). Points of its raster are runs of a sweep over
// the finest grid, of which only those are made that the refinement asks for. In a map of stability
// no run is made: a point is the steady motion with these values (sweep_map_stable.c).
#ifndef HAMEL_API_SWEEP_MAP_H
#define HAMEL_API_SWEEP_MAP_H

#include "api/sweep_job.h"
#include "sweep/refinement.h"

// What a run came to: how it ended and, where there is one, the value of the expression there
typedef struct {
    sweep_outcome outcome;
    int32_t event;
    double value; // 0 without an expression
    const char *name;
    double area; // its share
} run_class;

typedef struct {
    sweep_job sweep;
    hamel_sweep swept;
    const hamel_map *asked;
    refinement r;
    LIST(run_class, classes);
    uint64_t mixed; // leaves on boundaries
    driven found;
    struct map_of_motions *motions; // of a map of stability; else NULL
} map_of_runs;

// (sweep_map_stable.c) The steady motions over the rectangle, to be closed also where they failed;
// what the eigenvalues of that at a point say, as a class without a number
hamel_status sweep_map_motions(map_of_runs *w);
void sweep_map_motions_close(map_of_runs *w);
run_class sweep_map_verdict(map_of_runs *w, uint32_t i, uint32_t j);
// How many eigenvalues, and how many neutral directions
void sweep_map_count(const map_of_runs *w, uint32_t *eigenvalues, uint32_t *neutral);

// The leaves as a file; the figure, in characters into `out`
hamel_status sweep_map_write(map_of_runs *w);
hamel_status sweep_map_draw(map_of_runs *w, text *out);
hamel_status sweep_map_check_figure(map_of_runs *w);
void sweep_map_text(const void *of, text *out);
void sweep_map_json(const void *of, json *out);

#endif
