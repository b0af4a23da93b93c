// The "scene" of a page: what the animation shows, as numbers frame by frame (docs/page.md). The
// `draw` statements of the model say what there is, or defaults where it has none; positions come
// from the rows of the run.
#ifndef HAMEL_REPORT_SCENE_H
#define HAMEL_REPORT_SCENE_H

#include "print/json.h"
#include "report/finished_run.h"

// `budget`: characters for all tracks together. null where there is nothing to see
void scene_json(const finished_run *r, size_t budget, const char *key, json *out);

#endif
