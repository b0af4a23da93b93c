// How `check` says what the geometry of the constraints is.
#ifndef HAMEL_API_CHECK_GEOMETRY_H
#define HAMEL_API_CHECK_GEOMETRY_H

#include "analyse/geometry.h"
#include "api/api_internal.h"

// Of one constraint: the verdict in its line, and below it the integral.
void write_verdict(const constraint_geometry *g, text *out);
void write_integral(const model *m, const constraint *c, const constraint_geometry *g, text *out);
void write_json_verdict(const model *m, const constraint_geometry *g, json *out);

// Of all constraints together.
void write_geometry(const mechanics *s, const geometry *g, text *out);
void write_json_geometry(const mechanics *s, const geometry *g, json *out);

#endif
