// The regions of a map between its curves, from columns that the curves cut into strips. For
// stability_map.h only.
#ifndef HAMEL_STUDY_MAP_REGIONS_H
#define HAMEL_STUDY_MAP_REGIONS_H

#include "study/map_point.h"

void map_regions_find(stability_map *m, map_net *net);

#endif
