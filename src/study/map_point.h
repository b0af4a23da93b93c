// Values at points of a map of two parameters, each from the nearest of a net of steady motions
// that is made once. For stability_map.h, and for maps that look at points alone: these set `path`,
// `low` and `high` of a map, make the net and ask for verdicts.
#ifndef HAMEL_STUDY_MAP_POINT_H
#define HAMEL_STUDY_MAP_POINT_H

#include "study/stability_map.h"

enum { MAP_NET = 16, MAP_BITS = 192 };

typedef struct {
    stability_map *m;
    path_point node[(MAP_NET + 1) * (MAP_NET + 1)];
    bool found[(MAP_NET + 1) * (MAP_NET + 1)];
} map_net;

// From a start at (u, v); false where there is nothing linear at it
bool map_net_create(stability_map *m, const double start[2], map_net *out);
void map_net_clear(map_net *net);

// The motion at (u, v), linearised; cleared by the caller always. False: none was found.
bool map_net_point(map_net *net, double u, double v, slong bits, path_point *out);
// A test there; false as above.
bool map_net_test(map_net *net, double u, double v, int test, slong bits, double *out);

// How many eigenvalues grow there, and how many neither grow nor decay, in doubles; false as above
bool map_net_count(map_net *net, double u, double v, uint32_t *growing, uint32_t *resting);
// What the eigenvalues there say, in doubles; false as above
bool map_net_verdict(map_net *net, double u, double v, stability_verdict *out);

#endif
