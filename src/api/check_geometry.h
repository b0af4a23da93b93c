// The geometry of the constraints as `check --json` says it. check.c writes the rest of the
// document and calls these two, for one constraint and for all of them together; the words for
// people are in report/classification.h.
#ifndef HAMEL_API_CHECK_GEOMETRY_H
#define HAMEL_API_CHECK_GEOMETRY_H

#include "analyse/geometry.h"
#include "api/api_internal.h"

// Of one constraint, and of all together.
void check_geometry_write_verdict(const model *m, const constraint_geometry *g, json *out);
void check_geometry_write_json(const mechanics *s, const geometry *g, json *out);

#endif
